import assert from "node:assert/strict";
import { test } from "node:test";
import { load, page, plain } from "./load.js";

const NAMES = ["newGame", "push", "cut", "otherLines", "chooseLine", "positionLine", "restore", "save", "store"];
const state = kept => load(["shared/dom.js", "shared/rules.js", "play/state.js"], NAMES, {
  ...page({ text: { en: {}, ja: {} }, language: "en" }),
  localStorage: kept ?? { getItem: () => null },
});

test("a move follows the shown position", () => {
  const { newGame, push, positionLine } = state(), game = newGame({ start: "sfen X" });
  for (const move of ["7g7f", "3c3d", "2g2f"]) push(game, move);
  assert.equal(positionLine(game, 2), "position sfen X moves 7g7f 3c3d");
  assert.equal(positionLine(game, 0), "position sfen X");
  game.ply = 1;
  push(game, "3c3d");
  assert.deepEqual([game.ply, game.moves.length], [2, 3], "the line stays if it has the move");
});

test("a line that is left can be chosen again", () => {
  const { newGame, push, otherLines, chooseLine } = state(), game = newGame();
  for (const move of ["a", "b", "c"]) push(game, move);
  Object.assign(game, { ply: 1, result: { winner: 0 }, scores: [1, 2, 3, 4] });
  push(game, "x");
  assert.deepEqual(plain([game.moves, otherLines(game), game.scores, game.result]), [["a", "x"], [["a", "b", "c"]], [1, 2], null]);
  chooseLine(game, otherLines(game)[0]);
  assert.deepEqual(plain([game.moves, game.ply, otherLines(game)]), [["a", "b", "c"], 1, [["a", "x"]]]);
  assert.deepEqual(plain(game.scores), [1, 2], "what both lines share is kept");
});

test("lines that are part of others are not kept", () => {
  const { newGame, push, cut, otherLines } = state(), game = newGame();
  for (const move of ["a", "b", "c", "d"]) push(game, move);
  cut(game, 2);
  cut(game, 1);
  assert.deepEqual(plain([game.ply, game.others]), [1, [["a", "b", "c", "d"]]]);
  for (const move of ["b", "c"]) push(game, move);
  assert.deepEqual(plain(otherLines(game)), [["a", "b", "c", "d"]]);
});

test("games are kept", () => {
  const kept = {};
  const storage = { setItem: (name, value) => { kept[name] = value; }, getItem: name => kept[name] };
  const before = state(storage);
  before.push(before.store.games.analyze, "7g7f");
  Object.assign(before.store, { mode: "analyze", language: "ja" });
  before.save();
  const after = state(storage);
  after.restore(() => true);
  assert.deepEqual(plain(after.store), plain(before.store));
  const refused = state(storage);
  refused.restore(game => game.moves.length === 0);
  assert.deepEqual(plain(refused.store.games.analyze.moves), []);
  assert.equal(refused.store.language, "ja");
});

test("what the browser kept may be broken", () => {
  const broken = ["{", "null", "{}", '{"version":0,"games":null}'];
  for (const words of broken) {
    const { restore, store } = state({ getItem: () => words });
    restore(() => true);
    assert.deepEqual([store.mode, store.games.play.moves.length], ["play", 0], words);
  }
  const { restore, save } = state({ getItem() { throw new Error("denied"); }, setItem() { throw new Error("full"); } });
  restore(() => true);
  save();
});
