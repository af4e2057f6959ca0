// The mode to play: against the engine, or both sides by hand.

// The position whose side to move is thinking, and since when; the shown hint.
let turn = { key: null, since: 0 }, hint = null;

const playing = {
  mayMove: side => isAtEnd() && !game.result && !game.engine[side],
  move: moveAtEnd,

  search() {
    if (isEnginesTurn()) return engineMove();
    if (hint?.key !== positionKey() || hint.move) return null;
    const hinted = hint;
    return {
      key: `hint ${hint.key}`, position: positionLine(game, game.ply), go: "go movetime 1500",
      options: { SkillLevel: 20, MultiPV: 1 }, onInfo: scoreKeeper(),
      onDone([best]) { hinted.move = best; update(); },
    };
  },

  words() {
    if (!isAtEnd()) return [fill(text.looking_back, game.ply)];
    if (game.result) return [resultText(game.result)];
    if (isEnginesTurn()) return engine.error ? [] : [isLoading() ? text.loading : text.thinking];
    const lines = [fill(text.your_turn, text.sides[shown.side])];
    if (shown.check) lines.push([text.check, "played"]);
    if (hint?.key === positionKey()) {
      lines.push([hint.move ? fill(text.hint_move, hintName()) : text.thinking, "best"]);
    }
    return lines;
  },

  arrows: () => hint?.key === positionKey() && hint.move && hint.move !== "win" ? [[hint.move, "best"]] : [],
};

// The engine answers `win` where a win can be declared.
const hintName = () => hint.move === "win" ? text.declare : namesOf([hint.move])[0];

const isEnginesTurn = () => !game.result && game.engine[sideAt(game.moves.length)];
const times = () => game.left[game.moves.length] ?? game.left.at(-1) ?? startTimes(game.time);

// The search for the engine's move.
function engineMove() {
  const { length } = game.moves, side = sideAt(length), kept = game;
  return {
    key: `move ${positionKey(length)}`, position: positionLine(game, length), go: limits(game.time, times()),
    options: { SkillLevel: game.level, MultiPV: 1 },
    onInfo(info) { if (info.rank === 1) kept.scores[length] = blackScore(info.score, side); },
    onDone([best]) {
      if (best === "resign") return finish({ winner: 1 - side, reason: "resign" });
      if (best === "win") return finish({ winner: side, reason: "declaration" });
      kept.scores[length + 1] = kept.scores[length];
      moveAtEnd(best);
    },
  };
}

function finish(result) {
  game.result = result;
  game.ply = game.moves.length;
  update();
}

// Plays a move at the end of the game.
function moveAtEnd(move) {
  const { length } = game.moves, side = sideAt(length), left = [...times()];
  if (hasClock(game.time)) {
    left[side] = timeAfter(game.time, left[side], timeUsed());
    if (left[side] === null) return finish({ winner: 1 - side, reason: "time" });
  }
  game.ply = length;
  push(game, move);
  if (hasClock(game.time)) game.left[length + 1] = left;
  update();
}

// The time that the side to move has thought. It starts when the position is first shown, and again
// after a visit to another mode.
function timeUsed() {
  const key = positionKey(game.moves.length);
  const isWaiting = store.mode !== "play" || (isEnginesTurn() && !engine.session);
  if (turn.key !== key || isWaiting) turn = { key, since: performance.now() };
  return performance.now() - turn.since;
}

// Shows the time, and ends the game if it ran out.
function tick() {
  if (store.mode !== "play" || !hasClock(game.time) || game.result) return;
  const side = sideAt(game.moves.length);
  if (timeAfter(game.time, times()[side], timeUsed()) === null) finish({ winner: 1 - side, reason: "time" });
  else drawClocks();
}

// The number of moves after the user's last move is taken back; -1 if there is none. A problem may show
// the start of its solution.
function undoTarget() {
  let ply = (store.mode === "tsume" ? game.ply : game.moves.length) - 1;
  while (ply >= 0 && game.engine[sideAt(ply)]) ply--;
  return ply;
}

function undo() {
  const ply = undoTarget();
  if (ply < 0) return;
  cut(game, ply);
  game.ply = ply;
  update();
}

function askHint() {
  if (store.mode === "tsume") return request("hint");
  hint = { key: positionKey(), move: null };
  update();
}

// What happened at the end of a game. Records have more endings than games on this page.
function resultText({ winner, reason }) {
  const drawn = {
    draw: text.drawn, repetition: text.drawn_by_repetition, impasse: text.drawn_by_impasse, max_moves: text.drawn_by_length,
    interruption: text.interrupted,
  };
  if (winner === null) return drawn[reason] ?? text.result_unknown;
  const won = {
    resign: text.resigned, resignation: text.resigned, time: text.time_ran_out, declaration: text.won_by_declaration,
    illegal_move: text.illegal_move,
  };
  return endByRules({ winner, reason }) ?? fill(won[reason] ?? text.won, text.sides[winner], text.sides[1 - winner]);
}
