//! `kankei check falls`: searches positions again in which the score of a game was wrong.
//!
//! The score before a move is wrong if the same side's score before its next move is much lower (a
//! fall) or much higher (a rise). A new search repeats the error if it chooses the same move and
//! its score is nearer to the first score than to the second one. This shows sooner than games
//! whether a change of the searcher makes it blind.

use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use rayon::prelude::*;

use crate::command::games::each_game;
use crate::command::searcher::SearcherArgs;
use crate::command::{CliError, at_least_one, progress_bar, thread_pool};
use crate::engine::{BestMove, Control, Engine, Limits, Query};
use crate::quote::count;
use crate::record::{Game, MoveScore};
use crate::shogi::{Color, Move, Position};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Game records with scores, such as the output of `kankei match`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Minimum change of the score from one move of a side to its next, centipawns
    #[arg(long, value_name = "CP", default_value_t = 400, value_parser = at_least_one::<u16>)]
    by: u16,
    /// Only changes that start within this score, centipawns
    #[arg(long, value_name = "CP", default_value_t = 600, value_parser = at_least_one::<u16>)]
    within: u16,
    /// Only the moves of the player with this name
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Maximum number of falls, and of rises
    #[arg(long, default_value_t = 300, value_parser = at_least_one::<u32>)]
    count: u32,
    /// Nodes of the searches of a position, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "50000,200000,800000", value_parser = at_least_one::<u64>)]
    nodes: Vec<u64>,
    /// Positions searched in parallel, 0 for all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
    #[command(flatten)]
    searcher: SearcherArgs,
}

/// A position in which a game's score was wrong.
#[derive(Clone, Debug)]
struct Change {
    pos: Position,
    /// The move of the game.
    mv: Move,
    /// The side's scores before this move and before its next move, centipawns.
    scores: [i32; 2],
}

impl Change {
    fn is_fall(&self) -> bool {
        self.scores[1] < self.scores[0]
    }

    /// Whether a search of `nodes` nodes makes the same error.
    fn is_repeated(&self, engine: &mut dyn Engine, nodes: u64) -> bool {
        engine.new_game();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let control = Control::new(Instant::now());
        let outcome = engine.search(Query::new(&self.pos, &limits, &control), &mut |_| ());
        let score = outcome.info.map_or(0, |info| info.score.to_cp());
        let [first, second] = self.scores.map(|old| old.abs_diff(score));
        matches!(outcome.best, BestMove::Play(mv, _) if mv == self.mv) && first < second
    }
}

/// Falls and rises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Changes {
    falls: usize,
    rises: usize,
}

impl Changes {
    fn add(&mut self, is_fall: bool) {
        *(if is_fall { &mut self.falls } else { &mut self.rises }) += 1;
    }

    fn of<'c>(changes: impl IntoIterator<Item = &'c Change>) -> Changes {
        let mut sum = Changes::default();
        changes.into_iter().for_each(|change| sum.add(change.is_fall()));
        sum
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", count(self.falls, "fall"), count(self.rises, "rise"))
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let (mut changes, mut found) = (Vec::new(), Changes::default());
    let tally = each_game(&args.files, |game| {
        for change in changes_of(&game, args) {
            let most = args.count as usize;
            if (if change.is_fall() { found.falls } else { found.rises }) < most {
                found.add(change.is_fall());
                changes.push(change);
            }
        }
        Ok(())
    })?;
    println!("{tally}; {found} of at least {} centipawns", args.by);

    let new_engine = args.searcher.factory()?;
    let bar = progress_bar(changes.len() * args.nodes.len());
    let pool = thread_pool(args.threads)?;
    let share = |repeated: usize, all: usize| 100.0 * repeated as f64 / all.max(1) as f64;
    println!("{:>10} {:>16} {:>16}", "nodes", "falls repeated", "rises repeated");
    for &nodes in &args.nodes {
        let is_repeated = |engine: &mut Box<dyn Engine>, change: &Change| {
            let is_repeated = change.is_repeated(engine.as_mut(), nodes);
            bar.inc(1);
            is_repeated
        };
        let repeated: Vec<bool> =
            pool.install(|| changes.par_iter().map_init(&new_engine, is_repeated).collect());
        let again = changes.iter().zip(repeated).filter(|(_, repeated)| *repeated);
        let Changes { falls, rises } = Changes::of(again.map(|(change, _)| change));
        let (of_falls, of_rises) = (share(falls, found.falls), share(rises, found.rises));
        bar.suspend(|| {
            println!("{nodes:>10} {falls:>7} {of_falls:>6.1} % {rises:>7} {of_rises:>6.1} %");
        });
    }
    bar.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}

/// The changes of both sides' scores in a game, in the order of the moves.
fn changes_of(game: &Game, args: &Args) -> Vec<Change> {
    let is_meant =
        |color: Color| args.player.is_none() || args.player == game.header.players[color.index()];
    let (mut changes, mut ply) = (Vec::new(), 0);
    game.replay(|pos, mv| {
        let scores = [ply, ply + 2].map(|ply| game.score(ply).map(MoveScore::to_value));
        if let [Some(first), Some(second)] = scores
            && is_meant(pos.side_to_move())
            && first.unsigned_abs() <= args.within.into()
            && first.abs_diff(second) >= args.by.into()
        {
            changes.push(Change { pos: pos.clone(), mv, scores: [first, second] });
        }
        ply += 1;
    });
    changes
}
