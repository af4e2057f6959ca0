//! The program under a bridge between USI and a CSA server. One game, with the full move list in
//! every `position`, Fischer clocks, pondering and blank lines.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kankei::csa::{GameClock, GameSummary, ServerLine, Verdict};
use kankei::record::{csa_move_text, read_csa_move};
use kankei::shogi::movegen::legal_moves;
use kankei::shogi::{Color, Move, Position, Scope};

use crate::csa_server::{Opponent, Reply, Table, serve};
use crate::program::Session;
use crate::usi_support::PATIENCE;

/// The reply that the engine predicts, so that the opponent can play or avoid it.
type Expected = Arc<Mutex<Option<Move>>>;

/// An opponent that plays the predicted reply every other time.
fn guest(expected: &Expected) -> Opponent {
    let expected = Arc::clone(expected);
    let mut turn = 0;
    Box::new(move |pos| {
        turn += 1;
        let expected = expected.lock().unwrap().take();
        let others = legal_moves(pos, Scope::LEGAL);
        let other = others.iter().copied().find(|&mv| Some(mv) != expected);
        let mv = if turn % 2 == 0 { expected.or(other) } else { other };
        mv.map_or(Reply::Resign, |mv| Reply::Move(csa_move_text(pos, mv)))
    })
}

/// The bridge: one game from login to logout.
struct Bridge {
    engine: Session,
    input: BufReader<TcpStream>,
    output: TcpStream,
    us: Color,
    pos: Position,
    moves: Vec<Move>,
    clock: GameClock,
    /// Whether to send `go ponder` without clocks; the clocks then come with `ponderhit`.
    early: bool,
    expected: Expected,
    /// The move on which the engine ponders, if any.
    pondering: Option<Move>,
    hits: usize,
    misses: usize,
    blanks: usize,
}

impl Bridge {
    /// Logs in and agrees to the proposed game.
    fn begin(port: u16, early: bool, expected: &Expected) -> Bridge {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a server");
        stream.set_read_timeout(Some(PATIENCE)).expect("the timeout can be set");
        stream.set_nodelay(true).expect("a line");
        let mut output = stream.try_clone().expect("a second handle");
        let mut input = BufReader::new(stream);
        writeln!(output, "LOGIN fox secret").expect("a server");
        while read_line(&mut input) != "BEGIN Game_Summary" {}
        let mut lines = vec![read_line(&mut input)];
        while lines.last().is_some_and(|line| line != "END Game_Summary") {
            lines.push(read_line(&mut input));
        }
        let summary = GameSummary::parse(&lines).expect("a summary");
        let mut engine = Session::start();
        engine.ask("usi", "usiok");
        for (name, value) in [
            ("USI_Ponder", "true"),
            ("USI_Hash", "16"),
            ("EvalFile", "<material>"),
            // Enough for a first iteration with full hands.
            ("NodesLimit", "3000"),
            ("MaxMovesToDraw", &summary.max_moves.to_string()),
        ] {
            engine.send(&format!("setoption name {name} value {value}"));
        }
        engine.ask("isready", "readyok");
        engine.send("usinewgame");
        writeln!(output, "AGREE {}", summary.id).expect("a server");
        Bridge {
            engine,
            input,
            output,
            us: summary.us,
            pos: Position::startpos(),
            moves: Vec::new(),
            clock: summary.clock,
            early,
            expected: Arc::clone(expected),
            pondering: None,
            hits: 0,
            misses: 0,
            blanks: 0,
        }
    }

    /// Plays the game to its end and returns the verdict.
    fn play(&mut self) -> Verdict {
        loop {
            let line = read_line(&mut self.input);
            match ServerLine::parse(&line) {
                ServerLine::Start => self.think(),
                ServerLine::Blank => {
                    self.blanks += 1;
                    self.engine.send("");
                    writeln!(self.output).expect("a server");
                }
                ServerLine::Move { text, time } => self.moved(text, time),
                ServerLine::Verdict(verdict) => {
                    self.end();
                    return verdict;
                }
                _ => {}
            }
        }
    }

    fn moved(&mut self, text: &str, time: Option<u32>) {
        let side = self.pos.side_to_move();
        let time = Duration::from_secs(time.expect("a time").into());
        self.clock.spend(side, time);
        if side == self.us {
            let mv = read_csa_move(&self.pos, text).expect("our own move");
            self.push(mv);
            return;
        }
        let mv = read_csa_move(&self.pos, text).expect("a move");
        self.push(mv);
        match self.pondering.take() {
            Some(expected) if expected == mv => {
                self.hits += 1;
                let clock = if self.early { self.clock_words() } else { String::new() };
                let lines = self.engine.ask(format!("ponderhit{clock}").trim_end(), "bestmove");
                self.answer(&lines);
            }
            Some(_) => {
                self.misses += 1;
                self.engine.ask("stop", "bestmove");
                self.think();
            }
            None => self.think(),
        }
    }

    fn push(&mut self, mv: Move) {
        self.pos.do_move(mv);
        self.moves.push(mv);
    }

    fn position_line(&self, more: &[Move]) -> String {
        let moves: String = self.moves.iter().chain(more).map(|mv| format!(" {mv}")).collect();
        if moves.is_empty() {
            "position startpos".to_owned()
        } else {
            format!("position startpos moves{moves}")
        }
    }

    fn clock_words(&self) -> String {
        let left = |side| self.clock.remaining(side).expect("a clock").as_millis();
        let added = |side| self.clock.settings(side).increment.as_millis();
        let (black, white) = (Color::Black, Color::White);
        format!(
            " btime {} wtime {} binc {} winc {}",
            left(black),
            left(white),
            added(black),
            added(white)
        )
    }

    /// Requests a move from the engine if it is our turn.
    fn think(&mut self) {
        if self.pos.side_to_move() == self.us {
            let ask = format!("{}\ngo{}", self.position_line(&[]), self.clock_words());
            let lines = self.engine.ask(&ask, "bestmove");
            self.answer(&lines);
        }
    }

    /// Sends the engine's move and starts pondering before the server confirms the move.
    fn answer(&mut self, lines: &[String]) {
        let [.., info, best] = lines else { panic!("no line before the move: {lines:?}") };
        let words: Vec<&str> = best.split(' ').collect();
        let mv: Move = words[1].parse().expect("a move");
        assert!(self.pos.is_legal(mv), "{best}");
        assert!(info.contains(" score ") && info.contains(&format!(" pv {mv}")), "{info}");
        let reply = match words[2..] {
            ["ponder", reply] => Some(reply.parse::<Move>().expect("a move")),
            [] => None,
            _ => panic!("{best}"),
        };
        *self.expected.lock().unwrap() = reply;
        if let Some(reply) = reply {
            let clock = if self.early { String::new() } else { self.clock_words() };
            let ahead = self.position_line(&[mv, reply]);
            self.engine.send(&format!("{ahead}\ngo ponder{clock}"));
            self.pondering = Some(reply);
        }
        writeln!(self.output, "{}", csa_move_text(&self.pos, mv)).expect("a server");
    }

    /// Ends the game, possibly while the engine ponders, which must give one answer.
    fn end(&mut self) {
        if self.pondering.take().is_some() {
            let lines = self.engine.ask("gameover draw\nisready", "readyok");
            let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
            assert_eq!(answers, 1, "{lines:?}");
        }
        writeln!(self.output, "LOGOUT").expect("a server");
        while read_line(&mut self.input) != "LOGOUT:completed" {}
    }

    /// Ends the engine and the connection.
    fn close(self) {
        self.engine.quit();
    }
}

fn read_line(input: &mut impl BufRead) -> String {
    let mut line = String::new();
    assert!(input.read_line(&mut line).expect("a line") > 0, "the server has gone");
    line.trim_end().to_owned()
}

#[test]
fn complete_games_are_played_under_a_bridge() {
    for (early, us) in [(false, Color::Black), (true, Color::White)] {
        let (mut hits, mut misses, mut blanks) = (0, 0, 0);
        // The engine may mate the guest early, so a single game can have few predicted replies.
        for _ in 0..2 {
            let expected = Expected::default();
            let table = Table { max_moves: 60, ..Table::new(us, guest(&expected)) };
            let server = serve("secret", vec![table]);
            let mut bridge = Bridge::begin(server.port, early, &expected);
            let verdict = bridge.play();
            assert!(matches!(verdict, Verdict::Win | Verdict::Censored), "{verdict:?}");
            hits += bridge.hits;
            misses += bridge.misses;
            blanks += bridge.blanks;
            bridge.close();
            server.end();
        }
        assert!(hits > 5 && misses > 5, "{hits} hits and {misses} misses");
        assert!(blanks > 10 && blanks >= hits + misses, "{blanks} blanks");
    }
}
