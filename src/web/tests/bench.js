// Runs the bench of the engine in target/web, on one thread: its total, and its speed on standard error.
import { readFileSync } from "node:fs";

const folder = new URL("../../../target/web/", import.meta.url);
const { startEngine } = await import(new URL("kankei.js", folder));
const engine = await startEngine({
  wasm: readFileSync(new URL("kankei.wasm", folder)),
  onLine(line) {
    const [name, value] = line.split(" : ");
    if (name === "Nodes searched") console.log(value);
    if (name !== "nodes/s") return;
    console.error(line);
    engine.terminate();
  },
});
engine.send("bench");
