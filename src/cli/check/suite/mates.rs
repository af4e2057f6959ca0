//! Lines for the mate solver.

use std::time::Duration;

use super::problems::Budget;
use super::rules::ends_in_mate;
use super::verdict::Verdict;
use crate::command::MateCosts;
use crate::command::suite_line::{BadLine, Line};
use crate::engine::MateVerdict;
use crate::quote::count;
use crate::search::MateSolver;

/// Maximum table size of a solver in MiB.
const MEMORY: usize = 256;

/// A solver with an empty table.
pub(super) fn solver() -> MateSolver {
    MateSolver::growing(MEMORY)
}

/// `mate n ; ...`: right if the solver, with an empty table, finds a mate and its line ends in
/// mate.
pub(super) fn judge(
    line: &Line,
    solver: &mut MateSolver,
    budget: &Budget,
) -> Result<(Verdict, MateCosts), BadLine> {
    let mut pos = line.position()?;
    let expected = format!("mate in {}", line.after("mate", 0)?);
    solver.clear();
    let control = budget.control();
    let must_stop = || control.must_stop(Duration::ZERO);
    let found = solver.solve(&mut pos, budget.nodes(), &must_stop);
    let costs = MateCosts::of(control.elapsed(), found.nodes, solver.memory());
    let got = match found.verdict {
        MateVerdict::Mate(line) if ends_in_mate(&pos, &line) => return Ok((Verdict::Right, costs)),
        MateVerdict::Mate(line) => format!("not a mate: {line:?}"),
        MateVerdict::NoMate => "no mate".to_owned(),
        MateVerdict::Unknown => format!("undecided after {}", count(found.nodes as usize, "node")),
    };
    Ok((Verdict::of(expected, got), costs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::suite_line::lines;

    #[test]
    fn solved_and_refuted_lines_are_judged() {
        let text = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 ; mate 1 ; G*5b
                    4k4/9/4P4/9/9/9/9/9/4K4 b S 1 ; mate 3 ; S*5b";
        let budget = Budget::new(Some(10_000), None);
        let mut solver = solver();
        let verdicts: Vec<Verdict> = lines(text)
            .map(|line| judge(&line, &mut solver, &budget).expect("a readable line").0)
            .collect();
        assert_eq!(verdicts[0], Verdict::Right);
        assert!(matches!(&verdicts[1], Verdict::Wrong { got, .. } if got == "no mate"));
    }
}
