//! An engine that does not always play the best move: limited strength, and variety in the opening.

use std::time::Duration;

use crate::engine::{
    BestMove, Bound, Engine, Info, Leeway, Limits, Outcome, Query, Report, Settings, SkillLevel,
};
use crate::rng::Rng;
use crate::shogi::Position;

/// Node limit of a level: 400 at the lowest, about 150,000 at the highest.
fn level_nodes(level: SkillLevel) -> u64 {
    (400.0 * 2f64.powf(0.45 * f64::from(level.number()))) as u64
}

/// Temperature of the choice at a level in centipawns: a line this much worse is chosen e times
/// less often. 1,000 at the lowest level, 12 at the highest.
fn temperature(level: SkillLevel) -> f64 {
    1_000.0 * 2f64.powf(-f64::from(level.number()) / 3.0)
}

/// Number of lines to choose from at full strength.
const LINES: usize = 5;

/// Number of lines to choose from in a position; `None` if the best move must be played.
fn lines(leeway: &Leeway, pos: &Position) -> Option<usize> {
    let is_varied = leeway.variety > 0 && pos.move_number() <= Leeway::LAST_MOVE;
    let of_level = |level: SkillLevel| usize::from(SkillLevel::COUNT - level.number()).max(LINES);
    leeway.skill.map(of_level).or(is_varied.then_some(LINES))
}

/// Relative weight with which a line is chosen. `loss`: difference to the best line in centipawns.
fn weight(leeway: &Leeway, loss: i32) -> f64 {
    match leeway.skill {
        Some(level) => (-f64::from(loss) / temperature(level)).exp(),
        None if loss <= leeway.variety => 1.0,
        None => 0.0,
    }
}

/// Chooses one of the lines, which are sorted best first; `None` if the list is empty. `drawn`: a
/// random number from 0 to 1, drawn once for each search.
fn choose<'l>(leeway: &Leeway, lines: &'l [Info], drawn: f64) -> Option<&'l Info> {
    let best = lines.first()?.score;
    let weights: Vec<f64> = lines.iter().map(|line| weight(leeway, best - line.score)).collect();
    let mut drawn = drawn * weights.iter().sum::<f64>();
    let at = weights.iter().position(|weight| {
        drawn -= weight;
        drawn < 0.0
    });
    lines.get(at.unwrap_or(0))
}

/// One search that chooses among its lines.
struct Choice {
    leeway: Leeway,
    /// Number of lines to choose from.
    lines: usize,
    /// A random number from 0 to 1.
    drawn: f64,
    /// The lines of the last iteration, with a better line found since, best first. The engine
    /// returns only the best one.
    found: Vec<Info>,
}

impl Choice {
    /// Handles a report of the search. Returns whether it changes the answer of the search.
    fn note(&mut self, report: &Report) -> bool {
        match report {
            Report::Line(info) if info.bound == Bound::Exact => {
                self.found.truncate(info.multi_pv - 1);
                self.found.push(info.clone());
            }
            Report::Better(info) => {
                let (best, first) = (self.found.first(), info.pv.first());
                let has_risen = best.is_none_or(|best| info.score > best.score);
                if has_risen || best.is_some_and(|best| best.pv.first() != first) {
                    // If another move is best because the score has fallen, the scores of the other
                    // lines are too high.
                    self.found.retain(|line| has_risen && line.pv.first() != first);
                    self.found.insert(0, Info { multi_pv: 1, ..info.clone() });
                }
            }
            _ => return false,
        }
        true
    }

    /// The chosen line; `None` without lines.
    fn line(&self) -> Option<Info> {
        let lines = &self.found[..self.found.len().min(self.lines)];
        let chosen = choose(&self.leeway, lines, self.drawn)?;
        Some(Info { multi_pv: 1, ..chosen.clone() })
    }
}

/// Applies [`Leeway`] to the searches of an engine. If a choice is allowed, the engine searches
/// several lines and one of them becomes the answer. The current choice is reported during the
/// search, in case the search is answered before its end. Other calls are forwarded unchanged.
pub struct Choosing {
    engine: Box<dyn Engine>,
    /// Used by searches that set no leeway.
    leeway: Leeway,
    rng: Rng,
    settings: Settings,
    /// The settings with which `engine` is configured.
    present: Settings,
}

impl Choosing {
    /// `leeway`: used by searches that set none. The choices depend only on the seed.
    pub fn new(engine: Box<dyn Engine>, leeway: Leeway, seed: u64) -> Choosing {
        let (settings, present) = (Settings::default(), Settings::default());
        Choosing { engine, leeway, rng: Rng::from_seed(seed), settings, present }
    }

    /// Configures the engine for a search if needed. With a skill level it uses one thread, so that
    /// the level does not depend on the number of threads.
    fn prepare(&mut self, leeway: Leeway, lines: Option<usize>, report: &mut dyn FnMut(Report)) {
        let multi_pv = self.settings.multi_pv.max(lines.unwrap_or(1));
        let threads = if leeway.skill.is_some() { 1 } else { self.settings.threads };
        let wanted = Settings { multi_pv, threads, ..self.settings.clone() };
        if wanted != self.present {
            self.engine.configure(&wanted).into_iter().map(Report::Remark).for_each(report);
            self.present = wanted;
        }
    }

    /// Searches and notes the lines. Reports the requested number of lines, and the choices.
    fn look(
        &mut self,
        choice: &mut Choice,
        query: Query<'_>,
        report: &mut dyn FnMut(Report),
    ) -> Outcome {
        let shown = self.settings.multi_pv;
        self.engine.search(query, &mut |sent| {
            let is_answer = choice.note(&sent);
            match sent {
                Report::Line(info) if info.multi_pv > shown => {}
                sent => report(sent),
            }
            if let Some(line) = choice.line().filter(|_| is_answer) {
                report(Report::Choice(line));
            }
        })
    }

    /// Searches and chooses one of the lines.
    fn choose(
        &mut self,
        mut choice: Choice,
        query: Query<'_>,
        report: &mut dyn FnMut(Report),
    ) -> Outcome {
        let Query { limits, control, .. } = query;
        let level = choice.leeway.skill.map(level_nodes);
        let nodes = limits.nodes.into_iter().chain(level).min();
        let fewer = Limits { nodes, ..limits.clone() };
        let mut outcome = self.look(&mut choice, Query { limits: &fewer, ..query }, report);
        if choice.found.is_empty() && limits.nodes.is_none() && !control.must_stop(Duration::ZERO) {
            // The node limit of the level does not suffice for the first iteration. A choice needs
            // lines.
            let first = Limits { depth: Some(1), ..limits.clone() };
            outcome = self.look(&mut choice, Query { limits: &first, ..query }, report);
        }
        // A result that differs from the reported lines is always played.
        let best = outcome.info.as_ref().and_then(|info| info.pv.first());
        let is_settled = best != choice.found.first().and_then(|line| line.pv.first());
        let Some(chosen) = choice.line().filter(|_| !is_settled) else { return outcome };
        let [mv, ref rest @ ..] = chosen.pv[..] else { return outcome };
        let best = BestMove::Play(mv, rest.first().copied());
        Outcome { best, info: Some(chosen), ..outcome }
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

    fn search(&mut self, query: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome {
        let asked = query.limits.leeway;
        let leeway = if asked == Leeway::default() { self.leeway } else { asked };
        let lines = lines(&leeway, query.pos);
        self.prepare(leeway, lines, report);
        match lines {
            Some(lines) => {
                let drawn = self.rng.unit();
                let choice = Choice { leeway, lines, drawn, found: Vec::new() };
                self.choose(choice, query, report)
            }
            None => self.engine.search(query, report),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Control, Pv};
    use crate::eval::Score;
    use crate::shogi::{Move, STARTPOS};
    use std::collections::BTreeSet;
    use std::time::Instant;

    const MOVES: [&str; 5] = ["7g7f", "2g2f", "6i7h", "5g5f", "1g1f"];
    const SCORES: [i32; 5] = [50, 40, -10, -300, -900];

    /// Reports up to five lines, depending on MultiPV, and then a better line for one of the moves.
    struct FiveLines(usize, Option<(usize, Score)>);

    impl Engine for FiveLines {
        fn configure(&mut self, settings: &Settings) -> Vec<String> {
            self.0 = settings.multi_pv;
            Vec::new()
        }

        fn search(&mut self, query: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome {
            let nodes = query.limits.nodes.unwrap_or(1_000_000);
            let info = |at: usize| {
                let mv: Move = MOVES[at].parse().expect("a move");
                let mut info = Info::of_mate(Pv::from_slice(&[mv]), nodes, Default::default());
                (info.multi_pv, info.score) = (at + 1, Score::cp(SCORES[at]));
                info
            };
            (0..self.0.min(5)).for_each(|at| report(Report::Line(info(at))));
            let mut best = info(0);
            if let Some((at, score)) = self.1 {
                best = Info { score, ..info(at) };
                report(Report::Better(best.clone()));
            }
            Outcome { best: BestMove::Play(best.pv[0], None), info: Some(best), nodes }
        }
    }

    /// The moves played in 100 searches, the number of reported lines, and the nodes of the last
    /// search.
    fn played(leeway: Leeway, pos: &Position) -> (BTreeSet<String>, usize, u64) {
        played_after(None, leeway, pos)
    }

    /// The same for searches that then report a better line.
    fn played_after(
        better: Option<(usize, Score)>,
        leeway: Leeway,
        pos: &Position,
    ) -> (BTreeSet<String>, usize, u64) {
        let mut engine = Choosing::new(Box::new(FiveLines(1, better)), Leeway::default(), 1);
        engine.configure(&Settings::default());
        let limits = Limits { leeway, ..Limits::default() };
        let (mut moves, mut seen, mut nodes) = (BTreeSet::new(), 0, 0);
        for _ in 0..100 {
            let control = Control::new(Instant::now());
            let mut choice = None;
            let query = Query::new(pos, &limits, &control);
            let outcome = engine.search(query, &mut |sent| match sent {
                Report::Line(_) => seen += 1,
                sent => choice = sent.into_answer(),
            });
            if leeway != Leeway::default() && pos.move_number() <= Leeway::LAST_MOVE {
                // If the search were answered before its end, the answer would be the same.
                assert_eq!(choice, outcome.info);
            }
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
    fn without_leeway_the_best_move_is_played() {
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
    fn a_better_line_of_an_unfinished_iteration_joins_the_choice() {
        let leeway = Leeway { variety: 60, ..Leeway::default() };
        let with = |at, score| played_after(Some((at, score)), leeway, &Position::startpos()).0;
        assert_eq!(with(2, Score::cp(60)), set(&["2g2f", "6i7h", "7g7f"]));
        assert_eq!(with(2, Score::cp(105)), set(&["6i7h", "7g7f"]));
        // The same move is best with a lower score.
        assert_eq!(with(0, Score::cp(-30)), set(&MOVES[..3]));
        // Another move is best with a lower score. The scores of the other lines are too high.
        assert_eq!(with(2, Score::cp(50)), set(&["6i7h"]));
        let skill = Leeway { skill: SkillLevel::new(0), variety: 0 };
        let found = played_after(Some((2, Score::mate_in(3))), skill, &Position::startpos()).0;
        assert_eq!(found, set(&["6i7h"]), "a mate is always played");
    }

    #[test]
    fn higher_levels_search_more_and_choose_better_moves() {
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
