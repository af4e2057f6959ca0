// The page of an analysis with the engine.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { clean, drag, launch, openAnalysis, openPage, play, pointOf, swipe, waitFor } from "./support.js";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const line = page => page.evaluate("({ moves: game.moves, ply: game.ply, from: branch(), record })");
const words = page => page.innerText("#info");

// Starts the engine, and waits until it has found this number of lines.
async function analyze(page, count) {
  await page.selectOption("#lines", String(count));
  if (!await page.evaluate("isAnalyzing")) await page.click("#analyze");
  await waitFor(page, `foundLines().length === ${count} && foundLines()[0].depth >= 3`);
  await waitFor(page, `document.querySelectorAll("#found li").length === ${count}`);
}

test("the engine finds lines in a position of the game, and stops", async () => {
  const { page, faults, close } = await openAnalysis("analysis.html");
  await page.evaluate("show(40)");
  const curve = await page.getAttribute("#curve .line", "points");
  const arrows = await page.locator("#board .best, #board .played").count();
  await analyze(page, 3);
  await waitFor(page, "document.querySelectorAll('#board .best').length === 1 && document.querySelectorAll('#board .other').length === 2");
  assert.match(await page.innerText("#depth"), /^Depth \d+, [\d,]+ nodes$/);
  await page.click("#next");
  await waitFor(page, "game.ply === 41 && foundLines().length === 3", 30000);
  await analyze(page, 5);
  await page.click("#analyze");
  await waitFor(page, "engine.running === null");
  assert.ok(await page.locator("#found li").count() > 0, "what was found stays");
  await page.click("#back");
  assert.equal(await page.locator("#found li").count(), 0);
  assert.equal(await page.locator("#board .best, #board .played").count(), arrows, "the arrows of the game are back");
  assert.equal(await page.getAttribute("#curve .line", "points"), curve, "the curve is that of the game");
  clean(faults);
  await close();
});

test("a variation is played, taken back, and left", async () => {
  const { page, faults, close } = await openAnalysis("analysis.html");
  await page.evaluate("show(7)");
  const { record } = await line(page);
  // The move of the game stays in the game.
  await play(page, record[7]);
  assert.deepEqual([(await line(page)).ply, await page.isVisible("#variation")], [8, false]);
  const others = await page.evaluate("shown.legal.filter(move => move !== record[8] && !move.endsWith('+'))");
  await play(page, others[0]);
  assert.deepEqual((await line(page)).moves.slice(8), [others[0]]);
  assert.equal(await page.innerText("#from"), "Your line from move 9:");
  assert.match(await words(page), /White to move/);
  assert.equal(await page.innerText("#number"), "9 / 9");
  const reply = await page.evaluate("shown.legal[0]");
  await drag(page, reply.slice(0, 2), reply.slice(2, 4));
  assert.equal(await page.locator("#line button").count(), 2);
  await page.click("#undo");
  assert.equal(await page.locator("#line button").count(), 1);
  await page.click("#back");
  assert.match(await words(page), /after 8 /, "the position of the game");
  assert.ok(await page.isVisible("#variation"), "the variation can be entered again");
  await page.click("#next");
  await page.click("#leave");
  const left = await line(page);
  assert.deepEqual([left.ply, left.moves], [8, record]);
  assert.ok(!await page.isVisible("#variation"));
  // A row of the game ends the variation, too.
  await play(page, others[0]);
  await page.click("#moves tbody tr:nth-child(3)");
  assert.deepEqual((await line(page)).ply, 3);
  assert.ok(!await page.isVisible("#variation"));
  clean(faults);
  await close();
});

test("promotion is asked for in a variation, and a line of the engine is played", async () => {
  const { page, faults, close } = await openAnalysis("analysis.html");
  const ply = await page.evaluate(`record.findIndex((move, n) => {
    const legal = positionAt(game, n).legal;
    return legal.some(move => move.endsWith("+") && legal.includes(move.slice(0, 4)) && move !== record[n]);
  })`);
  await page.evaluate(`show(${ply})`);
  const move = await page.evaluate(`shown.legal.find(move =>
    move.endsWith("+") && shown.legal.includes(move.slice(0, 4)) && move !== record[ply])`);
  await play(page, move);
  assert.deepEqual((await line(page)).moves.slice(ply), [move]);
  await analyze(page, 2);
  const best = await page.evaluate("foundLines()[0].line[0]");
  await page.click("#found li:nth-child(1) button");
  const { moves } = await line(page);
  assert.equal(moves.length, ply + 2);
  assert.equal(moves[ply + 1][2], best[2]);
  await waitFor(page, "found.key === positionKey() && foundLines().length === 2");
  clean(faults);
  await close();
});

test("moves are played by keyboard and by touch", async () => {
  const { page, faults, close } = await openAnalysis("analysis.html", { width: 390, height: 844 });
  await page.focus("#first");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await page.evaluate("cursor"), "5e");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  assert.deepEqual((await line(page)).moves, ["4g4f"]);
  await page.click("#leave");
  await page.keyboard.press("ArrowRight");
  assert.equal((await line(page)).ply, 1);
  await page.keyboard.press("Home");
  for (const square of ["9g", "9f"]) await page.touchscreen.tap(...await pointOf(page, square));
  await swipe(page, await pointOf(page, "9c"), await pointOf(page, "9d"));
  assert.deepEqual((await line(page)).moves, ["9g9f", "9c9d"]);
  assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page fits a narrow screen");
  clean(faults);
  await close();
});

test("the quiz stops the engine, and is solved by clicks", async () => {
  const { page, faults, close } = await openAnalysis("analysis.html");
  await analyze(page, 1);
  await page.click("#quiz");
  assert.ok(!await page.isVisible("#engine"), "the engine does not solve the quiz");
  await waitFor(page, "engine.running === null");
  const { answers, legal } = await page.evaluate("problem()");
  const wrong = legal.find(move => !answers.includes(move) && !move.endsWith("+") && !legal.includes(`${move}+`));
  await play(page, wrong);
  assert.match(await words(page), /is not the best move|is the move of the game/);
  await play(page, answers[0]);
  assert.match(await words(page), /Right: /);
  await page.click("#end-quiz");
  assert.ok(await page.isVisible("#engine"));
  assert.ok(await page.evaluate("activity === exploring && game.ply === ply"));
  clean(faults);
  await close();
});

test("a page without the engine shows the game and has the quiz", async () => {
  const { page, faults, close } = await openPage("still.html", [], { width: 1280, height: 900 });
  assert.equal(await page.locator("#engine").count(), 0);
  const [x, y] = await pointOf(page, "2e");
  await page.mouse.click(x, y);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.innerText("#number"), "2 / 170");
  await page.mouse.click(...await pointOf(page, "8e"));
  assert.equal(await page.innerText("#number"), "1 / 170");
  await page.click("#curve");
  assert.equal(await page.innerText("#number"), "81 / 170");
  await page.click("#quiz");
  const [answer] = await page.evaluate("problem().answers.filter(move => move[1] !== '*')");
  await drag(page, answer.slice(0, 2), answer.slice(2, 4));
  if (await page.isVisible("#promotion")) await page.click(`#promotion button:nth-child(${answer.endsWith("+") ? 1 : 2})`);
  assert.match(await words(page), /Right: /);
  assert.equal(await page.evaluate("quiz.solved"), 1);
  clean(faults);
  await close();
});

test("the pages of a folder load one engine", async () => {
  const files = ["games/kankei-engine.js", "games/index.html", "games/000002.html"];
  const { page, faults, close } = await openAnalysis("games/000001.html", { files });
  assert.equal(await page.getAttribute("html", "lang"), "ja");
  await analyze(page, 2);
  assert.match(await page.innerText("#found"), /▲/);
  assert.match(await page.innerText("#depth"), /^深さ \d+、/);
  assert.doesNotMatch(await page.innerText("body"), /undefined|null|NaN|\{\d\}/);
  await page.click("#index");
  await page.click("tbody tr:nth-child(2) a");
  await waitFor(page, "rules !== null && activity === exploring");
  await analyze(page, 1);
  clean(faults);
  await close();
});

test("a missing engine is named, and the page still shows the game", async () => {
  const { page, close } = await openAnalysis("games/000001.html", { files: ["games/kankei-engine.js"] });
  await page.route("**/kankei-engine.js", route => route.abort());
  await page.reload();
  await waitFor(page, "engine.error !== null");
  assert.match(await page.innerText("#depth"), /kankei-engine\.js/);
  assert.ok(await page.isDisabled("#analyze"));
  await page.click("#next");
  assert.match(await page.innerText("#number"), /^1 /);
  await close();
});
