//! Change of the evaluation by one move, and the part of it that the piece-king term predicts: the
//! measurement behind Vmax(m), eq. (7) and (8).

use std::fmt::Write as _;

use crate::eval::{Evaluation, Evaluator, see_values};
use crate::papers::bonanza::searcher::piece_king_change;
use crate::shogi::{Move, PieceKind, Position, Scope, movegen};

/// Changes of the evaluation beyond the material captured, centipawns, mover's view.
#[derive(Default)]
struct Changes {
    /// E(p) - E(P) - Mcap(m).
    plain: Vec<i32>,
    /// E(p) - E(P) - Mcap(m) - Mpiece-king(m).
    foreseen: Vec<i32>,
}

/// Quantiles of the table: shares of the moves.
const QUANTILES: [f64; 5] = [0.5, 0.9, 0.99, 0.999, 1.0];

/// A table of the changes at the positions and at those one move later.
pub(super) fn table(sfens: impl Iterator<Item = &'static str>, evaluation: &Evaluation) -> String {
    let (mut others, mut king) = (Changes::default(), Changes::default());
    for sfen in sfens {
        let mut pos = Position::from_sfen(sfen).expect("bench positions are valid");
        observe(&mut pos, evaluation, &mut others, &mut king);
        for mv in movegen::legal_moves(&pos.clone(), Scope::USEFUL) {
            pos.do_move(mv);
            observe(&mut pos, evaluation, &mut others, &mut king);
            pos.undo_move();
        }
    }
    let mut text = format!(
        "## How much one move changes the evaluation\n\n\
         Vmax must bound the change beyond the material captured. The table has this change with \
         and without the moved piece's relations to the kings (eq. (8)), in centipawns from the \
         mover's view. It covers {} moves at the positions above and at those one move later. The \
         moves above the q-th quantile exceed a bound at that quantile.\n\n\
         | moves | predicted from | 50 % | 90 % | 99 % | 99.9 % | max | mean distance |\n\
         |---|---|---|---|---|---|---|---|\n",
        others.plain.len() + king.plain.len(),
    );
    for (name, changes) in [("of other pieces", others), ("of the king", king)] {
        for (term, mut changes) in
            [("material", changes.plain), ("material, piece-king", changes.foreseen)]
        {
            changes.sort_unstable();
            let cells = QUANTILES.map(|q| {
                let at = (q * changes.len().saturating_sub(1) as f64).round() as usize;
                changes.get(at).copied().unwrap_or_default().to_string()
            });
            let total: i64 = changes.iter().map(|change| i64::from(change.abs())).sum();
            let mean = total as f64 / changes.len().max(1) as f64;
            let _ = writeln!(text, "| {name} | {term} | {} | {mean:.0} |", cells.join(" | "));
        }
    }
    text + "\n"
}

/// Adds the changes by all moves of a position.
fn observe(pos: &mut Position, evaluation: &Evaluation, others: &mut Changes, king: &mut Changes) {
    if pos.in_check() {
        return;
    }
    let mut evaluator = Evaluator::new(evaluation, pos);
    let before = evaluator.evaluate(pos);
    for mv in movegen::legal_moves(pos, Scope::USEFUL) {
        let changes =
            if pos.moved_piece(mv) == PieceKind::King { &mut *king } else { &mut *others };
        let gain = pos.material_gain(mv, see_values());
        let relations = piece_king_change(evaluation, pos, mv);
        let change = -evaluate_after(pos, &mut evaluator, mv) - before.to_cp() - gain;
        changes.plain.push(change);
        changes.foreseen.push(change - relations);
    }
}

fn evaluate_after(pos: &mut Position, evaluator: &mut Evaluator, mv: Move) -> i32 {
    let delta = pos.do_move(mv);
    evaluator.push(&delta);
    let score = evaluator.evaluate(pos).to_cp();
    evaluator.pop();
    pos.undo_move();
    score
}
