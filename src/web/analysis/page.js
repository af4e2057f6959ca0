// The shown position, the lists, and the controls.

// Reading the game. An activity defines what the board shows and which moves can be chosen on it.
const reading = {
  legal: () => [],
  play() {},
  place: () => [ply, moves.length],

  walk(n) {
    ply = Math.max(0, Math.min(moves.length, n));
    draw();
  },

  // Before a quiz.
  pause() {},

  // Shows the position after `n` moves of the game.
  show(n) { this.walk(n); },

  // The halves of the board are buttons, too.
  click(event) {
    const { left, width } = byId("board").getBoundingClientRect();
    walk(event.clientX < left + width / 2 ? ply - 1 : ply + 1);
  },

  draw() {
    const position = positions[ply], played = moves[ply];
    drawGame(gameArrows(position, played));
    say(...words(position, played));
  },
};

// What the reader does now, and when no quiz runs.
let activity = reading, usual = reading;

const legalMoves = () => activity.legal();
const playMove = move => activity.play(move);
const place = () => activity.place();
const walk = n => activity.walk(n);
const show = n => activity.show(n);

const draw = () => keepFocus(() => {
  activity.draw();
  drawNow();
  drawPlace();
  drawPromotion();
  drawRows();
});

// The number of moves whose rows are marked.
let marked = null;

// Marks the rows of the shown position. The list is scrolled only by a change.
function drawRows() {
  if (marked === ply) return;
  marked = ply;
  for (const row of document.querySelectorAll("tbody tr")) {
    row.classList.toggle("current", Number(row.dataset.show) === ply);
  }
  const row = document.querySelector("#moves tr.current"), list = byId("moves");
  if (row) list.scrollTop = row.offsetTop - list.clientHeight / 2;
}

// Draws the shown position of the game.
function drawGame(arrows) {
  drawBoard(positions[ply].sfen, { last: ply > 0 ? moves[ply - 1].usi : null, moves: arrows, ...choiceMarks() });
}

// The move that was played, if a better one exists, and the best one.
function gameArrows(position, played) {
  const arrows = [];
  if (played && !played.is_best) arrows.push([played.usi, "played"]);
  if (position.best[0]) arrows.push([position.best[0], "best"]);
  return arrows;
}

// What the page says about a position: the move before it, the best move, and the next move.
function words(position, played) {
  const lines = [];
  if (ply === 0) {
    lines.push(text.start);
  } else {
    const { name, black_score: value } = moves[ply - 1];
    lines.push(fill(text.after, ply, name, scoreText(value)));
  }
  if (ply === moves.length) lines.push(data.ending);
  if (position.best_line) lines.push([fill(text.best, position.best_line, scoreText(position.score)), "best"]);
  position.others.forEach((line, n) => lines.push(`${n + 2}: ${line}`));
  if (played && !played.is_best) {
    const mark = played.mark ? `${SIGNS[played.mark]} ${text.marks[played.mark]}` : "";
    const mate = played.mate ? fill(text.note, played.mate) : "";
    lines.push([fill(text.played, played.name + mark, points(played.loss)) + mate, "played"]);
  }
  return lines;
}

// Points of 100, truncated: a loss with a mark is at least the limit of the mark.
const points = loss => (Math.floor(1000 * loss) / 10).toFixed(1);

function scoreText(value) {
  if (value.cp !== undefined) return (value.cp > 0 ? "+" : "") + value.cp;
  return fill(value.mate > 0 ? text.mate_in : text.mated_in, Math.abs(value.mate));
}

// A score in a table, from Black's view.
function shortScore(value) {
  if (value.cp !== undefined) return scoreText(value);
  return (value.mate > 0 ? "" : "-") + fill(text.mate_short, Math.abs(value.mate));
}

// A table of moves. A row shows the position before (`shift` 1) or after (0) its move.
function table(parent, rows, shift) {
  const list = element(byId(parent), "table"), head = list.createTHead().insertRow();
  const columns = [["", "number"], [text.move, ""], ["", ""], [text.loss, "number"], [text.score, "number score"],
    [text.better, "line"]];
  for (const [name, kind] of columns) element(head, "th", kind, name);
  const body = list.createTBody();
  for (const move of rows) {
    const row = body.insertRow();
    row.dataset.show = move.ply - shift;
    row.onclick = () => { if (quiz) endQuiz(); show(move.ply - shift); };
    const cells = [move.ply, move.name, move.mark ? text.signs[move.mark] : "", points(move.loss),
      shortScore(move.black_score), move.is_best ? "" : move.best_line];
    cells.forEach((cell, n) => element(row, "td", n === 2 ? move.mark : columns[n][1], cell));
  }
}

function summary(side, index) {
  const card = element(byId("summary"), "div", "side"), left = element(card, "div");
  element(left, "div", "name", `${"▲△"[index]} ${data.players[index]}`);
  const accuracy = element(left, "div", "accuracy", side.accuracy?.toFixed(1) ?? "–");
  element(accuracy, "small", "", ` ${text.accuracy}`);
  element(left, "p", "", fill(text.mean_loss, (100 * side.loss).toFixed(1)));
  element(left, "p", "", fill(text.best_moves, Math.round(100 * side.best / Math.max(1, side.moves))));
  const marks = element(left, "p");
  for (const mark of ["inaccuracy", "mistake", "blunder"]) {
    element(marks, "b", mark, `${text.marks[mark]} ${side.marks[mark]}`);
    marks.append("\u2002");
  }
  const figure = element(card, "figure"), bars = element(figure, "div", "bars");
  const most = Math.max(...side.losses, 1), kinds = ["", "", "inaccuracy", "mistake", "blunder"];
  side.losses.forEach((count, n) => {
    const bar = element(bars, "div", kinds[n], count);
    element(bar, "i").style.height = `${38 * count / most}px`;
    bar.append(["0", "2", "5", "10", "20"][n] + (n === 4 ? "+" : ""));
  });
  element(figure, "figcaption", "", text.histogram);
}

nameElements(text);
data.sides.forEach(summary);
table("mistakes", moves.filter(move => move.mark), 1);
table("moves", moves, 0);
if (!moves.some(move => move.mark)) byId("mistakes").textContent = text.none;
byId("index").hidden = !data.has_index;
byId("quiz").hidden = data.quiz.length === 0;
byId("quiz").textContent = fill(text.quiz, data.quiz.length);
byId("quiz").onclick = startQuiz;
byId("flip").onclick = () => { flipped = !flipped; draw(); };
byId("board").onclick = event => activity.click(event);
listenForWalks();
listenForCursor();
listenForPresses();
listenForDrags();
new ResizeObserver(drawCurve).observe(byId("curve"));
drawCurve();
draw();
