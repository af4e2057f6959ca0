//! `kankei play`: a page for a browser, with the engine in it.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::json;

use super::html::{embedded, fill};
use crate::command::CliError;
use crate::command::language::Language;
use crate::command::notation::NotationArg;
use crate::command::output::{ForceArg, not_written};
use crate::command::texts::play::play_texts;
use crate::eval::Evaluation;

/// The page without its content. Its first lines name the styles and the scripts.
const PAGE: &str = include_str!("../web/play/play.html");
const STYLES: [&str; 2] =
    [include_str!("../web/shared/style.css"), include_str!("../web/play/play.css")];
const SCRIPTS: [&str; 15] = [
    include_str!("../web/shared/dom.js"),
    include_str!("../web/shared/board.js"),
    include_str!("../web/shared/choice.js"),
    include_str!("../web/play/state.js"),
    include_str!("../web/play/clock.js"),
    include_str!("../web/play/engine.js"),
    include_str!("../web/play/rules.js"),
    include_str!("../web/play/playing.js"),
    include_str!("../web/play/analyzing.js"),
    include_str!("../web/play/tsume.js"),
    include_str!("../web/play/input.js"),
    include_str!("../web/play/view.js"),
    include_str!("../web/play/records.js"),
    include_str!("../web/play/new-game.js"),
    include_str!("../web/play/main.js"),
];
/// The module that runs the engine in the page.
const MODULE: &str = include_str!("../web/package/kankei.js");
/// The engine for web pages, next to the program.
const WASM: &str = "kankei.wasm";
/// The first bytes of a WebAssembly module.
const WASM_MAGIC: &[u8] = b"\0asm";

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Writes the page to this file. It has everything in it and needs no network
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    /// The engine for web pages; the default is kankei.wasm in the folder of this program. It is in
    /// the archives of a release; `.ci/web build` makes it
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    #[command(flatten)]
    notation: NotationArg,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let beside = || env::current_exe().unwrap_or_default().with_file_name(WASM);
    let wasm = args.wasm.clone().unwrap_or_else(beside);
    args.force.check(&[&args.html], std::slice::from_ref(&wasm))?;
    let page = page(&read_wasm(&wasm)?, args.notation.wording().language);
    let written = args.force.create(&args.html).and_then(|mut file| {
        file.write_all(page.as_bytes())?;
        file.finish()
    });
    written.map_err(|source| not_written(&args.html, source))?;
    Ok(ExitCode::SUCCESS)
}

/// The engine. Another file would make a page that does not start.
fn read_wasm(path: &Path) -> Result<Vec<u8>, CliError> {
    let bytes = fs::read(path)
        .map_err(|source| CliError::Wasm { path: path.to_owned(), reason: source.to_string() })?;
    if bytes.starts_with(WASM_MAGIC) {
        return Ok(bytes);
    }
    Err(CliError::Wasm { path: path.to_owned(), reason: "not a WebAssembly module".to_owned() })
}

/// The page, which starts in this language.
fn page(wasm: &[u8], language: Language) -> String {
    let both = [Language::English, Language::Japanese];
    let texts = both.map(|language| (language.code().to_owned(), play_texts(language)));
    let texts: serde_json::Map<_, _> = texts.into_iter().collect();
    let data = json!({ "text": texts, "language": language.code() });
    let parts = [
        ("kankei-js", MODULE.to_owned()),
        ("kankei-wasm", BASE64_STANDARD.encode(wasm)),
        ("kankei-network", BASE64_STANDARD.encode(Evaluation::embedded_file())),
    ];
    let part = |(name, content): (&str, String)| {
        format!("<script type=\"text/plain\" id=\"{name}\">{content}</script>\n")
    };
    let engine: String = parts.map(part).concat();
    let values = [
        ("language", language.code()),
        ("style", &STYLES.concat()),
        ("data", &embedded(&data)),
        ("engine", &engine),
        ("script", &SCRIPTS.concat()),
    ];
    fill(PAGE, &values)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::command::texts::used_texts;

    #[test]
    fn the_page_uses_every_text_and_no_other() {
        for language in [Language::English, Language::Japanese] {
            let texts = play_texts(language);
            let names = texts.as_object().expect("an object").keys().cloned();
            assert_eq!(names.collect::<BTreeSet<_>>(), used_texts(PAGE, &SCRIPTS.concat()));
        }
    }

    #[test]
    fn the_page_has_the_files_that_it_names() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web");
        let named = |ending: &str| -> Vec<String> {
            let words = PAGE.split_ascii_whitespace().filter(|word| word.ends_with(ending));
            words.map(|word| fs::read_to_string(folder.join(word)).expect(word)).collect()
        };
        assert_eq!(named(".css"), STYLES);
        assert_eq!(named(".js"), SCRIPTS);
    }

    #[test]
    fn only_a_module_gets_into_a_page() {
        let error = |path: &str| read_wasm(Path::new(path)).expect_err(path).to_string();
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(error(manifest).contains("Cargo.toml\": not a WebAssembly module"));
        assert!(error("no/such/kankei.wasm").contains("no/such/kankei.wasm\""));
    }

    #[test]
    fn the_page_has_the_engine_and_both_languages() {
        let page = page(b"\0asm...", Language::Japanese);
        assert!(page.contains("<html lang=\"ja\">"));
        assert!(page.contains("id=\"kankei-wasm\">AGFzbS4uLg==</script>"));
        for text in ["\"en\":{", "\"ja\":{"] {
            assert!(page.contains(text), "{text}");
        }
        // No script can end early.
        assert!(!MODULE.contains("</script"));
        assert!(SCRIPTS.iter().all(|script| !script.contains("</script")));
    }
}
