//! Who won, by all that a record says.
//!
//! One rule serves every format: **all witnesses are heard**. Closing words, the closing sentence
//! and the server's verdict are claims. If claims disagree about the winner, there is a warning.
//! Then the server's verdict decides; without it, the rules do, if they end the game in the last
//! position. If nobody decides, the winner is unknown.

use super::lines::Broken;
use super::{Ending, Fault, GameResult};
use crate::quote::quoted;
use crate::shogi::{Position, Repetition, Scope, movegen};

/// What one part of a record says about the end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// Line in the file, 1 = first.
    pub line: usize,
    /// The text of the record.
    pub text: String,
    /// Who won; `None` if the text does not say.
    pub result: Option<GameResult>,
    pub ending: Option<Ending>,
    /// Whether it is the verdict of the server.
    pub is_verdict: bool,
}

impl Claim {
    /// `"投了" says that White won`.
    fn quote(&self) -> String {
        let result = self.result.map_or("nothing", name);
        format!("{} says that {result}", quoted(&self.text))
    }
}

fn name(result: GameResult) -> &'static str {
    ["Black won", "White won", "nobody won"][result as usize]
}

/// Result and ending of a game.
type End = (Option<GameResult>, Option<Ending>);

/// Decides on the claims, in the order of the record. `last` is the last position; `None` if the
/// record has moves after the last one that was played. Returns a warning if claims disagree with
/// the result.
pub(super) fn decide(claims: &[Claim], last: Option<&Position>) -> (End, Option<Broken>) {
    let stated = || claims.iter().filter(|claim| claim.result.is_some());
    let first = stated().next().and_then(|claim| claim.result);
    let is_disputed = stated().any(|claim| claim.result != first);
    let verdict = claims.iter().rfind(|claim| claim.is_verdict);
    let ruled = last.and_then(|pos| by_rules(pos, claims, is_disputed));
    let (result, decided_by) = match (verdict, ruled) {
        (Some(verdict), _) => (verdict.result, "by the server's verdict"),
        (None, Some((result, _))) => (Some(result), "by the rules"),
        (None, None) => (first.filter(|_| !is_disputed), ""),
    };
    let wrong: Vec<&Claim> = stated().filter(|claim| claim.result != result).collect();
    let mut agreeing = verdict.into_iter().chain(claims);
    let stated_ending = agreeing.find_map(|claim| {
        claim.ending.filter(|_| claim.result.is_none() || claim.result == result)
    });
    let is_open = result.is_none() && is_disputed;
    let ending = stated_ending.or(ruled.map(|(_, ending)| ending)).filter(|_| !is_open);
    let warning = wrong.last().map(|claim| {
        let mut parts: Vec<String> = wrong.iter().map(|claim| claim.quote()).collect();
        parts.dedup();
        let end = result.map_or("the winner is unknown".to_owned(), |result| {
            format!("{} {decided_by}", name(result))
        });
        Broken { line: claim.line, fault: Fault::Disputed(format!("{}; {end}", parts.join(", "))) }
    });
    ((result, ending), warning)
}

/// The result by the rules in the last position, where it is asked for: after a claim of a
/// repetition, which perpetual check loses, and after claims that disagree.
fn by_rules(pos: &Position, claims: &[Claim], is_disputed: bool) -> Option<(GameResult, Ending)> {
    let is_repetition = claims.iter().any(|claim| claim.ending == Some(Ending::Repetition));
    if !is_repetition && !is_disputed {
        return None;
    }
    let (us, win_of) = (pos.side_to_move(), GameResult::win_of);
    match pos.fourfold() {
        Some(Repetition::Win) => Some((win_of(us), Ending::IllegalMove)),
        Some(Repetition::Loss) => Some((win_of(!us), Ending::IllegalMove)),
        _ if is_disputed && movegen::legal_moves(pos, Scope::LEGAL).is_empty() => {
            Some((win_of(!us), Ending::Mate))
        }
        _ => None,
    }
}

/// Who wins by the opponent's perpetual check, if a record says that there was one. Some records
/// end a move after the last repetition, or at the second one.
pub(super) fn winner_by_perpetual_check(pos: &Position) -> Option<GameResult> {
    let mut pos = pos.clone();
    for _ in 0..2 {
        let fourth = pos.fourfold().filter(|&repetition| repetition != Repetition::Draw);
        match fourth.or_else(|| pos.repetition()) {
            Some(Repetition::Win) => return Some(GameResult::win_of(pos.side_to_move())),
            Some(Repetition::Loss) => return Some(GameResult::win_of(!pos.side_to_move())),
            _ if pos.moves_made() == 0 => return None,
            _ => pos.undo_move(),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;
    use GameResult::{BlackWins, Draw, WhiteWins};

    fn claim(line: usize, result: Option<GameResult>, ending: Option<Ending>) -> Claim {
        Claim { line, text: format!("claim {line}"), result, ending, is_verdict: false }
    }

    fn position(moves: &str) -> Position {
        let mut pos = Position::from_sfen("4k4/9/9/9/9/9/9/7R1/7K1 b - 1").expect("a position");
        for mv in moves.split_whitespace() {
            pos.do_move(mv.parse().expect("a move"));
        }
        pos
    }

    /// The result of the claims, and whether there is a warning.
    fn decided(claims: &[Claim], pos: &Position) -> (Option<GameResult>, Option<Ending>, bool) {
        let ((result, ending), warning) = decide(claims, Some(pos));
        (result, ending, warning.is_some())
    }

    #[test]
    fn claims_that_agree_are_believed() {
        let (pos, resigned) = (position("2h5h"), Some(Ending::Resignation));
        let word = claim(1, Some(WhiteWins), resigned);
        assert_eq!(decided(&[], &pos), (None, None, false));
        assert_eq!(decided(from_ref(&word), &pos), (Some(WhiteWins), resigned, false));
        let open = claim(2, None, Some(Ending::Interruption));
        let claims = [open, claim(3, Some(BlackWins), None)];
        assert_eq!(decided(&claims, &pos), (Some(BlackWins), Some(Ending::Interruption), false));
        let sentence = claim(2, Some(WhiteWins), Some(Ending::Time));
        assert_eq!(decided(&[word, sentence], &pos), (Some(WhiteWins), resigned, false));
    }

    #[test]
    fn claims_that_disagree_leave_the_winner_unknown() {
        let pos = position("2h5h");
        let claims =
            [claim(7, Some(WhiteWins), Some(Ending::Resignation)), claim(8, Some(BlackWins), None)];
        let ((result, ending), warning) = decide(&claims, Some(&pos));
        let warning = warning.expect("a warning");
        assert_eq!((result, ending, warning.line), (None, None, 8));
        assert_eq!(
            warning.fault.to_string(),
            "\"claim 7\" says that White won, \"claim 8\" says that Black won; the winner is unknown"
        );
        // The server decides.
        let verdict = claim(9, Some(BlackWins), Some(Ending::IllegalMove));
        let verdict = Claim { is_verdict: true, ..verdict };
        let ((result, ending), warning) = decide(&[&claims[..], &[verdict]].concat(), Some(&pos));
        assert_eq!((result, ending), (Some(BlackWins), Some(Ending::IllegalMove)));
        assert_eq!(
            warning.expect("a warning").fault.to_string(),
            "\"claim 7\" says that White won; Black won by the server's verdict"
        );
        // A mated side has lost.
        let mate = Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").expect("a position");
        assert_eq!(decided(&claims, &mate), (Some(BlackWins), Some(Ending::Mate), true));
        assert_eq!(decide(&claims, None).0, (None, None));
    }

    #[test]
    fn perpetual_check_loses() {
        let round = " 5a4a 5h4h 4a5a 4h5h";
        let repeated = claim(1, Some(Draw), Some(Ending::Repetition));
        let four = position(&format!("2h5h{}", round.repeat(3)));
        let won = (Some(WhiteWins), Some(Ending::IllegalMove));
        assert_eq!(decided(from_ref(&repeated), &four), (won.0, won.1, true));
        // Only a claim about the repetition asks for the rules.
        let resigned = claim(1, Some(BlackWins), Some(Ending::Resignation));
        assert_eq!(decided(&[resigned], &four).0, Some(BlackWins));
        let three = position(&format!("2h5h{}", round.repeat(2)));
        assert_eq!(decided(&[repeated], &three).0, Some(Draw));
        for moves in ["", " 5a4a"] {
            let pos = position(&format!("2h5h{round}{moves}"));
            assert_eq!(winner_by_perpetual_check(&pos), Some(WhiteWins), "{moves}");
        }
        assert_eq!(winner_by_perpetual_check(&position("2h5h")), None);
        assert_eq!(winner_by_perpetual_check(&position("2h3h 5a4a 3h2h 4a5a")), None);
    }
}
