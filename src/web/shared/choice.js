// Choosing a move: first a piece, then its target. A piece is named by its square, or by `P*` if it
// is in hand, so that the moves of a piece start with its name.

// The moves are USI moves, which are legal in the shown position.
const movesFrom = (legal, from) => from ? legal.filter(move => move.startsWith(from)) : [];
const targetsFrom = (legal, from) => new Set(movesFrom(legal, from).map(move => move.slice(2, 4)));

// What the choice of a square means while `from` is chosen (or null): the field `move` is the move,
// `pair` the moves with and without promotion, and `from` the piece that is chosen now, if any.
function choose(legal, from, square) {
  const found = movesFrom(legal, from).filter(move => move.slice(2, 4) === square);
  if (found.length === 1) return { move: found[0], from: null };
  if (found.length === 2) return { pair: found.sort().reverse(), from };
  return { from: square !== from && movesFrom(legal, square).length > 0 ? square : null };
}
