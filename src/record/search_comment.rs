//! Comments with the score and the expected line of a move: `* 30 -3334FU +2726FU`.
//!
//! The comment follows the move. The score is that of the search that chose the move, in centipawns
//! from Black's view (positive: Black is better). The line after it is in CSA moves. The server of
//! floodgate writes such comments into its records (`'** 30 -3334FU`). In KIF and KI2 they are
//! comments as well (`** 30 -3334FU`), which GUIs read.
//!
//! The format has no mate scores. As in most engines, a mate is written as 32,000 minus its plies,
//! and values that close to 32,000 are read as mates.
//!
//! Comments of GUIs are read as well. ShogiGUI writes `*対局 候補1 時間 00:01.0 深さ 10/17 評価値 34 読み筋
//! △３四歩(33) ...`, and the same with 解析 or 検討 for an analysis. ShogiHome writes `#評価値=34`.
//! Both values are from Black's view. Only the first candidate is read.
//!
//! Source: the records and the programmers' page of floodgate (shogi-server); ShogiGUI's manual,
//! format of search comments; ShogiHome's issue 202.

use super::notation::csa::{csa_move_text, read_csa_move};
use super::notation::japanese::{marked, read_move};
use super::{Game, MoveScore};
use crate::shogi::{Color, Move, Position};

/// Kinds of search comments of ShogiGUI: of a game, of an analysis, of a position that was
/// examined.
const GUI_KINDS: [&str; 3] = ["対局", "解析", "検討"];
/// The word before the value in comments of GUIs.
const GUI_VALUE: &str = "評価値";
/// The word before the expected line in comments of GUIs.
const GUI_LINE: &str = "読み筋";

/// Reads a comment after the move that led to `pos`. Returns the score from the mover's view, the
/// expected moves and the remaining text; `None` if the comment has no score.
pub(super) fn read<'a>(text: &'a str, pos: &Position) -> Option<(MoveScore, Vec<Move>, &'a str)> {
    read_floodgate(text, pos)
        .or_else(|| read_shogi_gui(text, pos))
        .or_else(|| read_shogi_home(text, pos))
}

fn read_shogi_home<'a>(text: &'a str, pos: &Position) -> Option<(MoveScore, Vec<Move>, &'a str)> {
    let text = text.strip_prefix(['#', '*'])?.strip_prefix(GUI_VALUE)?.strip_prefix('=')?;
    Some((from_black_view(text.trim().parse().ok()?, !pos.side_to_move()), Vec::new(), ""))
}

fn read_shogi_gui<'a>(text: &'a str, pos: &Position) -> Option<(MoveScore, Vec<Move>, &'a str)> {
    let text = text.strip_prefix('*')?.trim();
    let is_search = GUI_KINDS.iter().any(|kind| text.starts_with(kind));
    let is_other = text.contains("候補") && !text.contains("候補1 ");
    if !is_search || is_other {
        return None;
    }
    let (rest, behind) = text.split_once(GUI_VALUE)?;
    let (value, line) = split_word(behind);
    let score = from_black_view(value.parse().ok()?, !pos.side_to_move());
    let line = line.strip_prefix(GUI_LINE).unwrap_or_default();
    Some((score, read_japanese_line(line, pos), rest.trim_end()))
}

/// The legal prefix of a line in Japanese notation. Comments of games start with the move that was
/// made.
fn read_japanese_line(text: &str, pos: &Position) -> Vec<Move> {
    let made = Some(!pos.side_to_move());
    let skipped = usize::from(marked(text).next().map(|(side, _)| side) == made);
    let mut pos = pos.clone();
    let mut line = Vec::new();
    for (side, text) in marked(text).skip(skipped) {
        match read_move(&pos, text)
            .ok()
            .filter(|&mv| side == pos.side_to_move() && pos.is_legal(mv))
        {
            Some(mv) => {
                pos.do_move(mv);
                line.push(mv);
            }
            None => break,
        }
    }
    line
}

fn read_floodgate<'a>(text: &'a str, pos: &Position) -> Option<(MoveScore, Vec<Move>, &'a str)> {
    let (value, mut rest) = split_word(text.strip_prefix('*')?);
    let score = from_black_view(value.parse().ok()?, !pos.side_to_move());
    let mut pos = pos.clone();
    let mut line = Vec::new();
    loop {
        let (word, behind) = split_word(rest);
        match read_csa_move(&pos, word).ok().filter(|&mv| pos.is_legal(mv)) {
            Some(mv) => {
                pos.do_move(mv);
                line.push(mv);
                rest = behind;
            }
            None => return Some((score, line, rest)),
        }
    }
}

/// The first word and the rest, both trimmed.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// The comment lines after each move, index 0 before the first: score and expected line, then the
/// lines of the comment. Shape [moves + 1].
pub(super) fn comments(game: &Game) -> Vec<Vec<String>> {
    let mut comments = vec![Vec::new(); game.moves().len() + 1];
    let mut pos = game.start_position();
    for (ply, &mv) in game.moves().iter().enumerate() {
        pos.do_move(mv);
        if let Some(score) = game.score(ply) {
            comments[ply + 1].push(score_comment(&pos, score, game.notes.line(ply)));
        }
    }
    for (moves, text) in game.notes.comments() {
        if let Some(place) = comments.get_mut(moves) {
            place.extend(text.split('\n').map(super::text::one_line));
        }
    }
    comments
}

/// The comment after the move that led to `pos`. `score` is from the mover's view. The line ends
/// before its first illegal move.
pub fn score_comment(pos: &Position, score: MoveScore, line: &[Move]) -> String {
    let mut text = format!("* {}", to_black_view(score, !pos.side_to_move()));
    if line.is_empty() {
        return text;
    }
    let mut pos = pos.clone();
    for &mv in line {
        if !pos.is_legal(mv) {
            break;
        }
        text.push(' ');
        text += &csa_move_text(&pos, mv);
        pos.do_move(mv);
    }
    text
}

fn to_black_view(score: MoveScore, mover: Color) -> i32 {
    if mover == Color::Black { score.to_value() } else { (-score).to_value() }
}

fn from_black_view(value: i32, mover: Color) -> MoveScore {
    let score = MoveScore::from_value(value);
    if mover == Color::Black { score } else { -score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_of_blacks_view() {
        use MoveScore::{Centipawns, MatedIn, MatesIn};
        let scores =
            [Centipawns(0), Centipawns(-43), MatesIn(1), MatesIn(17), MatedIn(0), MatedIn(8)];
        for score in scores {
            for mover in Color::ALL {
                assert_eq!(from_black_view(to_black_view(score, mover), mover), score);
            }
        }
        assert_eq!(to_black_view(MatesIn(7), Color::White), -31_993);
        assert_eq!(from_black_view(30, Color::White), Centipawns(-30));
        // Values that other programs write for a large advantage are not mates.
        for value in [30_000, 31_111, 32_001, 100_000, i32::MAX, i32::MIN] {
            assert!(matches!(from_black_view(value, Color::Black), Centipawns(_)), "{value}");
        }
        // Longer mates are written as the longest.
        assert_eq!(to_black_view(MatesIn(900), Color::Black), 32_000 - 512);
    }

    #[test]
    fn lines_end_with_their_last_move() {
        let mut pos = Position::startpos();
        pos.do_move("7g7f".parse().expect("a move"));
        let parts = |text: &str| {
            let (score, line, rest) = read(text, &pos)?;
            let line: Vec<String> = line.iter().map(Move::to_string).collect();
            Some((score, line.join(" "), rest.to_owned()))
        };
        let found = |value, line: &str, rest: &str| {
            Some((MoveScore::Centipawns(value), line.to_owned(), rest.to_owned()))
        };
        assert_eq!(parts("* 30 -3334FU +2726FU"), found(30, "3c3d 2g2f", ""));
        assert_eq!(parts("*-5"), found(-5, "", ""));
        assert_eq!(parts("* +12 -3334FU and so on"), found(12, "3c3d", "and so on"));
        assert_eq!(parts("* 12 +2726FU"), found(12, "", "+2726FU"));
        for text in ["30", "* thirty", "", "*"] {
            assert_eq!(parts(text), None, "{text}");
        }
        let gui = "対局 候補1 時間 00:01.0 深さ 10/17 ノード数 49691";
        let replies = "読み筋 △３四歩(33) ▲２六歩(27)";
        assert_eq!(parts(&format!("*{gui} 評価値 34 {replies}")), found(34, "3c3d 2g2f", gui));
        let made = "読み筋 ▲７六歩(77) △３四歩(33) ▲同　歩(27)";
        assert_eq!(parts(&format!("*{gui} 評価値 -34 {made}")), found(-34, "3c3d", gui));
        assert_eq!(
            parts("*解析 0 ○ 候補1 深さ 54 評価値 207"),
            found(207, "", "解析 0 ○ 候補1 深さ 54")
        );
        assert_eq!(parts("*検討 深さ 5 評価値 +12"), found(12, "", "検討 深さ 5"));
        assert_eq!(parts("#評価値=315"), found(315, "", ""));
        assert_eq!(parts("*評価値=-20"), found(-20, "", ""));
        for text in
            ["*解析 0 候補2 評価値 5", "解析 評価値 5", "*解析 評価値 詰", "評価値=3", "*評価値 3"]
        {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
