// The mode for mate problems (tsume): the user attacks, and the engine defends.

// Longest time for the proof of a position, and for that after each reply of the defender, ms.
const PROOF_MS = 10000, REPLY_MS = 2000;
const EXAMPLES = [
  "4k4/9/4P4/9/9/9/9/9/9 b G 1",
  "5p2k/9/8P/9/9/9/9/9/9 b RS 1",
  "7kn/9/7N1/5ngP1/9/9/9/9/9 b RG 1",
];

// Proofs by position: `line`, or null if no mate was found; `isProved`: that there is none;
// `isShortest`: whether the line has the fewest moves.
const proofs = new Map();
// What the user asked for, a hint or the solution, and in which position.
let wish = { kind: null, key: null };
// The defender's position, the replies to try, and the best of the others with the length of its mate.
let defence = { key: null, open: [], best: null };

const isAttackersTurn = () => !game.engine[shown.side];

const solving = {
  mayMove: () => isAttackersTurn() && !shown.end,

  move(move) {
    const moves = [...game.moves.slice(0, game.ply), move];
    if (!positionAt({ ...game, moves }, moves.length).check) return update([text.not_check, "played"]);
    push(game, move);
    update();
  },

  search() {
    if (!isAttackersTurn() && isAtEnd() && !shown.end) return nextReply();
    if (wish.key === positionKey() && !proofs.has(wish.key)) return proofOf(game.ply);
    return proofs.has(positionKey(0)) ? null : proofOf(0);
  },

  words() {
    if (shown.end?.reason === "mate" && !isAttackersTurn()) {
      return [[fill(text.mated_in, game.ply), "best"], lengthWords(proofs.get(positionKey(0)))];
    }
    if (shown.end && shown.end.reason !== "mate") return [resultText(shown.end)];
    if (!engine.session) return isLoading() ? [text.loading] : [];
    if (!isAttackersTurn()) return [isAtEnd() ? text.defending : text.defender_to_move];
    const lines = [fill(text.find_mate, text.sides[shown.side])];
    if (game.escape === positionLine(game, game.ply)) lines.push([text.escaped, "played"]);
    if (wish.key === positionKey()) lines.push(...wishWords(proofs.get(wish.key)));
    return lines;
  },

  arrows() {
    const proof = wish.key === positionKey() ? proofs.get(wish.key) : null;
    return proof?.line ? [[proof.line[0], "best"]] : [];
  },
};

// Whether the mate on the board has the fewest moves. `proof`: that of the problem, if it has ended.
function lengthWords(proof) {
  if (!proof) return text.checking_length;
  if (proof.line?.length < game.ply) return [fill(text.shorter_exists, proof.line.length), "played"];
  return proof.isShortest ? text.fewest_moves : text.no_shorter_found;
}

// The hint or the solution.
function wishWords(proof) {
  if (!proof) return [text.thinking];
  if (!proof.line) return [[proof.isProved ? text.no_mate : text.mate_unknown, "played"]];
  if (wish.kind === "hint") return [[fill(text.hint_move, namesOf(proof.line)[0]), "best"]];
  const mate = fill(text.mate_line, proof.line.length, namesOf(proof.line).join(" "));
  return [[mate, "best"], proof.isShortest ? text.fewest_moves : text.no_shorter_found];
}

// The search for a mate from a ply of the game. An answer before the time is up has the fewest moves.
function proofOf(ply) {
  const key = positionKey(ply);
  return {
    key: `proof ${key}`, position: positionLine(game, ply), go: `go mate ${PROOF_MS}`, options: {}, onInfo() {},
    onDone(words, ms) {
      proofs.set(key, { line: isMate(words) ? words : null, isProved: words[0] === "nomate", isShortest: ms < PROOF_MS });
      if (wish.kind === "solve" && wish.key === key && positionKey() === key) appendSolution();
      update();
    },
  };
}

// The search after the next reply of the defender, who plays the reply with the longest mate.
function nextReply() {
  const key = positionKey(), position = positionLine(game, game.ply);
  if (defence.key !== key) defence = { key, open: [...shown.legal], best: { length: -Infinity } };
  const [reply] = defence.open;
  return {
    key: `reply ${reply} ${key}`, position: `${position} ${reply}`, go: `go mate ${REPLY_MS}`, options: {}, onInfo() {},
    onDone(words) {
      const length = isMate(words) ? lengthAfter(reply, words) : Infinity;
      if (length > defence.best.length) defence.best = { reply, length };
      defence.open.shift();
      if (defence.open.length === 0 || length === Infinity) playReply();
      update();
    },
  };
}

function playReply() {
  push(game, defence.best.reply);
  if (defence.best.length === Infinity) game.escape = positionLine(game, game.ply);
}

const isMate = ([word]) => !["nomate", "timeout", "notimplemented"].includes(word);

// The length of a mate after a reply. A dropped piece that is taken at once only delays the mate, so
// that the defender prefers other replies.
function lengthAfter(reply, line) {
  const isTaken = reply[1] === "*" && line[0].slice(2, 4) === reply.slice(2, 4);
  return line.length - (isTaken ? 2.5 : 0);
}

// Asks for a hint, or for the solution.
function request(kind) {
  wish = { kind, key: positionKey() };
  if (kind === "solve" && proofs.has(wish.key)) appendSolution();
  update();
}

// Puts the solution after the shown position, so that the user can walk through it.
function appendSolution() {
  const { line } = proofs.get(wish.key), { ply } = game;
  if (!line) return;
  cut(game, ply);
  game.moves.push(...line);
}

// A problem, with the line that a record may have.
function problemOf(start, line = []) {
  const problem = newGame({ start, others: line.length > 0 ? [line] : [] }), { side } = positionAt(problem, 0);
  problem.engine[1 - side] = true;
  problem.flipped = side === 1;
  return problem;
}

function setProblem(start, line) {
  store.games.tsume = problemOf(start, line);
  setMode("tsume");
}
