// Exploring, in a page with the engine: variations of the reader after positions of the game, and what the
// engine finds in the shown position.

const record = moves.map(move => move.usi);
// The line that is shown: the game, or the moves of the game before a variation, and those of the variation.
let game = { id: "game", start: `sfen ${positions[0].sfen}`, moves: record, ply: 0 };

const isUsi = () => data.notation === "usi";

// The number of moves before the variation: all if there is none.
function branch() {
  const at = game.moves.findIndex((move, n) => move !== record[n]);
  return at < 0 ? game.moves.length : at;
}

const isInGame = () => game.ply <= branch();

const exploring = {
  legal: () => shown.legal,
  place: () => [game.ply, game.moves.length],
  click: clickBoard,

  // Plays a move: the next one of the line, the next one of the game, or a new one.
  play(move) {
    const { ply, moves: line } = game;
    if (line[ply] !== move) game.moves = isInGame() && record[ply] === move ? record : [...line.slice(0, ply), move];
    walk(ply + 1);
  },

  walk(n) {
    dropChoice();
    game.ply = Math.max(0, Math.min(game.moves.length, n));
    update();
  },

  show(n) {
    game.moves = record;
    this.walk(n);
  },

  pause() {
    isAnalyzing = false;
    game.moves = record;
    follow(null);
  },

  draw() {
    if (isInGame()) drawExploredGame();
    else drawVariationPosition();
    drawEngine();
    drawVariation();
  },
};

// Shows the line as it is now.
function update() {
  shown = positionAt(game, game.ply);
  if (!quiz) ply = Math.min(game.ply, branch());
  draw();
  follow(quiz ? null : analysis());
}

// A position of the game: the arrows are those of the game until the engine has found lines.
function drawExploredGame() {
  const position = positions[ply], next = moves[ply], arrows = foundArrows();
  drawGame(arrows.length > 0 ? arrows : gameArrows(position, next));
  say(...words(position, next));
}

function drawVariationPosition() {
  drawBoard(shown.sfen, { last: game.moves[game.ply - 1], ...choiceMarks(), moves: foundArrows() });
  const lines = [fill(text.to_move, text.sides[shown.side])];
  if (shown.end) lines.push(endByRules(shown.end));
  say(...lines);
}

function drawEngine() {
  drawFound();
  // What is below does not move when the lines of another position appear.
  byId("found").style.minHeight = isAnalyzing ? `${2.1 * lineCount()}em` : "";
  byId("analyze").disabled = rules === null || engine.error !== null;
  if (engine.error) showFailure();
  else if (isAnalyzing && isLoading()) byId("depth").textContent = text.loading;
}

// The moves of the variation as buttons.
function drawVariation() {
  const from = branch(), list = byId("line");
  byId("variation").hidden = from === game.moves.length;
  list.replaceChildren();
  if (from === game.moves.length) return;
  byId("from").textContent = fill(text.variation, from + 1);
  const names = isUsi() ? game.moves : positionAt(game, game.moves.length).names;
  for (let n = from; n < names.length; n++) {
    const move = button(list, names[n], () => walk(n + 1));
    move.classList.toggle("current", n + 1 === game.ply);
    move.dataset.from = `move ${n}`;
  }
}

// Takes the last move of the variation back.
function undo() {
  const from = branch(), line = game.moves.slice(0, -1);
  game.moves = line.length > from ? line : record;
  walk(line.length);
}

function begin() {
  usual = exploring;
  if (!quiz) activity = exploring;
  game.ply = ply;
  byId("analyze").onclick = () => {
    isAnalyzing = !isAnalyzing;
    startEngine();
    update();
  };
  byId("lines").onchange = () => update();
  byId("undo").onclick = undo;
  byId("leave").onclick = () => show(branch());
  update();
}

function showFailure() {
  byId("depth").textContent = fill(text.engine_failed, engine.error);
}

// Called by the page if the file of the engine is not next to it.
function missEngine(name) {
  fail(new Error(fill(text.engine_missing, name)));
}
