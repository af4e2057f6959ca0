"use strict";
// The data of the page, and what all of its parts share.

const data = JSON.parse(document.getElementById("data").textContent);
const { moves, positions, text } = data;
const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!" };
// The number of moves before the shown position.
let ply = 0;

// A text with its values: `{0}` is the place of the first.
function fill(template, ...values) {
  return template.replace(/\{(\d)\}/g, (_, n) => values[n]);
}
