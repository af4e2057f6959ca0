//! Lines that the mate solver has to solve.

use std::time::Duration;

use super::Verdict;
use super::problems::Budget;
use super::rules::ends_in_mate;
use crate::command::MateCosts;
use crate::command::suite_line::{BadLine, Line};
use crate::engine::MateVerdict;
use crate::search::MateSolver;

/// Most memory of a solver's table, MiB.
const MEMORY: usize = 256;

/// A solver that knows nothing yet.
pub(super) fn solver() -> MateSolver {
    MateSolver::growing(MEMORY)
}

/// `mate n ; ...`: right if the solver, which remembers nothing, finds a mate, and its line, played
/// out, ends in one.
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
        MateVerdict::Mate(line) => format!("a line that is none: {line:?}"),
        MateVerdict::NoMate => "no mate, it says".to_owned(),
        MateVerdict::Unknown => format!("nothing after {} nodes", found.nodes),
    };
    Ok((Verdict::of(expected, got), costs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::suite_line::lines;

    #[test]
    fn solved_and_refuted() {
        let text = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 ; mate 1 ; G*5b
                    4k4/9/4P4/9/9/9/9/9/4K4 b S 1 ; mate 3 ; S*5b";
        let budget = Budget::new(Some(10_000), None);
        let mut solver = solver();
        let verdicts: Vec<Verdict> = lines(text)
            .map(|line| judge(&line, &mut solver, &budget).expect("a readable line").0)
            .collect();
        assert_eq!(verdicts[0], Verdict::Right);
        assert!(matches!(&verdicts[1], Verdict::Wrong { got, .. } if got == "no mate, it says"));
    }
}
