// The scripts of a page share one scope, so their globals are those of all files of the page.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const BROWSER = ["document", "window", "console", "localStorage", "navigator", "innerWidth", "performance", "setTimeout", "setInterval",
  "URL", "Blob", "TextEncoder", "TextDecoder", "ResizeObserver", "atob"];
const NODE = ["process", "console", "URL", "performance", "setTimeout"];
// What tests use in the page.
const IN_PAGE = ["document", "DataTransfer", "File", "DragEvent", "ClipboardEvent", "center"];

// What the pages define for the shared scripts; the second list is that of pages with the engine.
const OF_PAGES = ["text", "playerName", "legalMoves", "playMove", "walk", "place", "draw",
  "game", "isUsi", "update", "begin", "showFailure"];

// What the scripts of a folder declare at the top level.
function declared(folder) {
  const scripts = readdirSync(join(import.meta.dirname, folder)).filter(name => name.endsWith(".js"));
  return scripts.flatMap(name => {
    const lines = readFileSync(join(import.meta.dirname, folder, name), "utf8").split("\n");
    return lines.flatMap(line => {
      const single = /^(?:async )?function (\w+)|^class (\w+)/.exec(line);
      if (single) return [single[1] ?? single[2]];
      const [, several] = /^(?:const|let) (.*)/.exec(line) ?? [];
      // `const a = 1, b = f(2), { c, d } = e;`: names before `=`, and those in braces.
      return several ? [...several.matchAll(/(\w+)(?= = )|[{,] *(\w+)(?=[, }])/g)].map(name => name[1] ?? name[2]) : [];
    });
  });
}

const globals = (names, writable) => Object.fromEntries(names.map(name => [name, writable ? "writable" : "readonly"]));

const RULES = {
  "no-undef": "error", "no-unused-vars": ["error", { vars: "local" }], "no-redeclare": ["error", { builtinGlobals: false }],
  "no-var": "error", "eqeqeq": "error", "curly": ["error", "multi-line"], "no-unreachable": "error",
  "no-fallthrough": "error", "no-dupe-keys": "error", "no-unsafe-finally": "error", "use-isnan": "error", "valid-typeof": "error",
  "no-constant-condition": "error", "no-self-assign": "error", "no-empty": "error", "max-lines": ["error", 200],
  "max-len": ["error", { code: 140 }], "semi": "error", "quotes": ["error", "double", { avoidEscape: true }],
};

const page = folder => ({
  files: [`${folder}/*.js`],
  languageOptions: {
    sourceType: "script",
    globals: { ...globals(BROWSER), ...globals([...declared("shared"), ...declared(folder)], true) },
  },
  rules: RULES,
});

export default [
  page("analysis"),
  page("play"),
  {
    files: ["shared/*.js"],
    languageOptions: {
      sourceType: "script",
      globals: { ...globals(BROWSER), ...globals([...declared("shared"), ...OF_PAGES], true) },
    },
    rules: RULES,
  },
  {
    files: ["tests/**/*.js", "eslint.config.js"],
    languageOptions: { sourceType: "module", globals: globals([...NODE, ...IN_PAGE]) },
    // A variable of a page may be assigned in another file, but not one of a module.
    rules: { ...RULES, "prefer-const": "error" },
  },
  { ignores: ["package/"] },
];
