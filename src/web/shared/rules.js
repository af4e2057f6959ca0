// Questions about rules and records, which the engine's module answers at once.

let rules = null;
// The answer about the shown position, and the names of the game's moves.
let shown = null, names = [];

function ask(question) {
  const answer = rules.ask(question);
  if (answer.error) throw new Error(answer.error);
  return answer;
}

const positionAt = ({ start, moves }, ply) => ask({ ask: "position", start, moves: moves.slice(0, ply) });
// Names a position in its game.
const positionKey = (ply = game.ply) => `${game.id} ${positionLine(game, ply)}`;
const isAtEnd = () => game.ply === game.moves.length;
// The side to move after `ply` moves: sides alternate.
const sideAt = ply => (shown.side + ply + game.ply) % 2;

const isUsi = () => (store.notation ?? (store.language === "ja" ? "japanese" : "usi")) === "usi";

// The names of moves after the shown position.
function namesOf(line) {
  const { start, moves, ply } = game;
  return isUsi() ? line : ask({ ask: "line", start, moves: moves.slice(0, ply), line }).names;
}

// Shows the game as it is now. `words`: a message for the user, until the next change.
function update(words = null) {
  message = words;
  shown = positionAt(game, game.ply);
  names = isUsi() ? game.moves : (isAtEnd() ? shown : positionAt(game, game.moves.length)).names;
  if (store.mode === "play" && isAtEnd()) game.result ??= shown.end;
  save();
  draw();
  follow();
}

// The search that the mode wants, running or answered.
let wanted = null;

// Starts, keeps or stops the search that the mode wants now.
function follow() {
  const job = engine.session ? mode().search() : null;
  if (job?.key === wanted?.key) return;
  wanted = job;
  if (job) search(job);
  else stopSearch();
}

// Stores the score of a position while it is searched.
function scoreKeeper() {
  const { ply } = game, { side } = shown, kept = game;
  return info => { if (info.rank === 1) kept.scores[ply] = blackScore(info.score, side); };
}
