// Puts the page together: `node tests/assemble.js PAGE [en|ja]`. The engine is in target/web, or in the
// folder that KANKEI_WEB names. The texts are those of src/command.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join, resolve } from "node:path";

const web = join(import.meta.dirname, "..");
const read = path => readFileSync(join(web, path), "utf8");
const unquoted = literal => JSON.parse(literal.replace(/\\\n\s*/g, ""));

function texts() {
  const text = String.raw`text(?:::<\d>)?\(\s*("(?:[^"\\]|\\[^])*"),\s*("(?:[^"\\]|\\[^])*"),?\s*\)`;
  const named = new Map(), all = { en: {}, ja: {} };
  for (const [, name, en, ja] of read("../command/texts.rs").matchAll(new RegExp(`const (\\w+): Text<\\d> =\\s*${text}`, "g"))) {
    named.set(name, [unquoted(en), unquoted(ja)]);
  }
  const rows = new RegExp(String.raw`\(\s*"(\w+)",\s*(?:([A-Z_]+)|${text})`, "g");
  for (const [, name, known, en, ja] of read("../command/texts/play.rs").matchAll(rows)) {
    [all.en[name], all.ja[name]] = known ? named.get(known) : [unquoted(en), unquoted(ja)];
  }
  [all.en.sides, all.ja.sides] = [0, 1].map(n => ["BLACK", "WHITE"].map(side => named.get(side)[n]));
  return all;
}

export function assemble(language = "en", engine = process.env.KANKEI_WEB ?? join(web, "../../target/web")) {
  const page = read("play/play.html");
  const files = extension => [...page.matchAll(new RegExp(`[\\w-]+/[\\w-]+\\.${extension}\\b`, "g"))].map(([path]) => read(path)).join("");
  const part = (id, content) => `<script type="text/plain" id="${id}">${content}</script>\n`;
  const base64 = name => readFileSync(join(engine, name)).toString("base64");
  const values = {
    language, style: files("css"), script: files("js"),
    data: JSON.stringify({ text: texts(), language }).replaceAll("<", "\\u003c"),
    engine: part("kankei-js", readFileSync(join(engine, "kankei.js"), "utf8")) + part("kankei-wasm", base64("kankei.wasm"))
      + part("kankei-network", base64("default.weights")),
  };
  return page.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  writeFileSync(process.argv[2], assemble(process.argv[3]));
}
