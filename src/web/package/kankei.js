// Kankei, a shogi engine, in a browser or in Node.js: a USI session in workers, and answers about
// rules and records. The same file runs as the program of each worker.

// Node.js 20 has workers and files in modules of its own.
const inNode = typeof process === "object" && Boolean(process.versions?.node);
const modules = inNode ? ["node:worker_threads", "node:fs/promises"] : [];
const [threads, files] = await Promise.all(modules.map(name => import(name)));
// The name of a worker of this package.
const WORKER = "kankei-engine";
// Whether workers can share memory: in a page if it is isolated from others, and in Node.js from
// version 22. Node.js 20 does not wake some of the threads that wait.
const canShare = inNode ? parseInt(process.versions.node) >= 22 : Boolean(globalThis.crossOriginIsolated);

// ---- The system of a program: WASI preview 1, and threads -------------------------------------------
// https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md

const SUCCESS = 0, BAD_FILE = 8, NOT_SUPPORTED = 52;
const STDIN = 0, STDERR = 2;
// Pages of 64 KiB. The second number is that of .ci/web.
const FIRST_PAGES = 1024, MOST_PAGES = 32768;

// A running program: its memory, what it reads (`read` fills a buffer and returns the number of
// bytes), and who gets its lines.
class Program {
  constructor({ read = () => 0, onLine = () => {}, spawn = () => -1 } = {}) {
    Object.assign(this, { read, onLine, spawn, output: ["", "", ""], decoders: [0, 1, 2].map(() => new TextDecoder()) });
  }

  // Loads a module, with `memory` if it shares one.
  async load(module, memory) {
    const system = {};
    for (const { name } of WebAssembly.Module.imports(module)) {
      system[name] = SYSTEM[name] ? (...values) => SYSTEM[name](this, ...values) : () => NOT_SUPPORTED;
    }
    const imports = { wasi_snapshot_preview1: system, wasi: { "thread-spawn": argument => this.spawn(argument) }, env: { memory } };
    const instance = await WebAssembly.instantiate(module, imports);
    this.exports = instance.exports;
    this.memory = memory ?? this.exports.memory;
    return this;
  }

  // Calls a function of the program and returns its result.
  call(name, ...values) {
    try {
      return this.exports[name](...values);
    } catch (error) {
      // The program ends itself after a message on standard error.
      throw new Error(this.output[STDERR].trim() || String(error), { cause: error });
    }
  }

  get view() {
    return new DataView(this.memory.buffer);
  }

  // The buffers of a list of [address, length].
  *buffers(list, count) {
    for (let n = 0; n < count; n++) {
      const [at, length] = [0, 4].map(part => this.view.getUint32(list + 8 * n + part, true));
      yield new Uint8Array(this.memory.buffer, at, length);
    }
  }

  write(file, bytes) {
    // A copy, because shared memory cannot be decoded.
    this.output[file] += this.decoders[file].decode(bytes.slice(), { stream: true });
    if (file === STDERR) return;
    const lines = this.output[file].split("\n");
    this.output[file] = lines.pop();
    lines.forEach(line => this.onLine(line));
  }
}

const SYSTEM = {
  fd_read(program, file, list, count, result) {
    if (file !== STDIN) return BAD_FILE;
    const [buffer] = program.buffers(list, Math.min(count, 1));
    program.view.setUint32(result, buffer ? program.read(buffer) : 0, true);
    return SUCCESS;
  },

  fd_write(program, file, list, count, result) {
    if (file <= STDIN || file > STDERR) return BAD_FILE;
    let written = 0;
    for (const buffer of program.buffers(list, count)) {
      program.write(file, buffer);
      written += buffer.length;
    }
    program.view.setUint32(result, written, true);
    return SUCCESS;
  },

  // The time of day, or a clock of all workers that never goes back.
  clock_time_get(program, clock, precision, result) {
    const ms = clock === 0 ? Date.now() : performance.timeOrigin + performance.now();
    program.view.setBigUint64(result, BigInt(Math.round(ms * 1e6)), true);
    return SUCCESS;
  },

  random_get(program, at, length) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    new Uint8Array(program.memory.buffer, at, length).set(bytes);
    return SUCCESS;
  },

  // No variables, no arguments, and no folders.
  environ_sizes_get: setZero,
  args_sizes_get: setZero,
  environ_get: () => SUCCESS,
  args_get: () => SUCCESS,
  fd_prestat_get: () => BAD_FILE,
  sched_yield: () => SUCCESS,

  proc_exit(program, code) {
    throw new Error(`exit ${code}`);
  },
};

function setZero(program, ...places) {
  places.forEach(at => program.view.setUint32(at, 0, true));
  return SUCCESS;
}

// A source that gives these bytes once.
function readerOf(bytes) {
  return buffer => {
    const part = bytes.subarray(0, buffer.length);
    buffer.set(part);
    bytes = bytes.subarray(part.length);
    return part.length;
  };
}

const encode = line => new TextEncoder().encode(`${line}\n`);

// ---- Lines from the page to a thread that waits for them ------------------------------------------------

const WRITTEN = 0, READ = 1, CAPACITY = 1 << 16;

// A ring of bytes in shared memory, after the numbers of bytes written and read so far.
class Pipe {
  constructor(buffer = new SharedArrayBuffer(8 + CAPACITY)) {
    this.buffer = buffer;
    this.counts = new Int32Array(buffer, 0, 2);
    this.ring = new Uint8Array(buffer, 8);
    this.waiting = [];
  }

  write(bytes) {
    this.waiting.push(...bytes);
    this.flush();
  }

  // The page must not wait, so bytes without room are written later.
  flush() {
    const written = Atomics.load(this.counts, WRITTEN);
    const room = CAPACITY - (written - Atomics.load(this.counts, READ));
    const bytes = this.waiting.splice(0, room);
    bytes.forEach((byte, n) => { this.ring[(written + n) % CAPACITY] = byte; });
    Atomics.store(this.counts, WRITTEN, written + bytes.length);
    Atomics.notify(this.counts, WRITTEN);
    if (this.waiting.length > 0) setTimeout(() => this.flush(), 1);
  }

  // Waits until there are bytes.
  read(buffer) {
    const read = Atomics.load(this.counts, READ);
    Atomics.wait(this.counts, WRITTEN, read);
    const length = Math.min(buffer.length, Atomics.load(this.counts, WRITTEN) - read);
    for (let n = 0; n < length; n++) buffer[n] = this.ring[(read + n) % CAPACITY];
    Atomics.store(this.counts, READ, read + length);
    return length;
  }
}

// ---- The interface --------------------------------------------------------------------------------------

// A file next to this one.
async function own(name) {
  const url = new URL(name, import.meta.url);
  if (inNode) return files.readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

// Loads the rules of shogi and the formats of game records. `ask` returns its answer at once.
export async function loadRules({ wasm } = {}) {
  const program = new Program();
  await program.load(await WebAssembly.compile(wasm ?? await own("kankei.wasm")));
  program.call("_initialize");
  return {
    ask(question) {
      let answer = "{}";
      // A byte is a character in JSON.
      const { bytes } = question;
      const text = bytes && Array.from(bytes, byte => String.fromCharCode(byte)).join("");
      program.read = readerOf(encode(JSON.stringify({ ...question, bytes: text })));
      program.onLine = line => { answer = line; };
      program.call("kankei_ask");
      return JSON.parse(answer);
    },
  };
}

// Starts an engine. `onLine` receives each line that it writes. With shared memory, the engine has
// threads, and reads lines while it searches.
export async function startEngine({ wasm, wasmThreads, network, onLine = () => {} } = {}) {
  const hasThreads = canShare && (wasmThreads || !wasm);
  const bytes = hasThreads ? wasmThreads ?? await own("kankei-threads.wasm") : wasm ?? await own("kankei.wasm");
  const Kind = hasThreads ? ThreadedEngine : Engine;
  const engine = new Kind(await WebAssembly.compile(bytes), network ?? await own("default.weights"), onLine);
  try {
    await engine.start();
  } catch (error) {
    engine.terminate();
    throw error;
  }
  return engine;
}

// A new worker with its first message. `receive` gets the objects that it sends.
function startWorker(message, receive) {
  const worker = inNode
    ? new threads.Worker(new URL(import.meta.url), { workerData: WORKER })
    : new Worker(import.meta.url, { type: "module", name: WORKER });
  const failed = error => receive({ error: error.message || "a worker has ended" });
  if (inNode) worker.on("message", receive).on("error", failed);
  else Object.assign(worker, { onmessage: event => receive(event.data), onerror: failed });
  worker.postMessage(message);
  return worker;
}

// A session in a worker without threads, which reads no line during a search. `stop` therefore ends
// the worker, answers with the last line of the search, and starts a new worker with the same options.
class Engine {
  constructor(module, network, onLine) {
    Object.assign(this, { module, network, onLine, options: new Map(), position: "position startpos" });
  }

  start() {
    this.search = null;
    return new Promise((resolve, reject) => {
      const { module, network } = this;
      const worker = startWorker({ module, network }, ({ isReady, line, error }) => {
        if (worker !== this.worker) return;
        if (isReady) resolve();
        if (line !== undefined) this.receive(line);
        if (error !== undefined) {
          reject(new Error(error));
          this.onLine(`info string internal error: ${error}`);
        }
      });
      this.worker = worker;
    });
  }

  // Sends a line of the USI protocol.
  send(line) {
    const [command, , name] = line.trim().split(/\s+/);
    if (command === "quit") return this.terminate();
    if (command === "stop" || command === "gameover") return this.stop();
    if (command === "setoption") this.options.set(name, line);
    if (command === "position") this.position = line;
    if (command === "go") this.search = { go: line, best: null };
    this.worker.postMessage({ line });
  }

  // Ends the session.
  terminate() {
    this.worker.terminate();
    this.worker = null;
  }

  receive(line) {
    const words = line.split(" "), at = words.indexOf("pv"), rank = words.indexOf("multipv");
    if (this.search && words[0] === "info" && at > 0 && (rank < 0 || words[rank + 1] === "1")) {
      this.search.best = words.slice(at + 1);
    }
    if (words[0] === "bestmove" || words[0] === "checkmate") this.search = null;
    this.onLine(line);
  }

  stop() {
    const { search } = this;
    if (!search) return;
    this.worker.terminate();
    // An error reaches `onLine`.
    this.start().catch(() => {});
    for (const line of [...this.options.values(), "isready", this.position]) {
      this.worker.postMessage({ line, isQuiet: true });
    }
    if (/^\s*go\s+mate/.test(search.go)) {
      this.onLine("checkmate timeout");
    } else if (search.best) {
      const [move, reply] = search.best;
      this.onLine(`bestmove ${move}${reply ? ` ponder ${reply}` : ""}`);
    } else {
      this.send("go nodes 1");
    }
  }
}

// A session with threads, each in a worker.
class ThreadedEngine {
  constructor(module, network, onLine) {
    Object.assign(this, { module, network, onLine, workers: [] });
    this.pipe = new Pipe();
    this.memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true });
  }

  start() {
    return new Promise((resolve, reject) => {
      this.startThread({ network: this.network }, resolve, reject);
    });
  }

  // Starts the worker of a thread. Only the page does, because a thread may wait and then starts none.
  startThread(thread, resolve, reject) {
    const { module, memory } = this, pipe = this.pipe.buffer;
    this.workers.push(startWorker({ module, memory, pipe, ...thread }, ({ isReady, line, error, spawn }) => {
      if (this.workers.length === 0) return;
      if (isReady) resolve();
      if (line !== undefined) this.onLine(line);
      if (spawn) this.startThread({ spawn }, resolve, reject);
      if (error !== undefined) {
        reject(new Error(error));
        this.onLine(`info string internal error: ${error}`);
      }
    }));
  }

  // Sends a line of the USI protocol.
  send(line) {
    if (line.trim() === "quit") this.terminate();
    else this.pipe.write(encode(line));
  }

  // Ends the session.
  terminate() {
    this.workers.splice(0).forEach(worker => worker.terminate());
  }
}

// ---- The programs of the workers ------------------------------------------------------------------------

// A session without threads: handles lines in turn.
class Turns {
  constructor(post) {
    Object.assign(this, { post, program: null, lines: [] });
  }

  async handle({ module, network, ...line }) {
    if (module) {
      const program = await new Program().load(module);
      program.call("_initialize");
      provide(program, network);
      this.program = program;
      this.post({ isReady: true });
      this.lines.splice(0).forEach(line => this.turn(line));
    } else if (this.program) {
      this.turn(line);
    } else {
      this.lines.push(line);
    }
  }

  turn({ line, isQuiet }) {
    this.program.read = readerOf(encode(line));
    this.program.onLine = isQuiet ? () => {} : line => this.post({ line });
    this.program.call("kankei_usi");
  }
}

// A thread of a session. The first one has the network.
async function runThread({ module, memory, pipe, network, spawn }, post) {
  const source = new Pipe(pipe);
  const program = new Program({
    read: buffer => source.read(buffer),
    onLine: line => post({ line }),
    spawn(argument) {
      // Any positive number that no other living thread has: the argument is its address.
      const thread = { id: argument >>> 4, argument };
      post({ spawn: thread });
      return thread.id;
    },
  });
  await program.load(module, memory);
  if (spawn) {
    program.call("wasi_thread_start", spawn.id, spawn.argument);
    return;
  }
  program.call("_initialize");
  const { read } = program;
  provide(program, network);
  program.read = read;
  post({ isReady: true });
  program.call("kankei_run");
}

// Gives the program its network.
function provide(program, network) {
  program.read = readerOf(new Uint8Array(network));
  if (!program.call("kankei_network")) throw new Error(program.output[STDERR].trim());
}

// Serves messages in a worker. An error in one is posted.
function serve(post) {
  const turns = new Turns(post);
  return async message => {
    try {
      await (message.memory ? runThread(message, post) : turns.handle(message));
    } catch (error) {
      post({ error: error.message });
    }
  };
}

if (inNode && threads.workerData === WORKER) {
  threads.parentPort.on("message", serve(message => threads.parentPort.postMessage(message)));
} else if (!inNode && globalThis.name === WORKER) {
  const handle = serve(message => globalThis.postMessage(message));
  globalThis.onmessage = event => handle(event.data);
}
