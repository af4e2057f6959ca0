//! `kankei analyze`: finds mistakes, writes records and charts, resumes interrupted runs.

use std::time::Duration;

use kankei::record::{Ending, Format, Game, GameWriter, MoveScore, TextEncoding};

use crate::command_support::Folder;

/// White gives away its rook after moves of opening theory.
const ROOK_LOST: &str = "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i3h 8e8f 8g8f 8b8f P*8g 8f8g+ \
     7h8g | winner=b | ending=resignation | black=Alice | white=Bob | times=1 2 3 4\n";

/// Black could mate by a gold drop on 5b but pushes a pawn.
const MATE_MISSED: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b4s4n4l17pg 1 moves 5i5h 5a4a | winner=? | comment1=why?\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("rook.usi", ROOK_LOST);
    folder.write("mate.usi", MATE_MISSED);
    folder
}

/// The row of a move in the table.
fn row(table: &str, number: usize) -> &str {
    let begin = format!("{number:4}  ");
    table.lines().find(|line| line.starts_with(&begin)).unwrap_or_else(|| panic!("{table}"))
}

#[test]
fn giving_away_a_rook_is_a_blunder() {
    let folder = folder();
    let line = "analyze rook.usi --nodes 3000 --hash 1 --out rook.kif --svg rook.svg";
    let table = folder.ok(line);
    assert!(table.contains("Alice - Bob: 13 moves, Black won: White resigned"), "{table}");
    assert!(row(&table, 12).contains("8f8g+") && row(&table, 12).contains("??"), "{table}");
    let blunders = (1..=13).filter(|&number| row(&table, number).contains("??"));
    assert_eq!(blunders.collect::<Vec<_>>(), [12], "{table}");
    assert!(table.contains("turning points, the mover's chance: 12 8f8g+?? ("), "{table}");
    assert!(
        table.contains("\nBlack: accuracy ") && table.contains("\nWhite: accuracy "),
        "{table}"
    );
    // White's accuracy is low.
    let accuracy = |side: &str| -> f64 {
        let rest = table.split(&format!("\n{side}: accuracy ")).nth(1).expect("a summary");
        rest.split(' ').next().expect("a number").parse().expect("a number")
    };
    assert!(accuracy("Black") > accuracy("White"), "{table}");

    let kif = folder.text("rook.kif");
    let behind = kif.split("12 同　飛成(86)").nth(1).expect("the move");
    let comments: Vec<&str> = behind.lines().skip(1).take_while(|l| l.starts_with('*')).collect();
    assert!(comments[0].starts_with("** "), "{kif}");
    assert!(comments[1].starts_with("*?? blunder") && comments[1].contains("better △"), "{kif}");
    let game = &folder.games("rook.kif")[0];
    let MoveScore::Centipawns(score) = game.score(11).expect("a score") else { panic!("no mate") };
    assert!(score < -800, "the mover's view: {score}");
    // Existing comments of the record are kept.
    assert_eq!(game.notes.time(2), Some(Duration::from_secs(3)));
    assert_eq!(game.header.get("black"), Some("Alice"));

    let svg = folder.text("rook.svg");
    assert!(svg.trim_end().ends_with("</svg>") && svg.contains(">12 8f8g+??</text>"), "{svg}");
    // The board shows the position before the blunder, with the best and the played move.
    assert!(svg.contains("move 12: 8f8g+?? (") && svg.contains(">best: "), "{svg}");
    assert_eq!(svg.matches("opacity=\".85\"").count(), 2, "two arrows: {svg}");
    assert_eq!(folder.files(), 4, "no checkpoint is left");
    folder.fails(line, &["rook.kif", "--force"]);
    folder.fails(
        "analyze rook.usi --nodes 10 --out rook.usi --force",
        &["rook.usi", "is an input file"],
    );
    folder.fails("analyze rook.usi --nodes 10 --out rook.txt", &["rook.txt"]);
    folder.fails("analyze rook.usi --nodes 10 --depth 2", &["--depth"]);
    folder.fails("analyze rook.usi --nodes 10 --resume", &["--out"]);
    folder.fails("analyze rook.usi --nodes 10 --to kif", &["--out"]);
}

#[test]
fn a_missed_mate_is_reported() {
    let folder = folder();
    let table =
        folder.ok("analyze mate.usi rook.usi --nodes 500 --hash 1 --out all.csa --svg all.svg");
    let first = row(&table, 1);
    assert!(first.contains("m1 G*5b") && first.contains("misses mate in 1"), "{table}");
    assert!(first.contains('?'), "{table}");
    assert!(table.contains("2 moves, result unknown"), "{table}");
    let csa = folder.text("all.csa");
    assert!(csa.contains("misses mate in 1; better +0052KI\n"), "{csa}");
    let games = folder.games("all.csa");
    assert_eq!((games.len(), games[1].moves().len()), (2, 13));
    let comment = games[0].notes.comment(1).expect("a comment");
    assert!(comment.starts_with("why?\n?"), "{comment}");
    // One picture per game. The best move is a drop, which is drawn as its piece.
    let svg = folder.text("all.svg");
    assert!(svg.contains("5i5h") && svg.contains("opacity=\"0.88\""), "{svg}");
    assert!(folder.text("all-2.svg").contains("8f8g+"));
    // For learning, the score is that of the position before the move, which has a mate.
    folder.ok("analyze mate.usi --nodes 500 --hash 1 --out label.labelled");
    assert_eq!(folder.games("label.labelled")[0].score(0), Some(MoveScore::MatesIn(1)));
}

#[test]
fn very_short_games_and_empty_files_are_handled() {
    let folder = Folder::new();
    folder.write(
        "mated.usi",
        "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w G2r2b4s4n4l17p2g 1 | winner=b | ending=mate\n",
    );
    folder.write("none.usi", "");
    let table = folder.ok("analyze mated.usi --nodes 100 --hash 1 --svg mated.svg");
    assert!(
        table.contains("0 moves, Black won by mate") && table.contains("White to move: mated"),
        "{table}"
    );
    assert!(folder.text("mated.svg").trim_end().ends_with("</svg>"));
    folder.fails("analyze none.usi", &["none.usi"]);
}

#[test]
fn an_analysis_is_a_page() {
    let folder = folder();
    folder.ok("analyze rook.usi --nodes 3000 --hash 1 --html page.html --notation japanese");
    let page = folder.text("page.html");
    assert!(page.contains("<html lang=\"ja\">"), "{page}");
    assert!(page.contains("<title>Alice 対 Bob:13手、先手の勝ち(後手の投了)</title>"), "{page}");
    let data = page_data(&page);
    let count = |name: &str| data[name].as_array().map_or(0, Vec::len);
    let moves = folder.games("rook.usi")[0].moves().len();
    assert_eq!((count("moves"), count("positions")), (moves, moves + 1));
    assert!(data["moves"][0]["name"].as_str().is_some_and(|name| name.starts_with('▲')));
    assert_eq!(data["players"], serde_json::json!(["Alice", "Bob"]));
    // The quiz asks for a better move than the blunder.
    let problem = data["quiz"].as_array().expect("a quiz").last().expect("a problem").clone();
    assert_eq!(problem["ply"], 12);
    let answers = problem["answers"].as_array().expect("answers");
    let legal = problem["legal"].as_array().expect("moves");
    assert!(
        !answers.is_empty() && answers.iter().all(|answer| legal.contains(answer)),
        "{problem}"
    );
    assert!(answers.contains(&data["positions"][11]["best"][0]), "{problem}");
    assert!(legal.contains(&"8f8g+".into()) && !answers.contains(&"8f8g+".into()), "{problem}");
    let losses = data["sides"][1]["losses"].as_array().expect("a histogram");
    let sum: u64 = losses.iter().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!((sum, &losses[4]), (6, &1.into()), "{losses:?}");
    // The page works without a network.
    assert_eq!(page.matches("://").count(), 1, "only the name of SVG is an address");
    assert!(page.contains("\"http://www.w3.org/2000/svg\"") && !page.contains("src="));
    assert!(!page.contains("{{"));
    folder.fails("analyze rook.usi --html page.html", &["page.html", "--force"]);
}

/// The data of a page.
fn page_data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn texts_of_a_record_are_no_html() {
    let folder = Folder::new();
    let name = "</script><b>&A";
    folder.write("a.usi", format!("startpos moves 7g7f | black={name} | white=<!--<script>\n"));
    folder.ok("analyze a.usi --nodes 50 --hash 1 --html pages/ --svg a.svg");
    let page = folder.text("pages/000001.html");
    assert_eq!(page.matches("</script>").count(), 2, "{page}");
    assert!(!page.contains("<b>") && !page.contains("<!--"), "{page}");
    assert_eq!(page_data(&page)["players"][0], name);
    for other in ["pages/index.html", "a.svg"] {
        let text = folder.text(other);
        assert!(text.contains("&lt;b&gt;&amp;A") && !text.contains("<b>"), "{text}");
    }
}

#[test]
fn pages_in_a_folder_have_an_index() {
    let folder = folder();
    let line = "analyze rook.usi mate.usi --nodes 200 --hash 1 --html pages/";
    let printed = folder.ok(line);
    assert!(printed.contains("page written to pages/index.html"), "{printed}");
    let index = folder.text("pages/index.html");
    for part in [
        "Analysis of 2 games",
        ">players</th>",
        "href=\"000001.html\"",
        "href=\"000002.html\"",
        "Alice",
        "Bob",
    ] {
        assert!(index.contains(part), "{part}: {index}");
    }
    for number in [1, 2] {
        let page = folder.text(&format!("pages/00000{number}.html"));
        assert_eq!(page_data(&page)["has_index"], true);
    }
    assert_eq!(folder.files(), 3, "no checkpoint is left");
    folder.fails(line, &["pages/000001.html", "--force"]);
    folder.ok(&format!("{line} --force --lang ja"));
    let index = folder.text("pages/index.html");
    assert!(index.contains("<html lang=\"ja\">") && index.contains("2局の解析"), "{index}");
    // Without a folder, each game has a page next to the first one.
    folder.ok(&line.replace("pages/", "page.html"));
    assert_eq!(page_data(&folder.text("page-2.html"))["has_index"], false);
}

#[test]
fn a_page_has_the_engine_in_it_or_next_to_it() {
    let folder = folder();
    folder.write("engine.wasm", b"\0asm, not more");
    folder.write("text.wasm", "hello");
    let line = "analyze rook.usi --nodes 200 --hash 1 --html page.html";
    let with_engine = format!("{line} --engine --wasm engine.wasm");
    folder.ok(&with_engine);
    let page = folder.text("page.html");
    assert_eq!(page.matches("<script>provideEngine();\n</script>").count(), 1);
    assert!(page_data(&page)["text"]["depth"].is_string());
    folder.fails(&with_engine, &["page.html", "--force"]);
    folder.ok(&format!("{line} --force"));
    let page = folder.text("page.html");
    assert!(!page.contains("provideEngine") && !page.contains("WebAssembly"));
    assert!(page.len() < 100_000 && page_data(&page)["text"]["depth"].is_null());

    let pages = with_engine.replace("rook.usi", "rook.usi mate.usi").replace("page.html", "pages/");
    folder.ok(&pages);
    for number in [1, 2] {
        let page = folder.text(&format!("pages/00000{number}.html"));
        assert!(page.contains("<script src=\"kankei-engine.js\"") && page.len() < 100_000);
    }
    assert!(folder.text("pages/kankei-engine.js").ends_with("provideEngine();\n"));
    assert_eq!(std::fs::read_dir(folder.at("pages")).expect("a folder").count(), 4);
    for name in ["000001.html", "000002.html", "index.html"] {
        std::fs::remove_file(folder.at("pages").join(name)).expect("a file");
    }
    folder.fails(&pages, &["pages/kankei-engine.js", "--force"]);
}

#[test]
fn wrong_engines_for_a_page_are_refused_before_the_search() {
    let folder = folder();
    folder.write("text.wasm", "hello");
    folder.write("engine.wasm", b"\0asm");
    let line = "analyze rook.usi --ms 60000 --html page.html";
    folder.fails("analyze rook.usi --ms 60000 --engine", &["--html"]);
    folder.fails(&format!("{line} --wasm engine.wasm"), &["--engine"]);
    folder.fails(&format!("{line} --engine --wasm none.wasm"), &["none.wasm", ".ci/web build"]);
    folder.fails(
        &format!("{line} --engine --wasm text.wasm"),
        &["text.wasm", "not a WebAssembly module"],
    );
    folder.fails(
        &format!("{line} --engine --wasm engine.wasm --force").replace("page.html", "engine.wasm"),
        &["engine.wasm", "is an input file"],
    );
}

#[test]
fn an_analysis_is_printed_in_japanese_or_as_json() {
    let folder = folder();
    let line = "analyze rook.usi --nodes 200 --hash 1";
    let text = folder.ok(&format!("{line} --notation japanese"));
    assert!(text.contains("   1  ▲"), "{text}");
    let text = folder.ok(&format!("{line} --json --out out.csa"));
    let objects: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let of = |kind: &str| objects.iter().filter(|object| object["type"] == kind).count();
    let moves = folder.games("rook.usi")[0].moves().to_vec();
    assert_eq!([of("game"), of("move"), of("side")], [1, moves.len(), 2]);
    let first = &objects[1];
    assert_eq!((&first["ply"], &first["mover"]), (&1.into(), &"black".into()));
    assert_eq!(first["move"], moves[0].to_string());
    assert_eq!(first["score"], first["black_score"]);
    assert!(first["best"].as_array().is_some_and(|line| !line.is_empty()), "{first}");
}

/// A record with a variation in a variation, and another one.
const TREE: &str = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 投了\n\n\
    変化：3手\n   3 ６六歩(67)\n*mine\n   4 ８四歩(83)\n   5 中断\n変化：4手\n   4 ３三角(22)\n変化：1手\n   1 ２六歩(27)\n";

#[test]
fn variations_are_analyzed_if_asked() {
    let folder = Folder::new();
    folder.write("tree.kifu", TREE);
    let line = "analyze tree.kifu --nodes 200 --hash 1";
    folder.ok(&format!("{line} --out main.kifu"));
    let text = folder.ok(&format!("{line} --variations --out all.kifu"));
    for (heading, row) in [
        ("variation 1, for move 3 of the main line:", "   3  6g6f"),
        ("variation 2, for move 4 of variation 1:", "   4  2b3c"),
        ("variation 3, for move 1 of the main line:", "   1  2g2f"),
    ] {
        let (_, rest) = text.split_once(&format!("{heading}\n")).expect(heading);
        assert!(rest.starts_with(row), "{text}");
    }
    let scored = |name: &str| {
        let game = folder.games(name).remove(0);
        let lines = game.lines().map(|(_, line)| line);
        lines
            .map(|line| (0..line.moves().len()).all(|ply| line.score(ply).is_some()))
            .collect::<Vec<bool>>()
    };
    assert_eq!(
        [scored("main.kifu"), scored("all.kifu")],
        [vec![true, false, false, false], vec![true; 4]]
    );
    let game = &folder.games("all.kifu")[0];
    let own = game.variations()[0].line();
    assert!(own.notes.comment(1).is_some_and(|text| text.starts_with("mine")));
    assert_eq!(own.ending, Some(Ending::Interruption));
    // CSA has no variations, which is reported.
    let end = folder.run(&format!("{line} --variations --out all.csa"));
    assert!(end.error.contains("the format cannot store 3 variations"), "{}", end.error);

    let text = folder.ok(&format!("{line} --variations --json"));
    let objects: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let plies = |variation: serde_json::Value| {
        let moves = objects.iter().filter(|object| object["type"] == "move");
        let own = moves.filter(|object| object["variation"] == variation);
        own.filter_map(|object| object["ply"].as_u64()).collect::<Vec<u64>>()
    };
    assert_eq!(plies(serde_json::Value::Null), [1, 2, 3]);
    assert_eq!((plies(1.into()), plies(2.into()), plies(3.into())), (vec![3, 4], vec![4], vec![1]));
    let second =
        objects.iter().find(|object| object["type"] == "variation" && object["variation"] == 2);
    let second = second.expect("the second variation");
    assert_eq!((&second["parent"], &second["ply"]), (&1.into(), &4.into()));
}

#[test]
fn candidates_are_written() {
    let folder = Folder::new();
    folder.write("tree.kifu", TREE);
    let line = "analyze tree.kifu --nodes 300 --hash 1 --multipv 3";
    folder.ok(&format!("{line} --variations --out all.kifu --html page.html"));
    let kif = folder.text("all.kifu");
    // The last position of the game and of each variation, and every position before, has three.
    assert_eq!(kif.matches("*candidate 3: ").count(), 4 + 2 + 1 + 1, "{kif}");
    assert!(kif.contains("*candidate 1: ") && !kif.contains("candidate 4"), "{kif}");
    let game = &folder.games("all.kifu")[0];
    let first = game
        .notes
        .comment(0)
        .and_then(|text| text.lines().find(|l| l.starts_with("candidate 2: ")));
    assert!(first.is_some_and(|text| text.contains(" ▲")), "{kif}");
    let page = folder.text("page.html");
    let (_, rest) = page.split_once("id=\"data\">").expect("data");
    let data = rest.split_once("</script>").expect("an end").0;
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    let others = |ply: usize| data["positions"][ply]["others"].as_array().map(Vec::len);
    assert!((0..4).all(|ply| others(ply) == Some(2)), "{data}");
    let text = folder.ok(&format!("{line} --json"));
    for line in text.lines().filter(|line| line.contains("\"type\":\"move\"")) {
        let object: serde_json::Value = serde_json::from_str(line).expect(line);
        let candidates = object["candidates"].as_array().expect("candidates");
        assert_eq!((candidates.len(), &candidates[0]["line"]), (3, &object["best"]));
        assert_eq!(candidates[0]["score"], object["best_score"]);
    }
    folder.fails("analyze tree.kifu --multipv 0", &["--multipv"]);
}

/// Ctrl-C during the run, then --resume.
#[cfg(unix)]
#[test]
fn an_interrupted_run_can_be_resumed() {
    use std::process::Stdio;
    use std::thread;
    use std::time::Instant;

    use crate::command_support::{End, signal};

    let folder = folder();
    let line = "analyze rook.usi --ms 60 --hash 1 --out out.csa";
    let child = folder.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    let checkpoint = folder.at("out.csa.checkpoint");
    let readings = || std::fs::read_to_string(&checkpoint).map_or(0, |text| text.lines().count());
    let start = Instant::now();
    while readings() < 3 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is searched");
        thread::sleep(Duration::from_millis(5));
    }
    signal(child.id(), "INT");
    let end = End::of(child.wait_with_output().expect("the program ends"));
    assert_eq!(end.code, Some(130), "{}", end.error);
    assert!(end.error.contains("--resume") && !folder.at("out.csa").exists(), "{}", end.error);

    let found = folder.text("out.csa.checkpoint");
    assert!(found.lines().count() >= 3);
    folder.fails(line, &["out.csa.checkpoint", "--resume"]);
    folder.fails(&format!("{line} --threads 2 --resume"), &["belongs to another run"]);
    // A score that no search would return shows that earlier results are not searched again.
    let marked = found.lines().map(|line| line.to_owned() + "\n").collect::<Vec<_>>();
    let last = marked.last().expect("a reading").split(' ').collect::<Vec<_>>();
    let ply: usize = last[1].parse().expect("a ply");
    let planted = [&marked[..marked.len() - 1].concat(), &format!("{} {ply} 4321 1 1\n", last[0])];
    folder.write("out.csa.checkpoint", planted.map(String::as_str).concat());
    // The run may also have been killed after it wrote its first file.
    folder.write("out.csa", "");
    folder.ok(&format!("{line} --resume"));
    let game = &folder.games("out.csa")[0];
    assert_eq!(game.score(ply - 1), Some(MoveScore::Centipawns(-4321)));
    assert!((0..13).all(|ply| game.score(ply).is_some()));
    assert!(!checkpoint.exists());
    folder.fails(&format!("{line} --resume"), &["out.csa", "--force"]);
    folder.write("out.csa.checkpoint", found);
    folder.ok("analyze rook.usi --nodes 10 --hash 1 --out out.csa --force");
    assert!(!checkpoint.exists());
}

#[test]
fn annotated_records_are_readable_in_every_format() {
    let folder = folder();
    for format in Format::OF_GAMES {
        let name = format!("out.{}", format.name());
        let written = |name: &str, games: &[Game]| {
            let encoding = TextEncoding::from_file_name(name.as_ref());
            let mut writer = GameWriter::new(Vec::new(), format).encoded(encoding);
            games.iter().for_each(|game| writer.write(game).expect("writing to a Vec cannot fail"));
            assert!(writer.into_inner() == folder.bytes(name), "{name}");
        };
        let line = format!("analyze mate.usi rook.usi --nodes 200 --hash 1 --out {name}");
        if !format.has_variations() {
            folder.ok(&line);
            let games = folder.games(&name);
            assert_eq!(games.len(), 2, "{name}");
            written(&name, &games);
            continue;
        }
        folder.fails(&line, &[&name, "--out out/ --to"]);
        folder.ok(&line.replace(&name, &format!("{0}/ --to {0}", format.name())));
        for number in ["000001", "000002"] {
            let name = format!("{0}/{number}.{0}", format.name());
            let games = folder.games(&name);
            assert_eq!(games.len(), 1, "{name}");
            written(&name, &games);
        }
    }
    assert_eq!(folder.files(), 8, "no checkpoint is left");
}
