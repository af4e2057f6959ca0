//! KI2: moves as people write them, without the square they come from.
//!
//! ```text
//! 手合割：平手
//!
//! ▲７六歩    △３四歩    ▲２二角成  △同　銀
//! *a comment
//! ▲４五角
//! まで5手で先手の勝ち
//! ```
//!
//! Where several pieces of a kind reach the square, words tell them apart, as the Japan Shogi
//! Association lays down: 上 (forwards), 寄 (sideways), 引 (backwards), 右 and 左 (from the right
//! or left of the square, or, of two rooks or bishops, the right or left one), 直 (straight up),
//! 打 (dropped). All as the mover sees the board.

use std::cmp::Ordering;
use std::io::{self, Write};

use super::japanese::{CLOSINGS, closing_sentence, destination_name, kind_name, split_move};
use super::lines::{Broken, TextLine};
use super::main_line::{self, CLOSING, write_comments};
use super::{Game, MoveFault, preamble, search_comment};
use crate::shogi::{Color, Move, PieceKind, Position, Square};

const BLACK_MARKS: [char; 3] = ['▲', '☗', '▼'];
const WHITE_MARKS: [char; 3] = ['△', '☖', '▽'];

/// Whether the line shows that the moves of a game have begun.
pub(super) fn is_move_line(text: &str) -> bool {
    text.starts_with(CLOSING) || text.starts_with(BLACK_MARKS) || text.starts_with(WHITE_MARKS)
}

/// Reads the lines of one game.
pub(super) fn read(lines: &[TextLine]) -> Result<Game, Broken> {
    main_line::read(lines, is_move_line, |transcript, line, text| {
        marked(text).try_for_each(|(color, text)| {
            if transcript.close_by_word(&CLOSINGS, text) {
                return Ok(());
            }
            transcript.play(line, text, |pos, text| {
                if color != pos.side_to_move() {
                    return Err(MoveFault::WrongSide(text.to_owned()));
                }
                find_move(pos, text)
            })
        })
    })
}

/// The moves of a line: what stands behind each mark.
fn marked(text: &str) -> impl Iterator<Item = (Color, &str)> {
    let is_mark = |c: char| BLACK_MARKS.contains(&c) || WHITE_MARKS.contains(&c);
    let starts = text.char_indices().filter(move |&(_, c)| is_mark(c));
    starts.map(move |(at, mark)| {
        let color = if BLACK_MARKS.contains(&mark) { Color::Black } else { Color::White };
        let rest = &text[at + mark.len_utf8()..];
        let end = rest.find(is_mark).unwrap_or(rest.len());
        (color, rest[..end].trim())
    })
}

/// The move that the text means.
fn find_move(pos: &Position, text: &str) -> Result<Move, MoveFault> {
    let bad = || MoveFault::NotAMove(text.to_owned());
    let no_piece = || MoveFault::NoPiece(text.to_owned());
    let (to, kind, rest) = split_move(pos, text).ok_or_else(bad)?;
    let hints = Hints::parse(rest).ok_or_else(bad)?;

    let reaching = origins(pos, kind, to);
    // The word 打 may be missing where no piece on the board could be meant.
    if hints.drops || (reaching.is_empty() && hints == Hints::default()) {
        return kind.droppable().map(|held| Move::drop(held, to)).ok_or_else(no_piece);
    }
    let promotes = hints.promotes == Some(true);
    let mv =
        |from: Square| if promotes { Move::promotion(from, to) } else { Move::board(from, to) };
    let fitting: Vec<Move> =
        hints.narrow(pos.side_to_move(), kind, to, reaching).into_iter().map(mv).collect();
    // A piece that must not move (pinned) needs no telling apart; but alone it is what is meant,
    // and the rules are asked later.
    let legal: Vec<Move> = fitting.iter().copied().filter(|&mv| pos.is_legal(mv)).collect();
    match (fitting.as_slice(), legal.as_slice()) {
        ([], _) => Err(no_piece()),
        (&[mv], _) | (_, &[mv]) | (&[mv, ..], []) => Ok(mv),
        (_, several) => Err(MoveFault::Ambiguous(text.to_owned(), several.to_owned())),
    }
}

/// From where pieces of this kind of the side to move reach a square, pinned ones too.
fn origins(pos: &Position, kind: PieceKind, to: Square) -> Vec<Square> {
    let us = pos.side_to_move();
    (pos.attackers(to, us, pos.occupied()) & pos.kind(kind)).iter().collect()
}

/// The words behind the name of the piece.
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
    /// How a piece of this side moves.
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

    /// The pieces that the words leave.
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
            // Rooks and bishops are told apart by where they stand to each other.
            Some(Flank::Left | Flank::Right) if is_long(kind) => Some(file(sq)) == outermost,
            Some(Flank::Left) => file(sq) > file(to),
            Some(Flank::Right) => file(sq) < file(to),
            Some(Flank::Middle) => file(sq) == file(to) && moves(sq, Motion::Forwards),
            None => true,
        });
        from
    }

    /// The fewest words that single out the piece on `from` among those that reach `to`.
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

/// Moves in a line of a record that is written.
const MOVES_A_LINE: usize = 6;

/// Writes one game, in UTF-8.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    preamble::write(game, out)?;
    writeln!(out)?;
    let mut moves = Vec::with_capacity(game.moves().len());
    let last = game.replay(|pos, mv| moves.push(japanese_move_text(pos, mv)));
    let comments = search_comment::comments(game);
    write_comments(&comments[0], out)?;
    // A line ends where it is full, and where there is something to say.
    let mut line = Vec::new();
    for (text, comments) in moves.iter().zip(&comments[1..]) {
        line.push(text.as_str());
        if line.len() == MOVES_A_LINE || !comments.is_empty() {
            writeln!(out, "{}", line.join("  "))?;
            write_comments(comments, out)?;
            line.clear();
        }
    }
    if !line.is_empty() {
        writeln!(out, "{}", line.join("  "))?;
    }
    let side = last.side_to_move();
    if let Some(sentence) = closing_sentence(game, side, preamble::handicap_name(game).is_some()) {
        writeln!(out, "{sentence}")?;
    }
    writeln!(out)
}

/// A move of the side to move as people write it: `▲７六歩`, `△同　銀`, `▲５八金左`, `△８八角成`.
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
    use crate::record::{GameResult, testing};

    fn read_text(text: &str) -> Result<Game, Broken> {
        read(&testing::lines(text))
    }

    /// What the text means in this position, in USI notation, or the fault.
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
    fn short_game() {
        let text = "手合割：平手\n\n▲７六歩    △３四歩  ▲２二角成△同　銀\n*長い考え\n☗４五角\n\
            まで5手で先手の勝ち\n変化：3手\n▲６六歩\n";
        let game = read_text(text).expect("a game");
        assert_eq!(testing::moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e");
        assert_eq!(game.result, Some(GameResult::BlackWins));
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
        // Tokins around 5e: 6f, 4f below, 6e, 4e beside, 5d above.
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

    #[test]
    fn faults_name_line_and_text() {
        let cases = [
            ("▲３四歩", "is not of the side to move"),
            ("△３四象", "３四象"),
            ("△３四歩投", "３四歩投"),
            ("△３四歩不", "３四歩不"),
            ("△３五銀", "3e"),
            ("△５五成銀", "fits no piece"),
            ("△３二金成", "4a3b+"),
        ];
        testing::check_faults(read, "▲７六歩\n", &cases);
        assert_eq!(read_text("▲同　歩\n").map_err(|broken| broken.line), Err(1));
    }
}
