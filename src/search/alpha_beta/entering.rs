//! Entered kings: what the evaluation does not know of a win by declaration.
//!
//! A king in the enemy camp is hard to mate, and wins by points once enough pieces have followed it.
//! Games that end so are too few to be learned from; this counts what the rule counts.

use super::params::SearchParams;
use crate::shogi::{Color, DeclarationRule, Position};

/// Points that a side has in any case count nothing, nor do those beyond the greatest need.
const POINTS: std::ops::Range<u32> = 18..30;

/// What entered kings are worth beyond the evaluation, centipawns from the side to move's view.
#[inline]
pub(super) fn bonus(params: &SearchParams, rule: DeclarationRule, pos: &Position) -> i32 {
    if !rule.counts_points() {
        return 0;
    }
    let worth = |color: Color| {
        if !pos.has_entered(color) {
            return 0;
        }
        let pieces = pos.entered_pieces(color).min(DeclarationRule::PIECES);
        let points = pos.declaration_points(color).clamp(POINTS.start, POINTS.end) - POINTS.start;
        params.entering_piece * pieces as i32 + params.entering_point * points as i32
    };
    let us = pos.side_to_move();
    worth(us) - worth(!us)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn black_bonus(sfen: &str, rule: DeclarationRule) -> i32 {
        let pos = Position::from_sfen(sfen).expect("a position");
        bonus(&SearchParams::DEFAULT, rule, &pos)
    }

    #[test]
    fn entered_kings_with_much_behind_them_are_worth_more() {
        let of = |sfen| black_bonus(sfen, DeclarationRule::Csa27);
        let alone = of("3K5/9/9/9/9/9/9/9/4k4 b - 1");
        let followed = of("3K+R+R3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b - 1");
        let rich = of("3K+R+R3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2B4G 1");
        assert_eq!(alone, 0);
        assert!(followed > alone && rich > followed, "{followed} {rich}");
        // The king outside, the other side's view, a rule without points.
        assert_eq!(of("4+R+R3/+P+P+P+P+P4/9/3K5/9/9/9/9/4k4 b 2B4G 1"), 0);
        assert_eq!(of("3K+R+R3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 w 2B4G 1"), -rich);
        let rule = DeclarationRule::Try;
        assert_eq!(black_bonus("3K+R+R3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2B4G 1", rule), 0);
    }
}
