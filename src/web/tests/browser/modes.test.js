import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { clean, launch, newGame, open, play, state, status, waitFor } from "./support.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const KIF = `手合割：平手
先手：甲
後手：乙
手数----指手---------消費時間--
   1 ７六歩(77)
   2 ３四歩(33)
   3 ２二角成(88)
   4 投了
`;

test("a record is read, and written in every format", async () => {
  const { page, faults, close } = await open();
  await page.click("#open-record");
  await page.fill("#read-from", KIF);
  await page.click("#read");
  assert.equal((await state(page)).mode, "analyze");
  assert.deepEqual((await state(page)).moves, ["7g7f", "3c3d", "8h2b+"]);
  assert.match(await status(page), /Moves read: 3/);
  assert.match(await page.innerText("#bottom"), /▲ 甲/);
  const written = {};
  for (const format of ["kif", "csa", "usi", "jkf", "ki2"]) {
    await page.click("#open-record");
    await page.selectOption("#format", format);
    written[format] = await page.inputValue("#written");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
    assert.equal(readFileSync(await download.path(), "utf8"), written[format]);
    // What was copied is read as the same game.
    await page.click("#copy");
    await waitFor(page, "byId('record-message').textContent === text.copied");
    await page.focus("#read-from");
    await page.keyboard.press("Control+V");
    assert.equal(await page.inputValue("#read-from"), written[format]);
    await page.click("#read");
    assert.deepEqual((await state(page)).moves, ["7g7f", "3c3d", "8h2b+"], format);
    // KI2 comes last, because it has only the winner.
    assert.deepEqual((await state(page)).result, { winner: 0, reason: format === "ki2" ? null : "resignation" }, format);
  }
  assert.match(written.kif, /７六歩\(77\)/);
  assert.match(written.csa, /\+7776FU/);
  assert.match(written.usi, /7g7f 3c3d 8h2b\+/);
  assert.match(written.jkf, /"甲"/);
  clean(faults);
  await close();
});

test("a file is dropped, a position is pasted, and nonsense is refused", async () => {
  const { page, faults, close } = await open();
  await page.evaluate(record => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([record], "game.kif"));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, KIF);
  await waitFor(page, "game.moves.length === 3");
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
  assert.equal((await state(page)).start, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  await page.click("#open-record");
  await page.fill("#read-from", "hello");
  await page.click("#read");
  assert.ok((await page.innerText("#record-message")).length > 0);
  assert.equal((await state(page)).moves.length, 0);
  clean(faults);
  await close();
});

test("variations are read and written", async () => {
  const { page, faults, close } = await open();
  await page.click("#open-record");
  await page.fill("#read-from", `${KIF}変化：2手\n   2 ８四歩(83)\n`);
  await page.click("#read");
  assert.deepEqual(await page.evaluate("otherLines(game)"), [["7g7f", "8c8d"]]);
  await page.click("#open-record");
  await page.selectOption("#format", "kif");
  assert.match(await page.inputValue("#written"), /変化：2手\n +2 ８四歩\(83\)/);
  clean(faults);
  await close();
});

test("the analysis takes a game again that has changed", async () => {
  const { page, faults, close } = await open();
  await newGame(page);
  await play(page, "7g7f");
  for (const mode of ["analyze", "play"]) await page.click(`[data-mode=${mode}]`);
  await page.click("#undo");
  await play(page, "2g2f");
  await page.click("[data-mode=analyze]");
  assert.deepEqual((await state(page)).moves, ["2g2f"]);
  clean(faults);
  await close();
});

test("the shown position is analysed until it is stopped", async () => {
  const { page, faults, close } = await open();
  await newGame(page);
  for (const move of ["7g7f", "3c3d"]) await play(page, move);
  await page.click("[data-mode=analyze]");
  assert.equal((await state(page)).moves.length, 2, "the mode takes the game");
  await page.selectOption("#lines", "3");
  await page.click("#analyze");
  await waitFor(page, "foundLines().length === 3 && foundLines()[0].depth >= 4");
  await waitFor(page, "document.querySelectorAll('#board .best, #board .other').length === 3");
  assert.equal(await page.locator("#found li").count(), 3);
  await page.selectOption("#notation", "japanese");
  assert.match(await page.locator("#found span").first().innerText(), /^▲/);
  // The search follows the shown position.
  await page.click("#back");
  await waitFor(page, "found.key === positionKey() && game.ply === 1 && foundLines().length === 3");
  assert.match(await page.locator("#found span").first().innerText(), /^△/);
  await page.click("#found li:nth-child(2) button");
  assert.equal((await state(page)).ply, 2);
  await waitFor(page, "found.key === positionKey() && foundLines().length > 0");
  await page.click("#analyze");
  await waitFor(page, "engine.running === null");
  assert.ok(await page.locator("#found li").count() > 0, "what was found stays");
  clean(faults);
  await close();
});

test("a problem is solved", async () => {
  const { page, faults, close } = await open();
  await page.click("[data-mode=tsume]");
  await page.fill("#sfen", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  await page.click("#set-problem");
  await play(page, "5i5h");
  assert.deepEqual((await state(page)).moves, [], "the king gives no check");
  await play(page, "G*5b");
  assert.match(await status(page), /Mate in 1!/);
  await waitFor(page, "byId('status').textContent.includes(text.fewest_moves)");
  clean(faults);
  await close();
});

test("the engine defends, gives hints, and solves", async () => {
  const { page, faults, close } = await open();
  await page.click("[data-mode=tsume]");
  await page.click("#examples button:nth-child(2)");
  await page.click("#hint");
  await waitFor(page, "proofs.get(positionKey())?.line");
  assert.equal(await page.locator("#board .best").count(), 1);
  const { line, isShortest } = await page.evaluate("proofs.get(positionKey())");
  assert.equal(line.length, 3);
  assert.ok(isShortest);
  await play(page, line[0]);
  await waitFor(page, "game.moves.length === 2");
  await page.click("#solve");
  await waitFor(page, "game.moves.length === 3");
  assert.match(await status(page), /Mate in 1: /);
  await page.click("#next");
  assert.match(await status(page), /Mate in 3!/);
  // A check that does not mate.
  await page.click("#first");
  await play(page, "R*3a");
  await waitFor(page, "game.moves.length === 2 && game.ply === 2");
  assert.match(await status(page), /No mate was found after this reply/);
  await page.click("#undo");
  assert.equal((await state(page)).ply, 0);
  // The defender delays the mate as long as possible.
  await page.click("#examples button:nth-child(3)");
  for (let ply = 0; ply < 5; ply += 2) {
    await page.click("#hint");
    await waitFor(page, "proofs.get(positionKey())?.line");
    await play(page, await page.evaluate("proofs.get(positionKey()).line[0]"));
    if (ply < 4) await waitFor(page, `game.moves.length === ${ply + 2}`);
  }
  assert.match(await status(page), /Mate in 5!/);
  await waitFor(page, "byId('status').textContent.includes(text.fewest_moves)");
  clean(faults);
  await close();
});
