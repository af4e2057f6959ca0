// Walking through the moves of a game, by buttons and keys. A page defines `walk`, which shows the
// position after some moves, and `place`: the numbers of moves before the shown position and in all.

const WALKS = { Home: () => 0, ArrowLeft: ([ply]) => ply - 1, ArrowRight: ([ply]) => ply + 1, End: ([, last]) => last };
const WALK_BUTTONS = { first: "Home", back: "ArrowLeft", next: "ArrowRight", last: "End" };

const walkBy = key => walk(WALKS[key](place()));

function listenForWalks() {
  for (const id in WALK_BUTTONS) byId(id).onclick = () => walkBy(WALK_BUTTONS[id]);
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches("input, select, textarea") || !(event.key in WALKS)) return;
    event.preventDefault();
    walkBy(event.key);
  });
}

function drawPlace() {
  byId("number").textContent = place().join(" / ");
}
