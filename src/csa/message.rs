//! Single lines: parsing of server lines and formatting of client lines.

use std::fmt;

use crate::record::Ending;

/// A line from the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerLine<'a> {
    /// An empty line: keep-alive.
    Blank,
    /// `LOGIN:NAME OK`.
    LoggedIn,
    /// `LOGIN:incorrect`.
    LoginRefused,
    /// `LOGOUT:completed`.
    LoggedOut,
    /// `BEGIN Game_Summary`: the lines up to `END Game_Summary` describe a game.
    SummaryBegins,
    /// `END Game_Summary`.
    SummaryEnds,
    /// `START:ID`: both sides have agreed.
    Start,
    /// `REJECT:ID by NAME`: one side has rejected the game; the text after the colon.
    Rejected(&'a str),
    /// `+7776FU,T12`: a move and its time in the unit of the game.
    Move {
        /// `+7776FU`.
        text: &'a str,
        /// 12; `None` if the line has no time.
        time: Option<u32>,
    },
    /// `%TORYO,T4`: a side ends the game without a move.
    Closing {
        /// 4; `None` if the line has no time.
        time: Option<u32>,
    },
    /// The reason for the end of the game.
    Reason(Reason),
    /// The result for this client.
    Verdict(Verdict),
    /// Anything else.
    Other(&'a str),
}

impl<'a> ServerLine<'a> {
    /// Parses a line. Lines that the protocol does not define are [`Other`](Self::Other).
    pub fn parse(line: &'a str) -> ServerLine<'a> {
        let line = line.trim();
        match line {
            "" => return ServerLine::Blank,
            "LOGIN:incorrect" => return ServerLine::LoginRefused,
            "LOGOUT:completed" => return ServerLine::LoggedOut,
            "BEGIN Game_Summary" => return ServerLine::SummaryBegins,
            "END Game_Summary" => return ServerLine::SummaryEnds,
            _ => {}
        }
        if line.starts_with("LOGIN:") && line.ends_with(" OK") {
            ServerLine::LoggedIn
        } else if line.starts_with("START:") {
            ServerLine::Start
        } else if let Some(text) = line.strip_prefix("REJECT:") {
            ServerLine::Rejected(text)
        } else if let Some(word) = line.strip_prefix('#') {
            let reason = Reason::ALL.into_iter().find(|reason| reason.word == word);
            let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.word() == word);
            let reason = reason.map(ServerLine::Reason);
            reason.or(verdict.map(ServerLine::Verdict)).unwrap_or(ServerLine::Other(line))
        } else if line.starts_with(['+', '-', '%']) && line.len() > 1 {
            let (text, rest) = line.split_once(',').unwrap_or((line, ""));
            let time = rest.split(',').find_map(|field| field.strip_prefix('T')?.parse().ok());
            match text.strip_prefix('%') {
                Some(_) => ServerLine::Closing { time },
                None => ServerLine::Move { text, time },
            }
        } else {
            ServerLine::Other(line)
        }
    }
}

/// The reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The word after `#`.
    pub word: &'static str,
    /// The ending as records store it.
    pub ending: Ending,
}

impl Reason {
    /// All reasons.
    const ALL: [Reason; 9] = [
        Reason::new("RESIGN", Ending::Resignation),
        // A valid declaration. An invalid one is an illegal move.
        Reason::new("JISHOGI", Ending::Declaration),
        Reason::new("TIME_UP", Ending::Time),
        Reason::new("SENNICHITE", Ending::Repetition),
        Reason::new("OUTE_SENNICHITE", Ending::IllegalMove),
        Reason::new("ILLEGAL_MOVE", Ending::IllegalMove),
        // For example, a move out of turn.
        Reason::new("ILLEGAL_ACTION", Ending::IllegalMove),
        Reason::new("MAX_MOVES", Ending::MaxMoves),
        // No verdict follows.
        Reason::new("CHUDAN", Ending::Interruption),
    ];

    const fn new(word: &'static str, ending: Ending) -> Reason {
        Reason { word, ending }
    }
}

/// The result of a game for this client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `#WIN`.
    Win,
    /// `#LOSE`.
    Lose,
    /// `#DRAW`.
    Draw,
    /// `#CENSORED`: the game was too long and has no winner.
    Censored,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 4] = [Verdict::Win, Verdict::Lose, Verdict::Draw, Verdict::Censored];

    /// The word after `#`.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Win => "WIN",
            Verdict::Lose => "LOSE",
            Verdict::Draw => "DRAW",
            Verdict::Censored => "CENSORED",
        }
    }
}

/// A password. It is sent only to the server; its `Debug` form hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// A password as users enter it, without surrounding blanks and line ends. `None` if it is
    /// empty or contains blanks or control characters, because the login line could not hold it.
    pub fn new(text: &str) -> Option<Password> {
        let text = text.trim();
        is_word(text).then(|| Password(text.to_owned()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// Whether a text is one word of a line: not empty, without blanks and control characters.
pub fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// Login data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// One word.
    pub name: String,
    /// The word after the name.
    pub password: Password,
    /// The game to play, one word. Sent before the password, separated by a comma, as floodgate
    /// requires.
    pub game: Option<String>,
}

/// A line from the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientLine {
    /// `LOGIN NAME PASSWORD`, or `LOGIN NAME GAME,PASSWORD`.
    Login(Account),
    /// `AGREE ID`.
    Agree(String),
    /// `REJECT ID`.
    Reject(String),
    /// `+7776FU`, or `+7776FU,'* 30 -3334FU` with a comment for the record of the server.
    Move {
        /// `+7776FU`.
        text: String,
        /// `* 30 -3334FU`.
        comment: Option<String>,
    },
    /// `%TORYO`.
    Resign,
    /// `%KACHI`: declares a win by entering king.
    Declare,
    /// `%CHUDAN`.
    Interrupt,
    /// `LOGOUT`.
    Logout,
    /// An empty line: keep-alive.
    Blank,
}

impl ClientLine {
    /// The line without line end. The only text that contains the password.
    pub(super) fn to_wire(&self) -> String {
        match self {
            ClientLine::Login(Account { name, password, game }) => match game {
                Some(game) => format!("LOGIN {name} {game},{}", password.0),
                None => format!("LOGIN {name} {}", password.0),
            },
            ClientLine::Agree(id) => format!("AGREE {id}"),
            ClientLine::Reject(id) => format!("REJECT {id}"),
            ClientLine::Move { text, comment: Some(comment) } => format!("{text},'{comment}"),
            ClientLine::Move { text, comment: None } => text.clone(),
            ClientLine::Resign => "%TORYO".to_owned(),
            ClientLine::Declare => "%KACHI".to_owned(),
            ClientLine::Interrupt => "%CHUDAN".to_owned(),
            ClientLine::Logout => "LOGOUT".to_owned(),
            ClientLine::Blank => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_lines_are_parsed() {
        use ServerLine::*;
        for (line, expected) in [
            ("", Blank),
            ("LOGIN:kankei OK", LoggedIn),
            ("LOGIN:incorrect", LoginRefused),
            ("LOGOUT:completed", LoggedOut),
            ("BEGIN Game_Summary", SummaryBegins),
            ("END Game_Summary\r", SummaryEnds),
            ("START:20261124-1", Start),
            ("REJECT:20261124-1 by fox", Rejected("20261124-1 by fox")),
            ("+7776FU,T12", Move { text: "+7776FU", time: Some(12) }),
            ("-3334FU", Move { text: "-3334FU", time: None }),
            ("-3334FU,'* 12,T3", Move { text: "-3334FU", time: Some(3) }),
            ("+7776FU,T99999999999", Move { text: "+7776FU", time: None }),
            ("%TORYO,T4", Closing { time: Some(4) }),
            ("%KACHI", Closing { time: None }),
            ("#RESIGN", Reason(super::Reason::new("RESIGN", Ending::Resignation))),
            (
                "#OUTE_SENNICHITE",
                Reason(super::Reason::new("OUTE_SENNICHITE", Ending::IllegalMove)),
            ),
            ("#WIN", Verdict(super::Verdict::Win)),
            ("#ELSE", Other("#ELSE")),
            ("LOGIN:", Other("LOGIN:")),
            ("+", Other("+")),
            ("##[LOGIN] +OK", Other("##[LOGIN] +OK")),
        ] {
            assert_eq!(ServerLine::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn client_lines_are_formatted() {
        let password = Password::new(" secret\n").expect("a word");
        let account = Account { name: "fox".to_owned(), password, game: None };
        let login = |game: Option<&str>| {
            let game = game.map(str::to_owned);
            ClientLine::Login(Account { game, ..account.clone() })
        };
        assert_eq!(login(None).to_wire(), "LOGIN fox secret");
        assert_eq!(
            login(Some("floodgate-300-10F")).to_wire(),
            "LOGIN fox floodgate-300-10F,secret"
        );
        assert!(!format!("{:?}", login(None)).contains("secret"));
        let comment = Some("* 30 -3334FU".to_owned());
        let line = ClientLine::Move { text: "+7776FU".to_owned(), comment };
        assert_eq!(line.to_wire(), "+7776FU,'* 30 -3334FU");
        for bad in ["", " \n", "two words", "a\u{7}b"] {
            assert_eq!(Password::new(bad), None, "{bad:?}");
        }
    }
}
