//! The engine's searcher: a principal variation search that looks at promising moves deeper than at
//! others.
//!
//! [`Root`](root::Root) deepens and decides when to stop ([`time`]); [`node`] searches one position,
//! [`quiescence`] its end, [`settled`] what needs no look at the moves; [`pruning`] holds the
//! conditions under which something is left out, [`reduction`] how much less deeply late moves are
//! searched; [`picker`] orders moves by what [`history`] remembers; [`correction`] mends
//! the evaluation; [`lessons`] feeds both memories; [`mates`] asks the mate solver at the root;
//! [`sampling`] keeps positions to learn from. [`threads`] runs several of these on one
//! transposition table.

mod correction;
mod history;
mod lessons;
mod mates;
mod node;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod reduction;
mod root;
mod sampling;
mod settled;
mod threads;
mod time;

pub use params::{SearchParams, Techniques};

use correction::{Corrections, Place};
use history::{Arrival, DISTANCES, Histories, Rows};
use reduction::Reductions;
use sampling::Sampler;

use super::hash::Hash;
use super::ordering::Killers;
use super::worker;
use super::{Depth, MAX_PLY, MateSolver};
use crate::engine::{Control, Engine, Limits, Outcome, Report, Settings};
use crate::eval::{Evaluation, Score};
use crate::shogi::{Color, Move, Position};

/// The selective alpha-beta searcher.
pub struct AlphaBeta {
    params: SearchParams,
    reductions: Reductions,
    evaluation: Evaluation,
    hash: Hash,
    /// One for each thread, the main thread's first.
    experiences: Vec<Experience>,
}

impl AlphaBeta {
    /// A searcher with these numbers and this evaluation. The transposition table comes with the
    /// first [`configure`](Engine::configure) or search.
    pub fn new(params: SearchParams, evaluation: Evaluation) -> AlphaBeta {
        AlphaBeta {
            reductions: Reductions::new(&params),
            params,
            evaluation,
            hash: Hash::default(),
            experiences: Vec::new(),
        }
    }
}

impl Default for AlphaBeta {
    fn default() -> AlphaBeta {
        AlphaBeta::new(SearchParams::DEFAULT, Evaluation::embedded())
    }
}

impl Engine for AlphaBeta {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        self.hash.configure(settings).into_iter().collect()
    }

    fn new_game(&mut self) {
        self.hash.clear();
        self.experiences.clear();
    }

    fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report<'_>),
    ) -> Outcome {
        let (settings, table) = self.hash.begin();
        self.experiences.resize_with(settings.threads.max(1), Experience::new);
        self.experiences.iter_mut().for_each(|experience| experience.histories.begin());
        let team = threads::Team {
            pos,
            evaluation: &self.evaluation,
            table,
            params: &self.params,
            reductions: &self.reductions,
            settings,
            limits,
            control,
        };
        team.search(&mut self.experiences, report)
    }
}

/// What a thread learns in a game.
struct Experience {
    histories: Histories,
    corrections: Corrections,
    solver: MateSolver,
}

impl Experience {
    fn new() -> Experience {
        Experience {
            histories: Histories::new(),
            corrections: Corrections::new(),
            solver: MateSolver::default(),
        }
    }
}

type Worker<'a> = worker::Worker<'a, Memory<'a>>;

/// What the searcher remembers beside the common things.
struct Memory<'a> {
    params: &'a SearchParams,
    reductions: &'a Reductions,
    histories: &'a mut Histories,
    corrections: &'a mut Corrections,
    solver: &'a mut MateSolver,
    sampler: Option<Sampler>,
    /// Shape [MAX_PLY + 2].
    stack: Vec<PlyState>,
}

/// What belongs to one distance from the root.
#[derive(Clone, Debug, Default)]
struct PlyState {
    killers: Killers,
    /// The corrected evaluation; `None` in check.
    standing: Option<Score>,
    /// The move made here, while its subtree is searched; `None` for a null move.
    made: Option<Arrival>,
    /// The move left out while it is tested for being singular.
    excluded: Option<Move>,
    /// Cut-offs among the children of this node so far.
    child_cutoffs: u8,
}

impl<'a> Memory<'a> {
    fn new(
        params: &'a SearchParams,
        reductions: &'a Reductions,
        experience: &'a mut Experience,
    ) -> Memory<'a> {
        Memory {
            params,
            reductions,
            histories: &mut experience.histories,
            corrections: &mut experience.corrections,
            solver: &mut experience.solver,
            sampler: None,
            stack: vec![PlyState::default(); MAX_PLY + 2],
        }
    }
}

impl Worker<'_> {
    /// State of the present node.
    #[inline]
    fn state(&mut self) -> &mut PlyState {
        &mut self.memory.stack[self.ply]
    }

    /// The move made `distance` moves before the node `ply` moves from the root, if it was made in
    /// this search.
    #[inline]
    fn made(&self, ply: usize, distance: usize) -> Option<Arrival> {
        ply.checked_sub(distance).and_then(|ply| self.memory.stack[ply].made)
    }

    /// Where the continuation history of the present node is.
    #[inline]
    fn rows(&self) -> Rows {
        self.rows_at(self.ply, self.pos.side_to_move())
    }

    /// Where the continuation history is of the node `ply` moves from the root, with `side` to move.
    #[inline]
    fn rows_at(&self, ply: usize, side: Color) -> Rows {
        if !self.memory.params.uses(Techniques::CONTINUATION_HISTORY) {
            return Rows::default();
        }
        DISTANCES.map(|distance| self.made(ply, distance).map(|arrival| arrival.row(side)))
    }

    /// Makes `mv` as [`descend`](worker::Worker::descend), known to those below.
    #[inline]
    fn follow<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        self.state().made = Some(Arrival::of(&self.pos, mv));
        self.descend(mv, then)
    }

    /// Where the corrections of the present node are.
    #[inline]
    fn correction_place(&self) -> Place {
        Place::new(&self.pos, [1, 2].map(|distance| self.made(self.ply, distance)))
    }

    /// The evaluation as experience corrects it.
    #[inline]
    fn corrected(&self, evaluation: Score, place: Place) -> Score {
        if !self.memory.params.uses(Techniques::CORRECTION) {
            return evaluation;
        }
        let share = self.memory.params.correction_share;
        Score::cp(evaluation.to_cp() + self.memory.corrections.get(place, share))
    }
}
