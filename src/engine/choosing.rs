//! An engine that need not play the best move: a limit of its strength, and variety in the opening.

use std::fmt;
use std::time::Duration;

use super::{BestMove, Bound, Control, Engine, Info, Limits, Outcome, Report, Settings};
use crate::rng::Rng;
use crate::shogi::Position;

/// How strong an engine plays that does not play as well as it can: each level searches about a third
/// more nodes than the one below, and chooses among the best lines with more care. What the levels
/// are worth: `eval/reports/skill.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkillLevel(u8);

impl SkillLevel {
    /// Number of levels; the weakest is 0.
    const COUNT: u8 = 20;

    /// This level; `None` if there is none so high, that is at full strength.
    pub fn new(level: u8) -> Option<SkillLevel> {
        (level < SkillLevel::COUNT).then_some(SkillLevel(level))
    }

    /// Nodes of a search: 400 at the lowest level, 150,000 at the highest.
    fn nodes(self) -> u64 {
        (400.0 * 2f64.powf(0.45 * f64::from(self.0))) as u64
    }

    /// Lines to choose from.
    fn lines(self) -> usize {
        usize::from(SkillLevel::COUNT - self.0).max(Leeway::LINES)
    }

    /// A line worse by so many centipawns is chosen e times less often: 1,000 at the lowest level, 12
    /// at the highest.
    fn temperature(self) -> f64 {
        1_000.0 * 2f64.powf(-f64::from(self.0) / 3.0)
    }
}

impl fmt::Display for SkillLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a search may do beside playing the best move it finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leeway {
    /// How strong it plays; `None` as well as it can.
    pub skill: Option<SkillLevel>,
    /// In the opening any move is played that is so many centipawns worse than the best, or less.
    pub variety: i32,
}

impl Leeway {
    /// Variety ends with this move of a game.
    pub const LAST_MOVE: u32 = 20;
    /// Lines to choose from at full strength.
    const LINES: usize = 5;

    /// How many lines there are to choose from in a position, if there is a choice.
    fn lines(&self, pos: &Position) -> Option<usize> {
        let is_varied = self.variety > 0 && pos.move_number() <= Leeway::LAST_MOVE;
        self.skill.map(SkillLevel::lines).or(is_varied.then_some(Leeway::LINES))
    }

    /// How much oftener than never a line is chosen. `loss`: behind the best, centipawns.
    fn weight(&self, loss: i32) -> f64 {
        match self.skill {
            Some(level) => (-f64::from(loss) / level.temperature()).exp(),
            None if loss <= self.variety => 1.0,
            None => 0.0,
        }
    }

    /// One of the lines, best first; `None` without any.
    fn choose<'l>(&self, lines: &'l [Info], rng: &mut Rng) -> Option<&'l Info> {
        let best = lines.first()?.score;
        let weights: Vec<f64> = lines.iter().map(|line| self.weight(best - line.score)).collect();
        let mut drawn = rng.unit() * weights.iter().sum::<f64>();
        let at = weights.iter().position(|weight| {
            drawn -= weight;
            drawn < 0.0
        });
        lines.get(at.unwrap_or(0))
    }
}

/// Gives an engine's searches their [`Leeway`]: where there is a choice the engine looks for several
/// lines, and the one chosen is the answer. All else goes through as it is.
pub struct Choosing {
    engine: Box<dyn Engine>,
    /// Of searches that bring none.
    leeway: Leeway,
    rng: Rng,
    settings: Settings,
    /// What the engine is configured with.
    present: Settings,
}

impl Choosing {
    /// `leeway`: of the searches that bring none of their own. The same seed, the same choices.
    pub fn new(engine: Box<dyn Engine>, leeway: Leeway, seed: u64) -> Choosing {
        let (settings, present) = (Settings::default(), Settings::default());
        Choosing { engine, leeway, rng: Rng::from_seed(seed), settings, present }
    }

    /// Configures the engine for a search, if it is not yet. A level is worth the same whatever the
    /// number of threads: it has one.
    fn prepare(&mut self, leeway: Leeway, lines: Option<usize>) {
        let multi_pv = self.settings.multi_pv.max(lines.unwrap_or(1));
        let threads = if leeway.skill.is_some() { 1 } else { self.settings.threads };
        let wanted = Settings { multi_pv, threads, ..self.settings.clone() };
        if wanted != self.present {
            self.engine.configure(&wanted);
            self.present = wanted;
        }
    }

    /// Searches; also returns the exact lines of the last iteration. The user sees as many as were
    /// asked for.
    fn look(
        &mut self,
        (pos, limits, control): (&Position, &Limits, &Control),
        report: &mut dyn FnMut(Report<'_>),
    ) -> (Outcome, Vec<Info>) {
        let shown = self.settings.multi_pv;
        let mut found: Vec<Info> = Vec::new();
        let outcome = self.engine.search(pos, limits, control, &mut |said| match said {
            Report::Line(info) => {
                if info.bound == Bound::Exact {
                    found.truncate(info.multi_pv - 1);
                    found.push(info.clone());
                }
                if info.multi_pv <= shown {
                    report(said);
                }
            }
            _ => report(said),
        });
        (outcome, found)
    }

    /// Searches, and chooses one of so many lines.
    fn choose(
        &mut self,
        leeway: Leeway,
        lines: usize,
        (pos, limits, control): (&Position, &Limits, &Control),
        report: &mut dyn FnMut(Report<'_>),
    ) -> Outcome {
        let nodes = limits.nodes.into_iter().chain(leeway.skill.map(SkillLevel::nodes)).min();
        let fewer = Limits { nodes, ..limits.clone() };
        let (mut outcome, mut found) = self.look((pos, &fewer, control), report);
        if found.is_empty() && limits.nodes.is_none() && !control.must_stop(Duration::ZERO) {
            // The level's nodes do not suffice for the first iteration; without lines is no choice.
            let first = Limits { depth: Some(1), ..limits.clone() };
            (outcome, found) = self.look((pos, &first, control), report);
        }
        found.truncate(lines);
        // What was found after the last iteration, such as a mate, is no matter of choice.
        let best = outcome.info.as_ref().and_then(|info| info.pv.first());
        let is_settled = best != found.first().and_then(|line| line.pv.first());
        let Some(chosen) = leeway.choose(&found, &mut self.rng).filter(|_| !is_settled) else {
            return outcome;
        };
        let [mv, ref rest @ ..] = chosen.pv[..] else { return outcome };
        let best = BestMove::Play(mv, rest.first().copied());
        Outcome { best, info: Some(Info { multi_pv: 1, ..chosen.clone() }), ..outcome }
    }
}

impl Engine for Choosing {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        (self.settings, self.present) = (settings.clone(), settings.clone());
        self.engine.configure(settings)
    }

    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report<'_>),
    ) -> Outcome {
        let leeway = if limits.leeway == Leeway::default() { self.leeway } else { limits.leeway };
        let lines = leeway.lines(pos);
        self.prepare(leeway, lines);
        match lines {
            Some(lines) => self.choose(leeway, lines, (pos, limits, control), report),
            None => self.engine.search(pos, limits, control, report),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Pv;
    use super::*;
    use crate::eval::Score;
    use crate::shogi::{Move, STARTPOS};
    use std::collections::BTreeSet;
    use std::time::Instant;

    const MOVES: [&str; 5] = ["7g7f", "2g2f", "6i7h", "5g5f", "1g1f"];
    const SCORES: [i32; 5] = [50, 40, -10, -300, -900];

    /// Reports as many of five lines as it is asked for.
    struct FiveLines(usize);

    impl Engine for FiveLines {
        fn configure(&mut self, settings: &Settings) -> Vec<String> {
            self.0 = settings.multi_pv;
            Vec::new()
        }

        fn search(
            &mut self,
            _: &Position,
            limits: &Limits,
            _: &Control,
            report: &mut dyn FnMut(Report<'_>),
        ) -> Outcome {
            let nodes = limits.nodes.unwrap_or(1_000_000);
            let info = |at: usize| {
                let mv: Move = MOVES[at].parse().expect("a move");
                let mut info = Info::of_mate(Pv::from_slice(&[mv]), nodes, Default::default());
                (info.multi_pv, info.score) = (at + 1, Score::cp(SCORES[at]));
                info
            };
            (0..self.0.min(5)).for_each(|at| report(Report::Line(&info(at))));
            let best = BestMove::Play(info(0).pv[0], None);
            Outcome { best, info: Some(info(0)), nodes }
        }
    }

    /// Moves played in a hundred searches, lines seen, and nodes of the last search.
    fn played(leeway: Leeway, pos: &Position) -> (BTreeSet<String>, usize, u64) {
        let mut engine = Choosing::new(Box::new(FiveLines(1)), Leeway::default(), 1);
        engine.configure(&Settings::default());
        let limits = Limits { leeway, ..Limits::default() };
        let (mut moves, mut seen, mut nodes) = (BTreeSet::new(), 0, 0);
        for _ in 0..100 {
            let control = Control::new(Instant::now());
            let outcome = engine.search(pos, &limits, &control, &mut |_| seen += 1);
            let BestMove::Play(mv, _) = outcome.best else { panic!("{outcome:?}") };
            let info = outcome.info.expect("a line");
            assert_eq!((info.pv[0], info.multi_pv), (mv, 1));
            moves.insert(mv.to_string());
            nodes = outcome.nodes;
        }
        (moves, seen, nodes)
    }

    fn set(moves: &[&str]) -> BTreeSet<String> {
        moves.iter().map(|&mv| mv.to_owned()).collect()
    }

    #[test]
    fn without_leeway_the_engine_answers() {
        let found = played(Leeway::default(), &Position::startpos());
        assert_eq!(found, (set(&["7g7f"]), 100, 1_000_000));
    }

    #[test]
    fn variety_ends_with_the_opening() {
        let leeway = Leeway { variety: 60, ..Leeway::default() };
        for (number, moves) in [(1, &MOVES[..3]), (20, &MOVES[..3]), (21, &MOVES[..1])] {
            let sfen = STARTPOS.replace(" 1", &format!(" {number}"));
            let pos = Position::from_sfen(&sfen).expect("a position");
            assert_eq!(played(leeway, &pos).0, set(moves), "{number}");
        }
    }

    #[test]
    fn the_strong_choose_with_care_and_search_more() {
        let at = |level| {
            let skill = SkillLevel::new(level);
            played(Leeway { skill, ..Leeway::default() }, &Position::startpos())
        };
        assert_eq!(at(0), (set(&MOVES), 100, 400));
        let (strong, _, nodes) = at(19);
        assert!(nodes == 149_922 && strong.len() > 1 && strong.is_subset(&set(&MOVES[..3])));
        assert_eq!(SkillLevel::new(20), None);
    }
}
