// Dragging a piece to its target, by mouse or by touch. A press that hardly moves is a click.

// A drag starts after this many pixels.
const DRAG_START = 6;
// The pressed piece, its pointer, the place of the press, and the picture that follows the pointer.
let drag = null;
// Whether a piece was dropped just now: the click that may follow means nothing.
let isDropped = false;

function pressPiece(event) {
  if (drag || !event.isPrimary || event.button !== 0) return;
  const held = event.target.closest(".hand button");
  const from = held ? held.dataset.from : event.target === byId("board") ? squareAt(event) : null;
  if (movesFrom(legalMoves(), from).length === 0) return;
  drag = { from, id: event.pointerId, x: event.clientX, y: event.clientY, picture: null };
}

function movePiece(event) {
  if (drag?.id !== event.pointerId) return;
  if (!drag.picture && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_START) return;
  drag.picture ??= lift(drag.from);
  drag.picture.style.left = `${event.clientX}px`;
  drag.picture.style.top = `${event.clientY}px`;
}

// Chooses a piece, and returns its picture.
function lift(from) {
  choice = { from, pair: null };
  draw();
  const board = byId("board"), piece = from[1] === "*" ? from[0] : drawn.squares[from];
  board.classList.add("dragging");
  const picture = make(document.body, "svg", { id: "dragged", class: "piece", viewBox: "-20 -20 40 40" });
  picture.style.width = `${board.getBoundingClientRect().width * CELL / 388}px`;
  const isTurned = (drawn.side === 1) !== flipped;
  drawShape(make(picture, "g", { transform: isTurned ? "rotate(180)" : "" }), piece);
  return picture;
}

// Ends the drag; a drop on a target plays the move.
function dropPiece(event) {
  if (drag?.id !== event.pointerId) return;
  const { from, picture } = drag;
  drag = null;
  if (!picture) return;
  picture.remove();
  byId("board").classList.remove("dragging");
  isDropped = true;
  setTimeout(() => { isDropped = false; });
  const square = event.type === "pointerup" ? squareAt(event) : null;
  if (square && choice.from === from && targetsFrom(legalMoves(), from).has(square)) {
    chooseSquare(square);
  } else {
    dropChoice();
    draw();
  }
}

function listenForDrags() {
  document.addEventListener("pointerdown", pressPiece);
  document.addEventListener("pointermove", movePiece);
  document.addEventListener("pointerup", dropPiece);
  document.addEventListener("pointercancel", dropPiece);
  document.addEventListener("click", event => {
    if (isDropped) event.stopPropagation();
  }, true);
  // A finger on a piece that can move does not scroll the page.
  byId("board").addEventListener("touchmove", event => { if (drag) event.preventDefault(); }, { passive: false });
}
