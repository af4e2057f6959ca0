//! The state machine of the CSA client: the input is lines and times, the output is actions. No
//! sockets, no threads, and searches that end when the test decides.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kankei::csa::{
    Account, Action, ClientLine, Departure, Event, FinishedGame, Found, Password, PlayOptions,
    Session, SessionOptions, Tally, Task,
};
use kankei::engine::BestMove;
use kankei::eval::Score;
use kankei::record::{Ending, GameResult, MoveScore};
use kankei::rng::Rng;
use kankei::shogi::Scope;
use kankei::shogi::movegen::legal_moves;

use crate::usi_support::outcome;

pub const MARGIN: Duration = Duration::from_millis(500);

pub fn options() -> SessionOptions {
    let password = Password::new("secret").expect("a word");
    SessionOptions {
        account: Account { name: "fox".to_owned(), password, game: None },
        play: PlayOptions {
            ponder: false,
            comments: false,
            resign_value: 3_000,
            nodes: None,
            margin: MARGIN,
            event: None,
            site: "here".to_owned(),
        },
        games: 1,
        relogin: false,
    }
}

/// A session, the current time, and the requested actions.
pub struct Bench<'a> {
    session: Session<'a>,
    pub now: Instant,
    pub sent: Vec<ClientLine>,
    prepared: usize,
    searches: Vec<Task>,
    saved: Vec<FinishedGame>,
    reports: Vec<String>,
}

impl<'a> Bench<'a> {
    fn new(options: &'a SessionOptions) -> Bench<'a> {
        let now = Instant::now();
        let (session, actions) = Session::begin(options, Tally::default(), now);
        let (sent, searches, saved, reports) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut bench = Bench { session, now, sent, prepared: 0, searches, saved, reports };
        bench.take(actions);
        assert!(matches!(bench.sent[..], [ClientLine::Login(_)]));
        bench.sent.clear();
        bench
    }

    /// A bench with a started game; `turn` is the sign of our side.
    pub fn playing(options: &'a SessionOptions, turn: char, more: &str) -> Bench<'a> {
        let mut bench = Bench::new(options);
        bench.lines("LOGIN:fox OK");
        bench.propose(turn, more);
        assert_eq!(bench.prepared, 1);
        bench.event(Event::Ready);
        bench.expect_sent(&[ClientLine::Agree("g-1".to_owned())]);
        bench.lines("START:g-1");
        bench
    }

    fn propose(&mut self, turn: char, more: &str) {
        self.lines(&format!(
            "BEGIN Game_Summary\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\nGame_ID:g-1\nName+:fox\n\
             Name-:cat\nYour_Turn:{turn}\n{more}\nEND Game_Summary"
        ));
    }

    fn take(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Send(line) => self.sent.push(line),
                Action::Prepare(..) => self.prepared += 1,
                Action::Search(task) => self.searches.push(*task),
                Action::Save(game) => self.saved.push(*game),
                Action::Report(text) => {
                    assert!(!text.contains("secret"), "{text}");
                    self.reports.push(text);
                }
            }
        }
    }

    pub fn event(&mut self, event: Event) {
        let actions = self.session.handle(event, self.now);
        self.take(actions);
    }

    pub fn lines(&mut self, lines: &str) {
        for line in lines.lines() {
            self.event(Event::Line(line.to_owned(), self.now));
        }
    }

    pub fn pass(&mut self, time: Duration) {
        self.now += time;
        self.event(Event::Tick);
    }

    /// Plays 7g7f and predicts 3c3d; returns the search of the predicted reply.
    pub fn ponder(&mut self) -> Task {
        let task = self.search();
        self.found(&task, Score::ZERO, "7g7f 3c3d");
        self.expect_move("+7776FU", None);
        self.search()
    }

    /// The last search, which must be the only one since the last call.
    #[track_caller]
    pub fn search(&mut self) -> Task {
        assert_eq!(self.searches.len(), 1);
        self.searches.remove(0)
    }

    /// Ends the search with this line.
    pub fn found(&mut self, task: &Task, score: Score, line: &str) {
        let outcome = outcome(5, score, line);
        let control = Arc::clone(&task.control);
        self.event(Event::Found(Found { control, best: Some(outcome.best), info: outcome.info }));
    }

    #[track_caller]
    pub fn expect_sent(&mut self, lines: &[ClientLine]) {
        assert_eq!(std::mem::take(&mut self.sent), lines);
    }

    #[track_caller]
    pub fn expect_move(&mut self, text: &str, comment: Option<&str>) {
        let comment = comment.map(str::to_owned);
        self.expect_sent(&[ClientLine::Move { text: text.to_owned(), comment }]);
    }

    /// The only saved game.
    #[track_caller]
    fn game(&self) -> &kankei::record::Game {
        assert_eq!(self.saved.len(), 1);
        &self.saved[0].game
    }
}

const CLOCK: &str = "BEGIN Time\nTime_Unit:1sec\nTotal_Time:60\nIncrement:10\nEND Time";

#[test]
fn a_game_is_played_and_kept() {
    let mut options = options();
    options.play.comments = true;
    let mut bench = Bench::playing(&options, '-', CLOCK);
    assert!(bench.searches.is_empty(), "it is not our turn");
    bench.now += Duration::from_secs(5);
    bench.lines("+7776FU,T5");
    let task = bench.search();
    assert!(task.control.hard_limit().is_some_and(|hard| hard <= Duration::from_secs(60) - MARGIN));
    bench.found(&task, Score::cp(-40), "3c3d 2g2f 9a1a");
    // The score is from Black's view, and the line ends before its illegal move.
    bench.expect_move("-3334FU", Some("* 40 +2726FU"));
    bench.lines("-3334FU,T7\n\n+2726FU,T2");
    let task = bench.search();
    assert_eq!(task.root.moves_made(), 3);
    bench.found(&task, Score::mated_in(4), "8c8d");
    bench.expect_sent(&[ClientLine::Resign]);
    bench.lines("%TORYO,T3\n#RESIGN\n#LOSE");
    bench.expect_sent(&[ClientLine::Logout]);
    let game = bench.game();
    assert_eq!(game.result, Some(GameResult::BlackWins));
    assert_eq!(game.ending, Some(Ending::Resignation));
    let times: Vec<u64> = game.notes.times().map(|(_, time)| time.as_secs()).collect();
    assert_eq!(times, [5, 7, 2, 3]);
    assert_eq!((game.score(0), game.score(1)), (None, Some(MoveScore::Centipawns(-40))));
    assert_eq!(game.header.get("white"), Some("cat"));
    assert_eq!((bench.saved[0].id.as_str(), bench.session.tally().lost), ("g-1", 1));
    assert_eq!(bench.saved[0].lasted, Duration::from_secs(5));
    bench.lines("LOGOUT:completed");
    assert_eq!(bench.session.departure(), Some(Departure::LoggedOut));
}

#[test]
fn pondering_uses_the_predicted_reply() {
    let mut options = options();
    options.play.ponder = true;
    let mut bench = Bench::playing(&options, '+', CLOCK);
    let ahead = bench.ponder();
    assert_eq!(ahead.root.moves_made(), 2);
    assert!(ahead.control.hard_limit().is_none(), "no clock runs");
    bench.lines("+7776FU,T1");
    // The predicted reply: the same search continues, and the clock starts now.
    bench.now += Duration::from_secs(4);
    bench.lines("-3334FU,T4");
    assert!(bench.searches.is_empty() && !ahead.control.is_stopped());
    let soft = ahead.control.soft_limit().expect("a deadline");
    assert!(soft > Duration::from_secs(4), "{soft:?}");
    bench.found(&ahead, Score::ZERO, "2g2f 8c8d");
    bench.expect_move("+2726FU", None);

    // Another reply: the search is stopped, and its result is not played.
    let ahead = bench.search();
    bench.lines("+2726FU,T1\n-4132KI,T4");
    let task = bench.search();
    assert!(ahead.control.is_stopped());
    bench.found(&ahead, Score::ZERO, "6i7h");
    bench.expect_sent(&[]);
    bench.found(&task, Score::ZERO, "2f2e 8c8d");
    bench.expect_move("+2625FU", None);

    // A search that ends early waits for the opponent's move.
    let ahead = bench.search();
    bench.lines("+2625FU,T1");
    bench.found(&ahead, Score::ZERO, "2e2d");
    bench.expect_sent(&[]);
    bench.lines("-8384FU,T9");
    bench.expect_move("+2524FU", None);
    assert!(bench.searches.is_empty());
}

#[test]
fn illegal_engine_moves_are_never_sent() {
    let options = options();
    for (best, line, expected) in [
        (None, "2g2f", "+2726FU"),
        (Some(BestMove::Play("7g7e".parse().expect("a move"), None)), "2g2f", "+2726FU"),
        (Some(BestMove::Declare), "", "+"),
        (None, "", "+"),
    ] {
        let mut bench = Bench::playing(&options, '+', CLOCK);
        let task = bench.search();
        let info = outcome(5, Score::ZERO, line).info;
        bench.event(Event::Found(Found { control: task.control, best, info }));
        let [ClientLine::Move { text, .. }] = &bench.sent[..] else { panic!("{:?}", bench.sent) };
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn an_entered_king_declares_and_a_mated_one_resigns() {
    let options = options();
    let board = "BEGIN Position\nP-59OU\nP+51OU52KI53KI41KI42KI61FU62FU63FU71FU72FU73FU00HI00HI00KA00KA\n\
                 +\nEND Position";
    let board = board.replace("61FU62FU63FU71FU72FU73FU", "61TO62TO63TO71TO72TO73TO");
    let mut bench = Bench::playing(&options, '+', &board);
    bench.expect_sent(&[ClientLine::Declare]);
    bench.lines("%KACHI,T1\n#JISHOGI\n#WIN");
    assert_eq!(bench.game().ending, Some(Ending::Declaration));
    assert_eq!(bench.game().result, Some(GameResult::BlackWins));

    let mated = "BEGIN Position\nP-51OU\nP+52KI53FU59OU\n-\nEND Position";
    let mut bench = Bench::playing(&options, '-', mated);
    bench.expect_sent(&[ClientLine::Resign]);
}

#[test]
fn rejected_moves_are_not_recorded() {
    let options = options();
    let mut bench = Bench::playing(&options, '+', CLOCK);
    let task = bench.search();
    bench.found(&task, Score::ZERO, "7g7f");
    bench.lines("#TIME_UP\n#LOSE");
    assert_eq!(bench.game().moves().len(), 0);
    assert_eq!(bench.game().ending, Some(Ending::Time));

    // An invalid move loses for the opponent.
    let mut bench = Bench::playing(&options, '-', CLOCK);
    bench.lines("+7775FU,T1");
    assert!(bench.searches.is_empty());
    bench.lines("#ILLEGAL_MOVE\n#WIN");
    assert_eq!(bench.game().result, Some(GameResult::WhiteWins));
    assert_eq!(bench.game().notes.time(0), Some(Duration::from_secs(1)));
    assert_eq!(bench.game().notes.comment(0), Some("illegal: +7775FU\n#ILLEGAL_MOVE #WIN"));
}

#[test]
fn lines_out_of_turn_are_ignored() {
    let options = options();
    let mut bench = Bench::playing(&options, '+', CLOCK);
    let task = bench.search();
    bench.lines("-3334FU,T1\n+\n-\n+9999FU\n+7776");
    assert!(!task.control.is_stopped());
    bench.found(&task, Score::ZERO, "7g7f");
    // The server plays another move, so the sent move is discarded.
    bench.lines("+2726FU,T1\n+7776FU,T1\n#CHUDAN");
    assert_eq!(bench.game().moves().len(), 1);
}

/// Server lines in any order, searches that end at any time, and passing time. Nothing may panic,
/// no action may follow the end, and no turn may have two moves.
#[test]
fn random_sessions_never_panic() {
    const LINES: [&str; 24] = [
        "",
        "LOGIN:fox OK",
        "BEGIN Game_Summary",
        "Game_ID:x",
        "Your_Turn:+",
        "Your_Turn:-",
        "BEGIN Position",
        "PI",
        "END Position",
        "END Game_Summary",
        "START:x",
        "REJECT:x by y",
        "+7776FU,T1",
        "-3334FU,T1",
        "+2726FU,T4000000000",
        "-8384FU",
        "%TORYO,T1",
        "%KACHI",
        "#RESIGN",
        "#WIN",
        "#CHUDAN",
        "LOGOUT:completed",
        "#MAX_MOVES",
        "\u{fffd}",
    ];
    const GAME: &str = "BEGIN Game_Summary\nGame_ID:x\nYour_Turn:+\nEND Game_Summary";
    let mut options = SessionOptions { games: 3, ..options() };
    options.play.ponder = true;
    for seed in 0..3_000 {
        let mut rng = Rng::from_seed(seed);
        let mut bench = Bench::new(&options);
        bench.lines("LOGIN:fox OK");
        let mut tasks: Vec<Task> = Vec::new();
        for _ in 0..60 {
            let over = bench.session.departure().is_some();
            match rng.below(8) {
                0 => {
                    bench.lines(GAME);
                    bench.event(Event::Ready);
                    bench.lines("START:x");
                }
                1 => bench.event(Event::Ready),
                2 => bench.pass(Duration::from_secs(rng.below(20) as u64)),
                3 if rng.below(20) == 0 => bench.event(Event::Interrupt(1 + rng.below(2))),
                3 | 4 => {
                    if let Some(task) = rng.choose(&tasks).cloned() {
                        let any = legal_moves(&task.root, Scope::LEGAL);
                        let line = rng.choose(&any).map(ToString::to_string).unwrap_or_default();
                        bench.found(&task, Score::cp(7), &line);
                    }
                }
                _ => bench.lines(LINES[rng.below(LINES.len())]),
            }
            tasks.append(&mut bench.searches);
            let is_move = |line: &&ClientLine| matches!(line, ClientLine::Move { .. });
            assert!(bench.sent.iter().filter(is_move).count() <= 1, "seed {seed}");
            assert!(!over || bench.sent.is_empty(), "seed {seed}");
            bench.sent.clear();
        }
    }
}

#[test]
fn the_end_of_the_game_ends_the_search() {
    let options = options();
    for end in ["#TIME_UP\n#LOSE", "%TORYO\n#RESIGN\n#WIN", "#CHUDAN", "#WIN"] {
        let mut bench = Bench::playing(&options, '+', CLOCK);
        let task = bench.search();
        bench.lines(end);
        assert!(task.control.is_stopped(), "{end}");
        bench.expect_sent(&[ClientLine::Logout]);
        bench.found(&task, Score::ZERO, "7g7f");
        bench.expect_sent(&[]);
    }
    let mut bench = Bench::playing(&options, '+', CLOCK);
    let task = bench.search();
    bench.event(Event::Closed);
    assert!(task.control.is_stopped());
    assert_eq!(bench.game().ending, Some(Ending::Interruption));
    assert_eq!(bench.session.departure(), Some(Departure::Lost));
}

#[test]
fn several_games_are_played_in_sequence() {
    let options = SessionOptions { games: 3, ..options() };
    let mut bench = Bench::playing(&options, '+', CLOCK);
    bench.lines("#RESIGN\n#WIN");
    bench.expect_sent(&[]);
    // A game that cannot be played and a game that the opponent rejects do not count.
    bench.propose('?', CLOCK);
    bench.expect_sent(&[ClientLine::Reject("g-1".to_owned())]);
    bench.propose('+', CLOCK);
    bench.lines("REJECT:g-1 by cat");
    bench.event(Event::Ready);
    bench.expect_sent(&[]);
    bench.propose('-', "Rematch_On_Draw:YES");
    bench.event(Event::Ready);
    bench.lines("START:g-1\n#SENNICHITE\n#DRAW");
    assert_eq!(bench.session.tally().games(), 2);
    bench.lines("LOGOUT:completed");
    assert_eq!(bench.session.departure(), None);
}

#[test]
fn a_client_with_relogin_logs_out_after_each_game() {
    let options = SessionOptions { games: 9, relogin: true, ..options() };
    let mut bench = Bench::playing(&options, '+', CLOCK);
    bench.lines("#RESIGN\n#WIN");
    bench.expect_sent(&[ClientLine::Logout]);
    // A connection closed by the server counts as a logout.
    bench.event(Event::Closed);
    assert_eq!(bench.session.departure(), Some(Departure::LoggedOut));
}

#[test]
fn keep_alive_lines_are_rare() {
    let options = options();
    let mut bench = Bench::playing(&options, '-', CLOCK);
    for _ in 0..29 {
        bench.pass(Duration::from_secs(1));
    }
    bench.expect_sent(&[]);
    for _ in 0..600 {
        bench.pass(Duration::from_secs(1));
    }
    let count = bench.sent.len();
    assert!((600 / 60..=600 / 30).contains(&count), "{count}");
    assert!(bench.sent.iter().all(|line| *line == ClientLine::Blank));
    // Other sent lines replace the keep-alive line.
    bench.sent.clear();
    bench.lines("+7776FU,T1");
    let task = bench.search();
    bench.found(&task, Score::ZERO, "3c3d");
    bench.sent.clear();
    for _ in 0..29 {
        bench.pass(Duration::from_secs(1));
    }
    bench.expect_sent(&[]);
}

#[test]
fn waiting_for_a_game_is_reported() {
    let mut options = options();
    options.account.game = Some("floodgate-300-10F".to_owned());
    let mut bench = Bench::new(&options);
    bench.lines("LOGIN:fox OK");
    for _ in 0..40 {
        bench.pass(Duration::from_secs(20));
    }
    let waiting = "waiting for a game of floodgate-300-10F";
    let [login, first, second] = &bench.reports[..] else { panic!("{:?}", bench.reports) };
    assert_eq!(*login, format!("logged in as fox; {waiting}"));
    assert_eq!([first, second], [&format!("still {waiting}"); 2]);
}

#[test]
fn logins_are_answered_or_time_out() {
    let options = options();
    let mut bench = Bench::new(&options);
    bench.lines("LOGIN:incorrect");
    assert_eq!(bench.session.departure(), Some(Departure::Refused));
    let mut bench = Bench::new(&options);
    bench.pass(Duration::from_secs(60));
    assert_eq!(bench.session.departure(), Some(Departure::Lost));
}

#[test]
fn interrupts_end_after_the_game_or_immediately() {
    let options = SessionOptions { games: 5, ..options() };
    let mut bench = Bench::playing(&options, '+', CLOCK);
    let task = bench.search();
    bench.event(Event::Interrupt(1));
    assert!(!task.control.is_stopped());
    bench.lines("#RESIGN\n#WIN");
    bench.expect_sent(&[ClientLine::Logout]);

    // A second interrupt during a game; the server may or may not know `%CHUDAN`.
    for answer in ["#CHUDAN", ""] {
        let mut bench = Bench::playing(&options, '+', CLOCK);
        let task = bench.search();
        bench.event(Event::Interrupt(1));
        bench.event(Event::Interrupt(2));
        assert!(task.control.is_stopped());
        bench.expect_sent(&[ClientLine::Interrupt]);
        bench.lines(answer);
        bench.pass(Duration::from_secs(10));
        bench.expect_sent(&[ClientLine::Logout]);
        assert_eq!(bench.game().ending, Some(Ending::Interruption));
        bench.pass(Duration::from_secs(10));
        assert_eq!(bench.session.departure(), Some(Departure::LoggedOut));
    }

    // Without a game, the first interrupt logs out immediately.
    let mut bench = Bench::new(&options);
    bench.lines("LOGIN:fox OK");
    bench.event(Event::Interrupt(1));
    bench.expect_sent(&[ClientLine::Logout]);
}
