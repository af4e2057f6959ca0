// The pages in a headless browser, which .ci/web writes to target/web: those of `kankei play --html`, in analysis
// and games of `kankei analyze --html --engine`, and in still without the engine. `KANKEI_WEB` names another folder.
import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--no-first-run"];
const FOLDER = resolve(process.env.KANKEI_WEB ?? join(import.meta.dirname, "../../../../target/web"));
const address = name => pathToFileURL(join(FOLDER, name)).href;

let browser = null;

export async function launch() {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
  return browser;
}

// Opens a page with an empty storage. `faults` fills with messages of the console and with requests that leave
// the page, except those for `files`.
export async function openPage(name, files, { width, height }) {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, hasTouch: width < 800 });
  const page = await context.newPage(), faults = [];
  page.on("console", message => faults.push(`console: ${message.text()}`));
  page.on("pageerror", error => faults.push(`error: ${error.stack}`));
  context.on("request", request => {
    const known = [name, ...files].map(address);
    if (!/^(blob|data):/.test(request.url()) && !known.includes(request.url())) faults.push(`request: ${request.url()}`);
  });
  await page.goto(address(name));
  return { page, faults, close: () => context.close() };
}

// Opens the page to play.
export async function open({ width = 1280, height = 900, language = "en" } = {}) {
  const opened = await openPage("page.html", [], { width, height });
  await ready(opened.page);
  if (language === "ja") await opened.page.click("#language");
  return opened;
}

// Opens the page of an analysis, and waits until moves can be played.
export async function openAnalysis(name, { width = 1280, height = 900, files = [] } = {}) {
  const opened = await openPage(name, files, { width, height });
  await waitFor(opened.page, "rules !== null && activity === exploring");
  return opened;
}

// Waits until the engine can search.
export const ready = page => page.waitForFunction("engine.session !== null || engine.error !== null", null, { timeout: 60000 });

export const state = page => page.evaluate(`({ mode: store.mode, moves: game.moves, ply: game.ply, result: game.result, start: game.start,
  side: shown.side, legal: shown.legal, engine: game.engine })`);

export const status = page => page.innerText("#status");

// Clicks a square, or a piece in hand such as `P*`.
export async function click(page, place) {
  if (place.endsWith("*")) return page.click(`[data-from="${place}"]:not(:disabled)`);
  return page.mouse.click(...await pointOf(page, place));
}

// The place of a square in the window.
export async function pointOf(page, square) {
  const box = await page.locator("#board").boundingBox();
  const [x, y] = await page.evaluate(square => center(square), square);
  return [box.x + x * box.width / 388, box.y + y * box.height / 388];
}

// Drags a piece by mouse, from a square or from the hand, to a square.
export async function drag(page, from, to) {
  // In one step, because the hands may be drawn anew at any time.
  const [x, y] = from.endsWith("*") ? await page.evaluate(from => {
    const box = document.querySelector(`[data-from="${from}"]:not(:disabled)`).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }, from) : await pointOf(page, from);
  await page.mouse.move(x, y);
  await page.mouse.down();
  const [toX, toY] = await pointOf(page, to);
  await page.mouse.move((x + toX) / 2, (y + toY) / 2);
  await page.mouse.move(toX, toY);
  await page.mouse.up();
}

// Drags by a finger, from a point to a point.
export async function swipe(page, [x, y], [toX, toY]) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await touch("touchStart", [[x, y]]);
  for (let n = 1; n <= 4; n++) await touch("touchMove", [[x + (toX - x) * n / 4, y + (toY - y) * n / 4]]);
  await touch("touchEnd", []);
}

// Plays a move by clicks.
export async function play(page, move) {
  await click(page, move.slice(0, 2));
  await click(page, move.slice(2, 4));
  const isChoice = await page.isVisible("#promotion");
  if (isChoice) await page.click(`#promotion button:nth-child(${move.endsWith("+") ? 1 : 2})`);
}

// Starts a game by the dialog; `fields` by name.
export async function newGame(page, { side = "both", start = "startpos", ...fields } = {}) {
  await page.click("#new");
  await page.check(`input[name=side][value=${side}]`);
  await page.selectOption("#start", start);
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(name.startsWith("#") ? name : `[name=${name}]`);
    if (name === "kind") await field.selectOption(value);
    else await field.fill(String(value));
  }
  await page.click("#new-form button[type=submit]");
}

export const waitFor = (page, condition, timeout = 30000) => page.waitForFunction(condition, null, { timeout });

export const clean = faults => assert.deepEqual(faults, []);
