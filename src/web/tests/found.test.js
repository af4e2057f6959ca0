import assert from "node:assert/strict";
import { test } from "node:test";
import { load, plain } from "./load.js";

const NAMES = ["analysis", "foundLines", "foundArrows", "addLine", "blackScoreText"];
const TEXT = { black_mates: "Black mates in {0}", white_mates: "White mates in {0}" };

// The scripts in a page with this game; `lines` is the chosen number of lines.
function page({ legal = ["7g7f", "2g2f"], lines = 3 } = {}) {
  const list = { value: String(lines) };
  const globals = {
    game: { id: "a", start: "startpos", moves: ["7g7f"], ply: 1 }, text: TEXT, setTimeout, draw() {}, engine: {},
    document: { getElementById: () => list },
  };
  const scripts = ["shared/dom.js", "shared/rules.js", "shared/drawing.js", "shared/found.js"];
  const setters = ["start: () => { isAnalyzing = true; }", "set: legal => { shown = { legal, side: 1 }; }"];
  const loaded = load(scripts, [...NAMES, ...setters], globals);
  loaded.set(legal);
  return { ...loaded, game: globals.game };
}

const info = (rank, depth, ...line) => ({ rank, depth, line, score: { cp: 0 }, nodes: 1 });

test("a search is wanted only while the engine analyses a position with moves", () => {
  const { analysis, start } = page();
  assert.equal(analysis(), null);
  start();
  const job = analysis();
  assert.equal(job.position, "position startpos moves 7g7f");
  assert.deepEqual(plain([job.go, job.options]), ["go infinite", { SkillLevel: 20, MultiPV: 3 }]);
  const mated = page({ legal: [] });
  mated.start();
  assert.equal(mated.analysis(), null);
});

test("the lines and arrows are those of the shown position", () => {
  const { analysis, start, foundLines, foundArrows, game } = page({ lines: 2 });
  start();
  const job = analysis();
  for (const line of [info(1, 3, "8c8d"), info(3, 3, "4a3b"), info(2, 3, "3c3d")]) job.onInfo(line);
  assert.deepEqual(plain(foundLines().map(({ line }) => line[0])), ["8c8d", "3c3d"]);
  assert.deepEqual(plain(foundArrows()), [["3c3d", "other"], ["8c8d", "best"]]);
  game.ply = 0;
  assert.deepEqual(plain(foundLines()), []);
});

test("no move starts two lines", () => {
  const { addLine } = page(), lines = [];
  for (const line of [info(1, 3, "a"), info(2, 3, "b"), info(3, 3, "c"), info(1, 4, "c")]) addLine(lines, line);
  assert.deepEqual(plain(lines.map(({ depth, line }) => [depth, line[0]])), [[4, "c"], [3, "b"], [3, "a"]]);
  addLine(lines, info(1, 5, "c", "d"));
  assert.deepEqual(plain(lines.map(({ line }) => line[0])), ["c", "b", "a"]);
});

test("scores name the side that mates", () => {
  const { blackScoreText } = page();
  assert.deepEqual([{ cp: 5 }, { cp: -5 }, { mate: 3 }, { mate: -4 }].map(blackScoreText),
    ["+5", "-5", "Black mates in 3", "White mates in 4"]);
});
