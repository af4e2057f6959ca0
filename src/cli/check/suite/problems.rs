//! Lines for a searcher.

use std::time::{Duration, Instant};

use super::rules::ends_in_mate;
use super::verdict::Verdict;
use crate::command::suite_line::{BadLine, Line};
use crate::engine::{BestMove, Control, Engine, Limits, Outcome, Query};
use crate::shogi::{Move, Position};

/// Limits of the search of one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    nodes: Option<u64>,
    time: Option<Duration>,
}

impl Budget {
    /// One second per position if neither limit is given.
    pub fn new(nodes: Option<u64>, ms: Option<u64>) -> Budget {
        let ms = if nodes.is_none() { ms.or(Some(1_000)) } else { ms };
        Budget { nodes, time: ms.map(Duration::from_millis) }
    }

    /// Node limit per position.
    pub fn nodes(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }

    /// The control of a search that starts now.
    pub fn control(&self) -> Control {
        let start = Instant::now();
        let control = Control::new(start);
        if let Some(time) = self.time {
            control.set_deadlines(start, time, time);
        }
        control
    }

    fn search(&self, engine: &mut dyn Engine, pos: &Position, mate: bool) -> Outcome {
        engine.new_game();
        let control = self.control();
        let limits = Limits { nodes: self.nodes, mate, ..Limits::default() };
        engine.search(Query::new(pos, &limits, &control), &mut |_| ())
    }
}

/// `mate n ; ...`: right if a mate is announced and its line ends in mate.
pub(super) fn tsume(
    line: &Line,
    engine: &mut dyn Engine,
    budget: &Budget,
) -> Result<Verdict, BadLine> {
    let pos = line.position()?;
    let plies = line.after("mate", 0)?;
    let outcome = budget.search(engine, &pos, true);
    let expected = format!("mate in {plies}");
    let Some(info) = outcome.info else { return Ok(Verdict::of(expected, "no line")) };
    let announced = info.score.mate_plies().is_some_and(|plies| plies > 0);
    if announced && ends_in_mate(&pos, &info.pv) {
        return Ok(Verdict::Right);
    }
    let pv: Vec<String> = info.pv.iter().map(Move::to_string).collect();
    Ok(Verdict::Wrong { expected, got: format!("{} pv {}", info.score, pv.join(" ")) })
}

/// `best move ; ...`: right if the searcher plays it.
pub(super) fn next_move(
    line: &Line,
    engine: &mut dyn Engine,
    budget: &Budget,
) -> Result<Verdict, BadLine> {
    let pos = line.position()?;
    let expected: Move = Line::parse(line.after("best", 0)?)?;
    let got = match budget.search(engine, &pos, false).best {
        BestMove::Play(mv, _) => mv.to_string(),
        BestMove::Resign => "resigns".to_owned(),
        BestMove::Declare => "declares".to_owned(),
    };
    Ok(Verdict::of(expected, got))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::suite_line::lines;
    use crate::engine::{Info, Pv, Report};

    /// Plays only mates in one.
    struct OneMove;

    impl Engine for OneMove {
        fn search(&mut self, query: Query<'_>, _: &mut dyn FnMut(Report)) -> Outcome {
            assert_eq!(query.limits.nodes, Some(7));
            let Some(mv) = query.pos.clone().mate_in_one() else {
                return Outcome { best: BestMove::Resign, info: None, nodes: 0 };
            };
            let info = Info::of_mate(Pv::from_slice(&[mv]), 1, Duration::ZERO);
            Outcome { best: BestMove::Play(mv, None), info: Some(info), nodes: 1 }
        }
    }

    #[test]
    fn solved_and_unsolved_lines_are_judged() {
        let text = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 ; mate 1 ; G*5b
                    4k4/9/4P4/9/9/9/9/9/4K4 b S 1 ; mate 3 ; S*5b
                    4k4/9/4P4/9/9/9/9/9/4K4 b G 1 ; best G*5b
                    4k4/9/4P4/9/9/9/9/9/4K4 b G 1 ; best G*4b";
        let lines: Vec<Line> = lines(text).collect();
        let budget = Budget::new(Some(7), None);
        assert_eq!(tsume(&lines[0], &mut OneMove, &budget), Ok(Verdict::Right));
        assert!(matches!(tsume(&lines[1], &mut OneMove, &budget), Ok(Verdict::Wrong { .. })));
        assert_eq!(next_move(&lines[2], &mut OneMove, &budget), Ok(Verdict::Right));
        assert!(matches!(next_move(&lines[3], &mut OneMove, &budget), Ok(Verdict::Wrong { .. })));
        assert!(next_move(&lines[0], &mut OneMove, &budget).is_err());
        assert!(!ends_in_mate(&Position::startpos(), &["7g7e".parse().expect("a move")]));
    }
}
