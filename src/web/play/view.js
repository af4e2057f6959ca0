// What the page shows.

// A message for the user until the next change; what the list of moves shows, and its current row.
let message = null, listed = null, current = null;

// The name of a side, if it has one.
function knownName(game, side) {
  const isEngine = game.engine[side] && game !== store.games.tsume;
  return game.players[side] ?? (isEngine ? fill(text.engine_name, game.level) : null);
}

function playerName(side) {
  const role = game.engine[side] ? text.defender : text.attacker;
  return knownName(game, side) ?? (store.mode === "tsume" ? role : text.sides[side]);
}

const draw = () => keepFocus(() => {
  ({ flipped } = game);
  drawBoard(shown.sfen, { last: game.moves[game.ply - 1], ...choiceMarks(), moves: mode().arrows() });
  drawPromotion();
  drawClocks();
  drawBar();
  drawStatus();
  drawMoves();
  drawButtons();
  if (store.mode === "analyze") drawFound();
});

function drawStatus() {
  const lines = [...mode().words(), ...message ? [message] : []];
  if (engine.error) lines.push([fill(text.engine_failed, engine.error), "played"]);
  const status = byId("status"), words = JSON.stringify(lines);
  // Unchanged words are not spoken again.
  if (status.dataset.words === words) return;
  status.dataset.words = words;
  status.replaceChildren();
  for (const line of lines) element(status, "p", Array.isArray(line) ? line[1] : "", Array.isArray(line) ? line[0] : line);
}

function drawClocks() {
  if (store.mode !== "play" || !hasClock(game.time)) return;
  const running = game.result ? null : sideAt(game.moves.length);
  for (const [id, side] of [["top", flipped ? 0 : 1], ["bottom", flipped ? 1 : 0]]) {
    const clock = byId(id).querySelector(".clock") ?? element(byId(id), "span", "clock");
    const ms = shownTime(game.time, times()[side], side === running ? timeUsed() : 0);
    clock.textContent = timeText(ms);
    clock.classList.toggle("short", ms < 10000);
  }
}

// The winning probability of Black, on the left.
function drawBar() {
  const score = game.scores[game.ply] ?? null, black = score ? chance(score) : .5;
  byId("bar").hidden = !store.evaluates || store.mode === "tsume";
  byId("bar").firstElementChild.style.width = `${100 * black}%`;
  byId("value").textContent = score ? `${blackScoreText(score)} (${Math.round(100 * black)} %)` : "";
}

function drawMoves() {
  const list = byId("moves"), key = JSON.stringify([names, game.result, text.start_position, otherLines(game)]);
  if (listed !== key) {
    listed = key;
    list.replaceChildren();
    [text.start_position, ...names].forEach((name, ply) => {
      const row = element(list, "li");
      if (ply > 0) element(row, "span", "", ply);
      button(row, name, () => walk(ply));
    });
    const others = byId("others");
    others.replaceChildren();
    otherLines(game).forEach(line => {
      const at = Math.max(line.findIndex((move, n) => move !== game.moves[n]), 0);
      button(others, fill(text.other_line, at + 1, line.length), () => { chooseLine(game, line); update(); });
    });
  }
  const row = list.children[game.ply];
  if (row === current) return;
  current?.classList.remove("current");
  row.classList.add("current");
  list.scrollTop = row.offsetTop - list.clientHeight / 2;
  current = row;
}

function drawButtons() {
  const isPlay = store.mode === "play", isUsersTurn = isPlay && mode().mayMove(shown.side);
  drawPlace();
  for (const part of document.querySelectorAll("[data-in]")) part.hidden = !part.dataset.in.split(" ").includes(store.mode);
  for (const tab of byId("modes").children) tab.setAttribute("aria-pressed", tab.dataset.mode === store.mode);
  byId("undo").disabled = undoTarget() < 0;
  byId("hint").disabled = !engine.session || (isPlay ? !isUsersTurn : !mode().mayMove(shown.side));
  byId("resign").disabled = !isUsersTurn;
  byId("declare").hidden = !isUsersTurn || !shown.can_declare;
  byId("move-now").hidden = !isPlay || !isEnginesTurn();
  byId("from-here").hidden = !isPlay || isAtEnd();
  byId("solve").disabled = byId("hint").disabled;
}

// The texts that do not change with the game.
function drawTexts() {
  document.documentElement.lang = store.language;
  text = data.text[store.language];
  document.title = text.title;
  nameElements(text);
  byId("language").textContent = store.language === "ja" ? "English" : "日本語";
  byId("notation").value = isUsi() ? "usi" : "japanese";
  byId("lines").value = store.lines;
  byId("evaluates").checked = store.evaluates;
}
