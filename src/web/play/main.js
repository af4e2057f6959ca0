// Starts the page: modes, controls, and the engine.

const MODES = { play: playing, analyze: analyzing, tsume: solving };
const mode = () => MODES[store.mode];

function setMode(name) {
  if (name !== store.mode && store.mode !== "tsume") store.before = store.mode;
  if (name === "analyze" && isOutdated()) takeGame();
  if (name !== store.mode) turn.key = null;
  store.mode = name;
  game = store.games[name];
  // The list of moves is that of another game.
  listed = null;
  if (name !== "analyze") isAnalyzing = false;
  byId("sfen").value = store.games.tsume.start.replace("sfen ", "");
  update();
}

function listenForControls() {
  for (const tab of byId("modes").children) tab.onclick = () => setMode(tab.dataset.mode);
  byId("language").onclick = () => {
    store.language = store.language === "ja" ? "en" : "ja";
    store.notation = null;
    drawTexts();
    update();
  };
  byId("notation").onchange = event => { store.notation = event.target.value; update(); };
  byId("evaluates").onchange = event => { store.evaluates = event.target.checked; update(); };
  byId("lines").onchange = event => { store.lines = Number(event.target.value); update(); };
  byId("board").onclick = clickBoard;
  byId("flip").onclick = () => { game.flipped = !game.flipped; update(); };
  byId("undo").onclick = undo;
  byId("hint").onclick = askHint;
  byId("resign").onclick = () => finish({ winner: 1 - shown.side, reason: "resign" });
  byId("declare").onclick = () => finish({ winner: shown.side, reason: "declaration" });
  byId("move-now").onclick = endSearch;
  byId("from-here").onclick = () => { cut(game, game.ply); update(); };
  byId("analyze").onclick = () => { isAnalyzing = !isAnalyzing; update(); };
  byId("take-game").onclick = () => { takeGame(); setMode("analyze"); };
  byId("solve").onclick = () => request("solve");
  byId("set-problem").onclick = setSfen;
  byId("take-position").onclick = () => {
    const { sfen } = positionAt(store.games[store.before], store.games[store.before].ply);
    setProblem(`sfen ${sfen}`);
  };
  [...byId("examples").children].forEach((example, n) => { example.onclick = () => setProblem(`sfen ${EXAMPLES[n]}`); });
  setInterval(tick, 200);
}

// Sets the problem that the user wrote.
function setSfen() {
  try {
    const { start, moves } = parsePosition(byId("sfen").value);
    setProblem(start, moves);
  } catch (error) {
    update([error.message, "played"]);
  }
}

// Starts the page when the rules are known.
function begin() {
  restore(({ start, moves }) => !rules.ask({ ask: "position", start, moves }).error);
  listenForWalks();
  listenForCursor();
  listenForDrags();
  listenForPresses();
  listenForControls();
  listenForRecords();
  listenForNewGame();
  drawTexts();
  if (store.games.tsume.start === "startpos") store.games.tsume = problemOf(`sfen ${EXAMPLES[0]}`);
  setMode(store.mode);
  startEngine();
}

function showFailure() {
  byId("status").textContent = fill(text.engine_failed, engine.error);
}
