//! The search result of one position.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::language::Language;
use crate::command::{interrupt, texts};
use crate::engine::Bound;
use crate::engine::{Control, Engine, Info, Limits, Outcome, Query, Report, Settings};
use crate::record::MoveScore;
use crate::shogi::{Move, Position, Repetition, Scope, movegen};

/// Limits of the search of a position; one second by default.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(multiple = false)]
pub(super) struct Budget {
    /// Nodes per search
    #[arg(long, value_parser = crate::command::at_least_one::<u64>)]
    nodes: Option<u64>,
    /// Milliseconds per search; 1000 by default
    #[arg(long, value_parser = crate::command::at_least_one::<u64>)]
    ms: Option<u64>,
    /// Depth per search
    #[arg(long, value_parser = crate::command::at_least_one::<u32>)]
    depth: Option<u32>,
}

impl Budget {
    fn time(&self) -> Option<Duration> {
        let is_open = self.nodes.is_none() && self.depth.is_none();
        self.ms.or(is_open.then_some(1_000)).map(Duration::from_millis)
    }

    /// Formats as `1000 ms a position`.
    pub fn text(&self, language: Language) -> String {
        match (self.nodes, self.depth, self.time()) {
            (Some(nodes), ..) => texts::NODES_A_POSITION.with(language, [&nodes]),
            (_, Some(depth), _) => texts::DEPTH_A_POSITION.with(language, [&depth]),
            (_, _, time) => {
                let ms = time.unwrap_or_default().as_millis();
                texts::MS_A_POSITION.with(language, [&ms])
            }
        }
    }
}

impl fmt::Display for Budget {
    /// In English, as checkpoints have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

/// The search result of a position, or the result by the rules if it is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// Score from the side to move's view.
    pub score: MoveScore,
    /// Iteration in plies; 0 if the position is decided.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// The principal variation.
    pub line: Vec<Move>,
    /// The next best lines of the same search, with their scores.
    pub others: Vec<(MoveScore, Vec<Move>)>,
}

impl Reading {
    /// All lines of the search, best first; none if the position is decided.
    pub fn candidates(&self) -> impl Iterator<Item = (MoveScore, &[Move])> {
        let others = self.others.iter().map(|(score, line)| (*score, line.as_slice()));
        let best = Some((self.score, self.line.as_slice())).filter(|(_, line)| !line.is_empty());
        best.into_iter().chain(others)
    }
}

impl fmt::Display for Reading {
    /// Formats as `35 12 104532 7g7f 3c3d | 20 2g2f 8c8d`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.score, self.depth, self.nodes)?;
        self.line.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        self.others.iter().try_for_each(|(score, line)| {
            write!(f, " | {score}")?;
            line.iter().try_for_each(|mv| write!(f, " {mv}"))
        })
    }
}

impl FromStr for Reading {
    type Err = ();

    fn from_str(text: &str) -> Result<Reading, ()> {
        let moves =
            |words: std::str::Split<char>| words.map(str::parse::<Move>).collect::<Result<_, ()>>();
        let mut parts = text.split(" | ");
        let mut words = parts.next().unwrap_or_default().split(' ');
        let mut next = || words.next().ok_or(());
        let (score, depth, nodes) = (next()?.parse()?, next()?.parse(), next()?.parse());
        let (depth, nodes) = (depth.map_err(drop)?, nodes.map_err(drop)?);
        let line = moves(words)?;
        let other = |text: &str| {
            let mut words = text.split(' ');
            Ok((words.next().ok_or(())?.parse()?, moves(words)?))
        };
        let others = parts.map(other).collect::<Result<_, ()>>()?;
        Ok(Reading { score, depth, nodes, line, others })
    }
}

/// The reason why a position needs no search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decided {
    /// The side to move is mated or has no legal move.
    Mated,
    /// The side to move may declare a win by entering king.
    Declares,
    /// The position occurs for the fourth time; the result is from the side to move's view.
    Repeated(Repetition),
}

impl Decided {
    /// Why the position is decided; `None` if it is not.
    pub fn of(pos: &Position) -> Option<Decided> {
        if movegen::legal_moves(pos, Scope::LEGAL).is_empty() {
            return Some(Decided::Mated);
        }
        let declares = pos.declaration(Settings::default().declaration);
        let declares = declares.map(|_| Decided::Declares);
        declares.or_else(|| pos.fourfold().map(Decided::Repeated))
    }

    /// The score for the side to move. A mate in 0 plies means that the game is over.
    fn score(self) -> MoveScore {
        match self {
            Decided::Mated | Decided::Repeated(Repetition::Loss | Repetition::Inferior) => {
                MoveScore::MatedIn(0)
            }
            Decided::Declares | Decided::Repeated(Repetition::Win | Repetition::Superior) => {
                MoveScore::MatesIn(0)
            }
            Decided::Repeated(Repetition::Draw) => MoveScore::Centipawns(0),
        }
    }

    /// The state in words.
    pub fn text(self, language: Language) -> &'static str {
        let text = match self {
            Decided::Mated => texts::MATED,
            Decided::Declares => texts::DECLARES,
            Decided::Repeated(Repetition::Draw) => texts::REPEATED,
            Decided::Repeated(_) => texts::REPEATED_BY_CHECKS,
        };
        text.get(language)
    }
}

/// Searches positions.
pub(super) struct Reader {
    engine: Box<dyn Engine>,
    budget: Budget,
    /// Largest number of lines of a search.
    lines: usize,
}

impl Reader {
    /// Configures the searcher and prints its messages.
    pub fn new(mut engine: Box<dyn Engine>, budget: Budget, settings: &Settings) -> Reader {
        // Complete lines, and repetitions by the rules, as in the analysis of a GUI.
        let settings = Settings { consideration: true, ..settings.clone() };
        for remark in engine.configure(&settings) {
            eprintln!("{remark}");
        }
        Reader { engine, budget, lines: settings.multi_pv }
    }

    /// Clears the data of the previous game.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Searches a position; `None` if the user interrupts.
    pub fn read(&mut self, pos: &Position) -> Option<Reading> {
        if let Some(decided) = Decided::of(pos) {
            let (line, others) = (Vec::new(), Vec::new());
            return Some(Reading { score: decided.score(), depth: 0, nodes: 0, line, others });
        }
        let Budget { nodes, depth, .. } = self.budget;
        let limits = Limits { depth, nodes, ..Limits::default() };
        let mut found = Vec::new();
        let mut outcome = self.search(pos, &limits, self.budget.time(), &mut found);
        if outcome.info.is_none() && !interrupt::is_interrupted() {
            // The limit was too small for one iteration.
            let limits = Limits { depth: Some(1), ..Limits::default() };
            outcome = self.search(pos, &limits, None, &mut found);
        }
        let info = outcome.info.filter(|_| !interrupt::is_interrupted())?;
        let (score, depth, line) = (info.score.into(), info.depth, info.pv.to_vec());
        // A better move found after the last iteration is the best, and no longer one of the
        // others.
        let others = found.iter().filter(|other| other.pv.first() != info.pv.first());
        let others = others.map(|other| (other.score.into(), other.pv.to_vec()));
        let others = others.take(self.lines - 1).collect();
        Some(Reading { score, depth, nodes: outcome.nodes, line, others })
    }

    /// Searches a position. `found` receives the lines of the last iteration, best first.
    fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        time: Option<Duration>,
        found: &mut Vec<Info>,
    ) -> Outcome {
        let start = Instant::now();
        let control = Control::new(start);
        if let Some(time) = time {
            control.set_deadlines(start, time, time);
        }
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            // Ctrl-C ends the search at any time.
            let watch = scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    thread::park_timeout(Duration::from_millis(50));
                    if interrupt::is_interrupted() {
                        control.stop();
                    }
                }
            });
            let outcome = self.engine.search(Query::new(pos, limits, &control), &mut |report| {
                if let Report::Line(info) = report
                    && info.bound == Bound::Exact
                {
                    found.truncate(info.multi_pv - 1);
                    found.push(info);
                }
            });
            is_over.store(true, Ordering::Relaxed);
            watch.thread().unpark();
            outcome
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_round_trip() {
        for text in
            ["35 12 104532 7g7f 3c3d", "-m4 7 1 5a4a", "m0 0 0", "5 1 2 7g7f | m3 2g2f | -8 1g1f"]
        {
            let reading: Reading = text.parse().expect(text);
            assert_eq!(reading.to_string(), text);
        }
        for bad in ["", "35", "35 1", "x 1 2", "35 1 2 7z", "35 1.5 2", "35 1 2 | x"] {
            assert!(bad.parse::<Reading>().is_err(), "{bad}");
        }
    }

    #[test]
    fn decided_positions_are_recognized() {
        let decided = |sfen: &str| Decided::of(&Position::from_sfen(sfen).expect(sfen));
        assert_eq!(decided("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), Some(Decided::Mated));
        assert_eq!(decided("4k4/9/4P4/9/9/9/9/9/4K4 w - 1"), None);
        let entered = "K+R+R+B+B4/G+P+P6/+P+P+P+P5/9/9/9/9/9/8k b 2G4S 1";
        assert_eq!(decided(entered), Some(Decided::Declares));
    }
}
