//! `kankei play`: a page for a browser, with the engine in it.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use super::html::{self, embedded, fill};
use super::web_engine::{self, WasmArg};
use crate::command::CliError;
use crate::command::language::Language;
use crate::command::notation::{NotationArg, Wording};
use crate::command::output::{ForceArg, not_written};
use crate::command::texts::play::play_texts;

/// The page without its content. Its first lines name the styles and the scripts.
const PAGE: &str = include_str!("../web/play/play.html");
const STYLE: &str = include_str!("../web/play/play.css");
const SCRIPTS: [&str; 10] = [
    include_str!("../web/play/state.js"),
    include_str!("../web/play/clock.js"),
    include_str!("../web/play/game.js"),
    include_str!("../web/play/playing.js"),
    include_str!("../web/play/analyzing.js"),
    include_str!("../web/play/tsume.js"),
    include_str!("../web/play/view.js"),
    include_str!("../web/play/records.js"),
    include_str!("../web/play/new-game.js"),
    include_str!("../web/play/main.js"),
];

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Writes the page to this file. It has everything in it and needs no network
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    #[command(flatten)]
    wasm: WasmArg,
    #[command(flatten)]
    force: ForceArg,
    #[command(flatten)]
    notation: NotationArg,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.force.check(&[&args.html], &[args.wasm.path()])?;
    let page = page(&args.wasm.engine()?.elements(), args.notation.wording());
    let written = args.force.create(&args.html).and_then(|mut file| {
        file.write_all(page.as_bytes())?;
        file.finish()
    });
    written.map_err(|source| not_written(&args.html, source))?;
    Ok(ExitCode::SUCCESS)
}

fn scripts() -> String {
    [&html::SCRIPTS[..], &web_engine::SCRIPTS, &SCRIPTS].concat().concat()
}

/// The page, which starts in this language and notation. `engine`: the elements of the engine.
fn page(engine: &str, Wording { notation, language }: Wording) -> String {
    let both = [Language::English, Language::Japanese];
    let texts = both.map(|language| (language.code().to_owned(), play_texts(language)));
    let texts: serde_json::Map<_, _> = texts.into_iter().collect();
    let data = json!({ "text": texts, "language": language.code(), "notation": notation.code() });
    let values = [
        ("language", language.code()),
        ("head", html::HEAD),
        ("style", &[html::STYLE, web_engine::STYLE, STYLE].concat()),
        ("board", html::BOARD),
        ("controls", html::CONTROLS),
        ("lines", web_engine::LINES),
        ("data", &embedded(&data)),
        ("script", &scripts()),
        ("engine", engine),
    ];
    fill(PAGE, &values)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::command::notation::Notation;
    use crate::command::texts::pages::used_texts;

    fn wording(language: Language) -> Wording {
        Wording { notation: Notation::Usi, language }
    }

    #[test]
    fn the_page_uses_every_text_and_no_other() {
        for language in [Language::English, Language::Japanese] {
            let texts = play_texts(language);
            let names = texts.as_object().expect("an object").keys().cloned();
            assert_eq!(
                names.collect::<BTreeSet<_>>(),
                used_texts(&page("", wording(language)), &scripts())
            );
        }
    }

    #[test]
    fn the_page_has_the_files_that_it_names() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web");
        let named = |ending: &str| -> String {
            let words = PAGE.split_ascii_whitespace().filter(|word| word.ends_with(ending));
            words.map(|word| fs::read_to_string(folder.join(word)).expect(word)).collect()
        };
        assert_eq!(named(".css"), [html::STYLE, web_engine::STYLE, STYLE].concat());
        assert_eq!(named(".js"), scripts());
    }

    #[test]
    fn the_page_has_the_engine_and_both_languages() {
        let page = page("<script>provideEngine();</script>", wording(Language::Japanese));
        assert!(page.contains("<html lang=\"ja\">") && page.contains("\"notation\":\"usi\""));
        for text in ["\"en\":{", "\"ja\":{", "<script>provideEngine();</script>"] {
            assert!(page.contains(text), "{text}");
        }
        // No script can end early.
        assert!(!scripts().contains("</script"));
    }
}
