// The shown game: its position, names and moves.

// The names of the game's moves.
let names = [];

const isAtEnd = () => game.ply === game.moves.length;
// The side to move after `ply` moves: sides alternate.
const sideAt = ply => (shown.side + ply + game.ply) % 2;

const isUsi = () => (store.notation ?? (store.language === "ja" ? "japanese" : "usi")) === "usi";

const legalMoves = () => mode().mayMove(shown.side) ? shown.legal : [];
const playMove = move => mode().move(move);

// Shows the position after `ply` moves.
function walk(ply) {
  dropChoice();
  game.ply = Math.max(0, Math.min(game.moves.length, ply));
  update();
}

const place = () => [game.ply, game.moves.length];

// Shows the game as it is now. `words`: a message for the user, until the next change.
function update(words = null) {
  message = words;
  shown = positionAt(game, game.ply);
  names = isUsi() ? game.moves : (isAtEnd() ? shown : positionAt(game, game.moves.length)).names;
  if (store.mode === "play" && isAtEnd()) game.result ??= shown.end;
  save();
  draw();
  follow(mode().search());
}

// Stores the score of a position while it is searched.
function scoreKeeper() {
  const { ply } = game, { side } = shown, kept = game;
  return info => { if (info.rank === 1) kept.scores[ply] = blackScore(info.score, side); };
}
