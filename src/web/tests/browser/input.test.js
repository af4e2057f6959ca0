import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clean, click, drag, launch, newGame, open, play, pointOf, state, swipe, waitFor } from "./support.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test("promotion is asked for where it is a choice", async () => {
  const { page, faults, close } = await open();
  await newGame(page);
  for (const move of ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "2b3c", "5e3c", "2a3c"]) await play(page, move);
  assert.deepEqual((await state(page)).moves.slice(6), ["5e3c", "2a3c"]);
  await click(page, "8i");
  await click(page, "7g");
  assert.ok(!await page.isVisible("#promotion"), "no choice outside the last ranks");
  clean(faults);
  await close();
});

test("a choice of promotion ends with its position, and with the game", async () => {
  const { page, faults, close } = await open();
  await newGame(page);
  const choose = async () => {
    for (const square of ["8h", "2b"]) await click(page, square);
    assert.ok(await page.isVisible("#promotion"));
  };
  for (const move of ["7g7f", "3c3d"]) await play(page, move);
  await choose();
  await page.click("#undo");
  assert.ok(!await page.isVisible("#promotion"));
  await play(page, "3c3d");
  await choose();
  await page.click("#resign");
  assert.ok(!await page.isVisible("#promotion"));
  assert.deepEqual((await state(page)).moves, ["7g7f", "3c3d"]);
  clean(faults);
  await close();
});

test("moves are walked through, and played, by keyboard", async () => {
  const { page, faults, close } = await open();
  await newGame(page);
  await page.focus("#flip");
  await page.keyboard.press("Shift+Tab");
  for (let n = 0; n < 20 && !await page.evaluate("document.activeElement === byId('board')"); n++) await page.keyboard.press("Shift+Tab");
  assert.equal(await page.evaluate("cursor"), "5e");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  assert.deepEqual((await state(page)).moves, ["7g7f"]);
  await page.keyboard.press("Tab");
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("ArrowLeft");
  assert.equal((await state(page)).ply, 0);
  await page.keyboard.press("End");
  assert.equal((await state(page)).ply, 1);
  clean(faults);
  await close();
});

test("promotion is chosen by keyboard", async () => {
  const { page, faults, close } = await open();
  await newGame(page, { start: "sfen", "#new-sfen": "4k4/9/9/9/9/9/9/1B7/4K4 b - 1" });
  await page.focus("#first");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await page.evaluate("cursor"), "5e");
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  const times = (count, key) => Array(count).fill(key);
  await press(...times(3, "ArrowLeft"), ...times(3, "ArrowDown"), "Enter", ...times(6, "ArrowRight"), ...times(6, "ArrowUp"), "Enter");
  assert.equal(await page.textContent("#promotion"), "馬promote角do not promote");
  // Longer than the delay after which the page is drawn anew.
  await page.waitForTimeout(300);
  await press("Tab", "Shift+Tab", "Enter");
  assert.deepEqual((await state(page)).moves, ["8h2b+"]);
  assert.equal(await page.evaluate("cursor"), "2b");
  assert.ok(await page.evaluate("document.activeElement === byId('board')"), "the board has the focus again");
  clean(faults);
  await close();
});

test("moves are played by touch", async () => {
  const { page, faults, close } = await open({ width: 390, height: 844 });
  await newGame(page);
  for (const square of ["7g", "7f"]) await page.touchscreen.tap(...await pointOf(page, square));
  assert.deepEqual((await state(page)).moves, ["7g7f"]);
  clean(faults);
  await close();
});

test("pieces are dragged by mouse", async () => {
  const { page, faults, close } = await open();
  await newGame(page);
  await drag(page, "7g", "7f");
  await drag(page, "3c", "3d");
  await drag(page, "8h", "2b");
  assert.equal(await page.locator("#promotion button").count(), 2, "promotion is asked for");
  await page.click("#promotion button");
  await drag(page, "3a", "2b");
  await drag(page, "B*", "5e");
  assert.deepEqual((await state(page)).moves, ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"]);
  // A drop elsewhere plays nothing, and a piece that cannot move is not dragged.
  await drag(page, "8c", "8f");
  await drag(page, "9i", "9h");
  assert.equal(await page.locator("#dragged").count(), 0);
  assert.equal(await page.evaluate("choice.from"), null);
  assert.equal((await state(page)).moves.length, 5);
  await play(page, "8c8d");
  assert.equal((await state(page)).moves.length, 6, "clicks still play");
  clean(faults);
  await close();
});

test("pieces are dragged by touch, and the page is scrolled elsewhere", async () => {
  const { page, faults, close } = await open({ width: 390, height: 600 });
  await newGame(page);
  await page.evaluate("scrollTo(0, 0)");
  await swipe(page, await pointOf(page, "7g"), await pointOf(page, "7f"));
  assert.deepEqual((await state(page)).moves, ["7g7f"]);
  assert.equal(await page.evaluate("scrollY"), 0);
  await swipe(page, await pointOf(page, "5e"), await pointOf(page, "5a"));
  await waitFor(page, "scrollY > 0");
  assert.equal((await state(page)).moves.length, 1);
  clean(faults);
  await close();
});
