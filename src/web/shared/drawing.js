// When the page is drawn, and what keeps the focus.

// The timer of the next drawing, and whether a button of the mouse or a finger is down.
let drawing = null, isPressed = false;

// Draws what a search has found, at most five times a second. A part that is drawn anew while it is
// pressed would get no click.
function drawSoon() {
  drawing ??= setTimeout(() => {
    drawing = null;
    if (isPressed) drawSoon();
    else draw();
  }, 200);
}

// Draws by `drawAll`. Parts that are drawn anew lose the focus, which returns to what replaces them.
function keepFocus(drawAll) {
  const focused = document.activeElement?.dataset.from;
  drawAll();
  if (focused) document.querySelector(`[data-from="${focused}"]:not(:disabled)`)?.focus();
}

function listenForPresses() {
  document.addEventListener("pointerdown", () => { isPressed = true; }, true);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => { isPressed = false; }, true);
}
