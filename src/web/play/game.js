// The shown game: its position, names and moves.

// The names of the game's moves, and the key of the shown position.
let names = [], shownKey = null;

const isAtEnd = () => game.ply === game.moves.length;
// The side to move after `ply` moves: sides alternate.
const sideAt = ply => (shown.side + ply + game.ply) % 2;

const isUsi = () => (store.notation ?? (store.language === "ja" ? "japanese" : "usi")) === "usi";

const legalMoves = () => mode().mayMove(shown.side) ? shown.legal : [];
const playMove = move => mode().move(move);

// Shows the position after `ply` moves.
function walk(ply) {
  game.ply = Math.max(0, Math.min(game.moves.length, ply));
  update();
}

const place = () => [game.ply, game.moves.length];

// Shows the game as it is now. `words`: a message for the user, until the next change.
function update(words = null) {
  message = words;
  shown = positionAt(game, game.ply);
  const last = isAtEnd() ? shown : positionAt(game, game.moves.length), key = positionKey();
  names = isUsi() ? game.moves : last.names;
  if (store.mode === "play") game.result ??= last.end;
  // A choice ends with its position, and with the game.
  if (key !== shownKey || legalMoves().length === 0) dropChoice();
  shownKey = key;
  save();
  draw();
  follow(mode().search());
}

// Stores the score of a position while it is searched.
function scoreKeeper() {
  const { ply } = game, { side } = shown, kept = game;
  return info => { if (info.rank === 1) kept.scores[ply] = blackScore(info.score, side); };
}
