//! The engine in a page for a browser: the module that runs it, its network, and what pages with an
//! engine share.

use std::env;
use std::fs;
use std::path::PathBuf;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::json;

use super::html::embedded;
use crate::command::CliError;
use crate::eval::Evaluation;

/// The choice of the number of lines.
pub(super) const LINES: &str = include_str!("../web/shared/lines.html");
pub(super) const STYLE: &str = include_str!("../web/shared/engine.css");
pub(super) const SCRIPTS: [&str; 4] = [
    include_str!("../web/shared/engine.js"),
    include_str!("../web/shared/rules.js"),
    include_str!("../web/shared/found.js"),
    include_str!("../web/shared/load.js"),
];

/// The script of the package, which runs the engine.
const MODULE: &str = include_str!("../web/package/kankei.js");
/// The engine for web pages, next to the program.
const WASM: &str = "kankei.wasm";
/// The first bytes of a WebAssembly module.
const WASM_MAGIC: &[u8] = b"\0asm";

/// The option that names the engine for web pages.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct WasmArg {
    /// The engine for web pages; the default is kankei.wasm in the folder of this program. It is in
    /// the archives of a release; `.ci/web build` makes it
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
}

impl WasmArg {
    /// The file.
    pub fn path(&self) -> PathBuf {
        let beside = || env::current_exe().unwrap_or_default().with_file_name(WASM);
        self.wasm.clone().unwrap_or_else(beside)
    }

    /// The engine with this module.
    ///
    /// # Errors
    /// [`CliError::Wasm`] for a file that cannot be read or is no module: a page with it would not
    /// start.
    pub fn engine(&self) -> Result<WebEngine, CliError> {
        let path = self.path();
        let wrong = |reason: String| CliError::Wasm { path: path.clone(), reason };
        let bytes = fs::read(&path).map_err(|error| wrong(error.to_string()))?;
        if !bytes.starts_with(WASM_MAGIC) {
            return Err(wrong("not a WebAssembly module".to_owned()));
        }
        Ok(WebEngine::of(&bytes))
    }
}

/// Longest piece of a part of the engine, bytes. The time that WebKit takes to read a page grows
/// with the square of the length of a script: 16 s for 13 MB, and 2 s for the same in pieces.
const PIECE: usize = 1 << 20;

/// The engine for a page, as statements in JavaScript. The last one starts it.
pub(super) struct WebEngine(Vec<String>);

impl WebEngine {
    fn of(wasm: &[u8]) -> WebEngine {
        let parts = [
            ("module", MODULE.to_owned()),
            ("wasm", BASE64_STANDARD.encode(wasm)),
            ("network", BASE64_STANDARD.encode(Evaluation::embedded_file())),
        ];
        let pieces = |(name, part): (&str, String)| -> Vec<String> {
            let pieces = part.as_bytes().chunks(PIECE).map(String::from_utf8_lossy);
            pieces
                .map(|piece| format!("addPart(\"{name}\", {});\n", embedded(&json!(piece))))
                .collect()
        };
        let mut statements: Vec<String> = parts.into_iter().flat_map(pieces).collect();
        statements.push("provideEngine();\n".to_owned());
        WebEngine(statements)
    }

    /// A script file.
    pub fn file(&self) -> String {
        self.0.concat()
    }

    /// The elements of a page that contains the engine.
    pub fn elements(&self) -> String {
        self.0.iter().map(|statement| format!("<script>{statement}</script>\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_module_gets_into_a_page() {
        let error = |path: &str| {
            let arg = WasmArg { wasm: Some(path.into()) };
            arg.engine().err().expect(path).to_string()
        };
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(error(manifest).contains("Cargo.toml\": not a WebAssembly module"));
        assert!(error("no/such/kankei.wasm").contains("no/such/kankei.wasm\""));
    }

    #[test]
    fn the_pieces_are_the_parts() {
        let engine = WebEngine::of(b"\0asm...");
        let part = |name: &str| -> String {
            let start = format!("addPart(\"{name}\", ");
            let pieces = engine.0.iter().filter_map(|line| line.strip_prefix(&start));
            let json = pieces.map(|piece| piece.strip_suffix(");\n").expect("a call"));
            json.map(|json| serde_json::from_str::<String>(json).expect("a text")).collect()
        };
        assert_eq!(part("wasm"), "AGFzbS4uLg==");
        assert_eq!(part("module"), MODULE);
        let network = BASE64_STANDARD.decode(part("network")).expect("base64");
        assert_eq!(network, Evaluation::embedded_file());
        // A script cannot end early, and each is short.
        assert!(engine.0.iter().all(|line| !line.contains('<') && line.len() < PIECE + 100));
        assert!(engine.file().ends_with(");\nprovideEngine();\n"));
    }
}
