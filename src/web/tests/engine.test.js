import assert from "node:assert/strict";
import { test } from "node:test";
import { load, plain } from "./load.js";

const NAMES = ["startSession", "search", "stopSearch", "endSearch", "parseInfo", "blackScore", "chance", "engine"];

// The scripts with a session that records what it gets. `answer` writes a line of the engine.
async function session() {
  const sent = [];
  let hear, updates = 0;
  const page = load(["shared/engine.js"], NAMES, { update() { updates++; } });
  await page.startSession(async ({ onLine }) => {
    hear = onLine;
    return { send: line => sent.push(line) };
  });
  sent.length = 0;
  const answers = [];
  const job = name => ({
    position: `position ${name}`, go: `go ${name}`, options: { MultiPV: 2 }, onInfo: info => answers.push([name, info.depth]),
    onDone: words => answers.push([name, words[0]]),
  });
  return { ...page, sent, answers, job, answer: line => hear(line), updates: () => updates };
}

test("a search gets its options, and its answer", async () => {
  const { search, job, sent, answer, answers } = await session();
  search(job("a"));
  assert.deepEqual(sent, ["setoption name MultiPV value 2", "position a", "go a"]);
  answer("info depth 3 score cp 10 pv 7g7f");
  answer("bestmove 7g7f ponder 3c3d");
  search(job("b"));
  assert.deepEqual(sent.slice(3), ["position b", "go b"], "an option is sent once");
  assert.deepEqual(answers, [["a", 3], ["a", "7g7f"]]);
});

test("a search in place of another waits for its answer, which is not used", async () => {
  const { search, job, sent, answer, answers } = await session();
  for (const name of ["a", "b", "c"]) search(job(name));
  assert.deepEqual(sent.slice(1), ["position a", "go a", "stop"]);
  answer("info depth 3 score cp 10 pv 7g7f");
  answer("bestmove 7g7f");
  assert.deepEqual(sent.slice(4), ["position c", "go c"]);
  answer("checkmate nomate");
  assert.deepEqual(answers, [["c", "nomate"]]);
});

test("a session may answer while stop is sent", async () => {
  const page = await session();
  page.engine.session.send = line => {
    page.sent.push(line);
    if (line === "stop") page.answer("bestmove 7g7f");
  };
  page.search(page.job("a"));
  page.search(page.job("b"));
  assert.deepEqual(page.sent.slice(-3), ["stop", "position b", "go b"]);
  page.endSearch();
  assert.deepEqual(page.answers, [["b", "7g7f"]]);
  page.stopSearch();
  page.endSearch();
  assert.equal(page.sent.at(-1), "stop", "nothing runs, so nothing is stopped");
  assert.equal(page.sent.filter(line => line === "stop").length, 2);
});

test("a failure of the engine is shown", async () => {
  const page = await session();
  page.search(page.job("a"));
  page.answer("info string internal error: unreachable");
  assert.equal(page.engine.error, "internal error: unreachable");
  assert.equal(page.updates(), 1);
  page.search(page.job("b"));
  assert.deepEqual(page.answers, []);
});

test("lines of a search are read", async () => {
  const { parseInfo } = load(["shared/engine.js"], NAMES);
  const line = "info depth 7 seldepth 9 multipv 2 score cp -31 nodes 4000 nps 100 time 40 pv 7g7f 3c3d";
  assert.deepEqual(plain(parseInfo(line)), { rank: 2, depth: 7, nodes: 4000, score: { cp: -31 }, line: ["7g7f", "3c3d"] });
  assert.deepEqual(plain(parseInfo("info depth 3 score mate -4 nodes 5 pv 5i5h").score), { mate: -4 });
  for (const other of ["info string score pv", "bestmove 7g7f", "info depth 3 score cp 5 lowerbound nodes 9 pv 7g7f", "info depth 9"]) {
    assert.equal(parseInfo(other), null, other);
  }
});

test("scores are those for Black", () => {
  const { blackScore, chance } = load(["shared/engine.js"], NAMES);
  assert.deepEqual(plain(blackScore({ cp: 50 }, 1)), { cp: -50 });
  assert.deepEqual(plain(blackScore({ mate: -3 }, 1)), { mate: 3 });
  assert.deepEqual([chance({ cp: 0 }), chance({ mate: 1 }), chance({ mate: -2 })], [.5, 1, 0]);
  assert.ok(Math.abs(chance({ cp: 600 }) - .731) < .001);
});
