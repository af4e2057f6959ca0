// Reading and writing game records.

const EXTENSIONS = { kif: "kifu", csa: "csa", usi: "usi", jkf: "jkf", ki2: "ki2u" };

// The first game of a record, or a position in SFEN.
const parseRecord = (bytes, name = "") => ask({ ask: "read", name, bytes });

// A position that the user wrote in SFEN, perhaps with moves.
function parsePosition(words) {
  try {
    return parseRecord(new TextEncoder().encode(words));
  } catch {
    // A wrong position does not look like a record. This error names what is wrong.
    const start = `sfen ${words.trim()}`;
    ask({ ask: "position", start, moves: [] });
    return { start, moves: [] };
  }
}

// Shows what a record has: as a problem in the mode for problems, else to analyse.
function readRecord(bytes, name) {
  let record;
  try {
    record = parseRecord(bytes, name);
  } catch (error) {
    if (!byId("record").open) showRecord();
    byId("record-message").textContent = error.message;
    return;
  }
  byId("record").close();
  const { start, moves, others, players, ending, winner, warnings, games } = record;
  if (store.mode === "tsume") {
    setProblem(start, moves);
  } else {
    const result = ending !== null || winner !== null ? { winner, reason: ending } : null;
    store.games.analyze = newGame({ start, moves, others, players, result });
    setMode("analyze");
  }
  const words = [fill(text.record_read, moves.length), ...warnings];
  if (games > 1) words.push(fill(text.first_of, games));
  update([words.join(" "), warnings.length > 0 ? "played" : ""]);
}

function writeRecord() {
  const { start, moves, result } = game, format = byId("format").value;
  const players = [0, 1].map(side => knownName(game, side)), winner = result?.winner ?? null, reason = result?.reason ?? null;
  // The other lines of a played game are moves taken back, and earlier games.
  const others = store.mode === "analyze" ? otherLines(game) : [];
  return ask({ ask: "write", format, start, moves, others, players, winner, reason }).text;
}

function download() {
  const format = byId("format").value, link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([writeRecord()], { type: "text/plain" }));
  link.download = `${new Date().toISOString().slice(0, 16).replace(/[T:]/g, "-")}.${EXTENSIONS[format]}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function copy() {
  const area = byId("written");
  try {
    await navigator.clipboard.writeText(area.value);
  } catch {
    // Without the permission, or from a file in some browsers.
    area.select();
    document.execCommand("copy");
  }
  byId("record-message").textContent = text.copied;
}

function showRecord() {
  byId("record-message").textContent = "";
  byId("read-from").value = "";
  byId("written").value = writeRecord();
  byId("record").showModal();
}

const readText = words => readRecord(new TextEncoder().encode(words));
const readFile = async file => { if (file) readRecord(new Uint8Array(await file.arrayBuffer()), file.name); };

function listenForRecords() {
  byId("open-record").onclick = showRecord;
  byId("format").onchange = () => { byId("written").value = writeRecord(); };
  byId("read").onclick = () => readText(byId("read-from").value);
  byId("file").onchange = async event => {
    await readFile(event.target.files[0]);
    event.target.value = "";
  };
  byId("copy").onclick = copy;
  byId("download").onclick = download;
  document.ondragover = event => event.preventDefault();
  document.ondrop = event => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files.length > 0) readFile(files[0]);
    else readText(event.dataTransfer.getData("text"));
  };
  document.onpaste = event => {
    if (event.target.matches("input, textarea")) return;
    readText(event.clipboardData.getData("text"));
  };
}
