//! Moves in Japanese notation, without the origin square (KI2) or with it (KIF).
//!
//! If several pieces of a kind reach the destination, words distinguish them, as the Japan Shogi
//! Association defines: 上 (forward), 寄 (sideways), 引 (backward), 右 and 左 (from the right or left
//! of the destination; of two rooks or bishops, the right or left one), 直 (straight up), 打
//! (dropped). Directions are from the mover's view.

use std::cmp::Ordering;

use super::words::{
    BLACK_MARKS, WHITE_MARKS, destination_name, eat, is_move_form, kind_name, side_of_mark,
    split_mark, split_move,
};
use crate::record::MoveFault;
use crate::record::text::{square_digits, square_from_digits};
use crate::shogi::{Color, Move, PieceKind, Position, Square};

/// The moves of a line of text: the side of each mark, and the text after the mark.
pub fn marked(text: &str) -> impl Iterator<Item = (Color, &str)> {
    let is_mark = |c: char| side_of_mark(c).is_some();
    text.char_indices().filter_map(move |(at, mark)| {
        let rest = &text[at + mark.len_utf8()..];
        let end = rest.find(is_mark).unwrap_or(rest.len());
        Some((side_of_mark(mark)?, rest[..end].trim()))
    })
}

/// Whether a text has the form of a move in Japanese notation, with or without a mark of the side.
pub fn is_japanese_move(text: &str) -> bool {
    is_move_form(split_mark(text.trim()).1)
}

/// Reads a move in Japanese notation, such as `７六歩`, `▲同　銀` or `７六歩(77)`. The move may be
/// illegal.
///
/// # Errors
/// [`MoveFault`] if the text is not a move, or not one of a piece of the side to move.
pub fn read_japanese_move(pos: &Position, text: &str) -> Result<Move, MoveFault> {
    let (side, rest) = split_mark(text.trim());
    if side.is_some_and(|side| side != pos.side_to_move()) {
        return Err(MoveFault::WrongSide(text.to_owned()));
    }
    read_move(pos, rest)
}

/// Reads a move with or without its origin. The move may be illegal.
pub fn read_move(pos: &Position, text: &str) -> Result<Move, MoveFault> {
    if text.contains('(') { read_kif_move(pos, text) } else { find_move(pos, text) }
}

/// Reads a move of KIF: `７六歩(77)`, `５五角打`. The move may be illegal.
pub fn read_kif_move(pos: &Position, text: &str) -> Result<Move, MoveFault> {
    let bad = || MoveFault::NotAMove(text.to_owned());
    let (to, kind, mut rest) = split_move(pos, text).ok_or_else(bad)?;
    let stays = eat(&mut rest, "不成") || eat(&mut rest, "生");
    let promotes = !stays && eat(&mut rest, "成");
    if eat(&mut rest, "打") {
        let held = kind.droppable().filter(|_| !promotes);
        return held.map(|held| Move::drop(held, to)).ok_or_else(bad);
    }
    let from = origin(rest).filter(|&from| from != to).ok_or_else(bad)?;
    if pos.piece_on(from).is_none_or(|piece| piece.kind != kind) {
        return Err(MoveFault::NoPiece(text.to_owned()));
    }
    Ok(if promotes { Move::promotion(from, to) } else { Move::board(from, to) })
}

/// Whether the text ends like a move: with an origin or as a drop. Times are in parentheses, too.
pub fn has_origin(text: &str) -> bool {
    let word = text.split(" (").next().unwrap_or_default().trim_end();
    word.ends_with('打')
        || word.split('(').skip(1).any(|part| origin(&format!("({part}")).is_some())
}

/// The square in `(77)`.
fn origin(text: &str) -> Option<Square> {
    square_from_digits(text.trim_start().strip_prefix('(')?.split_once(')')?.0)
}

/// `７六歩(77)`, `同　角成(88)`, `５五角打`.
pub fn kif_move_text(pos: &Position, mv: Move) -> String {
    let to = destination_name(mv.to(), pos.last_move().map(Move::to));
    let kind = kind_name(pos.moved_piece(mv));
    match mv.from() {
        None => format!("{to}{kind}打"),
        Some(from) => {
            let promotes = if mv.is_promotion() { "成" } else { "" };
            format!("{to}{kind}{promotes}({})", square_digits(from))
        }
    }
}

/// Reads a move of KI2: `５八金左`. The move may be illegal.
pub fn find_move(pos: &Position, text: &str) -> Result<Move, MoveFault> {
    let bad = || MoveFault::NotAMove(text.to_owned());
    let no_piece = || MoveFault::NoPiece(text.to_owned());
    let (to, kind, rest) = split_move(pos, text).ok_or_else(bad)?;
    let hints = Hints::parse(rest).ok_or_else(bad)?;

    let reaching = origins(pos, kind, to);
    // 打 may be missing if no piece on the board reaches the square.
    if hints.drops || (reaching.is_empty() && hints == Hints::default()) {
        return kind.droppable().map(|held| Move::drop(held, to)).ok_or_else(no_piece);
    }
    let promotes = hints.promotes == Some(true);
    let mv =
        |from: Square| if promotes { Move::promotion(from, to) } else { Move::board(from, to) };
    let fitting: Vec<Move> =
        hints.narrow(pos.side_to_move(), kind, to, reaching).into_iter().map(mv).collect();
    // A pinned piece need not be distinguished from others. If it is the only candidate, it is
    // meant; legality is checked later.
    let legal: Vec<Move> = fitting.iter().copied().filter(|&mv| pos.is_legal(mv)).collect();
    match (fitting.as_slice(), legal.as_slice()) {
        ([], _) => Err(no_piece()),
        (&[mv], _) | (_, &[mv]) | (&[mv, ..], []) => Ok(mv),
        (_, several) => Err(MoveFault::Ambiguous(text.to_owned(), several.to_owned())),
    }
}

/// Origins of the pieces of this kind and the side to move that reach a square, including pinned
/// pieces.
fn origins(pos: &Position, kind: PieceKind, to: Square) -> Vec<Square> {
    let us = pos.side_to_move();
    (pos.attackers(to, us, pos.occupied()) & pos.kind(kind)).iter().collect()
}

/// The words after the name of the piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Hints {
    motion: Option<Motion>,
    flank: Option<Flank>,
    drops: bool,
    /// 成 or 不成.
    promotes: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    Forwards,
    Sideways,
    Backwards,
}

impl Motion {
    /// The direction in which a piece of this side moves.
    fn of(us: Color, from: Square, to: Square) -> Motion {
        match from.relative(us).rank().cmp(&to.relative(us).rank()) {
            Ordering::Greater => Motion::Forwards,
            Ordering::Equal => Motion::Sideways,
            Ordering::Less => Motion::Backwards,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flank {
    Left,
    Right,
    /// Straight up.
    Middle,
}

impl Hints {
    fn parse(text: &str) -> Option<Hints> {
        let mut hints = Hints::default();
        let mut refuses = false;
        for c in text.chars() {
            match c {
                '上' | '行' => hints.motion = Some(Motion::Forwards),
                '寄' => hints.motion = Some(Motion::Sideways),
                '引' => hints.motion = Some(Motion::Backwards),
                '左' => hints.flank = Some(Flank::Left),
                '右' => hints.flank = Some(Flank::Right),
                '直' => hints.flank = Some(Flank::Middle),
                '打' => hints.drops = true,
                '不' => refuses = true,
                '生' => hints.promotes = Some(false),
                '成' => hints.promotes = Some(!std::mem::take(&mut refuses)),
                c if c.is_whitespace() => {}
                _ => return None,
            }
        }
        (!refuses).then_some(hints)
    }

    /// The pieces that match the words.
    fn narrow(&self, us: Color, kind: PieceKind, to: Square, mut from: Vec<Square>) -> Vec<Square> {
        // Seen from the mover's side: file 0 is to the right.
        let file = |sq: Square| sq.relative(us).file();
        let moves = |sq: Square, motion: Motion| Motion::of(us, sq, to) == motion;
        from.retain(|&sq| self.motion.is_none_or(|motion| moves(sq, motion)));
        let outermost = match self.flank {
            Some(Flank::Left) => from.iter().copied().map(file).max(),
            Some(Flank::Right) => from.iter().copied().map(file).min(),
            Some(Flank::Middle) | None => None,
        };
        from.retain(|&sq| match self.flank {
            // Rooks and bishops are distinguished by their position relative to each other.
            Some(Flank::Left | Flank::Right) if is_long(kind) => Some(file(sq)) == outermost,
            Some(Flank::Left) => file(sq) > file(to),
            Some(Flank::Right) => file(sq) < file(to),
            Some(Flank::Middle) => file(sq) == file(to) && moves(sq, Motion::Forwards),
            None => true,
        });
        from
    }

    /// The fewest words that identify the piece on `from` among those that reach `to`.
    fn single_out(pos: &Position, kind: PieceKind, from: Square, to: Square) -> Hints {
        let us = pos.side_to_move();
        let reaching = origins(pos, kind, to);
        let motion = Motion::of(us, from, to);
        let flanks = [Flank::Middle, Flank::Left, Flank::Right].map(Some).into_iter();
        let flanks = flanks.filter(|&flank| flank != Some(Flank::Middle) || !is_long(kind));
        let mut words = vec![(None, None), (Some(motion), None)];
        words.extend(flanks.clone().map(|flank| (None, flank)));
        words.extend(flanks.map(|flank| (Some(motion), flank)));
        let mut hints =
            words.into_iter().map(|(motion, flank)| Hints { motion, flank, ..Hints::default() });
        let alone = |hints: &Hints| hints.narrow(us, kind, to, reaching.clone()) == [from];
        hints.find(alone).unwrap_or_default()
    }

    fn text(&self) -> String {
        let flank = match self.flank {
            Some(Flank::Left) => "左",
            Some(Flank::Right) => "右",
            Some(Flank::Middle) => "直",
            None => "",
        };
        let motion = match self.motion {
            Some(Motion::Forwards) => "上",
            Some(Motion::Sideways) => "寄",
            Some(Motion::Backwards) => "引",
            None => "",
        };
        let promotes = match self.promotes {
            Some(true) => "成",
            Some(false) => "不成",
            None => "",
        };
        let drops = if self.drops { "打" } else { "" };
        format!("{flank}{motion}{promotes}{drops}")
    }
}

fn is_long(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon)
}

/// The words of JKF that distinguish the piece: flank (`L`, `C`, `R`), motion (`U`, `M`, `D`), or
/// `H` for a drop; empty if no word is needed.
pub fn relative_text(pos: &Position, mv: Move) -> String {
    let kind = pos.moved_piece(mv);
    let Some(from) = mv.from() else {
        return if origins(pos, kind, mv.to()).is_empty() { "" } else { "H" }.to_owned();
    };
    let hints = Hints::single_out(pos, kind, from, mv.to());
    let flank = hints.flank.map_or("", |flank| ["L", "R", "C"][flank as usize]);
    let motion = hints.motion.map_or("", |motion| ["U", "M", "D"][motion as usize]);
    format!("{flank}{motion}")
}

/// A move of the side to move in Japanese notation: `▲７六歩`, `△同　銀`, `▲５八金左`, `△８八角成`.
pub fn japanese_move_text(pos: &Position, mv: Move) -> String {
    let us = pos.side_to_move();
    let to = mv.to();
    let kind = pos.moved_piece(mv);
    let mark = if us == Color::Black { BLACK_MARKS[0] } else { WHITE_MARKS[0] };
    let place = destination_name(to, pos.last_move().map(Move::to));
    let hints = match mv.from() {
        None => Hints { drops: !origins(pos, kind, to).is_empty(), ..Hints::default() },
        Some(from) => {
            let zone = from.is_promotion_zone(us) || to.is_promotion_zone(us);
            let chooses = zone && kind.promoted().is_some();
            Hints {
                promotes: chooses.then_some(mv.is_promotion()),
                ..Hints::single_out(pos, kind, from, to)
            }
        }
    };
    format!("{mark}{place}{}{}", kind_name(kind), hints.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The move of the text in this position, in USI notation, or the error.
    fn meaning(sfen: &str, text: &str) -> String {
        let pos = Position::from_sfen(sfen).expect(sfen);
        match find_move(&pos, text) {
            Ok(mv) => {
                if pos.is_legal(mv) {
                    assert_eq!(
                        find_move(&pos, &japanese_move_text(&pos, mv)[3..]),
                        Ok(mv),
                        "{text}"
                    );
                }
                mv.to_string()
            }
            Err(fault) => fault.to_string(),
        }
    }

    #[test]
    fn golds_left_right_and_straight() {
        // Golds on 4i, 5i and 6i all reach 5h.
        let three = "4k4/9/9/9/9/9/9/9/1K1GGG3 b G 1";
        assert_eq!(meaning(three, "５八金左"), "6i5h");
        assert_eq!(meaning(three, "５八金直"), "5i5h");
        assert_eq!(meaning(three, "５八金右"), "4i5h");
        assert_eq!(meaning(three, "５八金打"), "G*5h");
        assert!(meaning(three, "５八金").contains("can mean 4i5h or 5i5h or 6i5h"));
        assert!(meaning(three, "５八金引").contains("fits no piece"));
        assert_eq!(meaning(three, "３八金打"), "G*3h");
        assert_eq!(meaning(three, "２八金"), "G*2h");
        // The same for White, whose left is the low files.
        let white = "3ggg1k1/9/9/9/9/9/9/9/4K4 w - 1";
        assert_eq!(meaning(white, "５二金左"), "4a5b");
        assert_eq!(meaning(white, "５二金直"), "5a5b");
        assert_eq!(meaning(white, "５二金右"), "6a5b");
    }

    #[test]
    fn directions_and_flanks_together() {
        // Tokins around 5e: 6f, 4f below, 6e, 4e to the sides, 5d above.
        let around = "k8/9/9/4+P4/3+P1+P3/3+P1+P3/9/9/K8 b - 1";
        for (text, usi) in [
            ("５五と引", "5d5e"),
            ("５五と左上", "6f5e"),
            ("５五と右上", "4f5e"),
            ("５五と左寄", "6e5e"),
            ("５五と右寄", "4e5e"),
        ] {
            assert_eq!(meaning(around, text), usi);
        }
        assert!(meaning(around, "５五と上").contains("can mean"));
        assert!(meaning(around, "５五と左").contains("can mean"));
        let silvers = "k8/9/9/9/9/3S1S3/9/9/K8 b - 1";
        assert_eq!(meaning(silvers, "５五銀左"), "6f5e");
        assert_eq!(meaning(silvers, "５五銀右"), "4f5e");
        // Dragons on one side of the square: the left one and the right one.
        let dragons = "4k4/9/9/9/9/9/9/+R8/6+R1K b - 1";
        assert_eq!(meaning(dragons, "３八龍左"), "9h3h");
        assert_eq!(meaning(dragons, "３八竜右"), "3i3h");
        assert_eq!(meaning(dragons, "３八龍上"), "3i3h");
    }

    #[test]
    fn promotion_and_pins() {
        let silver = "k8/9/4S4/9/9/9/9/9/K8 b - 1";
        assert_eq!(meaning(silver, "５二銀成"), "5c5b+");
        assert_eq!(meaning(silver, "５二銀不成"), "5c5b");
        assert_eq!(meaning(silver, "５二銀生"), "5c5b");
        assert_eq!(meaning(silver, "４四銀引成"), "5c4d+");
        // The gold on 5h is pinned: the other one is meant, unless the words say this one.
        let pinned = "4r3k/9/9/9/9/9/9/4G1G2/4K4 b - 1";
        assert_eq!(meaning(pinned, "４八金"), "3h4h");
        assert_eq!(meaning(pinned, "４八金左"), "5h4h");
    }
}
