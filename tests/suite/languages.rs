//! The commands for players print English or Japanese, and never both.

use crate::command_support::Folder;

/// Words that are the same in both languages: names, units, options, and keys of formats.
const SHARED: [&str; 8] =
    ["Alice", "AlphaBeta", "Bob", "Kankei", "MiB", "eval", "internal", "search"];

/// The words of at least three Latin letters that only English has, without abbreviations in
/// capitals such as KPP. Lines with a position in SFEN are ignored.
fn english_words(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| !line.starts_with("sfen "));
    let words = lines.flat_map(|line| line.split(|c: char| !c.is_ascii_alphabetic()));
    let is_english = |word: &&str| {
        word.len() >= 3
            && word.contains(|c: char| c.is_ascii_lowercase())
            && !["KPP", "kPP", "KKP"].contains(word)
            && !SHARED.contains(word)
    };
    words.filter(is_english).collect()
}

fn has_japanese(text: &str) -> bool {
    text.contains(|c: char| ('\u{3040}'..'\u{a000}').contains(&c))
}

/// Two games: a rook is given away; a mate is missed.
const GAMES: &str = "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i3h 8e8f 8g8f 8b8f P*8g 8f8g+ 7h8g \
     | winner=b | ending=resignation | black=Alice | white=Bob\n\
     sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b4s4n4l17pg 1 moves 5i5h 5a4a | winner=?\n";

#[test]
fn every_text_is_in_the_chosen_language() {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    let mate = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    folder.write("mates.txt", format!("{mate}\n{}\n", mate.replace("b G2r", "b 2r")));
    for command in [
        "analyze games.usi --nodes 300 --hash 1 --multipv 2",
        "mate mates.txt",
        "mate --shortest '8k/5s3/8G/9/9/9/9/3R5/9 b - 1'",
        "eval show startpos",
        "eval show --eval material 4k4/9/9/9/9/9/9/9/4K4 b Pp 1",
    ] {
        let japanese = folder.ok(&format!("{command} --lang ja"));
        assert!(has_japanese(&japanese), "{japanese}");
        assert_eq!(english_words(&japanese), Vec::<&str>::new(), "{japanese}");
        let english = folder.ok(&format!("{command} --lang en"));
        assert!(!has_japanese(&english), "{english}");
    }
}

#[test]
fn comments_of_records_are_in_the_chosen_language() {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    let line = "analyze games.usi --nodes 300 --hash 1 --multipv 2 --force --out out.csa";
    folder.ok(&format!("{line} --lang ja"));
    let comments = |games: &[kankei::record::Game]| -> Vec<String> {
        let notes = games.iter().flat_map(|game| game.notes.comments());
        notes.flat_map(|(_, text)| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    };
    let japanese = comments(&folder.games("out.csa"));
    assert!(
        japanese.iter().any(|text| text.contains("大悪手、形勢の分かれ目:勝率")),
        "{japanese:?}"
    );
    assert!(japanese.iter().any(|text| text.contains("1手詰を逃した、最善は ")), "{japanese:?}");
    for text in &japanese {
        assert!(has_japanese(text), "{text}");
        assert_eq!(english_words(text), Vec::<&str>::new(), "{text}");
    }
    folder.ok(&format!("{line} --lang en --notation japanese"));
    let english = comments(&folder.games("out.csa"));
    assert_eq!(english.len(), japanese.len());
    assert!(english.iter().all(|text| !has_japanese(text)), "{english:?}");
}

#[test]
fn pages_and_pictures_are_in_the_chosen_language() {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    let line = "analyze games.usi --nodes 300 --hash 1 --force --html pages/ --svg a.svg";
    // What a page shows: its data without the English keys, and the texts of other elements.
    let shown = |lang: &str| {
        folder.ok(&format!("{line} --lang {lang}"));
        let page = folder.text("pages/000001.html");
        let (_, rest) = page.split_once("id=\"data\">").expect("data");
        let data = rest.split_once("</script>").expect("an end").0;
        let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
        let mut texts = vec![data["ending"].to_string()];
        texts.extend(data["text"].as_object().expect("texts").values().flat_map(|value| {
            let inner = value.as_object().map(|of| of.values().map(ToString::to_string).collect());
            inner.unwrap_or_else(|| vec![value.to_string()])
        }));
        for name in ["pages/index.html", "a.svg"] {
            let text = folder.text(name);
            let body = text.split("</style>").last().expect("a body");
            texts.extend(
                body.split('>').filter_map(|part| Some(part.split_once('<')?.0.to_owned())),
            );
        }
        assert!(page.contains(&format!("<html lang=\"{lang}\">")), "{page}");
        texts.retain(|text| text.contains(char::is_alphabetic));
        assert!(texts.len() > 50, "{texts:?}");
        texts
    };
    // The keys Home, End and Enter have these names on every keyboard.
    for text in shown("ja") {
        let words = english_words(&text);
        assert!(words.iter().all(|word| ["Home", "End", "Enter"].contains(word)), "{text}");
    }
    // In pictures of boards, ranks and pieces are Japanese.
    let symbols = "一二三四五六七八九歩香桂銀金角飛玉と杏圭全馬龍";
    for text in shown("en") {
        assert!(!has_japanese(&text.replace(|c| symbols.contains(c), "")), "{text}");
    }
}

#[test]
fn an_unknown_language_is_named() {
    let folder = Folder::new();
    folder.fails("mate startpos --lang de", &["'de'", "en", "ja"]);
}
