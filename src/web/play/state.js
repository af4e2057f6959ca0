// The games of the page, and what the browser keeps of them. There is a game for each mode.

const data = JSON.parse(byId("data").textContent);
const STORE = "kankei";
// Kept games of another version are not read.
const VERSION = 1;
const MAX_LINES = 20;

// The texts in the chosen language.
let text = data.text[data.language];

// `start` and `moves`: as in the USI command `position`. `ply`: number of moves before the shown
// position. `others`: lines that were left for another. `scores`: for Black, by ply. `left`: times of both
// sides in ms, by ply. `engine`: the sides that the engine plays. `result`: winner and reason.
function newGame(changes) {
  return {
    id: Date.now() + Math.random(), start: "startpos", moves: [], ply: 0, others: [], scores: [], left: [],
    players: [null, null], engine: [false, false], level: 3, time: { kind: "seconds", seconds: 1 },
    result: null, flipped: false, ...changes,
  };
}

const store = {
  version: VERSION, mode: "play", before: "play", language: data.language, notation: data.notation, lines: 3, evaluates: true,
  games: { play: newGame({ engine: [false, true] }), analyze: newGame(), tsume: newGame() },
};
// The game of the mode.
let game = store.games.play;

function save() {
  try {
    localStorage.setItem(STORE, JSON.stringify(store));
  } catch {
    // Some browsers keep nothing for a private window or a local file.
  }
}

// Reads what the browser kept. `isSound`: whether a game can be shown.
function restore(isSound) {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(STORE));
  } catch {
    // As above.
  }
  if (!kept || kept.version !== VERSION) return;
  const { games, ...others } = kept;
  Object.assign(store, others);
  for (const mode in store.games) {
    const found = { ...store.games[mode], ...games?.[mode] };
    if (isSound(found)) store.games[mode] = found;
  }
  game = store.games[store.mode];
}

// Whether a line starts with another.
const startsWith = (whole, line) => line.every((move, n) => move === whole[n]);

// Removes the moves from a ply on. A line that is left can be chosen again.
function cut(game, ply) {
  if (ply < game.moves.length) {
    const all = [game.moves, ...game.others];
    const isPart = (line, n) => all.some((whole, m) => startsWith(whole, line) && (whole.length > line.length || m < n));
    game.others = all.filter((line, n) => !isPart(line, n)).slice(0, MAX_LINES);
  }
  game.moves = game.moves.slice(0, ply);
  game.scores.length = Math.min(game.scores.length, ply + 1);
  game.left.length = Math.min(game.left.length, ply + 1);
  game.ply = Math.min(game.ply, ply);
  game.result = null;
}

// Plays a move in the shown position. The line that follows stays if it starts with the move.
function push(game, move) {
  if (game.moves[game.ply] !== move) {
    cut(game, game.ply);
    game.moves.push(move);
  }
  game.ply++;
}

// The lines that were left, without those that are part of the present one.
function otherLines(game) {
  return game.others.filter(line => !startsWith(game.moves, line));
}

// Returns to a line that was left, at the move where it parts from the present one.
function chooseLine(game, line) {
  const at = Math.max(line.findIndex((move, n) => move !== game.moves[n]), 0);
  cut(game, at);
  game.others = game.others.filter(other => other !== line);
  game.moves = [...line];
  game.ply = at;
}
