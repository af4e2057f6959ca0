// The cursor of the board: moves by keyboard.

const STEPS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The square of the cursor, while the board has the focus of the keyboard.
let cursor = null;

const shownCursor = () => document.activeElement === byId("board") ? cursor : null;

// Moves the cursor in the direction that the user sees.
function moveCursor([files, ranks]) {
  const sign = flipped ? -1 : 1, within = n => Math.max(1, Math.min(9, n));
  const file = within(Number(cursor[0]) + sign * files), rank = within(cursor.charCodeAt(1) - 96 + sign * ranks);
  cursor = file + "abcdefghi"[rank - 1];
  const piece = drawn.squares[cursor];
  byId("spoken").textContent = cursor + (piece ? ` ${"▲△"[sideOf(piece)]}${PIECES[piece.toUpperCase()]}` : "");
  draw();
}

function pressOnBoard(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || cursor === null) return;
  if (event.key in STEPS) moveCursor(STEPS[event.key]);
  else if (event.key === "Enter" || event.key === " ") chooseSquare(cursor);
  else return;
  event.preventDefault();
  // The arrow keys walk through the moves elsewhere.
  event.stopPropagation();
}

function listenForCursor() {
  const board = byId("board"), spoken = element(document.body, "p");
  spoken.id = "spoken";
  spoken.setAttribute("aria-live", "assertive");
  board.onkeydown = pressOnBoard;
  // A click gives the board the focus, too, but shows no cursor.
  board.onfocus = () => {
    cursor = board.matches(":focus-visible") ? cursor ?? "5e" : null;
    draw();
  };
  board.onblur = drawSoon;
  board.addEventListener("pointerdown", () => { cursor = null; });
  document.addEventListener("keydown", event => {
    if (event.key !== "Escape" || choice.from === null) return;
    dropChoice();
    draw();
  });
}
