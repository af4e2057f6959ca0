// The quiz: positions in which a player lost much; the reader looks for a better move.

// The state of the running quiz: number of the problem, whether a first try failed, whether the problem
// is over, number of problems solved at the first try, and words about the last try.
let quiz = null;

const problem = () => data.quiz[quiz.number];

const solving = {
  legal: () => quiz.over ? [] : problem().legal,
  play: answer,
  place: () => [ply, moves.length],
  walk() {},
  show() {},
  click: clickBoard,
  draw: drawProblem,
};

function startQuiz() {
  quiz = { number: -1, solved: 0, words: [] };
  usual.pause();
  activity = solving;
  dropChoice();
  document.body.classList.add("solving");
  nextProblem();
  byId("left").scrollIntoView({ block: innerWidth > 860 ? "nearest" : "start" });
}

function nextProblem() {
  quiz.number++;
  Object.assign(quiz, { failed: false, over: false, words: [] });
  ply = problem().ply - 1;
  flipped = parse(positions[ply].sfen).side === 1;
  draw();
}

function endQuiz() {
  const { solved } = quiz;
  quiz = null;
  activity = usual;
  dropChoice();
  flipped = false;
  document.body.classList.remove("solving");
  show(ply);
  say(fill(text.quiz_end, solved, data.quiz.length));
}

function drawProblem() {
  const move = moves[problem().ply - 1];
  drawGame(quiz.over ? [[move.usi, "played"], [positions[ply].best[0], "best"]] : []);
  const side = text.sides[move.side];
  const task = fill(text.quiz_task, quiz.number + 1, data.quiz.length, side, move.name, points(move.loss));
  // Words about a try are shown until the next choice.
  say(task, ...(choice.from ? [] : quiz.words));
  const info = byId("info"), isLast = quiz.number + 1 === data.quiz.length;
  // One takes the place of the other, and its focus.
  if (!quiz.over) button(info, text.show_solution, showSolution, "solution").dataset.from = "quiz";
  if (quiz.over && !isLast) button(info, text.next_problem, nextProblem, "next-problem").dataset.from = "quiz";
  button(info, text.end_quiz, endQuiz, "end-quiz").dataset.from = quiz.over && isLast ? "quiz" : "end-quiz";
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
  if (answers.includes(move)) {
    quiz.over = true;
    if (!quiz.failed) quiz.solved++;
    const word = move === positions[ply].best[0] ? text.quiz_right : text.quiz_good;
    quiz.words = [[fill(word, name), "best"], solution()];
  } else {
    quiz.failed = true;
    const word = move === moves[number - 1].usi ? text.quiz_played : text.quiz_wrong;
    quiz.words = [[fill(word, name), "played"]];
  }
  draw();
}

function solution() {
  const { best_line: line, score: value } = positions[ply];
  return fill(text.best, line, scoreText(value));
}

function showSolution() {
  dropChoice();
  Object.assign(quiz, { failed: true, over: true, words: [solution()] });
  draw();
}
