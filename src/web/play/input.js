// Choosing moves by mouse, touch and keyboard.

// The chosen piece, and the two moves if promotion is a choice; the cursor of the keyboard.
let choice = { from: null, pair: null }, cursor = null;

const mayChoose = side => mode().mayMove(side);

function chooseHand(from) {
  choice = { from: choice.from === from ? null : from, pair: null };
  draw();
}

function chooseSquare(square) {
  if (!mayChoose(shown.side)) return;
  const { move, pair = null, from } = choose(shown.legal, choice.from, square);
  if (move) return playChoice(move);
  choice = { from, pair };
  draw();
  if (pair) byId("promotion").firstChild.focus();
}

function playChoice(move) {
  dropChoice();
  mode().move(move);
}

function dropChoice() {
  choice = { from: null, pair: null };
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
  const piece = parse(shown.sfen).squares[from].toUpperCase(), [x, y] = center(pair[0].slice(2, 4));
  box.style.left = `${Math.min(Math.max(x / 3.88, 16), 84)}%`;
  box.style.top = `${y / 3.88}%`;
  pair.forEach((move, n) => {
    const chosen = button(box, "", () => playChoice(move));
    chosen.dataset.from = move;
    drawShape(make(chosen, "svg", { viewBox: "-17 -20 34 40", class: "piece" }), n === 0 ? `+${piece}` : piece);
    element(chosen, "span", "", n === 0 ? text.promote : text.keep);
  });
}

// Shows the position after `ply` moves.
function walk(ply) {
  dropChoice();
  game.ply = Math.max(0, Math.min(game.moves.length, ply));
  update();
}

const WALKS = { ArrowLeft: () => game.ply - 1, ArrowRight: () => game.ply + 1, Home: () => 0, End: () => game.moves.length };
const STEPS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Moves the cursor of the board, in the direction that the user sees.
function moveCursor([files, ranks]) {
  const sign = flipped ? -1 : 1, within = n => Math.max(1, Math.min(9, n));
  const file = within(Number(cursor[0]) + sign * files), rank = within(cursor.charCodeAt(1) - 96 + sign * ranks);
  cursor = file + "abcdefghi"[rank - 1];
  const piece = parse(shown.sfen).squares[cursor];
  byId("spoken").textContent = cursor + (piece ? ` ${"▲△"[sideOf(piece)]}${PIECES[piece.toUpperCase()]}` : "");
  draw();
}

function pressed(event) {
  const isOnBoard = event.target === byId("board") && cursor !== null;
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.target.matches("input, select, textarea")) return;
  if (event.key === "Escape") {
    dropChoice();
    draw();
  } else if (isOnBoard && event.key in STEPS) {
    moveCursor(STEPS[event.key]);
  } else if (isOnBoard && (event.key === "Enter" || event.key === " ")) {
    chooseSquare(cursor);
  } else if (event.key in WALKS) {
    walk(WALKS[event.key]());
  } else {
    return;
  }
  event.preventDefault();
}

function listen() {
  const board = byId("board");
  document.onkeydown = pressed;
  board.onclick = event => {
    const square = squareAt(event);
    if (square) chooseSquare(square);
  };
  // A click gives the board the focus, too, but shows no cursor.
  board.onfocus = () => {
    cursor = board.matches(":focus-visible") ? cursor ?? "5e" : null;
    draw();
  };
  board.onblur = drawSoon;
  board.onpointerdown = () => { cursor = null; };
  byId("first").onclick = () => walk(0);
  byId("back").onclick = () => walk(game.ply - 1);
  byId("next").onclick = () => walk(game.ply + 1);
  byId("last").onclick = () => walk(game.moves.length);
  byId("flip").onclick = () => { game.flipped = !game.flipped; update(); };
}
