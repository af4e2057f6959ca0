// The analysis: the engine searches the shown position until it is stopped.

// Longest line that is shown, in moves.
const LINE_MOVES = 12;

// Whether the engine analyses, and what it found: the position and the lines, best first.
let isAnalyzing = false, found = { key: null, lines: [] };

const lineCount = () => Number(byId("lines").value);

// The search of the shown position, if the engine analyses. `keep` gets what it finds, too.
function analysis(keep = () => {}) {
  if (!isAnalyzing || shown.legal.length === 0) return null;
  const key = positionKey();
  return {
    key: `analyze ${lineCount()} ${key}`, position: positionLine(game, game.ply), go: "go infinite",
    options: { SkillLevel: 20, MultiPV: lineCount() },
    onInfo(info) {
      if (found.key !== key) found = { key, lines: [] };
      addLine(found.lines, info);
      keep(info);
      drawSoon();
    },
    onDone() {},
  };
}

// Puts a line in its place. At a new depth, it may start with the move of another line of the old depth,
// which then gives its place to the replaced line.
function addLine(lines, info) {
  const at = info.rank - 1, twin = lines.findIndex(other => other?.line[0] === info.line[0]);
  if (twin >= 0) lines[twin] = lines[at];
  lines[at] = info;
}

// The lines of the shown position. A line may be missing while the next depth is searched.
const foundLines = () => found.key === positionKey() ? found.lines.slice(0, lineCount()).filter(Boolean) : [];

// The first moves of the lines as arrows, the best on top.
const foundArrows = () => foundLines().map(({ line }, n) => [line[0], n === 0 ? "best" : "other"]).reverse();

// The lines as a list. A click plays the first move of a line.
function drawFound() {
  const list = byId("found"), lines = foundLines();
  list.replaceChildren();
  for (const { score, line } of lines) {
    const row = element(list, "li");
    const choice = button(row, "", () => playChoice(line[0]));
    choice.dataset.from = line[0];
    element(choice, "b", "", blackScoreText(blackScore(score, shown.side)));
    const moves = element(choice, "span");
    for (const name of namesOf(line.slice(0, LINE_MOVES))) element(moves, "span", "move", name).after(" ");
  }
  byId("depth").textContent = lines.length > 0 ? fill(text.depth, lines[0].depth, lines[0].nodes.toLocaleString()) : "";
  byId("analyze").textContent = isAnalyzing ? text.stop_analysis : text.start_analysis;
  byId("analyze").setAttribute("aria-pressed", isAnalyzing);
}

// A score for Black.
function blackScoreText({ cp, mate }) {
  if (mate === undefined) return (cp > 0 ? "+" : "") + cp;
  return fill(mate > 0 ? text.black_mates : text.white_mates, Math.abs(mate));
}
