// The dialog for a new game.

// Letters of the pieces of the even game that White lacks, such as ` -R -B`: names of handicaps are Japanese.
function missing(sfen) {
  const pieces = [...sfen.split(" ")[0]].filter(piece => "rbgsnl".includes(piece)).join("");
  const lost = [..."rbggssnnll"].filter((piece, n, all) => {
    const before = all.slice(0, n).filter(other => other === piece).length;
    return pieces.split(piece).length - 1 <= before;
  });
  return lost.map(piece => ` -${piece.toUpperCase()}`).join("");
}

function fillHandicaps() {
  const list = byId("start"), chosen = list.value;
  list.replaceChildren();
  for (const { name, sfen } of ask({ ask: "handicaps" }).handicaps) {
    element(list, "option", "", store.language === "ja" ? name : name + missing(sfen)).value = `sfen ${sfen}`;
  }
  list.firstChild.value = "startpos";
  if (store.language !== "ja") list.firstChild.textContent = text.even_game;
  element(list, "option", "", text.shown_position).value = "shown";
  element(list, "option", "", "SFEN").value = "sfen";
  list.value = chosen || "startpos";
}

// Shows the fields that belong to the choices.
function showFields() {
  const form = byId("new-form"), kind = form.elements.kind.value;
  for (const field of form.querySelectorAll("[data-for]")) {
    field.hidden = !field.dataset.for.split(" ").includes(kind);
    // A hidden field is not checked.
    field.querySelector("input").disabled = field.hidden;
  }
  // The first increment comes after the first move.
  form.elements.main.min = kind === "fischer" ? .5 : 0;
  byId("level-row").hidden = form.elements.side.value === "both";
  byId("new-sfen").hidden = byId("start").value !== "sfen";
  byId("level-value").textContent = form.elements.level.value;
}

function askNewGame() {
  const { elements } = byId("new-form"), { level, time, engine } = store.games.play;
  fillHandicaps();
  elements.level.value = level;
  for (const name in time) elements[name].value = name === "main" ? time.main / 60 : time[name];
  elements.side.value = engine[0] ? "white" : engine[1] ? "black" : "both";
  byId("new-message").textContent = "";
  showFields();
  byId("new-game").showModal();
}

// The position to start from, and the moves before it.
function chosenStart() {
  const start = byId("start").value;
  if (start === "shown") return { start: game.start, moves: game.moves.slice(0, game.ply) };
  return start === "sfen" ? parsePosition(byId("new-sfen").value) : { start, moves: [] };
}

function startGame(event) {
  event.preventDefault();
  const { elements } = byId("new-form"), number = name => Number(elements[name].value);
  const kind = elements.kind.value, side = elements.side.value, time = { kind };
  for (const name of ["main", "byoyomi", "increment", "seconds", "nodes"]) time[name] = number(name);
  time.main *= 60;
  let start, moves;
  try {
    ({ start, moves } = chosenStart());
  } catch (error) {
    byId("new-message").textContent = error.message;
    return;
  }
  const old = store.games.play;
  store.games.play = newGame({
    start, moves, ply: moves.length, time, level: number("level"), engine: [side === "white", side === "black"],
    flipped: side === "white", left: hasClock(time) ? Array(moves.length + 1).fill(startTimes(time)) : [],
    others: old.start === start && old.moves.length > 0 ? [old.moves, ...old.others] : [],
  });
  byId("new-game").close();
  setMode("play");
}

function listenForNewGame() {
  byId("new").onclick = askNewGame;
  byId("new-form").onchange = byId("new-form").oninput = showFields;
  byId("new-form").onsubmit = startGame;
  byId("cancel-new").onclick = () => byId("new-game").close();
}
