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

/// The attributes of a board on which one plays moves.
pub(super) const BOARD: &str = r#"tabindex="0" role="application" data-label="board_help""#;
/// The choice of the number of lines.
pub(super) const LINES: &str = include_str!("../web/shared/lines.html");
pub(super) const STYLE: &str = include_str!("../web/shared/engine.css");
pub(super) const SCRIPTS: [&str; 5] = [
    include_str!("../web/shared/engine.js"),
    include_str!("../web/shared/rules.js"),
    include_str!("../web/shared/found.js"),
    include_str!("../web/shared/cursor.js"),
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

    /// The script that gives the engine to a page. Loading it calls `provideEngine`.
    ///
    /// # Errors
    /// [`CliError::Wasm`] for a file that cannot be read or is no module: a page with it would not
    /// start.
    pub fn script(&self) -> Result<String, CliError> {
        let path = self.path();
        let wrong = |reason: String| CliError::Wasm { path: path.clone(), reason };
        let bytes = fs::read(&path).map_err(|error| wrong(error.to_string()))?;
        if !bytes.starts_with(WASM_MAGIC) {
            return Err(wrong("not a WebAssembly module".to_owned()));
        }
        Ok(script(&bytes))
    }
}

fn script(wasm: &[u8]) -> String {
    let parts = json!({
        "module": MODULE,
        "wasm": BASE64_STANDARD.encode(wasm),
        "network": BASE64_STANDARD.encode(Evaluation::embedded_file()),
    });
    format!("provideEngine({});\n", embedded(&parts))
}

/// An element with a script.
pub(super) fn element(script: &str) -> String {
    format!("<script>\n{script}</script>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_module_gets_into_a_page() {
        let error = |path: &str| {
            let arg = WasmArg { wasm: Some(path.into()) };
            arg.script().expect_err(path).to_string()
        };
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(error(manifest).contains("Cargo.toml\": not a WebAssembly module"));
        assert!(error("no/such/kankei.wasm").contains("no/such/kankei.wasm\""));
    }

    #[test]
    fn the_script_has_all_parts() {
        let script = script(b"\0asm...");
        let json = script.strip_prefix("provideEngine(").and_then(|rest| rest.strip_suffix(");\n"));
        let parts: serde_json::Value = serde_json::from_str(json.expect("a call")).expect("JSON");
        assert_eq!(parts["wasm"], "AGFzbS4uLg==");
        assert_eq!(parts["module"], MODULE);
        let network = BASE64_STANDARD.decode(parts["network"].as_str().expect("a text"));
        assert_eq!(network.expect("base64"), Evaluation::embedded_file());
        // It cannot end early.
        assert!(!script.contains('<'));
    }
}
