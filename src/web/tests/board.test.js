import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { load, plain } from "./load.js";

const { parse, choose, targetsFrom, fill } = load(["shared/dom.js", "shared/board.js", "shared/choice.js"],
  ["parse", "choose", "targetsFrom", "fill"]);

test("a position is read from its SFEN", () => {
  const { squares, hands, side } = parse("4k4/9/9/9/9/9/9/1+R7/8K w 2Pb10p 1");
  assert.deepEqual(plain(squares), { "5a": "k", "8h": "+R", "1i": "K" });
  assert.deepEqual(plain(hands), [[["P", 2]], [["B", 1], ["P", 10]]]);
  assert.equal(side, 1);
});

test("a move is chosen by its piece and its target", () => {
  const legal = ["7g7f", "8h2b", "8h2b+", "8h3c", "P*5e"];
  assert.deepEqual(plain(choose(legal, null, "7g")), { from: "7g" });
  assert.deepEqual(plain(choose(legal, "7g", "7f")), { move: "7g7f", from: null });
  assert.deepEqual(plain(choose(legal, "P*", "5e")), { move: "P*5e", from: null });
  assert.deepEqual(plain(choose(legal, "8h", "2b")), { pair: ["8h2b+", "8h2b"], from: "8h" });
  // Another piece, the same piece again, and a square without moves.
  assert.deepEqual(plain(choose(legal, "7g", "8h")), { from: "8h" });
  assert.deepEqual(plain(choose(legal, "8h", "8h")), { from: null });
  assert.deepEqual(plain(choose(legal, "8h", "9i")), { from: null });
  assert.deepEqual([...targetsFrom(legal, "8h")], ["2b", "3c"]);
  assert.deepEqual([...targetsFrom(legal, null)], []);
});

test("values are placed once", () => {
  assert.equal(fill("{1} of {0}", "{1}", 2), "2 of {1}");
});

test("the page to play lists all of its scripts", () => {
  const html = readFileSync(new URL("../play/play.html", import.meta.url), "utf8");
  for (const folder of ["play", "shared"]) {
    for (const name of readdirSync(new URL(`../${folder}`, import.meta.url))) {
      if (name.endsWith(".js")) assert.ok(html.includes(` ${folder}/${name}`), name);
    }
  }
});
