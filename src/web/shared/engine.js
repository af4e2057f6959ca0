// The engine: one search at a time.

// Smaller than the default, because a page shares the memory of the computer; no book exists, and no
// server needs time.
const OPTIONS = { USI_Hash: 64, USI_OwnBook: false, NetworkDelay: 20, NetworkDelay2: 200, MinimumThinkingTime: 100,
  RoundUpToFullSecond: false };

// The session, why it failed, the options that it has, the running search, and the next one.
const engine = { session: null, error: null, options: new Map(), running: null, next: null };

// `start` starts a session: `startEngine` of the package.
async function startSession(start) {
  engine.session = await start({ onLine: hear });
  send("usi");
  for (const name in OPTIONS) setOption(name, OPTIONS[name]);
  send("isready");
  searchNext();
}

const isLoading = () => !engine.session && !engine.error;

const send = line => engine.session.send(line);

function setOption(name, value) {
  if (engine.options.get(name) === value) return;
  engine.options.set(name, value);
  send(`setoption name ${name} value ${value}`);
}

// Starts a search, in place of the running one. `job`: `position` and `go`, the lines for them;
// `options`, by name; `onInfo`, which gets the lines of the search; `onDone`, which gets the words of
// the answer and the time in ms.
function search(job) {
  engine.next = job;
  if (engine.running) drop();
  else searchNext();
}

function stopSearch() {
  engine.next = null;
  if (engine.running) drop();
}

// Ends the running search with the best move so far.
function endSearch() {
  if (engine.running) send("stop");
}

// The answer of a dropped search is not used.
function drop() {
  if (engine.running.isDropped) return;
  engine.running.isDropped = true;
  send("stop");
}

function searchNext() {
  if (!engine.session || engine.running || !engine.next) return;
  const job = { ...engine.next, since: performance.now() };
  engine.running = job;
  engine.next = null;
  for (const name in job.options) setOption(name, job.options[name]);
  send(job.position);
  send(job.go);
}

function hear(line) {
  const [word, ...words] = line.split(" "), job = engine.running;
  if (line.startsWith("info string internal error")) {
    Object.assign(engine, { error: line.slice("info string ".length), session: null, running: null });
    update();
  } else if (job && (word === "bestmove" || word === "checkmate")) {
    engine.running = null;
    if (!job.isDropped) job.onDone(words, performance.now() - job.since);
    searchNext();
  } else if (job && !job.isDropped) {
    const info = parseInfo(line);
    if (info) job.onInfo(info);
  }
}

// A line of a search; null if it has no moves, or its score is only a bound.
function parseInfo(line) {
  const words = line.split(" "), after = name => words[words.indexOf(name) + 1];
  if (words[0] !== "info" || words[1] === "string" || !words.includes("score") || !words.includes("pv")) return null;
  if (words.includes("lowerbound") || words.includes("upperbound")) return null;
  const value = Number(words[words.indexOf("score") + 2]);
  return {
    rank: words.includes("multipv") ? Number(after("multipv")) : 1,
    depth: Number(after("depth")),
    nodes: Number(after("nodes")),
    score: after("score") === "mate" ? { mate: value } : { cp: value },
    line: words.slice(words.indexOf("pv") + 1),
  };
}

// A score for Black, of a score for the side to move.
function blackScore({ cp, mate }, side) {
  const sign = side === 0 ? 1 : -1;
  return mate === undefined ? { cp: sign * cp } : { mate: sign * mate };
}

// The winning probability: a logistic curve with the usual scale of shogi programs.
function chance({ cp, mate }) {
  if (mate !== undefined) return mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-cp / 600));
}

// The search that the page wants, running or answered.
let wanted = null;

// Starts, keeps or stops the search that the page wants now. Searches for the same have the same `key`.
function follow(job) {
  if (!engine.session) job = null;
  if (job?.key === wanted?.key) return;
  wanted = job;
  if (job) search(job);
  else stopSearch();
}
