//! Games of two engines: each side has its own.

use crate::engine::{Control, Engine, Limits, Outcome, Report, Settings};
use crate::lab::selfplay::{SearchBudget, SelfplayConfig, SelfplayError, play_game};
use crate::record::GameResult;
use crate::shogi::Position;

/// An engine that lets one engine think for Black and another for White.
struct Duel {
    /// Indexed by [`Color`](crate::shogi::Color).
    sides: [Box<dyn Engine>; 2],
}

impl Engine for Duel {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        self.sides.iter_mut().flat_map(|engine| engine.configure(settings)).collect()
    }

    fn new_game(&mut self) {
        self.sides.iter_mut().for_each(|engine| engine.new_game());
    }

    fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report<'_>),
    ) -> Outcome {
        self.sides[pos.side_to_move().index()].search(pos, limits, control, report)
    }
}

/// How the games of duels are played: with `nodes` nodes a move and small tables.
pub fn duel_config(seed: u64, nodes: u64) -> SelfplayConfig {
    SelfplayConfig {
        seed,
        budget: SearchBudget::Nodes(nodes..=nodes),
        settings: Settings { hash_mib: 16, ..Settings::default() },
        ..SelfplayConfig::default()
    }
}

/// Plays game number `number` between the two engines: 1 if the first wins, -1 if the second does.
/// The number alone decides how it begins.
///
/// # Errors
/// [`SelfplayError`] if an engine does something wrong.
pub fn play_duel(
    mut engines: [Box<dyn Engine>; 2],
    first_is_black: bool,
    config: &SelfplayConfig,
    number: u64,
) -> Result<i32, SelfplayError> {
    if !first_is_black {
        engines.reverse();
    }
    let game = play_game(&mut Duel { sides: engines }, config, number)?;
    let black = match game.result {
        Some(GameResult::BlackWins) => 1,
        Some(GameResult::WhiteWins) => -1,
        _ => 0,
    };
    Ok(if first_is_black { black } else { -black })
}
