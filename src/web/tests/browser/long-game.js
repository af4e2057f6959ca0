// Plays a game by clicks and reports it: `node tests/browser/long-game.js [MOVES] [LEVEL]`.
import { clean, launch, newGame, open, play, ready, state, status, waitFor } from "./support.js";

const [moves, level] = [Number(process.argv[2] ?? 60), Number(process.argv[3] ?? 3)];
const browser = await launch();
const opened = performance.now();
const { page, faults, close } = await open();
console.log(`the engine is ready after ${Math.round(performance.now() - opened)} ms`);
await newGame(page, { side: "black", level, kind: "seconds", seconds: .5 });
let seed = 1, replies = [];
for (;;) {
  const { moves: played, legal, result } = await state(page);
  if (result || played.length >= moves) break;
  // Two hints, then a random move, so that neither side wins soon.
  seed = (seed * 48271) % 2147483647;
  let move = legal[seed % legal.length];
  if (played.length % 6 < 4) {
    await page.click("#hint");
    await waitFor(page, "hint?.move && hint.key === positionKey()");
    move = await page.evaluate("hint.move");
  }
  const since = performance.now();
  await play(page, move);
  await waitFor(page, `game.moves.length >= ${played.length + 2} || game.result !== null`);
  replies.push(performance.now() - since);
}
const before = await state(page);
replies = replies.sort((a, b) => a - b);
console.log(`${before.moves.length} moves, result ${JSON.stringify(before.result)}: ${await status(page)}`);
console.log(`reply: median ${Math.round(replies[replies.length >> 1])} ms, longest ${Math.round(replies.at(-1))} ms`);
await page.reload();
await ready(page);
const after = await state(page);
console.log(`a reload ${JSON.stringify(before.moves) === JSON.stringify(after.moves) ? "keeps" : "LOSES"} the game`);
clean(faults);
console.log("no console message, no request outside the page");
await close();
await browser.close();
