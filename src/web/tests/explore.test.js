import assert from "node:assert/strict";
import { test } from "node:test";
import { load, page } from "./load.js";

// The variations of a page whose game has three moves. Nothing is drawn.
function explore() {
  const data = { moves: ["a", "b", "c"].map(usi => ({ usi })), positions: [{ sfen: "S" }], text: {}, notation: "usi" };
  const nothing = () => {};
  const globals = { ...page(data), positionAt: () => ({}), follow: nothing, analysis: nothing, draw: nothing, dropChoice: nothing,
    clickBoard: nothing, walk: n => exploring.walk(n), quiz: null, shown: null };
  const names = ["exploring", "branch", "undo", "state: () => ({ game, ply })"];
  const loaded = load(["shared/dom.js", "analysis/data.js", "analysis/explore.js"], names, globals);
  const { exploring } = loaded;
  return { ...loaded, line: () => `${loaded.state().game.moves.join("")} ${loaded.state().game.ply}` };
}

test("a move of the game stays in the game", () => {
  const { exploring, branch, line } = explore();
  exploring.play("a");
  assert.equal(line(), "abc 1");
  assert.equal(branch(), 3);
});

test("another move starts a variation, which can be entered again", () => {
  const { exploring, branch, line, state } = explore();
  exploring.show(1);
  for (const move of ["x", "y"]) exploring.play(move);
  assert.deepEqual([line(), branch(), state().ply], ["axy 3", 1, 1]);
  exploring.walk(1);
  exploring.play("x");
  assert.equal(line(), "axy 2", "the variation stays");
  exploring.play("z");
  assert.equal(line(), "axz 3");
  exploring.walk(0);
  exploring.play("a");
  assert.equal(line(), "axz 1");
  exploring.play("b");
  assert.equal(line(), "abc 2", "the game is entered again");
});

test("moves are taken back as far as the game", () => {
  const { exploring, undo, line, state } = explore();
  exploring.show(3);
  for (const move of ["x", "y"]) exploring.play(move);
  undo();
  assert.equal(line(), "abcx 4");
  undo();
  assert.deepEqual([line(), state().ply], ["abc 3", 3]);
  exploring.play("x");
  exploring.show(2);
  assert.equal(line(), "abc 2");
});
