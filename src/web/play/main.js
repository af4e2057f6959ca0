// Starts the page: modes, controls, and the engine.

const MODES = { play: playing, analyze: analyzing, tsume: solving };
const mode = () => MODES[store.mode];

function setMode(name) {
  if (name !== store.mode && store.mode !== "tsume") store.before = store.mode;
  if (name === "analyze" && isOutdated()) takeGame();
  store.mode = name;
  game = store.games[name];
  dropChoice();
  // The list of moves is that of another game.
  listed = null;
  turn.key = null;
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
  document.addEventListener("pointerdown", () => { isPressed = true; }, true);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => { isPressed = false; }, true);
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

// A part of the page in base64, which is then no longer needed.
function takeBytes(id) {
  const part = byId(id), binary = atob(part.textContent.trim()), bytes = new Uint8Array(binary.length);
  part.remove();
  for (let n = 0; n < bytes.length; n++) bytes[n] = binary.charCodeAt(n);
  return bytes;
}

async function start() {
  const source = byId("kankei-js").textContent, wasm = takeBytes("kankei-wasm"), network = takeBytes("kankei-network");
  // The module starts workers from its own address. A page from a file may not start a worker with a module
  // from a blob, but from a data URL.
  const kankei = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  rules = await kankei.loadRules({ wasm });
  restore(({ start, moves }) => !rules.ask({ ask: "position", start, moves }).error);
  listen();
  listenForControls();
  listenForRecords();
  listenForNewGame();
  drawTexts();
  if (store.games.tsume.start === "startpos") store.games.tsume = problemOf(`sfen ${EXAMPLES[0]}`);
  setMode(store.mode);
  await startSession(options => kankei.startEngine({ wasm, network, ...options }));
  update();
}

start().catch(error => {
  engine.error = error.message;
  byId("status").textContent = fill(text.engine_failed, error.message);
});
