//! Two engines as one: each side of a game has its own.

use crate::engine::{Control, Engine, Limits, Outcome, Report, Settings};
use crate::shogi::Position;

/// An engine that lets one engine think for Black and another for White.
pub struct Duel {
    /// Indexed by [`Color`](crate::shogi::Color).
    sides: [Box<dyn Engine>; 2],
}

impl Duel {
    /// `sides`: Black's engine, White's engine.
    pub fn new(sides: [Box<dyn Engine>; 2]) -> Duel {
        Duel { sides }
    }
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
