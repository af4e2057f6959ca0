//! `kankei csa`: plays games on a CSA server with the searchers of this program.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crate::book::{Book, BookEngine};
use crate::command::book_args::BookArgs;
use crate::command::output::create_folder;
use crate::command::searcher::SearcherArgs;
use crate::command::{CliError, fresh_seed, interrupt};
use crate::csa::{
    self, Account, Address, ClientOptions, Password, PlayOptions, SessionOptions, Tally, is_word,
};
use crate::engine::{BuildEngine, Settings};
use crate::file;

/// Environment variable with the password, used if no option gives one.
const VARIABLE: &str = "KANKEI_CSA_PASSWORD";
/// Number of Ctrl-C presses that end the program immediately. The first press waits for the end of
/// the game, the second interrupts it.
const INTERRUPTS: usize = 3;
/// First and longest pause between connections.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(300));

/// Play games on a CSA server, such as floodgate.
///
/// The first Ctrl-C ends after the current game, the second interrupts it. The password comes from
/// --password, from --password-file, or from the variable KANKEI_CSA_PASSWORD.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Server: HOST or HOST:PORT
    #[arg(value_name = "SERVER")]
    server: Address,
    /// Login name
    #[arg(long, value_parser = word)]
    name: String,
    /// Password; other users of this machine may see it in the process list
    #[arg(long, conflicts_with = "password_file")]
    password: Option<Hidden>,
    /// File with the password in its first line
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Game to play, in the form of floodgate: floodgate-300-10F
    #[arg(long, value_parser = word)]
    game: Option<String>,
    /// Number of games to play
    #[arg(long, default_value_t = 1, value_parser = crate::command::at_least_one::<u64>)]
    games: u64,
    /// Log out after each game, and in again for the next one
    #[arg(long)]
    relogin: bool,
    /// Think on the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Send score and principal variation with each move, in the form of floodgate
    #[arg(long)]
    comments: bool,
    /// Folder for the records of the games
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    /// Time reserved for network delay, ms
    #[arg(long, value_name = "MS", default_value_t = 1120, value_parser = crate::command::number_in::<u64>(0..=10_000))]
    margin: u64,
    /// Resign if the score is -CP or lower, centipawns; mates count more than 30000
    #[arg(long, value_name = "CP", default_value_t = 99_999, value_parser = crate::command::at_least_one::<i32>)]
    resign_value: i32,
    /// Maximum nodes per move
    #[arg(long, value_parser = crate::command::at_least_one::<u64>)]
    nodes: Option<u64>,
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = crate::command::number_in::<u16>(1..=512))]
    threads: u16,
    /// Transposition table, MiB
    #[arg(long, default_value_t = 256, value_parser = crate::command::hash_mib::<u64>)]
    hash: u64,
    #[command(flatten)]
    book: BookArgs,
    #[command(flatten)]
    searcher: SearcherArgs,
}

/// Text whose `Debug` form is hidden.
#[derive(Clone)]
struct Hidden(String);

impl From<String> for Hidden {
    fn from(text: String) -> Hidden {
        Hidden(text)
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

fn word(text: &str) -> Result<String, String> {
    is_word(text).then(|| text.to_owned()).ok_or_else(|| format!("{text:?} is not one word"))
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let options = args.options()?;
    if let Some(folder) = &args.record {
        create_folder(folder)?;
    }
    // Play continues even if an output is closed.
    let mut report = |text: &str| drop(writeln!(io::stderr(), "{text}"));
    let build = args.factory(&mut report)?;
    interrupt::watch_for(INTERRUPTS);
    let Tally { won, lost, drawn, broken_off } =
        csa::run(&options, build, &interrupt::count, &mut report)?;
    let result = format!("{won} won, {lost} lost, {drawn} drawn, {broken_off} interrupted");
    drop(writeln!(io::stdout(), "{result}"));
    let is_whole = won + lost + drawn + broken_off >= args.games;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(interrupt::EXIT_CODE) })
}

impl Args {
    fn options(&self) -> Result<ClientOptions, CliError> {
        Ok(ClientOptions {
            server: self.server.clone(),
            session: SessionOptions {
                account: Account {
                    name: self.name.clone(),
                    password: self.password()?,
                    game: self.game.clone(),
                },
                play: PlayOptions {
                    ponder: self.ponder,
                    comments: self.comments,
                    resign_value: self.resign_value,
                    nodes: self.nodes,
                    margin: Duration::from_millis(self.margin),
                    event: self.game.clone(),
                    site: self.server.to_string(),
                },
                games: self.games,
                relogin: self.relogin,
            },
            settings: Settings {
                hash_mib: self.hash as usize,
                threads: self.threads.into(),
                ..Settings::default()
            },
            records: self.record.clone(),
            pauses: PAUSES,
        })
    }

    /// The factory of searchers, with the book in front if one is given. Reports its size.
    fn factory(&self, report: &mut dyn FnMut(&str)) -> Result<Arc<BuildEngine<()>>, CliError> {
        let factory = self.searcher.factory()?;
        // An unusable book is reported before anything else.
        let Some(mut book) = self.book.open()? else { return Ok(Arc::new(move |_, _| factory())) };
        let (path, rules) = (book.path().to_owned(), self.book.rules().clone());
        report(&book.size(&rules)?.to_string());
        Ok(Arc::new(move |_, _| match Book::open(&path) {
            Ok(book) => Box::new(BookEngine::new(factory(), book, rules.clone(), fresh_seed())),
            Err(_) => factory(),
        }))
    }

    fn password(&self) -> Result<Password, CliError> {
        let (place, text) = match (&self.password, &self.password_file) {
            (Some(Hidden(text)), _) => ("--password".to_owned(), Some(text.clone())),
            (None, Some(path)) => {
                let failed = |source| CliError::Read { path: path.clone(), source };
                let text = file::read_to_string(path).map_err(failed)?;
                let text = text.lines().next().map(str::to_owned);
                (format!("{path:?}"), text)
            }
            (None, None) => {
                let text = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
                (VARIABLE.to_owned(), Some(text.ok_or(CliError::NoPassword(VARIABLE))?))
            }
        };
        text.and_then(|text| Password::new(&text)).ok_or(CliError::Password(place))
    }
}
