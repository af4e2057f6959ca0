// The mode to analyse: a game, with the lines that were left for others.

const analyzing = {
  mayMove: () => true,
  move(move) { push(game, move); update(); },
  search: () => analysis(scoreKeeper()),
  arrows: foundArrows,

  words() {
    if (isAtEnd() && game.result) return [resultText(game.result)];
    const lines = [fill(text.to_move, text.sides[shown.side])];
    if (shown.end) lines.push(resultText(shown.end));
    else if (isAnalyzing && isLoading()) lines.push(text.loading);
    return lines;
  },
};

// What a copy of a game is taken from.
const sourceOf = ({ id, moves, result }) => JSON.stringify([id, moves, result]);

// Analyses a copy of the game that was played.
function takeGame() {
  const { start, moves, ply, result, scores, flipped } = store.games.play, old = store.games.analyze;
  const names = [0, 1].map(side => knownName(store.games.play, side));
  const others = old.start === start && old.moves.length > 0 ? [old.moves, ...old.others] : [];
  store.games.analyze = newGame({ start, moves: [...moves], ply, others, players: names, result, scores: [...scores], flipped,
    source: sourceOf(store.games.play) });
}

// Whether the analysed game is an older copy, or empty: then the mode takes the game by itself.
function isOutdated() {
  const { play } = store.games, { source, start, moves: analyzed } = store.games.analyze;
  const isEmpty = start === "startpos" && analyzed.length === 0;
  return play.moves.length > 0 && source !== sourceOf(play) && (source !== undefined || isEmpty);
}
