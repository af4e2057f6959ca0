// The curve of Black's winning probability. It is drawn in pixels, so that dots stay round.

const PLOT = { left: 40, right: 10, top: 8, bottom: 34 };

function plot() {
  const { width, height } = byId("curve").getBoundingClientRect(), last = Math.max(1, positions.length - 1);
  const right = width - PLOT.right, bottom = height - PLOT.bottom;
  return {
    width, height, right, bottom,
    x: n => PLOT.left + (right - PLOT.left) * n / last,
    y: chance => bottom - (bottom - PLOT.top) * chance,
    ply: x => Math.round((x - PLOT.left) / (right - PLOT.left) * last),
  };
}

// Distance of the marks on the axis of moves: at most about eight.
function step(count) {
  return [5, 10, 20, 50, 100, 200].find(size => count / size <= 8) || 500;
}

function drawCurve() {
  const curve = byId("curve"), { width, height, right, bottom, x, y } = plot();
  curve.replaceChildren();
  curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const middle = y(.5), end = x(positions.length - 1);
  for (const [at, name] of [[1, "100 %"], [.5, "50 %"], [0, "0 %"]]) {
    make(curve, "line", { x1: PLOT.left, x2: right, y1: y(at), y2: y(at), class: at === .5 ? "middle" : "axis" });
    make(curve, "text", { x: PLOT.left - 6, y: y(at) + 4, "text-anchor": "end" }, name);
  }
  for (let n = 0, by = step(positions.length); n < positions.length; n += by) {
    make(curve, "line", { x1: x(n), x2: x(n), y1: bottom, y2: bottom + 4, class: "middle" });
    make(curve, "text", { x: x(n), y: bottom + 16, "text-anchor": "middle" }, n);
  }
  make(curve, "text", { x: right, y: height - 4, "text-anchor": "end" }, text.move_number);
  const points = positions.map((position, n) => `${x(n)},${y(position.black_chance)}`).join(" ");
  // The area between the curve and the middle, once for each side.
  for (const [name, top, tall] of [["above", 0, middle], ["below", middle, height - middle]]) {
    const clip = make(curve, "clipPath", { id: name });
    make(clip, "rect", { x: 0, y: top, width, height: tall });
    make(curve, "polygon", { points: `${PLOT.left},${middle} ${points} ${end},${middle}`, class: name,
      "clip-path": `url(#${name})` });
  }
  make(curve, "polyline", { points, class: "line" });
  make(curve, "line", { id: "now", y1: PLOT.top, y2: bottom, class: "now" });
  moves.forEach((move, n) => {
    if (move.mark !== "mistake" && move.mark !== "blunder") return;
    const dot = make(curve, "circle", { cx: x(n + 1), cy: y(positions[n + 1].black_chance), r: 5, class: move.mark });
    make(dot, "title", {}, `${n + 1} ${move.name}${SIGNS[move.mark]}`);
  });
  drawNow();
}

// Moves the line at the shown position.
function drawNow() {
  const now = byId("now"), at = plot().x(ply);
  now.setAttribute("x1", at);
  now.setAttribute("x2", at);
}

function followCurve(event) {
  const box = byId("curve").getBoundingClientRect();
  show(plot().ply(event.clientX - box.left));
}

byId("curve").onpointerdown = followCurve;
byId("curve").onpointermove = event => { if (event.buttons === 1) followCurve(event); };
