// The mode to analyse: the engine searches the shown position until it is stopped.

// Longest line that is shown, in moves.
const LINE_MOVES = 12;

// Whether the engine analyses, and what it found: the position and the lines, best first.
let isAnalyzing = false, found = { key: null, lines: [] };

const analyzing = {
  mayMove: () => true,
  move(move) { push(game, move); update(); },

  search() {
    if (!isAnalyzing || shown.legal.length === 0) return null;
    const key = positionKey(), keepScore = scoreKeeper();
    return {
      key: `analyze ${store.lines} ${key}`, position: positionLine(game, game.ply), go: "go infinite",
      options: { SkillLevel: 20, MultiPV: store.lines },
      onInfo(info) {
        if (found.key !== key) found = { key, lines: [] };
        found.lines[info.rank - 1] = info;
        keepScore(info);
        drawSoon();
      },
      onDone() {},
    };
  },

  words() {
    if (isAtEnd() && game.result) return [resultText(game.result)];
    const lines = [fill(text.to_move, text.sides[shown.side])];
    if (shown.end) lines.push(resultText(shown.end));
    else if (isAnalyzing && !engine.session) lines.push(text.loading);
    return lines;
  },

  arrows: () => foundLines().map(({ line }, n) => [line[0], n === 0 ? "best" : "other"]).reverse(),
};

// The lines of the shown position. A line may be missing while the next depth is searched.
const foundLines = () => found.key === positionKey() ? found.lines.slice(0, store.lines).filter(Boolean) : [];

// The lines as a list. A click plays the first move of a line.
function drawFound() {
  const list = byId("found"), lines = foundLines();
  list.replaceChildren();
  for (const { score, line } of lines) {
    const row = element(list, "li");
    const choice = button(row, "", () => mode().move(line[0]));
    choice.dataset.from = line[0];
    element(choice, "b", "", scoreText(blackScore(score, shown.side)));
    const moves = element(choice, "span");
    for (const name of namesOf(line.slice(0, LINE_MOVES))) element(moves, "span", "move", name).after(" ");
  }
  byId("depth").textContent = lines.length > 0 ? fill(text.depth, lines[0].depth, lines[0].nodes.toLocaleString()) : "";
  byId("analyze").textContent = isAnalyzing ? text.stop : text.start;
  byId("analyze").setAttribute("aria-pressed", isAnalyzing);
}

// A score for Black.
function scoreText({ cp, mate }) {
  if (mate === undefined) return (cp > 0 ? "+" : "") + cp;
  return fill(mate > 0 ? text.black_mates : text.white_mates, Math.abs(mate));
}

// Analyses a copy of the game that was played.
function takeGame() {
  const { id, start, moves, ply, result, scores, flipped } = store.games.play, old = store.games.analyze;
  const names = [0, 1].map(side => knownName(store.games.play, side));
  const others = old.start === start && old.moves.length > 0 ? [old.moves, ...old.others] : [];
  store.games.analyze = newGame({ start, moves: [...moves], ply, others, players: names, result, scores: [...scores], flipped,
    source: `${id} ${moves.length}` });
}

// Whether the analysed game is an older copy, or empty: then the mode takes the game by itself.
function isOutdated() {
  const { id, moves } = store.games.play, { source, moves: analyzed } = store.games.analyze;
  return moves.length > 0 && source !== `${id} ${moves.length}` && (source !== undefined || analyzed.length === 0);
}
