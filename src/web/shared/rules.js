// Questions about rules and records, which the engine's module answers at once. A page defines `game`, the
// line of moves that is shown: `id`, `start` and `moves` as in the USI command `position`, and `ply`, the
// number of moves before the shown position.

let rules = null;
// The answer about the shown position.
let shown = null;

function ask(question) {
  const answer = rules.ask(question);
  if (answer.error) throw new Error(answer.error);
  return answer;
}

// The line of a position, as the USI command.
function positionLine({ start, moves }, ply) {
  return `position ${start}${ply > 0 ? " moves " : ""}${moves.slice(0, ply).join(" ")}`;
}

const positionAt = ({ start, moves }, ply) => ask({ ask: "position", start, moves: moves.slice(0, ply) });
// Names a position in its game.
const positionKey = (ply = game.ply) => `${game.id} ${positionLine(game, ply)}`;

// The names of moves after the shown position. A page defines `isUsi`, whether it names moves as in USI.
function namesOf(line) {
  const { start, moves, ply } = game;
  return isUsi() ? line : ask({ ask: "line", start, moves: moves.slice(0, ply), line }).names;
}

// How the rules end a game; undefined for another reason.
function endByRules({ winner, reason }) {
  const by = { mate: text.won_by_mate, perpetual_check: text.perpetual_check, repetition: text.drawn_by_repetition };
  return by[reason] && fill(by[reason], text.sides[winner], text.sides[1 - winner]);
}
