// The data of the page, and what all of its parts share.

const data = JSON.parse(byId("data").textContent);
const { moves, positions, text } = data;
const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!" };
// The number of moves of the game before the shown position.
let ply = 0;
