// Choosing a move: first a piece, then its target. A piece is named by its square, or by `P*` if it
// is in hand, so that the moves of a piece start with its name. A page defines `legalMoves` (none while no
// piece may be chosen), `playMove`, and `draw`.

// The chosen piece, and the two moves if promotion is a choice.
let choice = { from: null, pair: null };

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

function chooseHand(from) {
  choice = { from: choice.from === from ? null : from, pair: null };
  draw();
}

function chooseSquare(square) {
  const legal = legalMoves();
  if (legal.length === 0) return;
  const { move, pair = null, from } = choose(legal, choice.from, square);
  if (move) return playChoice(move);
  choice = { from, pair };
  draw();
  if (pair) byId("promotion").firstChild.focus();
}

function playChoice(move) {
  dropChoice();
  playMove(move);
}

function dropChoice() {
  choice = { from: null, pair: null };
}

// What the board shows of the choice and the cursor.
const choiceMarks = () => ({
  chosen: choice.from, targets: choice.pair ? [] : targetsFrom(legalMoves(), choice.from), cursor: shownCursor(),
});

function clickBoard(event) {
  const square = squareAt(event);
  if (square) chooseSquare(square);
}

// The two pieces next to the target, if promotion is a choice.
function drawPromotion() {
  const box = byId("promotion"), { from, pair } = choice, hadFocus = box.contains(document.activeElement);
  box.hidden = !pair;
  box.replaceChildren();
  if (!pair) {
    if (hadFocus) byId("board").focus();
    return;
  }
  const piece = drawn.squares[from].toUpperCase(), [x, y] = center(pair[0].slice(2, 4));
  box.style.left = `${Math.min(Math.max(x / 3.88, 16), 84)}%`;
  box.style.top = `${y / 3.88}%`;
  pair.forEach((move, n) => {
    const chosen = button(box, "", () => playChoice(move));
    chosen.dataset.from = move;
    drawShape(make(chosen, "svg", { viewBox: "-17 -20 34 40", class: "piece" }), n === 0 ? `+${piece}` : piece);
    element(chosen, "span", "", n === 0 ? text.promote : text.keep);
  });
}
