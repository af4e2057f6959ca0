import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clean, click, launch, newGame, open, play, ready, state, status, waitFor } from "./support.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test("legal moves are shown, and the engine replies", async () => {
  const { page, faults, close } = await open();
  await newGame(page, { side: "black", level: 0, kind: "nodes", nodes: 300 });
  await click(page, "8h");
  assert.equal(await page.locator("#board .target").count(), 0, "the bishop cannot move");
  await click(page, "2h");
  assert.equal(await page.locator("#board .target").count(), 6);
  await click(page, "7g");
  assert.equal(await page.locator("#board .target").count(), 1);
  await click(page, "7f");
  await waitFor(page, "game.moves.length === 2");
  assert.deepEqual((await state(page)).moves[0], "7g7f");
  assert.match(await status(page), /Black to move: your turn/);
  await page.click("#undo");
  assert.deepEqual((await state(page)).moves, []);
  assert.equal(await page.locator("#others button").count(), 1, "the line can be chosen again");
  await page.click("#others button");
  assert.equal((await state(page)).moves.length, 2);
  clean(faults);
  await close();
});

test("the engine can be interrupted", async () => {
  const { page, faults, close } = await open();
  await newGame(page, { side: "black", level: 20, kind: "seconds", seconds: 600 });
  await play(page, "7g7f");
  await waitFor(page, "engine.running !== null && (game.scores[1] ?? null) !== null");
  // Looking back leaves the search alone.
  await page.click("#first");
  assert.ok(await page.evaluate("engine.running !== null && !engine.running.isDropped"));
  await page.click("#move-now");
  await waitFor(page, "game.moves.length === 2 && isAtEnd()");
  await play(page, "2g2f");
  await page.click("#undo");
  assert.equal((await state(page)).moves.length, 2);
  await waitFor(page, "engine.running === null");
  assert.equal((await state(page)).moves.length, 2, "the answer of a dropped search is not played");
  clean(faults);
  await close();
});

test("the engine moves first, and gives hints", async () => {
  const { page, faults, close } = await open();
  await newGame(page, { side: "white", level: 1, kind: "nodes", nodes: 300 });
  await waitFor(page, "game.moves.length === 1");
  assert.ok(await page.evaluate("flipped"));
  await page.click("#hint");
  await waitFor(page, "hint?.move");
  assert.equal(await page.locator("#board .best").count(), 1);
  assert.match(await status(page), /Hint: /);
  await page.click("#resign");
  assert.deepEqual((await state(page)).result, { winner: 0, reason: "resign" });
  assert.match(await status(page), /Black won: White resigned/);
  clean(faults);
  await close();
});

test("a hint may be to declare a win", async () => {
  const { page, faults, close } = await open({ language: "ja" });
  await newGame(page, { side: "black", start: "sfen", "#new-sfen": "1+R+R+N+NG+L+L1/3K1+P+P+P1/2+P+P5/9/9/9/9/4k4/9 b 2B3G3P 1" });
  await page.click("#hint");
  await waitFor(page, "hint?.move");
  assert.match(await status(page), /ヒント:入玉宣言/);
  await page.click("#declare");
  assert.deepEqual((await state(page)).result, { winner: 0, reason: "declaration" });
  clean(faults);
  await close();
});

test("a chosen line has its end", async () => {
  const { page, faults, close } = await open();
  await newGame(page, { start: "sfen", "#new-sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1" });
  await play(page, "G*5b");
  await page.click("#undo");
  await play(page, "G*4b");
  await page.click("#others button");
  assert.deepEqual((await state(page)).result, { winner: 0, reason: "mate" });
  clean(faults);
  await close();
});

test("fields of another clock do not keep a game from its start", async () => {
  const { page, faults, close } = await open();
  await page.click("#new");
  await page.selectOption("[name=kind]", "byoyomi");
  await page.fill("[name=byoyomi]", "");
  await page.selectOption("[name=kind]", "nodes");
  await page.click("#new-form button[type=submit]");
  assert.ok(!await page.isVisible("#new-game"));
  clean(faults);
  await close();
});

test("a reload keeps the game and the language", async () => {
  const { page, faults, close } = await open();
  await newGame(page);
  for (const move of ["2g2f", "8c8d", "2f2e"]) await play(page, move);
  await page.click("#language");
  await page.keyboard.press("ArrowLeft");
  const before = await state(page), words = await status(page);
  await page.reload();
  await ready(page);
  assert.deepEqual(await state(page), before);
  assert.equal(before.ply, 2);
  assert.equal(await status(page), words);
  assert.equal(await page.getAttribute("html", "lang"), "ja");
  clean(faults);
  await close();
});

test("a game starts from a handicap or a position, and refuses an impossible one", async () => {
  const { page, faults, close } = await open();
  const names = await page.evaluate("ask({ ask: 'handicaps' }).handicaps.map(one => one.sfen)");
  await newGame(page, { side: "black", start: `sfen ${names[6]}`, level: 0, kind: "nodes", nodes: 100 });
  await waitFor(page, "game.moves.length === 1");
  assert.equal(await page.evaluate("sideAt(0)"), 1, "White moves first");
  await newGame(page, { start: "sfen", "#new-sfen": "9/9 b - 1" });
  assert.match(await page.innerText("#new-message"), /9\/9/);
  await page.click("#cancel-new");
  assert.equal((await state(page)).moves.length, 1);
  await newGame(page, { start: "sfen", "#new-sfen": "4k4/9/4P4/9/9/9/9/9/4K4 b G 1" });
  await play(page, "G*5b");
  assert.match(await status(page), /Black won by mate/);
  clean(faults);
  await close();
});

test("time runs out", async () => {
  const { page, faults, close } = await open();
  await newGame(page, { side: "black", level: 0, kind: "byoyomi", main: 0, byoyomi: 1 });
  await play(page, "7g7f");
  await waitFor(page, "game.moves.length === 2");
  assert.equal(await page.locator(".clock").count(), 2);
  await waitFor(page, "game.result !== null", 5000);
  assert.deepEqual((await state(page)).result, { winner: 1, reason: "time" });
  // A move may come between two looks at the clock.
  await newGame(page, { kind: "fischer", main: 1, increment: 5 });
  await play(page, "7g7f");
  const [black, white] = await page.evaluate("times()");
  assert.ok(black > 60000 && black <= 65000 && white === 60000, `${black} ${white}`);
  await page.evaluate("{ turn.since -= 61000; playMove('3c3d'); }");
  assert.deepEqual((await state(page)).result, { winner: 0, reason: "time" });
  assert.deepEqual((await state(page)).moves, ["7g7f"]);
  await click(page, "3c");
  assert.equal(await page.locator("#board .target").count(), 0, "the game is over");
  clean(faults);
  await close();
});

test("the page has all texts in both languages", async () => {
  const { page, faults, close } = await open({ width: 390, height: 844 });
  for (const language of ["ja", "en"]) {
    await page.click("#language");
    assert.equal(await page.getAttribute("html", "lang"), language);
    const empty = await page.evaluate("[...document.querySelectorAll('[data-text]')].filter(one => !one.textContent).length");
    assert.equal(empty, 0);
    for (const mode of ["analyze", "tsume", "play"]) {
      await page.click(`[data-mode=${mode}]`);
      assert.doesNotMatch(await page.innerText("body"), /undefined|null|NaN|\{\d\}/, mode);
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${mode} fits a narrow screen`);
    }
  }
  clean(faults);
  await close();
});
