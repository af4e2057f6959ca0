//! The principal variation of a mate.

use super::interposition::{delays, is_mate_in_effect};
use super::node_proof::ProofNumbers;
use super::proof::{MateChild, ProofSearch};
use crate::engine::Pv;
use crate::shogi::{MAX_MOVES, Move, Origin, Position};

/// How a line is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineChoice {
    /// The attacker's shortest known mate against the longest known defense.
    Known,
    /// The same, and each reply is proved to be one of the longest. The length of the mate must be
    /// known exactly.
    Exact,
}

/// Node limit of the search for a promotion that mates as fast as the same move without it.
const PROMOTION_NODES: u64 = 20_000;

impl ProofSearch<'_> {
    /// The line of the proved mate at the current node. Proofs missing from the table are searched
    /// again. `None` if the node limit does not suffice.
    pub fn line(&mut self, choice: LineChoice) -> Option<Pv> {
        let mut line = Pv::new();
        self.follow(choice, &mut line).then_some(line)
    }

    /// Appends the rest of the line.
    fn follow(&mut self, choice: LineChoice, line: &mut Pv) -> bool {
        if line.len() >= self.rules.longest {
            return false;
        }
        if self.is_attacking() {
            let mating = if self.is_restricted() { None } else { self.pos.mate_in_one() };
            if let Some(mv) = mating {
                line.push(mv);
                return true;
            }
        } else if self.rules.is_problem && is_mate_in_effect(self.pos) {
            line.extend(delays(self.pos));
            return true;
        }
        let next = if self.is_attacking() { self.attack() } else { self.defence(choice) };
        next.is_some_and(|mv| {
            line.push(mv);
            self.after(mv, |search| search.follow(choice, line))
        })
    }

    fn attack(&mut self) -> Option<Move> {
        let found = self.choose(shortest).or_else(|| {
            self.prove_again();
            self.choose(shortest)
        });
        let (mv, plies) = found?;
        Some(if self.rules.is_problem { self.promoting(mv, plies) } else { mv })
    }

    /// The same move with promotion if it mates as fast, `plies` plies after it.
    fn promoting(&mut self, mv: Move, plies: u16) -> Move {
        let promotion = promotion_of(self.pos, mv).filter(|_| plies > 0);
        let promotes = promotion.filter(|&mv| {
            let limit = self.limit_further(PROMOTION_NODES);
            let known = self.after(mv, |search| search.prove_within(plies.into()));
            self.end_limit(limit);
            known.numbers.is_lost()
        });
        promotes.unwrap_or(mv)
    }

    fn defence(&mut self, choice: LineChoice) -> Option<Move> {
        // A new proof may replace another proof in the table, so the number of attempts is limited.
        let mut last = None;
        for _ in 0..MAX_MOVES {
            let open = self.choose(first_open);
            let Some(mv) = open else { break };
            if open == last || !self.after(mv, Self::prove_again) {
                return None;
            }
            last = open;
        }
        let mut held = self.held(choice)?;
        while choice == LineChoice::Exact && held.1 > 2 {
            let (mv, plies) = held;
            let shorter = self.after(mv, |search| search.prove_within(usize::from(plies) - 2));
            if !shorter.numbers.is_won() {
                break;
            }
            let again = self.held(choice)?;
            if again == held {
                break;
            }
            held = again;
        }
        Some(held.0)
    }

    /// The reply that delays the mate longest, and the length of the mate after it. Interpositions
    /// that lead back to a position of the line, with one more piece for the attacker, come last:
    /// among the replies of the same length in an exact line, otherwise among all.
    fn held(&mut self, choice: LineChoice) -> Option<(Move, u16)> {
        let replies = self.choose(by_length)?;
        let longest = *replies.first()?;
        let is_candidate =
            |reply: &(Move, u16)| choice == LineChoice::Known || reply.1 == longest.1;
        let mut candidates = replies.into_iter().take_while(is_candidate);
        let useful = candidates.find(|&(mv, _)| !self.rules.is_problem || !self.leads_back(mv));
        Some(useful.unwrap_or(longest))
    }

    /// Whether `mv` is an interposition whose capture repeats the board of an earlier position of
    /// the line.
    fn leads_back(&mut self, mv: Move) -> bool {
        if !matches!(mv.origin(), Origin::Hand(_)) {
            return false;
        }
        self.after(mv, |search| {
            let Some((taking, _)) = search.choose(shortest) else { return false };
            taking.to() == mv.to() && search.after(taking, |search| search.repeats_board())
        })
    }

    fn prove_again(&mut self) -> bool {
        !self.must_stop() && self.prove(ProofNumbers::OPEN).numbers.is_won()
    }
}

/// The move with promotion, if it is a legal check and `mv` is the same move without.
fn promotion_of(pos: &Position, mv: Move) -> Option<Move> {
    let promotion = Move::promotion(mv.from()?, mv.to());
    let is_check = || pos.gives_check(promotion, &pos.check_squares());
    (promotion != mv && pos.is_legal(promotion) && is_check()).then_some(promotion)
}

fn shortest(children: &[MateChild]) -> Option<(Move, u16)> {
    let proved = children.iter().filter(|child| child.known.numbers.is_lost());
    proved.min_by_key(|child| child.known.plies).map(|child| (child.mv, child.known.plies))
}

fn first_open(children: &[MateChild]) -> Option<Move> {
    children.iter().find(|child| !child.known.numbers.is_won()).map(|child| child.mv)
}

/// All replies, longest first; `None` if one is not refuted.
fn by_length(children: &[MateChild]) -> Option<Vec<(Move, u16)>> {
    let all = children.iter().all(|child| child.known.numbers.is_won());
    let children = children.iter().rev().filter(|_| all);
    let mut replies: Vec<_> = children.map(|child| (child.mv, child.known.plies)).collect();
    replies.sort_by_key(|&(_, plies)| std::cmp::Reverse(plies));
    (!replies.is_empty()).then_some(replies)
}
