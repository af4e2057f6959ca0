//! A local CSA server. It enforces the rules, the clocks and the order of the protocol, and plays
//! the client's opponent by a script.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kankei::record::{csa_move_text, read_csa_move};
use kankei::shogi::{Color, DeclarationRule, Move, Position, Repetition};

use crate::usi_support::PATIENCE;

/// The opponent's reply.
pub enum Reply {
    /// A move in CSA notation, legal or not.
    Move(String),
    Resign,
    Declare,
    /// The server sends this instead and ends the game.
    Say(&'static str),
    /// The server closes the connection.
    HangUp,
}

/// Called on the opponent's turn.
pub type Opponent = Box<dyn FnMut(&Position) -> Reply + Send>;

/// An opponent that plays these moves and then calls `last`.
pub fn scripted(moves: &str, last: fn() -> Reply) -> Opponent {
    let mut moves: VecDeque<String> = moves.split_whitespace().map(str::to_owned).collect();
    Box::new(move |_| moves.pop_front().map_or_else(last, Reply::Move))
}

/// A game to propose.
pub struct Table {
    /// The client's side.
    pub turn: Color,
    /// The position block with its moves.
    pub position: &'static str,
    /// The position after that block, as a USI position.
    pub start: Position,
    /// Total time, byoyomi and increment in seconds.
    pub time: [u64; 3],
    /// Maximum number of moves; 0: unlimited.
    pub max_moves: usize,
    pub opponent: Opponent,
    /// Whether the opponent rejects the game.
    pub rejected: bool,
    /// The server sends this text instead of accepting the client's move with this number (1 is the
    /// first).
    pub judgement: Option<(usize, &'static str)>,
}

impl Table {
    pub fn new(turn: Color, opponent: Opponent) -> Table {
        Table {
            turn,
            position: "PI\n+",
            start: Position::startpos(),
            time: [600, 0, 10],
            max_moves: 256,
            opponent,
            rejected: false,
            judgement: None,
        }
    }

    fn summary(&self, id: &str) -> String {
        let sign = sign(self.turn);
        let names = if self.turn == Color::Black { ["fox", "cat"] } else { ["cat", "fox"] };
        let [total, byoyomi, increment] = self.time;
        format!(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n\
             Declaration:Jishogi 1.1\nGame_ID:{id}\nName+:{}\nName-:{}\nYour_Turn:{sign}\n\
             Rematch_On_Draw:NO\nTo_Move:+\nMax_Moves:{}\nBEGIN Time\nTime_Unit:1sec\n\
             Total_Time:{total}\nByoyomi:{byoyomi}\nIncrement:{increment}\nLeast_Time_Per_Move:1\n\
             END Time\nBEGIN Position\n{}\nEND Position\nEND Game_Summary",
            names[0], names[1], self.max_moves, self.position
        )
    }
}

/// A running server. It ends when all its games are played and the client has left.
pub struct Server {
    pub port: u16,
    thread: JoinHandle<Vec<String>>,
}

/// Starts a server that accepts `LOGIN fox PASSWORD` with this password and proposes these games in
/// order.
pub fn serve(password: &'static str, tables: Vec<Table>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let thread = thread::spawn(move || {
        let mut heard = Vec::new();
        let mut tables = tables.into_iter().enumerate().collect::<VecDeque<_>>();
        loop {
            let (stream, _) = listener.accept().expect("a client");
            let mut line = Line::new(stream);
            line.attend(password, &mut tables);
            heard.append(&mut line.heard);
            if tables.is_empty() {
                return heard;
            }
        }
    });
    Server { port, thread }
}

impl Server {
    /// Waits for the end; returns all received lines.
    pub fn end(self) -> Vec<String> {
        let start = Instant::now();
        while !self.thread.is_finished() {
            assert!(start.elapsed() < PATIENCE, "the server does not end");
            thread::sleep(Duration::from_millis(1));
        }
        self.thread.join().expect("the server does not panic")
    }
}

/// How a game ended.
#[derive(PartialEq)]
enum End {
    Over,
    /// The client left or was disconnected.
    Gone,
}

/// The connection to the client.
struct Line {
    input: BufReader<TcpStream>,
    output: TcpStream,
    heard: Vec<String>,
}

impl Line {
    fn new(stream: TcpStream) -> Line {
        stream.set_read_timeout(Some(PATIENCE)).expect("the timeout can be set");
        stream.set_nodelay(true).expect("a line");
        let output = stream.try_clone().expect("a second handle");
        Line { input: BufReader::new(stream), output, heard: Vec::new() }
    }

    fn say(&mut self, lines: &str) {
        // The client may have left, which the next read detects.
        drop(self.output.write_all(format!("{lines}\n").as_bytes()));
    }

    /// The next line that is not blank; `None` when the client has left.
    fn hear(&mut self) -> Option<String> {
        loop {
            let mut text = String::new();
            let read = self.input.read_line(&mut text);
            if read.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock) {
                panic!("the client is silent after {:?}", self.heard);
            }
            if read.unwrap_or(0) == 0 {
                return None;
            }
            assert!(text.ends_with('\n'), "not a whole line: {text:?}");
            let text = text.trim_end_matches('\n').to_owned();
            if !text.is_empty() {
                self.heard.push(text.clone());
                return Some(text);
            }
        }
    }

    /// Waits for a line that starts with this text. Skips other lines, which arrived too late.
    fn wait_for(&mut self, start: &str) -> Option<String> {
        loop {
            let text = self.hear()?;
            if text.starts_with(start) {
                return Some(text);
            }
            let is_late = text.starts_with(['+', '-', '%']);
            assert!(is_late || text == "LOGOUT", "{text:?} instead of {start}");
            if !is_late {
                self.say("LOGOUT:completed");
                return None;
            }
        }
    }

    /// Serves one connection from login to logout.
    fn attend(&mut self, password: &str, tables: &mut VecDeque<(usize, Table)>) {
        let Some(login) = self.hear() else { return };
        if login != format!("LOGIN fox {password}") {
            self.say("LOGIN:incorrect");
            tables.clear();
            return;
        }
        self.say("LOGIN:fox OK");
        while let Some((number, table)) = tables.pop_front() {
            let id = format!("g+{}", number + 1);
            let summary = table.summary(&id);
            self.say(&summary);
            if self.wait_for("AGREE ").is_none() {
                tables.push_front((number, table));
                return;
            }
            assert_eq!(self.heard.last(), Some(&format!("AGREE {id}")));
            if table.rejected {
                self.say(&format!("REJECT:{id} by cat"));
            } else if self.referee(table, &id) == End::Gone {
                return;
            }
        }
        assert_eq!(self.wait_for("LOGOUT").as_deref(), Some("LOGOUT"));
        self.say("LOGOUT:completed");
        assert_eq!(self.hear(), None, "nothing comes after LOGOUT");
    }

    /// Runs a game from `START` to the verdict.
    fn referee(&mut self, table: Table, id: &str) -> End {
        let turn = table.turn;
        let mut game = Referee::new(table);
        self.say(&format!("START:{id}\n"));
        loop {
            let side = game.pos.side_to_move();
            let began = Instant::now();
            let move_line = if side == turn {
                let Some(text) = self.hear() else { return End::Gone };
                let text = text.split(",'").next().unwrap_or_default().to_owned();
                if text == "%CHUDAN" {
                    self.say("#CHUDAN");
                    return End::Over;
                }
                game.client_moves += 1;
                match game.table.judgement {
                    Some((number, words)) if number == game.client_moves => words.to_owned(),
                    _ => game.play(&text, began.elapsed()),
                }
            } else {
                match (game.table.opponent)(&game.pos) {
                    Reply::Move(text) => game.play(&text, Duration::ZERO) + "\n",
                    Reply::Resign => game.play("%TORYO", Duration::ZERO),
                    Reply::Declare => game.play("%KACHI", Duration::ZERO),
                    Reply::Say(words) => words.to_owned(),
                    Reply::HangUp => return End::Gone,
                }
            };
            self.say(&move_line);
            if move_line.contains('#') {
                return End::Over;
            }
        }
    }
}

/// The rules and the clocks of one game.
struct Referee {
    table: Table,
    pos: Position,
    moves: usize,
    client_moves: usize,
    /// Remaining seconds, indexed by side.
    left: [u64; 2],
}

impl Referee {
    fn new(table: Table) -> Referee {
        let mut referee = Referee {
            pos: table.start.clone(),
            moves: 0,
            client_moves: 0,
            left: [table.time[0]; 2],
            table,
        };
        let moves = referee.table.position.lines().filter(|line| line.contains(",T"));
        for line in moves {
            let (text, time) = line.split_once(",T").expect("a time");
            let side = referee.pos.side_to_move();
            referee.spend(side, time.parse().expect("seconds"));
            let mv = read_csa_move(&referee.pos, text).expect("a move");
            referee.pos.do_move(mv);
            referee.moves += 1;
        }
        referee
    }

    /// Subtracts time from a clock; `false` if the time is up.
    fn spend(&mut self, side: Color, seconds: u64) -> bool {
        let [_, byoyomi, increment] = self.table.time;
        let left = &mut self.left[side.index()];
        let is_enough = *left + increment + byoyomi >= seconds;
        *left = (*left + increment).saturating_sub(seconds);
        is_enough
    }

    /// The server's lines after an action of the side to move: the move with its time, the end of
    /// the game, or both.
    fn play(&mut self, text: &str, time: Duration) -> String {
        let side = self.pos.side_to_move();
        let seconds = time.as_secs().max(1);
        let verdict = |winner: Option<Color>| match winner {
            Some(winner) if winner == self.table.turn => "#WIN",
            Some(_) => "#LOSE",
            None => "#DRAW",
        };
        let (won, lost, drawn) = (verdict(Some(side)), verdict(Some(!side)), verdict(None));
        if !self.spend(side, seconds) {
            return format!("#TIME_UP\n{lost}");
        }
        let output = format!("{text},T{seconds}");
        match text {
            "%TORYO" => return format!("{output}\n#RESIGN\n{lost}"),
            "%KACHI" if self.pos.declaration(DeclarationRule::Csa27).is_some() => {
                return format!("{output}\n#JISHOGI\n{won}");
            }
            _ => {}
        }
        let mv = read_csa_move(&self.pos, text).ok();
        let Some(mv) = mv.filter(|&mv| self.pos.is_legal(mv)) else {
            return format!("{output}\n#ILLEGAL_MOVE\n{lost}");
        };
        self.pos.do_move(mv);
        self.moves += 1;
        match self.pos.fourfold() {
            Some(Repetition::Win) => format!("{output}\n#OUTE_SENNICHITE\n{lost}"),
            Some(Repetition::Loss) => format!("{output}\n#OUTE_SENNICHITE\n{won}"),
            Some(_) => format!("{output}\n#SENNICHITE\n{drawn}"),
            None if self.moves == self.table.max_moves => {
                format!("{output}\n#MAX_MOVES\n#CENSORED")
            }
            None => output,
        }
    }
}

/// A USI move in CSA notation.
pub fn csa(pos: &Position, mv: Move) -> String {
    csa_move_text(pos, mv)
}

fn sign(color: Color) -> char {
    ['+', '-'][color.index()]
}
