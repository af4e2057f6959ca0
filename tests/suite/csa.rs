//! `kankei csa` and its client on a local server: complete games with every kind of ending, and
//! their records.

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use kankei::csa::{
    Account, Address, ClientOptions, CsaError, Password, PlayOptions, SessionOptions, Tally,
};
use kankei::engine::Settings;
use kankei::eval::Score;
use kankei::record::{Ending, Game, GameResult, MoveScore};
use kankei::shogi::movegen::legal_moves;
use kankei::shogi::{Color, Position, Scope};

use crate::command_support::Folder;
use crate::csa_server::{Opponent, Reply, Server, Table, csa, scripted, serve};
use crate::usi_support::{Script, first_move, gate, outcome};

const PASSWORD: &str = "floodgate-300-10F,open.sesame";

fn options(port: u16, games: u64, folder: &Path) -> ClientOptions {
    let password = Password::new("open.sesame").expect("a word");
    let game = Some("floodgate-300-10F".to_owned());
    let account = Account { name: "fox".to_owned(), password, game };
    let play = PlayOptions {
        ponder: false,
        comments: true,
        resign_value: 3_000,
        nodes: None,
        margin: Duration::from_millis(1_000),
        event: Some("floodgate-300-10F".to_owned()),
        site: "127.0.0.1".to_owned(),
    };
    ClientOptions {
        server: Address { host: "127.0.0.1".to_owned(), port },
        session: SessionOptions { account, play, games, relogin: false },
        settings: Settings { hash_mib: 1, ..Settings::default() },
        records: Some(folder.to_owned()),
        pauses: (Duration::from_millis(1), Duration::from_millis(4)),
    }
}

/// An engine that plays these USI moves in order. Each move has a score and a predicted reply: the
/// move after the next of `line`.
fn engine(moves: &str) -> Script {
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    let turn = std::sync::atomic::AtomicUsize::new(0);
    Script::new(move |pos, _, _, report| {
        let turn = turn.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        match moves.get(turn).map(String::as_str) {
            Some("resign") => {
                let any = legal_moves(pos, Scope::LEGAL)[0].to_string();
                outcome(1, Score::cp(-3_000), &any)
            }
            Some(mv) => outcome(1, Score::cp(40), mv),
            None => first_move(pos, report),
        }
    })
}

/// Plays on the server; returns the result and the messages.
fn play(options: &ClientOptions, script: &Script) -> (Result<Tally, CsaError>, Vec<String>) {
    let script = script.clone();
    let mut output = Vec::new();
    let result =
        kankei::csa::run(options, Arc::new(move |_, _| script.engine()), &|| 0, &mut |line| {
            output.push(line.to_owned());
        });
    assert!(!output.iter().any(|line| line.contains("sesame")), "{output:?}");
    (result, output)
}

/// Plays one game with a scripted engine; returns its record.
fn one_game(table: Table, moves: &str) -> Game {
    let folder = Folder::new();
    let server = serve(PASSWORD, vec![table]);
    let (result, output) = play(&options(server.port, 1, &folder.at("")), &engine(moves));
    server.end();
    assert_eq!(result.map(|tally| tally.games()).ok(), Some(1), "{output:?}");
    let mut games = folder.games("g+1.csa");
    assert_eq!((games.len(), folder.files()), (1, 1));
    games.remove(0)
}

fn resign() -> Reply {
    Reply::Resign
}

fn usi(game: &Game) -> String {
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    moves.join(" ")
}

/// Result, ending and number of moves.
fn end(game: &Game) -> (Option<GameResult>, Option<Ending>, usize) {
    (game.result, game.ending, game.moves().len())
}

const BLACK: Option<GameResult> = Some(GameResult::BlackWins);
const WHITE: Option<GameResult> = Some(GameResult::WhiteWins);
const DRAW: Option<GameResult> = Some(GameResult::Draw);

#[test]
fn either_side_can_resign() {
    let table = Table::new(Color::Black, scripted("-3334FU", resign));
    let game = one_game(table, "7g7f 2g2f");
    assert_eq!(end(&game), (BLACK, Some(Ending::Resignation), 3));
    // The record contains everything known about the game.
    assert_eq!(usi(&game), "7g7f 3c3d 2g2f");
    assert_eq!((game.score(0), game.score(1)), (Some(MoveScore::Centipawns(40)), None));
    assert_eq!(game.notes.times().count(), 4);
    assert!(game.notes.times().all(|(_, time)| time >= Duration::from_secs(1)));
    assert_eq!(game.notes.comment(3), Some("#RESIGN #WIN"));
    for (key, value) in [
        ("black", "fox"),
        ("white", "cat"),
        ("event", "floodgate-300-10F"),
        ("game_id", "g+1"),
        ("time", "600+0+10"),
        ("max_moves", "256"),
    ] {
        assert_eq!(game.header.get(key), Some(value), "{key}");
    }
    assert!(game.header.get("date").is_some_and(|date| date.starts_with("20")));

    let table = Table::new(Color::White, scripted("+7776FU +2726FU", resign));
    let game = one_game(table, "3c3d resign");
    assert_eq!(end(&game), (BLACK, Some(Ending::Resignation), 3));
}

/// Black's king has entered and Black has enough points. With White to move, White's king moves.
const ENTERED: &str = "P-59OU\nP+51OU52KI53KI41KI42KI61TO62TO63TO71TO72TO73TO\n\
                       P+00HI00HI00KA00KA\n";
const ENTERED_SFEN: &str = "2+P+PKG3/2+P+PGG3/2+P+PG4/9/9/9/9/9/4k4";

fn entered(turn: Color, side: &'static str, opponent: Opponent) -> Table {
    let sfen = format!("{ENTERED_SFEN} {} 2R2B 1", if side == "+" { "b" } else { "w" });
    let position = if side == "+" { [ENTERED, "+"].concat() } else { [ENTERED, "-"].concat() };
    let start = Position::from_sfen(&sfen).expect("a position");
    Table { position: position.leak(), start, ..Table::new(turn, opponent) }
}

#[test]
fn either_side_can_declare() {
    let game = one_game(entered(Color::Black, "-", scripted("-5949OU", resign)), "");
    assert_eq!(end(&game), (BLACK, Some(Ending::Declaration), 1));
    let opponent = scripted("", || Reply::Declare);
    let game = one_game(entered(Color::White, "-", opponent), "5i4i");
    assert_eq!(end(&game), (BLACK, Some(Ending::Declaration), 1));
    // A wrong declaration loses.
    let opponent = scripted("", || Reply::Declare);
    let game = one_game(Table::new(Color::White, opponent), "");
    assert_eq!(end(&game), (WHITE, Some(Ending::IllegalMove), 0));
}

#[test]
fn either_side_can_lose_on_time() {
    let table = Table { judgement: Some((2, "#TIME_UP\n#LOSE")), ..black("-3334FU") };
    assert_eq!(end(&one_game(table, "7g7f 2g2f")), (WHITE, Some(Ending::Time), 2));
    let opponent = scripted("", || Reply::Say("#TIME_UP\n#WIN"));
    let game = one_game(Table::new(Color::Black, opponent), "7g7f");
    assert_eq!(end(&game), (BLACK, Some(Ending::Time), 1));
}

/// The client is Black; the opponent plays these moves and resigns.
fn black(moves: &str) -> Table {
    Table::new(Color::Black, scripted(moves, resign))
}

#[test]
fn repetitions_end_the_game() {
    let theirs = "-8272HI -7282HI ".repeat(3);
    let ours = "2h3h 3h2h ".repeat(3);
    assert_eq!(end(&one_game(black(&theirs), &ours)), (DRAW, Some(Ending::Repetition), 12));

    // A rook that gives check forever.
    let position = "P-51OU\nP+55HI99OU\n-";
    let start = Position::from_sfen("4k4/9/9/9/4R4/9/9/9/K8 w - 1").expect("a position");
    let table = |turn, moves: &str| Table {
        position,
        start: start.clone(),
        ..Table::new(turn, scripted(moves, resign))
    };
    let (checks, flights) = ("+5545HI +4555HI ".repeat(3), "-5141OU -4151OU ".repeat(3));
    let game = one_game(table(Color::Black, &flights), &"5e4e 4e5e ".repeat(3));
    assert_eq!(end(&game), (WHITE, Some(Ending::IllegalMove), 12));
    assert_eq!(game.notes.comment(12), Some("#OUTE_SENNICHITE #LOSE"));
    let game = one_game(table(Color::White, &checks), &"5a4a 4a5a ".repeat(3));
    assert_eq!(end(&game), (WHITE, Some(Ending::IllegalMove), 12));
}

#[test]
fn illegal_moves_end_the_game() {
    let game = one_game(black("-3335FU"), "7g7f");
    assert_eq!(end(&game), (BLACK, Some(Ending::IllegalMove), 1));
    // The server rejects our move.
    for words in ["+2726FU,T1\n#ILLEGAL_MOVE\n#LOSE", "#ILLEGAL_ACTION\n#LOSE"] {
        let table = Table { judgement: Some((2, words)), ..black("-3334FU") };
        let game = one_game(table, "7g7f 2g2f");
        assert_eq!((game.result, game.ending), (WHITE, Some(Ending::IllegalMove)));
    }
}

#[test]
fn long_and_interrupted_games_are_recorded() {
    let table = Table { max_moves: 4, ..black("-3334FU -8384FU") };
    let game = one_game(table, "7g7f 2g2f");
    assert_eq!(end(&game), (DRAW, Some(Ending::MaxMoves), 4));
    assert_eq!(game.notes.comment(4), Some("#MAX_MOVES #CENSORED"));
    let opponent = scripted("-3334FU", || Reply::Say("#CHUDAN"));
    let game = one_game(Table::new(Color::Black, opponent), "7g7f 2g2f");
    assert_eq!(end(&game), (None, Some(Ending::Interruption), 3));
}

#[test]
fn handicaps_earlier_moves_and_byoyomi_are_supported() {
    let start = "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let table = Table {
        position: "PI22KA\n-",
        start: Position::from_sfen(start).expect("a position"),
        time: [0, 10, 0],
        ..Table::new(Color::Black, scripted("-3334FU", resign))
    };
    let game = one_game(table, "7g7f");
    assert_eq!(end(&game), (BLACK, Some(Ending::Resignation), 2));
    assert_eq!((game.start_sfen(), usi(&game).as_str()), (start, "3c3d 7g7f"));

    let table = Table {
        position: "PI\n+\n+7776FU,T12\n-3334FU,T6\n+2726FU,T1",
        ..Table::new(Color::White, scripted("+2625FU", resign))
    };
    let game = one_game(table, "8c8d 8d8e");
    assert_eq!(usi(&game), "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e");
    let times: Vec<u64> = game.notes.times().map(|(_, time)| time.as_secs()).collect();
    assert_eq!((times.len(), &times[..3]), (7, &[12, 6, 1][..]));
}

#[test]
fn a_lost_connection_is_restored() {
    let folder = Folder::new();
    let hang_up = || scripted("-3334FU", || Reply::HangUp);
    let server = serve(
        PASSWORD,
        vec![
            Table::new(Color::Black, hang_up()),
            Table { rejected: true, ..black("") },
            Table::new(Color::White, scripted("+7776FU", resign)),
        ],
    );
    let options = options(server.port, 2, &folder.at(""));
    let (result, output) = play(&options, &engine("7g7f 2g2f 3c3d"));
    let heard = server.end();
    let tally = Tally { won: 1, broken_off: 1, ..Tally::default() };
    assert_eq!(result.expect("games"), tally);
    assert!(output.iter().any(|line| line == "connection lost"), "{output:?}");
    assert!(output.iter().any(|line| line == "game rejected: g+2 by cat"), "{output:?}");
    let count = |line: &str| heard.iter().filter(|heard| heard.starts_with(line)).count();
    assert_eq!((count("LOGIN"), count("AGREE"), count("LOGOUT")), (2, 3, 1));
    assert_eq!(folder.files(), 2);
    let lost = &folder.games("g+1.csa")[0];
    assert_eq!((lost.result, lost.ending), (None, Some(Ending::Interruption)));
    assert_eq!(lost.notes.comment(lost.moves().len()), Some("the connection was lost"));
    assert_eq!(end(&folder.games("g+3.csa")[0]), (WHITE, Some(Ending::Resignation), 2));
}

#[test]
fn relogin_and_comments_are_sent() {
    let folder = Folder::new();
    let server = serve(PASSWORD, vec![black("-3334FU"), black("-8384FU")]);
    let mut options = options(server.port, 2, &folder.at(""));
    options.session.relogin = true;
    options.session.play.ponder = true;
    let script = Script::new(|pos, limits, _, _| {
        assert_eq!(limits.nodes, None);
        let line = ["7g7f 3c3d", "3c3d 2g2f", "2g2f 8c8d", "8c8d 2f2e"][pos.moves_made().min(3)];
        outcome(9, Score::cp(-12 * pos.side_to_move().sign()), line)
    });
    let (result, _) = play(&options, &script);
    let heard = server.end();
    assert_eq!(result.expect("games").won, 2);
    let logins = heard.iter().filter(|line| *line == &format!("LOGIN fox {PASSWORD}"));
    assert_eq!(logins.count(), 2);
    assert!(heard.iter().any(|line| line == "+7776FU,'* -12 -3334FU"), "{heard:?}");
    assert!(heard.iter().any(|line| line == "+2726FU,'* -12 -8384FU"), "{heard:?}");
    assert_eq!(script.count("new_game"), 2);
}

#[test]
fn failures_before_the_first_login_are_errors() {
    let folder = Folder::new();
    let server = serve("another", vec![black("")]);
    let options = options(server.port, 1, &folder.at(""));
    let (result, _) = play(&options, &Script::at_once());
    server.end();
    let error = result.expect_err("refused").to_string();
    assert!(error.contains("fox") && !error.contains("sesame"), "{error}");
    // A server that closes each connection at once.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let closing = thread::spawn(move || drop(listener.accept()));
    let (result, _) = play(&self::options(port, 1, &folder.at("")), &Script::at_once());
    closing.join().expect("a server");
    assert!(matches!(result, Err(CsaError::NoLogin { .. })), "{result:?}");
    // No server listens any more.
    let (result, _) = play(&options, &Script::at_once());
    assert!(matches!(result, Err(CsaError::Connect { .. })));
}

#[test]
fn a_panic_of_the_engine_does_not_lose_the_game() {
    let script = Script::new(|pos, _, _, report| {
        first_move(pos, report);
        panic!("on purpose");
    });
    let folder = Folder::new();
    let server = serve(PASSWORD, vec![black("-3334FU")]);
    let (result, output) = play(&options(server.port, 1, &folder.at("")), &script);
    server.end();
    assert_eq!(result.expect("a game").won, 1);
    assert!(output.iter().any(|line| line.contains("internal error")), "{output:?}");
}

/// A search that reacts neither to its clock nor to a stop, as on a busy machine.
#[test]
fn a_search_that_does_not_end_loses_no_game() {
    let (open, pass) = gate();
    let script = Script::new(move |pos, _, _, report| {
        let outcome = first_move(pos, report);
        pass();
        outcome
    });
    let opponent = Box::new(move |_: &Position| {
        open.send(()).expect("the engine waits");
        Reply::Resign
    });
    let folder = Folder::new();
    let table = Table { time: [2, 0, 0], ..Table::new(Color::Black, opponent) };
    let server = serve(PASSWORD, vec![table]);
    let (result, output) = play(&options(server.port, 1, &folder.at("")), &script);
    server.end();
    assert_eq!(result.expect("a game").won, 1, "{output:?}");
}

/// Plays legal moves and resigns after `moves` of them.
fn walker(moves: usize) -> Opponent {
    let mut left = moves;
    Box::new(move |pos| {
        let any = legal_moves(pos, Scope::LEGAL).get(7 * left % 13).copied();
        let mv = any.or_else(|| legal_moves(pos, Scope::LEGAL).first().copied());
        left = left.saturating_sub(1);
        mv.filter(|_| left > 0).map_or(Reply::Resign, |mv| Reply::Move(csa(pos, mv)))
    })
}

const COMMAND: &str = "--name fox --game floodgate-300-10F --hash 1 --eval material --comments \
                       --ponder --record records";

/// The command line of the program on this server.
fn command(folder: &Folder, server: &Server, more: &str) -> std::process::Command {
    let mut command = folder.command(&format!("csa 127.0.0.1:{} {COMMAND} {more}", server.port));
    command.env_remove("KANKEI_CSA_PASSWORD");
    command
}

#[test]
fn the_records_of_the_program_can_be_learned_from() {
    let folder = Folder::new();
    folder.write("password", "open.sesame\n");
    let server = serve(
        PASSWORD,
        vec![
            Table::new(Color::White, walker(12)),
            Table { max_moves: 20, ..Table::new(Color::Black, walker(99)) },
        ],
    );
    let output =
        command(&folder, &server, "--nodes 300 --password-file password --games 2 --relogin")
            .output();
    let output = output.expect("the program starts");
    server.end();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert_eq!(output.status.code(), Some(0), "{text:?}");
    assert!(!text.concat().contains("sesame"), "{text:?}");
    assert_eq!(text[0].lines().count(), 1, "{text:?}");
    let mut games = folder.games("records/g+1.csa");
    games.extend(folder.games("records/g+2.csa"));
    assert_eq!(games.len(), 2);
    for game in &games {
        let scored = (0..game.moves().len()).filter(|&ply| game.score(ply).is_some()).count();
        assert!(scored.abs_diff(game.moves().len() / 2) <= 1, "{scored}");
        assert!(!folder.text("records/g+1.csa").contains("sesame"));
    }
    folder.ok("records stats records");
    folder.ok("learn resolve --games records --out samples.bin");
}

#[test]
#[ignore = "plays by the clock for a minute: cargo test --release -- --ignored"]
fn timed_games_are_not_lost_on_time() {
    for (time, moves) in [([5, 0, 1], 30), ([0, 2, 0], 20), ([16, 0, 0], 30)] {
        let folder = Folder::new();
        let table = Table { time, max_moves: moves, ..Table::new(Color::Black, walker(99)) };
        let server = serve(PASSWORD, vec![table]);
        let command = command(&folder, &server, "--password open.sesame").output();
        let output = command.expect("the program starts");
        server.end();
        let errors = String::from_utf8(output.stderr).expect("UTF-8");
        let game = &folder.games("records/g+1.csa")[0];
        assert_ne!(game.ending, Some(Ending::Time), "{time:?}: {errors}");
        println!(
            "{time:?}: {:?} {errors}",
            game.notes.times().map(|(_, t)| t.as_secs()).collect::<Vec<_>>()
        );
    }
}

#[test]
fn the_password_has_three_sources_and_is_never_shown() {
    let folder = Folder::new();
    folder.write("empty", "\n");
    let run = |line: &str, variable: &str| {
        let mut command = folder.command(&format!("csa 127.0.0.1:1 --name fox {line}"));
        command.env("KANKEI_CSA_PASSWORD", variable);
        let output = command.output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{line}");
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(!error.contains("sesame"), "{error}");
        error
    };
    for (line, variable, named) in [
        ("", "open.sesame", "cannot connect to 127.0.0.1:1"),
        ("--password open.sesame", "", "cannot connect to 127.0.0.1:1"),
        ("", "", "use --password-file, --password or the variable KANKEI_CSA_PASSWORD"),
        ("", "open sesame", "KANKEI_CSA_PASSWORD"),
        ("--password 'open sesame'", "", "--password"),
        ("--password-file empty", "open.sesame", "empty"),
        ("--password-file nowhere", "open.sesame", "nowhere"),
    ] {
        let error = run(line, variable);
        assert!(error.contains(named), "{line}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_after_the_game() {
    use crate::command_support::{End, signal};
    let folder = Folder::new();
    let (asked, turns) = std::sync::mpsc::channel();
    let (go_on, gate) = std::sync::mpsc::channel::<()>();
    let mut moves = 0;
    let opponent: Opponent = Box::new(move |pos| {
        moves += 1;
        if moves == 2 {
            asked.send(()).expect("the test is running");
            gate.recv().expect("the test is running");
        }
        if moves == 4 {
            Reply::Resign
        } else {
            Reply::Move(csa(pos, legal_moves(pos, Scope::LEGAL)[0]))
        }
    });
    let server = serve(PASSWORD, vec![Table::new(Color::Black, opponent)]);
    let mut command = command(&folder, &server, "--nodes 300 --password open.sesame --games 5");
    let pipe = std::process::Stdio::piped;
    let process = command.stdout(pipe()).stderr(pipe()).spawn().expect("the program starts");
    turns.recv_timeout(crate::usi_support::PATIENCE).expect("a second turn");
    signal(process.id(), "INT");
    go_on.send(()).expect("a server");
    let heard = server.end();
    let end = End::of(process.wait_with_output().expect("the program ends"));
    assert_eq!(end.code, Some(130), "{}", end.error);
    assert_eq!(heard.last().map(String::as_str), Some("LOGOUT"));
    assert_eq!(folder.games("records/g+1.csa")[0].result, BLACK);
}
