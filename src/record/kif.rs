//! KIF: one move a line, with the square it comes from.
//!
//! ```text
//! 手合割：平手
//! 先手：甲
//! 手数----指手---------消費時間--
//!    1 ７六歩(77)   ( 0:03/00:00:03)
//! *a comment
//!    2 ３四歩(33)
//!    3 ２二角成(88)
//!    4 同　銀(31)
//!    5 ４五角打
//!    6 投了
//! まで5手で先手の勝ち
//! ```
//!
//! Several records may follow one another in a file: the header of the next one ends a game.

use std::io::{self, Write};
use std::time::Duration;

use super::ending::{Closing, SideResult};
use super::japanese::{CLOSINGS, closing_sentence, destination_name, eat, kind_name, split_move};
use super::lines::{Broken, TextLine};
use super::main_line::{self, CLOSING, write_comments};
use super::text::{believed, read_seconds, square_digits, square_from_digits};
use super::{Fault, Game, MoveFault, preamble, search_comment};
use crate::shogi::{Move, Position, Square};

/// Whether the line shows that the moves of a game have begun.
pub(super) fn is_move_line(text: &str) -> bool {
    text.starts_with("手数-") || text.starts_with(CLOSING) || numbered(text).is_some()
}

/// Reads the lines of one game.
pub(super) fn read(lines: &[TextLine]) -> Result<Game, Broken> {
    let mut last_number = None;
    main_line::read(lines, is_move_line, |transcript, line, text| {
        let Some((number, text)) = numbered(text) else { return Ok(()) };
        // A lost or doubled line may leave moves that are legal by chance.
        if last_number.is_some_and(|last: usize| number != last + 1) {
            let fault = Fault::unexpected("the next move number", &number.to_string());
            return Err(line.broken(fault));
        }
        last_number = Some(number);
        let word = text.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
        if !transcript.close_by_word(&CLOSINGS, word) {
            transcript.play(line, text, read_move)?;
        }
        if let Some(time) = read_time(text) {
            transcript.spend(time);
        }
        Ok(())
    })
}

/// The time in `７六歩(77)   ( 0:03/00:00:03)`: what stands before the slash.
fn read_time(text: &str) -> Option<Duration> {
    let (_, times) = text.rsplit_once('(')?;
    let time = times.split(['/', ')']).next().filter(|time| time.contains(':'))?;
    let time = time.split(':').try_fold(Duration::ZERO, |sum, part| {
        sum.checked_mul(60).and_then(|sum| sum.checked_add(read_seconds(part)?))
    });
    time.and_then(believed)
}

/// `   ( 0:03/00:00:03)`: a time and the sum of all of that side.
fn time_text(time: Duration, sum: Duration) -> String {
    let (time, sum) = (time.as_secs(), sum.as_secs());
    let (minutes, hours) = (sum / 60 % 60, sum / 3600);
    format!("   ({:>2}:{:02}/{hours:02}:{minutes:02}:{:02})", time / 60, time % 60, sum % 60)
}

/// Number and rest of a line like `   1 ７六歩(77)`.
fn numbered(text: &str) -> Option<(usize, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, rest) = text.split_at(end);
    let rest = rest.strip_prefix(char::is_whitespace)?.trim();
    // The files above a diagram are numbers too.
    let is_header = rest.chars().all(|c| c.is_ascii_digit() || c.is_whitespace());
    if is_header { None } else { number.parse().ok().map(|number| (number, rest)) }
}

fn read_move(pos: &Position, text: &str) -> Result<Move, MoveFault> {
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

/// The square in `(77)`.
fn origin(text: &str) -> Option<Square> {
    square_from_digits(text.trim_start().strip_prefix('(')?.split_once(')')?.0)
}

/// Writes one game, in UTF-8.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "#KIF version=2.0 encoding=UTF-8")?;
    preamble::write(game, out)?;
    writeln!(out, "手数----指手---------消費時間--")?;
    let mut moves = Vec::with_capacity(game.moves().len() + 1);
    let last = game.replay(|pos, mv| moves.push(move_text(pos, mv)));
    let side = last.side_to_move();
    let side_result = SideResult::of(game.result, side);
    if let Some(closing) = Closing::choose(&CLOSINGS, side_result, game.ending) {
        moves.push(closing.word.to_owned());
    }
    let comments = search_comment::comments(game);
    write_comments(&comments[0], out)?;
    let mut sums = [Duration::ZERO; 2];
    for (ply, text) in moves.into_iter().enumerate() {
        write!(out, "{:>4} {text}", ply + 1)?;
        if let Some(time) = game.notes.time(ply) {
            let sum = &mut sums[ply % 2];
            *sum += Duration::from_secs(time.as_secs());
            write!(out, "{}", time_text(time, *sum))?;
        }
        writeln!(out)?;
        write_comments(comments.get(ply + 1).map_or(&[], Vec::as_slice), out)?;
    }
    let sentence = closing_sentence(game, side, preamble::handicap_name(game).is_some());
    sentence.map_or(Ok(()), |sentence| writeln!(out, "{sentence}"))
}

/// `７六歩(77)`, `同　角成(88)`, `５五角打`.
fn move_text(pos: &Position, mv: Move) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::testing::{self, moves};
    use crate::record::{Ending, GameResult};
    use crate::shogi::IllegalMove;

    fn read_text(text: &str) -> Result<Game, Broken> {
        read(&testing::lines(text))
    }

    /// What is read can be written in every format and read again: one that other formats refuse is
    /// not believed here either.
    #[test]
    fn times_of_months_are_not_believed() {
        assert_eq!(read_time("(115:44/)"), Some(Duration::from_secs(6_944)));
        assert_eq!(read_time("( 0:12101:00:12)"), None);
    }

    #[test]
    fn moves_drops_promotions_and_same_square() {
        let text = "# 棋譜\n手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n\
            *始め\n   1 ７六歩(77)   ( 0:03/00:00:03)\n   2 ３四歩(33)\n*良い手\n\
            \n   3 ２二角成(88)+\n   4 同　銀(31)   ( 0:01/)\n   5 ４五角打\n   6 投了\n\
            まで5手で先手の勝ち\n\n変化：3手\n   3 ６六歩(67)\n";
        let game = read_text(text).expect("a game");
        assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e");
        assert_eq!(game.result, Some(GameResult::BlackWins));
        assert_eq!(game.ending, Some(Ending::Resignation));
        assert_eq!(game.header.players, [Some("甲".to_owned()), Some("乙".to_owned())]);
    }

    #[test]
    fn illegal_last_move_that_the_record_punishes() {
        let moves = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ７七歩打\n";
        let game = read_text(&format!("{moves}   4 反則勝ち\n")).expect("a game");
        assert_eq!((game.moves().len(), game.result), (2, Some(GameResult::WhiteWins)));
        assert_eq!(read_text(moves).expect_err("illegal").line, 3);
        assert_eq!(read_text(&format!("{moves}   4 投了\n")).expect_err("illegal").line, 3);
    }

    #[test]
    fn faults_name_line_and_text() {
        let head = "手合割：平手\n   1 ７六歩(77)\n";
        let cases = [
            ("   2 ３四歩", "３四歩"),
            ("   2 ３四歩(34)", "３四歩(34)"),
            ("   2 ３四金(33)", "fits no piece"),
            ("   2 ３四象(33)", "３四象"),
            ("   2 ３五歩(33)", "3c3e"),
            ("   2 ５五成銀打", "５五成銀打"),
            ("   3 ３四歩(33)", "\"3\" is not the next move number"),
        ];
        testing::check_faults(read, head, &cases);
        let broken = read_text("手合割：平手\n   1 同　歩(77)\n").expect_err("no last move");
        assert_eq!(broken.line, 2);
        let after = read_text(&format!("{head}   2 投了\n   3 ３四歩(33)\n")).expect_err("closed");
        assert_eq!(after.line, 4);
    }

    #[test]
    fn diagrams() {
        let text = "後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n\
            +---------------------------+\n\
            | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
            | ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n\
            | ・ ・ ・ ・ ・ ・v圭 ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
            | ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n\
            先手の持駒：金　歩十二\n手数＝0  まで\n   1 ５二金打\n   2 詰み\n";
        let game = read_text(text).expect("a game");
        assert_eq!(game.start_sfen(), "4k4/9/4P4/9/6+n2/9/9/9/4K4 b G12P 1");
        assert_eq!((moves(&game).as_str(), game.ending), ("G*5b", Some(Ending::Mate)));
        let white =
            text.replace("手数＝0  まで\n   1 ５二金打\n   2 詰み", "後手番\n   1 ５三玉(51)");
        let illegal = IllegalMove::NotAMove("5a5c".parse().expect("a move"));
        let fault = Fault::Move { number: 1, fault: illegal.into() };
        assert_eq!(read_text(&white).map(|game| moves(&game)), Err(Broken { line: 16, fault }));
    }
}
