//! One game.

use std::time::Instant;

use super::config::{Opening, SearchBudget, SelfplayConfig};
use super::fault::{EngineFault, SelfplayError};
use super::start::{self, Start};
use crate::engine::{
    BestMove, Bound, Control, Engine, Info, Limits, Outcome, Query, Report, SampledPosition,
    Settings,
};
use crate::lab::learn::Sample;
use crate::record::{Ending, Game, GameBuilder, GameResult, SearchedScore};
use crate::rng::Rng;
use crate::shogi::{Color, Move, Position, Repetition, Scope, movegen};

/// A finished game and the sampled positions of its searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The game.
    pub game: Game,
    /// Sampled positions in order ([`Settings::sample_interval`](crate::engine::Settings)), with their
    /// values in the search and the result of the game.
    pub samples: Vec<Sample>,
}

/// One engine that plays both sides of one game.
pub(super) struct Player<'a> {
    engine: &'a mut dyn Engine,
    config: &'a SelfplayConfig,
    /// The engine's settings for a search of several lines.
    several_lines: Settings,
    game: u64,
    rng: Rng,
    /// Positions sampled in this game: the number of moves made before the search, and the
    /// position.
    sampled: Vec<(usize, SampledPosition)>,
}

impl<'a> Player<'a> {
    pub fn new(engine: &'a mut dyn Engine, config: &'a SelfplayConfig, game: u64) -> Player<'a> {
        engine.configure(&config.settings);
        let several_lines = Settings { multi_pv: config.opening.lines, ..config.settings.clone() };
        let rng = Rng::for_item(config.seed, game);
        Player { engine, config, several_lines, game, rng, sampled: Vec::new() }
    }

    /// Continues from the end of `opening`. Without one, draws openings until one is balanced.
    /// `None` if `is_over` returns true before the end.
    pub fn play(
        &mut self,
        opening: Option<&Game>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<PlayedGame>, SelfplayError> {
        while !is_over() {
            self.engine.new_game();
            self.sampled.clear();
            let game = match opening {
                Some(opening) => self.finish(GameBuilder::from(opening), &[], false, is_over)?,
                None => self.try_game(is_over)?,
            };
            if let Some(game) = game {
                let samples = self.samples(&game);
                return Ok(Some(PlayedGame { game, samples }));
            }
        }
        Ok(None)
    }

    /// Plays one game; `None` if its opening was unbalanced or `is_over` returned true.
    fn try_game(&mut self, is_over: &dyn Fn() -> bool) -> Result<Option<Game>, SelfplayError> {
        let varied = draw_varied(&self.config.opening, &mut self.rng);
        let Start { position, even } = start::draw(self.config.starts, &mut self.rng);
        self.finish(GameBuilder::from_position(position), &varied, even, is_over)
    }

    /// Plays to the end. `varied`: plies with varied moves. After the last of them, the game is
    /// discarded if `even` is set and the score is unbalanced.
    fn finish(
        &mut self,
        mut builder: GameBuilder,
        varied: &[usize],
        even: bool,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<Game>, SelfplayError> {
        let end = self.play_to_end(&mut builder, varied, even, is_over);
        let sfen = builder.position().to_sfen();
        let mut game = builder.finish();
        match end {
            Ok(None) => Ok(None),
            Ok(Some((result, ending))) => {
                (game.result, game.ending) = (Some(result), Some(ending));
                Ok(Some(game))
            }
            Err(fault) => {
                Err(SelfplayError { game: self.game, sfen, played: Box::new(game), fault })
            }
        }
    }

    fn play_to_end(
        &mut self,
        builder: &mut GameBuilder,
        varied: &[usize],
        even: bool,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<(GameResult, Ending)>, EngineFault> {
        let opening_end = varied.iter().max().map_or(0, |last| last + 1);
        let share = self.config.played_out;
        let play_out = share > 0.0 && self.rng.unit() < share;
        let resignation = self.config.resignation.filter(|_| !play_out);
        // The side whose lead is large enough for the other to resign, and for how many plies.
        let (mut leader, mut plies_led) = (None, 0);
        loop {
            let pos = builder.position();
            let ply = pos.moves_made();
            if is_over() {
                return Ok(None);
            }
            if let Some(end) = self.end(pos) {
                return Ok(Some(end));
            }
            if varied.contains(&ply) {
                let mv = self.varied_move(pos)?;
                builder.push(mv).map_err(EngineFault::Move)?;
                continue;
            }
            let side = pos.side_to_move();
            let outcome = self.ask(pos, &mut |_| ())?;
            let mv = match outcome.best {
                BestMove::Play(mv, _) => mv,
                BestMove::Declare if self.may_declare(pos) => {
                    return Ok(Some((GameResult::win_of(side), Ending::Declaration)));
                }
                answer => return Err(EngineFault::Answer(answer)),
            };
            let info = outcome.info.as_ref();
            builder.push_scored(mv, info.map(SearchedScore::from)).map_err(EngineFault::Move)?;
            if ply < opening_end {
                continue;
            }
            let lead = info.map_or(0, |info| info.score.to_cp());
            if even && ply == opening_end && lead.abs() > self.config.opening.largest_score {
                return Ok(None);
            }
            let leads_now = self.leader(side, lead);
            plies_led = if leads_now == leader { plies_led + 1 } else { 1 };
            leader = leads_now;
            if let (Some(winner), Some(rule)) = (leader, resignation)
                && plies_led >= rule.plies
            {
                return Ok(Some((GameResult::win_of(winner), Ending::Resignation)));
            }
        }
    }

    /// The sampled positions, labelled with their evaluation and the result of the game.
    fn samples(&self, game: &Game) -> Vec<Sample> {
        let sample = |&(ply, kept): &(usize, SampledPosition)| {
            let side = kept.position.content().ok()?.side;
            Some(Sample {
                position: kept.position,
                score: Sample::clamp_score(kept.static_eval.to_cp()),
                bound: Bound::Exact,
                depth: 0,
                half_points: game.result.map_or(1, |result| result.half_points(side)),
                same_side: true,
                ply: ply as u16,
            })
        };
        self.sampled.iter().filter_map(sample).collect()
    }

    /// The side whose lead is large enough for the other to resign. `lead`: centipawns from the
    /// view of `side`.
    fn leader(&self, side: Color, lead: i32) -> Option<Color> {
        let enough = self.config.resignation.is_some_and(|rule| lead.abs() >= rule.score);
        enough.then_some(if lead > 0 { side } else { !side })
    }

    /// The end of the game by the rules, if it has ended.
    fn end(&self, pos: &Position) -> Option<(GameResult, Ending)> {
        let us = pos.side_to_move();
        if !movegen::has_legal_move(pos) {
            return Some((GameResult::win_of(!us), Ending::Mate));
        }
        if let Some(repetition) = pos.fourfold() {
            return Some(match repetition {
                // Perpetual check counts as an illegal move.
                Repetition::Win => (GameResult::win_of(us), Ending::IllegalMove),
                Repetition::Loss => (GameResult::win_of(!us), Ending::IllegalMove),
                _ => (GameResult::Draw, Ending::Repetition),
            });
        }
        if self.config.declares && self.may_declare(pos) {
            return Some((GameResult::win_of(us), Ending::Declaration));
        }
        let is_long = pos.moves_made() >= self.config.max_plies;
        is_long.then_some((GameResult::Draw, Ending::MaxMoves))
    }

    fn may_declare(&self, pos: &Position) -> bool {
        pos.declaration(self.config.settings.declaration).is_some()
    }

    /// A varied move: from one of the best lines, or any legal move.
    fn varied_move(&mut self, pos: &Position) -> Result<Move, EngineFault> {
        let opening = &self.config.opening;
        if self.rng.unit() < opening.sensible {
            let lines = self.best_lines(pos)?;
            let best = lines.first().map(|info| info.score);
            let is_close =
                |info: &&Info| best.is_some_and(|best| best - info.score <= opening.largest_loss);
            let close = lines.iter().filter(is_close).filter_map(|info| info.pv.first().copied());
            if let Some(&mv) = self.rng.choose(&close.collect::<Vec<Move>>()) {
                return Ok(mv);
            }
        }
        let moves = movegen::legal_moves(pos, Scope::LEGAL);
        Ok(*self.rng.choose(&moves).expect("a game without legal moves has ended"))
    }

    /// The lines of the last completed iteration, best first.
    fn best_lines(&mut self, pos: &Position) -> Result<Vec<Info>, EngineFault> {
        self.engine.configure(&self.several_lines);
        let mut lines: Vec<Info> = Vec::new();
        let searched = self.ask(pos, &mut |info| {
            if info.multi_pv == 1 {
                lines.clear();
            }
            lines.push(info.clone());
        });
        self.engine.configure(&self.config.settings);
        searched.map(|_| lines)
    }

    /// Runs one search. Its lines must be legal and its nodes within the limit.
    fn ask(&mut self, pos: &Position, note: &mut dyn FnMut(&Info)) -> Result<Outcome, EngineFault> {
        let start = Instant::now();
        let control = Control::new(start);
        let mut limits = Limits::default();
        match &self.config.budget {
            SearchBudget::Nodes(range) => limits.nodes = Some(draw_nodes(&mut self.rng, range)),
            SearchBudget::SoftNodes(range) => {
                limits.soft_nodes = Some(draw_nodes(&mut self.rng, range));
            }
            &SearchBudget::Time(time) => control.set_deadlines(start, time, time),
            SearchBudget::Own => {}
        }
        let (mut fault, sampled) = (None, &mut self.sampled);
        let query = Query::new(pos, &limits, &control);
        let outcome = self.engine.search(query, &mut |report| match report {
            Report::Line(info) => {
                fault = fault.take().or_else(|| illegal_line(pos, &info.pv));
                note(&info);
            }
            Report::Samples(kept) => {
                sampled.extend(kept.into_iter().map(|kept| (pos.moves_made(), kept)));
            }
            Report::Better(_) | Report::Choice(_) | Report::CurrentMove(..) | Report::Remark(_) => {
            }
        });
        if let Some(limit) = limits.nodes.filter(|&limit| outcome.nodes > limit) {
            fault = fault.or(Some(EngineFault::Nodes { nodes: outcome.nodes, limit }));
        }
        fault.map_or(Ok(outcome), Err)
    }
}

/// The fault of a reported line, if any.
fn illegal_line(pos: &Position, line: &[Move]) -> Option<EngineFault> {
    let mut pos = pos.clone();
    line.iter().find_map(|&mv| match pos.check_legal(mv) {
        Ok(()) => {
            pos.do_move(mv);
            None
        }
        Err(illegal) => {
            let line = line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
            Some(EngineFault::Line { line, illegal })
        }
    })
}

/// Draws the varied plies: the first steps of a Fisher-Yates shuffle.
fn draw_varied(opening: &Opening, rng: &mut Rng) -> Vec<usize> {
    let (least, most) = (*opening.varied.start(), *opening.varied.end());
    let count = (least + rng.below(most - least + 1)).min(opening.plies);
    let mut plies: Vec<usize> = (0..opening.plies).collect();
    for place in 0..count {
        let other = place + rng.below(opening.plies - place);
        plies.swap(place, other);
    }
    plies.truncate(count);
    plies
}

fn draw_nodes(rng: &mut Rng, range: &std::ops::RangeInclusive<u64>) -> u64 {
    range.start() + rng.below((range.end() - range.start()) as usize + 1) as u64
}
