// The board with its pieces, hands, marks and arrows. A page defines `playerName`.

const CELL = 40, LEFT = 8, TOP = 20;
const RANKS = "一二三四五六七八九";
const PIECES = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍" };

// Whether White plays upwards, and the position on the board.
let flipped = false, drawn = null;

// 0: Black, 1: White.
const sideOf = piece => piece === piece.toLowerCase() ? 1 : 0;

// The pieces on the board by their USI squares, the hands as [piece, count], and the side to move.
function parse(sfen) {
  const [ranks, side, held] = sfen.split(" "), squares = {}, hands = [[], []];
  ranks.split("/").forEach((rank, row) => {
    let file = 9;
    for (const [piece] of rank.matchAll(/\d|\+?[a-zA-Z]/g)) {
      if (/\d/.test(piece)) { file -= Number(piece); continue; }
      squares[file-- + "abcdefghi"[row]] = piece;
    }
  });
  for (const [, count, piece] of held.matchAll(/(\d*)([a-zA-Z])/g)) {
    hands[sideOf(piece)].push([piece.toUpperCase(), Number(count || 1)]);
  }
  return { squares, hands, side: side === "b" ? 0 : 1 };
}

// The centre of a USI square such as 7g.
function center(square) {
  const file = Number(square[0]), rank = square.charCodeAt(1) - 96;
  const [column, row] = flipped ? [file - 1, 9 - rank] : [9 - file, rank - 1];
  return [LEFT + (column + .5) * CELL, TOP + (row + .5) * CELL];
}

// The USI square at a click, if it is on the board.
function squareAt(event) {
  const box = byId("board").getBoundingClientRect();
  const scale = 388 / box.width;
  const column = Math.floor(((event.clientX - box.left) * scale - LEFT) / CELL);
  const row = Math.floor(((event.clientY - box.top) * scale - TOP) / CELL);
  if (column < 0 || column > 8 || row < 0 || row > 8) return null;
  return flipped ? column + 1 + "ihgfedcba"[row] : 9 - column + "abcdefghi"[row];
}

function fillSquare(parent, square, className) {
  const [x, y] = center(square);
  make(parent, "rect", { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, class: className });
}

function drawPiece(parent, piece, square, className) {
  const [x, y] = center(square), turned = (sideOf(piece) === 1) !== flipped;
  const transform = `translate(${x} ${y})${turned ? " rotate(180)" : ""}`;
  const group = make(parent, "g", { transform, class: `piece ${className || ""}` });
  drawShape(group, piece);
}

// A piece that points upwards, around the origin.
function drawShape(parent, piece) {
  make(parent, "polygon", { points: "0,-18 10.5,-14 15,17.5 -15,17.5 -10.5,-14" });
  make(parent, "text", { y: 10, class: piece[0] === "+" ? "promoted" : "" }, PIECES[piece.toUpperCase()]);
}

// A USI move as an arrow, or as its piece if it is a drop.
function drawMove(board, move, side, className) {
  const [x2, y2] = center(move.slice(2, 4));
  if (move[1] === "*") {
    const piece = side === 0 ? move[0] : move[0].toLowerCase();
    drawPiece(board, piece, move.slice(2, 4), `drop ${className}`);
    return;
  }
  const [x1, y1] = center(move);
  const length = Math.hypot(x2 - x1, y2 - y1), dx = (x2 - x1) / length, dy = (y2 - y1) / length;
  // Points along the arrow and to its side.
  const at = (along, aside) => `${x1 + along * dx - aside * dy},${y1 + along * dy + aside * dx}`;
  const neck = length - 15;
  const points = [at(4, 3), at(neck, 3), at(neck, 9), at(length, 0), at(neck, -9), at(neck, -3), at(4, -3)];
  make(board, "polygon", { points: points.join(" "), class: `arrow ${className}` });
}

function drawHand(id, side, position, chosen) {
  const bar = byId(id);
  bar.replaceChildren();
  bar.classList.toggle("turn", position.side === side);
  element(bar, "span", "name", `${"▲△"[side]} ${playerName(side)}`);
  const hand = element(bar, "span", "hand");
  for (const [piece, count] of position.hands[side]) {
    const from = piece + "*", held = button(hand, "", () => chooseHand(from));
    held.dataset.from = from;
    held.disabled = position.side !== side || legalMoves().length === 0;
    held.classList.toggle("chosen", chosen === from && position.side === side);
    held.setAttribute("aria-label", `${PIECES[piece]} ${count}`);
    drawShape(make(held, "svg", { viewBox: "-17 -20 34 40", class: "piece" }), piece);
    if (count > 1) element(held, "sub", "", count);
  }
}

// Draws a position. `marks`: the last move, the chosen square or piece in hand, targets, the moves to
// draw as arrows with their classes, and the square of the keyboard's cursor; all optional.
function drawBoard(sfen, marks) {
  const board = byId("board"), position = parse(sfen), all = 9 * CELL;
  drawn = position;
  board.replaceChildren();
  make(board, "rect", { x: LEFT, y: TOP, width: all, height: all, class: "wood" });
  if (marks.last) {
    if (marks.last[1] !== "*") fillSquare(board, marks.last.slice(0, 2), "last");
    fillSquare(board, marks.last.slice(2, 4), "last");
  }
  if (marks.chosen && marks.chosen[1] !== "*") fillSquare(board, marks.chosen, "chosen-square");
  for (let n = 1; n < 9; n++) {
    const at = n * CELL;
    make(board, "path", { d: `M${LEFT + at} ${TOP}v${all}M${LEFT} ${TOP + at}h${all}`, class: "grid" });
  }
  make(board, "rect", { x: LEFT, y: TOP, width: all, height: all, class: "frame" });
  for (let n = 1; n <= 9; n++) {
    const [x, y] = center(n + "abcdefghi"[n - 1]);
    make(board, "text", { x, y: 14, class: "coordinate" }, n);
    make(board, "text", { x: 379, y: y + 4, class: "coordinate" }, RANKS[n - 1]);
  }
  for (const square in position.squares) drawPiece(board, position.squares[square], square, square === marks.chosen ? "chosen" : "");
  for (const square of marks.targets || []) {
    const [cx, cy] = center(square);
    make(board, "circle", { cx, cy, r: 7, class: "target" });
  }
  for (const [move, className] of marks.moves || []) drawMove(board, move, position.side, className);
  if (marks.cursor) fillSquare(board, marks.cursor, "cursor");
  drawHand("top", flipped ? 0 : 1, position, marks.chosen);
  drawHand("bottom", flipped ? 1 : 0, position, marks.chosen);
}
