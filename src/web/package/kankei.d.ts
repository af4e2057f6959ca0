export interface EngineOptions {
  /** The program; the default is `kankei.wasm` next to this module. */
  wasm?: BufferSource;
  /** The program with threads, where memory can be shared; the default is `kankei-threads.wasm`, unless `wasm` is given. */
  wasmThreads?: BufferSource;
  /** The weights of the evaluation; the default is `default.weights` next to this module. */
  network?: BufferSource;
  /** Receives each line that the engine writes. */
  onLine?: (line: string) => void;
}

/** A USI session. */
export interface Engine {
  /** Sends a line of the USI protocol. */
  send(line: string): void;
  /** Ends the session. */
  terminate(): void;
}

/** Starts an engine in a worker. */
export function startEngine(options?: EngineOptions): Promise<Engine>;

/** 0: Black (sente), 1: White (gote). */
export type Side = 0 | 1;

/** A start position (`startpos` or `sfen ...`) and USI moves. */
export interface Line {
  start: string;
  moves: string[];
}

/** `reason` is a word of USI lines such as "resignation", or "draw" for a draw without such a word; so is
 * `ending` in the answer to `read`. `others`: other lines from the start position, which KIF, KI2 and JKF keep if they
 * replace a move or the end. */
export type Question =
  | ({ ask: "position" } & Line)
  | ({ ask: "line"; line: string[] } & Line)
  | { ask: "read"; name?: string; bytes: Uint8Array }
  | ({ ask: "write"; format: "kif" | "ki2" | "csa" | "usi" | "jkf"; others?: string[][];
      players?: [string | null, string | null]; winner?: Side | null; reason?: string | null } & Line)
  | { ask: "handicaps" };

/** Each answer is an object; it has the field `error` if the question cannot be answered. */
export interface Answers {
  position: { sfen: string; side: Side; check: boolean; legal: string[]; names: string[];
    end: { reason: "mate" | "repetition" | "perpetual_check"; winner: Side | null } | null; can_declare: boolean };
  line: { names: string[] };
  read: Line & { others: string[][]; players: [string | null, string | null]; ending: string | null; winner: Side | null;
    warnings: string[]; games: number };
  write: { text: string };
  handicaps: { handicaps: { name: string; sfen: string }[] };
}

/** Rules and record formats. */
export interface Rules {
  ask<Q extends Question>(question: Q): Answers[Q["ask"]] & { error?: string };
}

/** Loads the rules. `wasm`: the program; the default is `kankei.wasm` next to this module. */
export function loadRules(options?: { wasm?: BufferSource }): Promise<Rules>;
