// The page of `kankei play --html` in a headless browser: target/web/page.html, or `KANKEI_PAGE`.
import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--no-first-run"];
const PAGE = resolve(process.env.KANKEI_PAGE ?? join(import.meta.dirname, "../../../../target/web/page.html"));

let browser = null;

export async function launch() {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
  return browser;
}

// Opens the page with an empty storage. `faults` fills with messages of the console and with requests
// that leave the page.
export async function open({ width = 1280, height = 900, language = "en" } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, hasTouch: width < 800 });
  const page = await context.newPage(), faults = [];
  page.on("console", message => faults.push(`console: ${message.text()}`));
  page.on("pageerror", error => faults.push(`error: ${error.stack}`));
  context.on("request", request => {
    if (!/^(blob|data):/.test(request.url()) && request.url() !== pathToFileURL(PAGE).href) faults.push(`request: ${request.url()}`);
  });
  await page.goto(pathToFileURL(PAGE).href);
  await ready(page);
  if (language === "ja") await page.click("#language");
  return { page, faults, close: () => context.close() };
}

// Waits until the engine can search.
export const ready = page => page.waitForFunction("engine.session !== null || engine.error !== null", null, { timeout: 60000 });

export const state = page => page.evaluate(`({ mode: store.mode, moves: game.moves, ply: game.ply, result: game.result, start: game.start,
  side: shown.side, legal: shown.legal, engine: game.engine })`);

export const status = page => page.innerText("#status");

// Clicks a square, or a piece in hand such as `P*`.
export async function click(page, place) {
  if (place.endsWith("*")) return page.click(`[data-from="${place}"]:not(:disabled)`);
  const box = await page.locator("#board").boundingBox();
  const [x, y] = await page.evaluate(square => center(square), place);
  return page.mouse.click(box.x + x * box.width / 388, box.y + y * box.height / 388);
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
