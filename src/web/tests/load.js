// Loads scripts of the page outside a browser, in one scope as there.
import { readFileSync } from "node:fs";
import vm from "node:vm";

// The values of `names` after the scripts have run. `globals`: what a browser would have.
export function load(scripts, names, globals = {}) {
  const context = vm.createContext({ performance, console, ...globals });
  const source = scripts.map(name => readFileSync(new URL(`../${name}`, import.meta.url), "utf8")).join("");
  return vm.runInContext(`${source}\n({ ${names.join(", ")} })`, context);
}

// A copy of this realm, which assertions can compare.
export const plain = value => value === undefined ? undefined : JSON.parse(JSON.stringify(value));

// Enough of a document for the data of the page.
export const page = data => ({ document: { getElementById: () => ({ textContent: JSON.stringify(data) }) } });
