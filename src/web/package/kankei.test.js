// Tests of the package in Node.js, in the folder of its files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadRules, startEngine } from "./kankei.js";

// An engine, and a function that sends lines and returns the answers up to one that starts with `last`.
async function session() {
  const heard = [];
  let wake = () => {};
  const engine = await startEngine({ onLine(line) { heard.push(line); wake(); } });
  async function ask(lines, last) {
    heard.length = 0;
    lines.forEach(line => engine.send(line));
    while (!heard.some(line => line.startsWith(last))) await new Promise(resolve => { wake = resolve; });
    return heard.slice();
  }
  return { engine, ask };
}

const SMALL = "setoption name USI_Hash value 16";

test("a session answers", async () => {
  const { engine, ask } = await session();
  assert.match((await ask(["usi"], "usiok"))[0], /^id name Kankei /);
  await ask([SMALL, "isready"], "readyok");
  const lines = await ask(["position startpos moves 7g7f", "go nodes 5000"], "bestmove");
  assert.match(lines.at(-1), /^bestmove \d[a-i]\d[a-i]/);
  assert.ok(lines.some(line => /^info depth \d+ .* pv /.test(line)), lines.join("\n"));
  const mate = await ask(["position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go mate infinite"], "checkmate");
  assert.equal(mate.at(-1), "checkmate G*5b");
  engine.terminate();
});

test("a search can be stopped, and the session goes on", async () => {
  const { engine, ask } = await session();
  await ask([SMALL, "isready"], "readyok");
  // A stop at once, and one after some lines.
  for (const delay of [0, 700]) {
    engine.send("position startpos moves 2g2f");
    engine.send("go infinite");
    await new Promise(resolve => setTimeout(resolve, delay));
    const answer = (await ask(["stop"], "bestmove")).at(-1);
    assert.match(answer, /^bestmove \d[a-i]\d[a-i]/);
    const { legal } = (await loadRules()).ask({ ask: "position", start: "startpos", moves: ["2g2f"] });
    assert.ok(legal.includes(answer.split(" ")[1]), answer);
  }
  assert.deepEqual(await ask(["isready"], "readyok"), ["readyok"]);
  assert.deepEqual(await ask(["getoption USI_Hash"], "USI_Hash"), ["USI_Hash = 16"]);
  engine.send("stop");
  engine.send("go mate 60000");
  engine.terminate();
});

test("a broken network is an error with its reason", async () => {
  await assert.rejects(startEngine({ network: new TextEncoder().encode("no weights") }), /not a weights file|weights/);
});

test("rules and records are answered", async () => {
  const rules = await loadRules();
  const moves = ["7g7f", "3c3d"];
  const position = rules.ask({ ask: "position", start: "startpos", moves });
  assert.deepEqual(position.names, ["▲７六歩", "△３四歩"]);
  assert.ok(position.legal.includes("8h2b+"));
  const { text } = rules.ask({ ask: "write", format: "kif", start: "startpos", moves, players: ["甲", null] });
  const read = rules.ask({ ask: "read", name: "", bytes: new TextEncoder().encode(text) });
  assert.deepEqual([read.moves, read.players], [moves, ["甲", null]]);
  assert.match(rules.ask({ ask: "position", start: "startpos", moves: ["1a1b"] }).error, /1a1b/);
  assert.match(rules.ask({ ask: "unknown" }).error, /unknown/);
});
