// The package in a page that is isolated from others, where the engine has threads, and in one that is not.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { launch } from "./support.js";

const FOLDER = new URL(process.env.KANKEI_WEB ?? "../../../../target/web/", import.meta.url);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".weights": "application/octet-stream" };
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

let browser, server;
before(async () => {
  browser = await launch();
  server = createServer(async (request, response) => {
    const name = request.url.slice(1), type = TYPES[name.match(/\.\w+$/)?.[0]];
    if (!type) return response.writeHead(404).end();
    const isPage = type === "text/html";
    const content = isPage ? "<!DOCTYPE html><link rel=icon href=data:,>" : await readFile(new URL(name, FOLDER));
    response.writeHead(200, { "Content-Type": type, ...(name === "plain.html" ? {} : ISOLATED) }).end(content);
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  await browser.close();
  server.close();
});

// Opens a page and starts an engine there, whose lines are in `heard`.
async function open(name) {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/${name}`);
  await page.evaluate(async () => {
    const { startEngine } = await import("/kankei.js");
    globalThis.heard = [];
    globalThis.engine = await startEngine({ onLine: line => globalThis.heard.push(line) });
    globalThis.engine.send("setoption name USI_Hash value 64");
  });
  return page;
}

// Sends lines, and returns the first answer that starts with `last`.
async function ask(page, lines, last) {
  await page.evaluate(lines => {
    globalThis.heard.length = 0;
    lines.forEach(line => globalThis.engine.send(line));
  }, lines);
  const handle = await page.waitForFunction(last => globalThis.heard.find(line => line.startsWith(last)), last, { timeout: 60000 });
  return handle.jsonValue();
}

for (const [name, threads] of [["isolated.html", 2], ["plain.html", 1]]) {
  test(`an engine in ${name} searches, and reads while it does`, async () => {
    const page = await open(name);
    assert.equal(await page.evaluate("crossOriginIsolated"), threads > 1);
    await ask(page, [`setoption name Threads value ${threads}`, "isready"], "readyok");
    await page.evaluate("engine.send('position startpos'); engine.send('go infinite')");
    await page.waitForFunction("heard.some(line => line.startsWith('info depth 8 '))");
    if (threads > 1) {
      // Without threads, this would wait for the end of the search.
      assert.equal(await ask(page, ["isready"], "readyok"), "readyok");
    }
    assert.match(await ask(page, ["stop"], "bestmove"), /^bestmove \d[a-i]\d[a-i]/);
    assert.match(await ask(page, ["go nodes 2000"], "bestmove"), /^bestmove \d[a-i]\d[a-i]/);
    await page.evaluate("engine.terminate()");
    await page.close();
  });
}
