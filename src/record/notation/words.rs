//! The words of Japanese notation, shared by KIF and KI2: squares, pieces, numbers and sides.

use crate::shogi::{Color, Move, PieceKind, Position, Square};

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
pub const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Kinds by name: the name in moves, then the one-character name in diagrams if it differs, then
/// other spellings.
const KINDS: [(&str, PieceKind); 20] = [
    ("歩", PieceKind::Pawn),
    ("香", PieceKind::Lance),
    ("桂", PieceKind::Knight),
    ("銀", PieceKind::Silver),
    ("金", PieceKind::Gold),
    ("角", PieceKind::Bishop),
    ("飛", PieceKind::Rook),
    ("玉", PieceKind::King),
    ("王", PieceKind::King),
    ("と", PieceKind::ProPawn),
    ("成香", PieceKind::ProLance),
    ("杏", PieceKind::ProLance),
    ("成桂", PieceKind::ProKnight),
    ("圭", PieceKind::ProKnight),
    ("成銀", PieceKind::ProSilver),
    ("全", PieceKind::ProSilver),
    ("馬", PieceKind::Horse),
    ("龍", PieceKind::Dragon),
    ("竜", PieceKind::Dragon),
    ("龙", PieceKind::Dragon),
];

/// Marks before a move of Black. The first one is written.
pub const BLACK_MARKS: [char; 4] = ['▲', '☗', '▼', '⛊'];

/// Marks before a move of White. The first one is written.
pub const WHITE_MARKS: [char; 4] = ['△', '☖', '▽', '⛉'];

/// Removes `word` from the front of the text. Returns whether it was there.
pub fn eat(text: &mut &str, word: &str) -> bool {
    let rest = text.strip_prefix(word);
    *text = rest.unwrap_or(*text);
    rest.is_some()
}

/// The side of a mark.
pub fn side_of_mark(c: char) -> Option<Color> {
    let marks = [(Color::Black, BLACK_MARKS), (Color::White, WHITE_MARKS)];
    marks.into_iter().find(|(_, marks)| marks.contains(&c)).map(|(side, _)| side)
}

/// The side of a mark at the front, and the text after the mark.
pub fn split_mark(text: &str) -> (Option<Color>, &str) {
    let mut chars = text.chars();
    match chars.next().and_then(side_of_mark) {
        Some(side) => (Some(side), chars.as_str().trim_start()),
        None => (None, text),
    }
}

/// Whether the text has the form of a move: it starts with a square or with 同.
pub fn is_move_form(text: &str) -> bool {
    let mut chars = text.chars();
    let is_digit = |c: Option<char>| c.and_then(digit).is_some_and(|value| value > 0);
    text.starts_with('同') || (is_digit(chars.next()) && is_digit(chars.next()))
}

/// Splits the number of a move from the text behind it, as in `1 ７六歩(77)`, `1. ７六歩(77)` and
/// `1▲７六歩`.
pub fn split_number(text: &str) -> Option<(&str, &str)> {
    let is_digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let rest = text.trim_start_matches(is_digit);
    let digits = &text[..text.len() - rest.len()];
    let has_mark = split_mark(rest).0.is_some();
    let rest = rest
        .strip_prefix(['.', '．', '、', ')', '）'])
        .or_else(|| rest.strip_prefix(char::is_whitespace))
        .or(has_mark.then_some(rest))?;
    (!digits.is_empty()).then_some((digits, rest))
}

/// Whether the text contains a square in the notation of moves, so that it may hide a move.
pub fn names_a_square(text: &str) -> bool {
    let mut pairs = text.chars().zip(text.chars().skip(1));
    pairs.any(|(file, rank)| FILES.contains(&file) && RANKS.contains(&rank))
}

/// Splits a move of the side to move into destination, kind and the words after them.
pub fn split_move<'a>(pos: &Position, text: &'a str) -> Option<(Square, PieceKind, &'a str)> {
    let mut rest = text;
    let to = eat_square(&mut rest, pos.last_move().map(Move::to))?;
    rest = rest.trim_start();
    let kind = eat_kind(&mut rest)?;
    Some((to, kind, rest))
}

/// Removes a destination from the front: file and rank, or 同, the destination of the last move.
fn eat_square(text: &mut &str, last: Option<Square>) -> Option<Square> {
    if eat(text, "同") {
        return last;
    }
    let mut chars = text.chars();
    let (file, rank) = (digit(chars.next()?)?, digit(chars.next()?)?);
    *text = chars.as_str();
    Square::new(file.checked_sub(1)?, rank.checked_sub(1)?)
}

/// Removes the name of a kind from the front.
pub fn eat_kind(text: &mut &str) -> Option<PieceKind> {
    KINDS.into_iter().find(|(name, _)| eat(text, name)).map(|(_, kind)| kind)
}

/// Removes a number in Japanese or other digits from the front. Returns 1 if there is none.
pub fn eat_count(text: &mut &str) -> u32 {
    let ten = eat(text, "十");
    let mut number: Option<u32> = None;
    while let Some(c) = text.chars().next()
        && let Some(value) = digit(c)
    {
        *text = &text[c.len_utf8()..];
        number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(value as u32));
    }
    if ten { number.unwrap_or(0).saturating_add(10) } else { number.unwrap_or(1) }
}

/// The value of a digit: ASCII, wide, or Japanese.
pub fn digit(c: char) -> Option<usize> {
    let place = |list: [char; 9]| list.into_iter().position(|known| known == c).map(|at| at + 1);
    if c == '０' {
        return Some(0);
    }
    c.to_digit(10).map(|value| value as usize).or_else(|| place(FILES)).or_else(|| place(RANKS))
}

/// The name of a square: `７六`.
pub fn square_name(sq: Square) -> String {
    [FILES[sq.file()], RANKS[sq.rank()]].into_iter().collect()
}

/// The destination of a move in the form that [`eat_square`] reads: `７六`, or `同　` for the
/// destination of the last move.
pub fn destination_name(to: Square, last: Option<Square>) -> String {
    if last == Some(to) { "同　".to_owned() } else { square_name(to) }
}

/// The name of a kind in moves: `歩`, `成銀`.
pub fn kind_name(kind: PieceKind) -> &'static str {
    names(kind).next().unwrap_or_default()
}

/// The name of a kind in diagrams: `歩`, `全`.
pub fn kind_symbol(kind: PieceKind) -> &'static str {
    names(kind).find(|name| name.chars().count() == 1).unwrap_or_default()
}

fn names(kind: PieceKind) -> impl Iterator<Item = &'static str> {
    KINDS.into_iter().filter(move |&(_, named)| named == kind).map(|(name, _)| name)
}

/// The count after a piece in hand: empty for 1, `二` to `十八`.
pub fn count_name(count: u32) -> String {
    let mut name = String::new();
    if count >= 10 {
        name.push('十');
    }
    if count != 1 && !count.is_multiple_of(10) {
        name.push(RANKS[count as usize % 10 - 1]);
    }
    name
}

/// The names of the sides, Black first: 先手 and 後手, or 下手 and 上手 in handicap games.
pub fn side_names(handicap: bool) -> [&'static str; 2] {
    if handicap { ["下手", "上手"] } else { ["先手", "後手"] }
}

/// The side whose name starts a word like 後手 or 上手の持駒.
pub fn side_of(text: &str) -> Option<Color> {
    let begins = |color: Color| {
        [false, true].into_iter().any(|h| text.starts_with(side_names(h)[color.index()]))
    };
    Color::ALL.into_iter().find(|&color| begins(color))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_kinds_and_counts_round_trip() {
        for sq in Square::all() {
            let name = square_name(sq);
            let mut text = name.as_str();
            assert_eq!(eat_square(&mut text, None), Some(sq));
            assert_eq!(text, "");
        }
        for kind in PieceKind::ALL {
            for name in [kind_name(kind), kind_symbol(kind)] {
                let mut text = name;
                assert_eq!(eat_kind(&mut text), Some(kind), "{name}");
                assert_eq!(text, "");
            }
            assert_eq!(kind_symbol(kind).chars().count(), 1);
        }
        for count in 1..=18 {
            assert_eq!(eat_count(&mut count_name(count).as_str()), count);
        }
        assert_eq!(eat_count(&mut "18"), 18);
        assert_eq!(eat_count(&mut "１８"), 18);
        assert_eq!(eat_square(&mut "同　銀", None), None);
        assert_eq!(eat_square(&mut "０一", None), None);
        assert_eq!(eat_square(&mut "76", None).map(square_name).as_deref(), Some("７六"));
    }

    #[test]
    fn moves_begin_with_a_square() {
        for text in ["７六歩(77)", "76歩", "同　銀(31)", "同銀", "５五角打"] {
            assert!(is_move_form(text), "{text}");
        }
        for text in ["投了", "２手目", "Time-up", "0 0", "", "▲７六歩"] {
            assert!(!is_move_form(text), "{text}");
        }
        assert!(names_a_square("◆７六歩") && !names_a_square("２筋の歩と７手目"));
    }
}
