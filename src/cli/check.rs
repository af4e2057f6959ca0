//! `kankei check`: a self-test for users: does this program work on this machine?
//!
//! Counts moves and plays games against itself. Built with debug
//! assertions, the oracles inside the engine (legality, evaluation from scratch, keys) run at
//! every node of those games.

use std::process::ExitCode;
use std::time::Instant;

use super::CliError;
use super::searcher::SearcherArgs;
use crate::engine::{BestMove, Control, Engine, Limits, Report, Settings};
use crate::rng::Rng;
use crate::shogi::{DeclarationRule, Position, Scope, movegen, perft};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    searcher: SearcherArgs,
    /// Games played against itself
    #[arg(long, default_value_t = 4)]
    games: u32,
    /// Nodes a move of these games
    #[arg(long, default_value_t = 3_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Random moves before the searcher takes over.
const OPENING_PLIES: u32 = 6;
const MAX_PLIES: usize = 400;

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let start = Instant::now();
    let leaves = perft::perft(&mut Position::startpos(), 4);
    if leaves != 719_731 {
        return Err(CliError::Check(format!("perft 4 gives {leaves} instead of 719731")));
    }
    println!("move generation: ok");

    let mut engine = (args.searcher.factory()?)();
    let settings = Settings { hash_mib: 16, ..Settings::default() };
    engine.configure(&settings);
    let mut rng = Rng::from_seed(args.seed);
    let (mut plies, mut wins) = (0, [0; 3]);
    for game in 1..=args.games {
        let (length, result) = play(engine.as_mut(), args.nodes, &mut rng).map_err(|error| {
            CliError::Check(format!("game {game} (seed {}): {error}", args.seed))
        })?;
        plies += length;
        wins[result as usize] += 1;
    }
    println!(
        "games: ok ({} games, {plies} moves; Black won {}, White {}, drawn {})",
        args.games, wins[0], wins[1], wins[2]
    );
    println!("all checks passed in {:.1} s", start.elapsed().as_secs_f64());
    Ok(ExitCode::SUCCESS)
}

/// How a game ended.
#[derive(Clone, Copy)]
enum GameResult {
    Black,
    White,
    Draw,
}

/// Plays one game and checks everything that can be checked from outside.
fn play(engine: &mut dyn Engine, nodes: u64, rng: &mut Rng) -> Result<(usize, GameResult), String> {
    use crate::shogi::{Color, Repetition};
    let mut pos = Position::startpos();
    for _ in 0..OPENING_PLIES {
        let moves = movegen::legal_moves(&pos, Scope::USEFUL);
        match rng.choose(&moves) {
            Some(&mv) => pos.do_move(mv),
            None => break,
        };
    }
    engine.new_game();
    let wins = |color| match color {
        Color::Black => GameResult::Black,
        Color::White => GameResult::White,
    };
    while pos.moves_made() < MAX_PLIES {
        let us = pos.side_to_move();
        let length = pos.moves_made();
        match pos.fourfold() {
            Some(Repetition::Win) => return Ok((length, wins(us))),
            Some(Repetition::Loss) => return Ok((length, wins(!us))),
            Some(_) => return Ok((length, GameResult::Draw)),
            None => {}
        }
        if pos.declaration(DeclarationRule::Csa27).is_some() {
            return Ok((length, wins(us)));
        }
        match search(engine, &pos, nodes)? {
            BestMove::Play(mv, _) => {
                pos.check_legal(mv).map_err(|error| format!("{error} in {}", pos.to_sfen()))?;
                pos.do_move(mv);
            }
            BestMove::Resign if movegen::has_legal_move(&pos) => {
                return Err(format!("resigned with legal moves in {}", pos.to_sfen()));
            }
            BestMove::Resign => return Ok((length, wins(!us))),
            BestMove::Declare => return Err(format!("declared in {}", pos.to_sfen())),
        }
    }
    Ok((MAX_PLIES, GameResult::Draw))
}

/// One search; its lines must be legal to their ends.
fn search(engine: &mut dyn Engine, pos: &Position, nodes: u64) -> Result<BestMove, String> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let control = Control::new(Instant::now());
    let mut error = None;
    let outcome = engine.search(pos, &limits, &control, &mut |report| {
        if let Report::Line(info) = report {
            let mut pos = pos.clone();
            for &mv in &info.pv {
                if let Err(illegal) = pos.check_legal(mv) {
                    error = Some(format!("line {:?}: {illegal} in {}", info.pv, pos.to_sfen()));
                    return;
                }
                pos.do_move(mv);
            }
        }
    });
    if outcome.nodes > nodes {
        return Err(format!("{} nodes searched, limit {nodes}", outcome.nodes));
    }
    error.map_or(Ok(outcome.best), Err)
}
