//! Lines about the rules.

use super::verdict::Verdict;
use crate::command::suite_line::{BadLine, Line};
use crate::shogi::{IllegalMove, Move, Position, Scope, movegen, perft as tree};

/// `depth d ; leaves`. Lines with more leaves than `max_nodes` are skipped.
pub(super) fn perft(line: &Line, max_nodes: Option<u64>) -> Result<Verdict, BadLine> {
    let mut pos = line.position_with_surplus()?;
    let depth: u32 = Line::parse(line.after("depth", 0)?)?;
    if depth > tree::MAX_DEPTH {
        return Err(format!("depth {depth} exceeds the maximum {}", tree::MAX_DEPTH));
    }
    let leaves: u64 = Line::parse(line.field(1)?)?;
    if max_nodes.is_some_and(|max| leaves > max) {
        return Ok(Verdict::Skipped);
    }
    Ok(Verdict::of(leaves, tree::perft(&mut pos, depth)))
}

/// `n k ; all legal moves`.
pub(super) fn legal(line: &Line) -> Result<Verdict, BadLine> {
    let pos = line.position()?;
    same_moves(line, movegen::legal_moves(&pos, Scope::LEGAL))
}

/// `n k ; all legal moves that give check`.
pub(super) fn checks(line: &Line) -> Result<Verdict, BadLine> {
    let pos = line.position()?;
    same_moves(line, movegen::legal_checks(&pos, Scope::LEGAL))
}

fn same_moves(line: &Line, got: impl IntoIterator<Item = Move>) -> Result<Verdict, BadLine> {
    let count: usize = Line::parse(line.after("n", 0)?)?;
    let listed = if count == 0 { "" } else { line.field(1)? };
    let expected = Line::parse_moves(listed)?;
    if expected.len() != count {
        return Err(format!("n {count}, but {} moves are listed", expected.len()));
    }
    let text = |moves: Vec<Move>| {
        let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
        texts.sort();
        format!("{} moves: {}", texts.len(), texts.join(" "))
    };
    Ok(Verdict::of(text(expected), text(got.into_iter().collect())))
}

/// `illegal P*xx`: right if the move is refused for this reason and not generated.
pub(super) fn pawn_drop_mate(line: &Line) -> Result<Verdict, BadLine> {
    let pos = line.position()?;
    let mv: Move = Line::parse(line.after("illegal", 0)?)?;
    let expected = IllegalMove::PawnDropMate(mv).to_string();
    Ok(match pos.check_legal(mv) {
        _ if movegen::legal_moves(&pos, Scope::LEGAL).contains(&mv) => {
            Verdict::of(expected, format!("{mv} is generated"))
        }
        Ok(()) => Verdict::of(expected, format!("{mv} is legal")),
        Err(reason) => Verdict::of(expected, reason),
    })
}

/// `mate 1 ; move`: any mating move is right.
pub(super) fn mate_in_one(line: &Line) -> Result<Verdict, BadLine> {
    let mut pos = line.position()?;
    line.after("mate", 0)?;
    let expected = line.field(1)?;
    Ok(match pos.mate_in_one() {
        Some(mv) if ends_in_mate(&pos, &[mv]) => Verdict::Right,
        Some(mv) => Verdict::of(expected, format!("{mv}, which does not mate")),
        None => Verdict::of(expected, "no mate"),
    })
}

/// `nomate1`.
pub(super) fn no_mate_in_one(line: &Line) -> Result<Verdict, BadLine> {
    let mut pos = line.position()?;
    line.after("nomate1", 0)?;
    let found = pos.mate_in_one();
    Ok(Verdict::of("no mate", found.map_or("no mate".to_owned(), |mv| mv.to_string())))
}

/// Whether the moves are legal in sequence and the last one mates.
pub(super) fn ends_in_mate(pos: &Position, moves: &[Move]) -> bool {
    let mut pos = pos.clone();
    for &mv in moves {
        if !pos.is_legal(mv) {
            return false;
        }
        pos.do_move(mv);
    }
    pos.in_check() && !movegen::has_legal_move(&pos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::suite_line::lines;

    fn judge(judge: fn(&Line) -> Result<Verdict, BadLine>, text: &str) -> Result<Verdict, BadLine> {
        judge(&lines(text).next().expect("a line"))
    }

    #[test]
    fn right_and_wrong_lines_are_judged() {
        let perft: fn(&Line) -> _ = |line| perft(line, Some(1_000));
        let start = crate::shogi::STARTPOS;
        let wrong = |verdict| matches!(verdict, Ok(Verdict::Wrong { .. }));
        assert_eq!(judge(perft, &format!("{start} ; depth 2 ; 900")), Ok(Verdict::Right));
        assert_eq!(judge(perft, &format!("{start} ; depth 3 ; 25470")), Ok(Verdict::Skipped));
        assert!(wrong(judge(perft, &format!("{start} ; depth 2 ; 901"))));
        assert!(judge(perft, &format!("{start} ; depth x ; 901")).is_err());

        let gold = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        assert_eq!(judge(mate_in_one, &format!("{gold} ; mate 1 ; G*5b")), Ok(Verdict::Right));
        assert!(wrong(judge(no_mate_in_one, &format!("{gold} ; nomate1"))));
        let pawn = "4k4/9/4P4/9/9/9/9/9/4K4 b - 1";
        assert_eq!(judge(no_mate_in_one, &format!("{pawn} ; nomate1")), Ok(Verdict::Right));
        assert_eq!(judge(checks, &format!("{pawn} ; n 2 ; 5c5b 5c5b+")), Ok(Verdict::Right));
        assert!(wrong(judge(legal, &format!("{pawn} ; n 2 ; 5c5b 5c5b+"))));
        assert!(judge(legal, &format!("{pawn} ; n 3 ; 5c5b 5c5b+")).is_err());

        let mate = "3lkl3/3p1p3/4G4/9/9/9/9/9/4K4 b P 1";
        assert_eq!(judge(pawn_drop_mate, &format!("{mate} ; illegal P*5b")), Ok(Verdict::Right));
        assert!(wrong(judge(pawn_drop_mate, &format!("{mate} ; illegal P*5e"))));
    }
}
