// The quiz: positions in which a player lost much; the reader looks for a better move.

// The state of the running quiz: number of the problem, chosen square or piece in hand, whether a
// first try failed, whether the problem is over, and number of problems solved at the first try.
let quiz = null;

const problem = () => data.quiz[quiz.number];

function startQuiz() {
  quiz = { number: -1, solved: 0 };
  document.body.classList.add("solving");
  nextProblem();
  byId("left").scrollIntoView({ block: innerWidth > 860 ? "nearest" : "start" });
}

function nextProblem() {
  quiz.number++;
  Object.assign(quiz, { from: null, failed: false, over: false, pair: null });
  if (quiz.number === data.quiz.length) return endQuiz();
  ply = problem().ply - 1;
  flipped = parse(positions[ply].sfen).side === 1;
  drawNow();
  drawProblem();
}

function endQuiz() {
  const { solved } = quiz;
  quiz = null;
  flipped = false;
  document.body.classList.remove("solving");
  show(ply);
  say(fill(text.quiz_end, solved, data.quiz.length));
}

function drawProblem(...words) {
  const { ply: number } = problem(), move = moves[number - 1];
  const arrows = quiz.over ? [[move.usi, "played"], [positions[ply].best[0], "best"]] : [];
  const last = ply > 0 ? moves[ply - 1].usi : null;
  drawBoard(positions[ply].sfen, { last, chosen: quiz.from, targets: targetsFrom(problem().legal, quiz.from),
    moves: arrows });
  byId("number").textContent = `${ply} / ${moves.length}`;
  const side = text.sides[move.side];
  const task = fill(text.quiz_task, quiz.number + 1, data.quiz.length, side, move.name, points(move.loss));
  say(task, ...words);
  const info = byId("info");
  if (quiz.pair) {
    quiz.pair.forEach((move, n) => button(info, n ? text.keep : text.promote, () => answer(move)));
    return;
  }
  if (!quiz.over) button(info, text.show_solution, showSolution, "solution");
  const isLast = quiz.number + 1 === data.quiz.length;
  if (quiz.over && !isLast) button(info, text.next_problem, nextProblem, "next-problem");
  button(info, text.end_quiz, endQuiz, "end-quiz");
}

// Replaces the text below the board.
function say(...lines) {
  byId("info").replaceChildren();
  for (const line of lines) {
    if (Array.isArray(line)) element(byId("info"), "p", line[1], line[0]);
    else element(byId("info"), "p", "", line);
  }
}

const playerName = side => data.players[side];
const mayChoose = () => Boolean(quiz) && !quiz.over;

function chooseHand(from) {
  Object.assign(quiz, { from: quiz.from === from ? null : from, pair: null });
  drawProblem();
}

function chooseSquare(square) {
  if (quiz.over) return;
  const { move, pair, from } = choose(problem().legal, quiz.from, square);
  if (move) return answer(move);
  Object.assign(quiz, { from, pair });
  drawProblem();
}

// The name of a move of the reader, as short as it is clear.
function nameOf(move) {
  if (data.notation === "usi") return move;
  const { squares, side } = parse(positions[ply].sfen);
  const piece = move[1] === "*" ? move[0] : squares[move.slice(0, 2)].toUpperCase();
  const target = "０１２３４５６７８９"[move[2]] + RANKS[move.charCodeAt(3) - 97];
  return "▲△"[side] + target + PIECES[piece] + (move[1] === "*" ? "打" : move[4] ? "成" : "");
}

function answer(move) {
  const name = nameOf(move), { ply: number, answers } = problem();
  Object.assign(quiz, { from: null, pair: null });
  if (answers.includes(move)) {
    quiz.over = true;
    if (!quiz.failed) quiz.solved++;
    const word = move === positions[ply].best[0] ? text.quiz_right : text.quiz_good;
    drawProblem([fill(word, name), "best"], solution());
    return;
  }
  quiz.failed = true;
  const word = move === moves[number - 1].usi ? text.quiz_played : text.quiz_wrong;
  drawProblem([fill(word, name), "played"]);
}

function solution() {
  const { best_line: line, score: value } = positions[ply];
  return fill(text.best, line, scoreText(value));
}

function showSolution() {
  Object.assign(quiz, { from: null, pair: null, failed: true, over: true });
  drawProblem(solution());
}
