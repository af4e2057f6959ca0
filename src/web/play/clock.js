// The clock of a game. `time.kind` is `byoyomi` or `fischer`, with `main`, `byoyomi` and `increment` in
// seconds; other kinds limit only the engine's moves. Times are in ms.

const hasClock = time => time.kind === "byoyomi" || time.kind === "fischer";
const startTimes = time => [1000 * time.main, 1000 * time.main];

// The time of a side after a move that took `used`; null if its time ran out.
function timeAfter(time, left, used) {
  const rest = left - used;
  if (time.kind === "fischer") return rest < 0 ? null : rest + 1000 * time.increment;
  return rest + 1000 * time.byoyomi < 0 ? null : Math.max(rest, 0);
}

// The time that the clock shows: the byoyomi once the main time is used up.
function shownTime(time, left, used) {
  const rest = left - used;
  return rest > 0 || time.kind === "fischer" ? Math.max(rest, 0) : Math.max(rest + 1000 * time.byoyomi, 0);
}

// Minutes and seconds. A started second counts.
function timeText(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// The limits of a search for a move.
function limits(time, [black, white]) {
  const clock = `go btime ${Math.round(black)} wtime ${Math.round(white)}`;
  switch (time.kind) {
    case "nodes": return `go nodes ${time.nodes}`;
    case "byoyomi": return `${clock} byoyomi ${1000 * time.byoyomi}`;
    case "fischer": return `${clock} binc ${1000 * time.increment} winc ${1000 * time.increment}`;
    default: return `go movetime ${1000 * time.seconds}`;
  }
}
