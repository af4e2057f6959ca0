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

use super::closing::{CLOSINGS, SENTENCE, closing_line, closing_sentence, read_closing_word};
use super::forks::take_back;
use super::japanese_record::{self, MoveLines, Numbers, write_comments, write_start_of_variation};
use super::lines::{Broken, Reading, TextLine};
use super::notation::japanese::{has_origin, kif_move_text, read_kif_move};
use super::notation::words::{digit, is_move_form, split_mark, split_number};
use super::notes::Spent;
use super::preamble::HEAD_OF_MOVES;
use super::text::{believed, read_seconds};
use super::transcript::Transcript;
use super::{Fault, Game, MoveFault, handicap, preamble, search_comment};

/// Whether the moves of a game have started with or before this line.
pub(super) fn is_move_line(text: &str) -> bool {
    let is_known = |text: &str| {
        is_move_form(text) || CLOSINGS.iter().any(|closing| closing.word == first_word(text))
    };
    text.starts_with(HEAD_OF_MOVES)
        || text.starts_with(SENTENCE)
        || numbered(text).is_some_and(|(_, text)| is_known(split_mark(text).1))
}

/// Reads the lines of one game.
pub(super) fn read(lines: &[TextLine]) -> Result<Reading, Broken> {
    let count = |text: &str| usize::from(numbered(text).is_some());
    japanese_record::read(lines, &MoveLines { is_move_line, count, read: read_moves })
}

/// Reads a line of the moves. The number of a closing word shows which side it is about, also if a
/// move before it cannot be read.
fn read_moves(
    numbers: &mut Numbers,
    transcript: &mut Transcript,
    line: &TextLine,
    text: &str,
) -> Result<bool, Broken> {
    let Some((number, text)) = numbered(text) else {
        return Ok(text.starts_with(HEAD_OF_MOVES));
    };
    transcript.reopen();
    let (side, text) = split_mark(text);
    let closing = if is_move_form(text) { None } else { read_closing_word(text) };
    // After a missing or duplicated line, the next move may be legal by chance.
    if numbers.last.is_some_and(|last: usize| last.checked_add(1) != Some(number)) {
        if closing.is_none() || !transcript.is_stopped() {
            let fault = Fault::unexpected("the next move number", &number.to_string());
            transcript.stop_at(line.broken(fault))?;
        }
        if closing.is_none() || numbers.last >= Some(number) {
            return Ok(true);
        }
    }
    numbers.last = Some(number);
    let ply = number - *numbers.first.get_or_insert(number);
    let mover = transcript.mover_after(ply);
    let word = text.split('(').next().unwrap_or_default().trim_end();
    if side.is_some_and(|side| side != mover) {
        transcript.play(line, text, |_, text| Err(MoveFault::WrongSide(text.to_owned())))?;
    } else if is_move_form(text) {
        transcript.play(line, text, read_kif_move)?;
    } else if let Some(statement) = closing {
        transcript.state(line.number, word, statement, Some(mover));
    } else if has_origin(text) {
        transcript.play(line, text, |_, text| Err(MoveFault::NotAMove(text.to_owned())))?;
    } else {
        transcript.close_by_unknown_word(line.number, first_word(text));
    }
    if let Some(time) = read_time(text) {
        transcript.spend(time);
    }
    Ok(true)
}

/// The text before the first blank or parenthesis.
fn first_word(text: &str) -> &str {
    text.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default()
}

/// The time in `７六歩(77)   ( 0:03/00:00:03)`: the part before the slash.
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

/// Number and rest of a line like `   1 ７六歩(77)` or `1. ７六歩(77)`.
fn numbered(text: &str) -> Option<(usize, &str)> {
    let (digits, rest) = split_number(text.trim_start())?;
    let rest = rest.trim();
    let number = digits
        .chars()
        .try_fold(0_usize, |number, c| number.checked_mul(10)?.checked_add(digit(c)?));
    // The line with the files above a diagram also starts with a number.
    let is_header = rest.chars().all(|c| c.is_ascii_digit() || c.is_whitespace());
    if is_header { None } else { Some((number?, rest)) }
}

/// Writes one game.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    preamble::write(game, out)?;
    writeln!(out, "{HEAD_OF_MOVES}---指手---------消費時間--")?;
    let has_handicap = handicap::name(game).is_some();
    let (mut pos, mut spent) = (game.start_position(), Spent::new());
    for (number, (first, line)) in game.lines().enumerate() {
        if number > 0 {
            take_back(&mut pos, first);
            write_start_of_variation(first, out)?;
        }
        let comments = search_comment::comments(line);
        write_comments(&comments[0], out)?;
        for (at, &mv) in line.moves().iter().enumerate() {
            let text = kif_move_text(&pos, mv);
            write_move(first + at, &text, line.notes.time(at), &mut spent, out)?;
            write_comments(&comments[at + 1], out)?;
            pos.do_move(mv);
        }
        let (side, plies) = (pos.side_to_move(), line.moves().len());
        let closing = closing_line(line, side);
        if let Some(closing) = closing {
            let time = line.notes.time(plies);
            write_move(first + plies, closing.word, time, &mut spent, out)?;
        }
        // Behind a variation, other programs do not expect a sentence.
        let sentence = closing_sentence(line, first + plies, side, has_handicap);
        if let Some(sentence) = sentence.filter(|_| number == 0 || closing.is_none()) {
            writeln!(out, "{sentence}")?;
        }
    }
    Ok(())
}

/// Writes the line of a move or of a closing word.
fn write_move(
    ply: usize,
    text: &str,
    time: Option<Duration>,
    spent: &mut Spent,
    out: &mut dyn Write,
) -> io::Result<()> {
    let sum = spent.add(ply, time);
    let time = time.map_or_else(String::new, |time| time_text(time, sum));
    writeln!(out, "{:>4} {text}{time}", ply + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::testing::{self, moves};
    use crate::record::{Ending, GameResult};
    use crate::shogi::IllegalMove;

    /// A game that is read without a warning.
    fn read_text(text: &str) -> Result<Game, Broken> {
        testing::whole(read(&testing::lines(text)))
    }

    #[test]
    fn a_sentence_counts_moves_as_the_lines_do() {
        for first in [1, 22] {
            let (second, last) = (first + 1, first + 2);
            let text = format!(
                "{first} ７六歩(77)\n{second} ３四歩(33)\n{last} ▲？？\nまで{last}手で投了\n"
            );
            let reading = read(&testing::lines(&text)).expect("a game");
            assert_eq!(reading.game.result, Some(GameResult::BlackWins), "{first}");
        }
    }

    #[test]
    fn a_draw_without_an_ending_has_its_own_word() {
        let mut game = read_text("1 ７六歩(77)\n").expect("a game");
        game.result = Some(GameResult::Draw);
        let text = testing::written(write, &game);
        assert!(text.contains("引き分け"), "{text}");
        game.ending = Some(Ending::Interruption);
        assert_eq!(testing::written(write, &game), text);
        assert_eq!(
            read_text(&text).map(|game| (game.result, game.ending)),
            Ok((game.result, None))
        );
    }

    /// What is read can be written in every format and read again: one that other formats refuse is
    /// not believed here either.
    #[test]
    fn times_of_months_are_not_believed() {
        assert_eq!(read_time("(115:44/)"), Some(Duration::from_secs(6_944)));
        assert_eq!(read_time("( 0:12101:00:12)"), None);
    }

    #[test]
    fn illegal_last_moves() {
        let moves = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ７七歩打\n";
        for end in [
            "   4 反則勝ち",
            "   4 反則負け",
            "まで3手で先手の反則負け",
            "まで2手で後手の反則勝ち",
            "まで2手で後手の勝ち",
            "*二歩の反則にて終局",
        ] {
            let game = read_text(&format!("{moves}{end}\n")).expect(end);
            let result = (game.moves().len(), game.result, game.ending);
            let expected = (2, Some(GameResult::WhiteWins), Some(Ending::IllegalMove));
            assert_eq!(result, expected, "{end}");
        }
        // Who resigns after an illegal move lost, and the move is named.
        for (end, result) in [
            ("", None),
            ("   4 投了\n", Some(GameResult::BlackWins)),
            ("   4 中断\n", None),
            ("まで3手で先手の勝ち\n", Some(GameResult::BlackWins)),
        ] {
            let reading = read(&testing::lines(&format!("{moves}{end}"))).expect(end);
            assert_eq!(reading.warnings.len(), 1, "{end}");
            assert_eq!(reading.warnings[0].line, 3, "{end}");
            let text = reading.warnings[0].fault.to_string();
            assert!(text.ends_with("; the game ends after move 2"), "{text}");
            assert_eq!((reading.game.moves().len(), reading.game.result), (2, result), "{end}");
        }
        let behind = read_text(&format!("{moves}   4 ３五歩(34)\n")).expect_err("a move follows");
        assert_eq!(behind.line, 3);
        let first = read_text("   1 ７六金打\n   2 投了\n").expect_err("no legal move");
        assert_eq!(first.line, 1);
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
            ("   2 ▲３四歩(33)", "is not of the side to move"),
            ("   3 ３四歩(33)", "\"3\" is not the next move number"),
        ];
        testing::check_faults(read, head, "   3 ２六歩(27)\n", &cases);
        let broken = read_text("手合割：平手\n   1 同　歩(77)\n").expect_err("no last move");
        assert_eq!(broken.line, 2);
        let after = read_text(&format!("{head}   2 投了\n   3 ３四歩(33)\n")).expect_err("closed");
        assert_eq!(after.line, 4);
        let nothing = read_text("手合割：平手\n1: ７六歩\n").expect_err("nothing is understood");
        assert_eq!(nothing.line, 2);
    }

    #[test]
    fn numbers_and_marks_of_other_writers() {
        for text in [
            "1. ７六歩(77)\n2. ３四歩(33)\n3. 投了\n",
            "1.７六歩(77)\n2.３四歩(33)\n3.投了\n",
            "１ ７六歩(77)\n２ ３四歩(33)\n３ 投了\n",
            "1 ▲７六歩(77)\n2 △３四歩(33)\n3 ▲投了\n",
            "1 ☗ ７六歩(77)\n2 ☖ ３四歩(33)\n3 ☗ 投了\n",
            "1▲７六歩(77)\n2▽３四歩(33)\n3▼投了\n",
        ] {
            let game = read_text(text).expect(text);
            assert_eq!(moves(&game), "7g7f 3c3d", "{text}");
            assert_eq!(game.result, Some(GameResult::WhiteWins), "{text}");
        }
    }

    #[test]
    fn closing_words_of_other_writers() {
        let white = Some(GameResult::WhiteWins);
        for (word, result, ending, kept) in [
            ("詰", white, Some(Ending::Mate), None),
            ("Time-up", white, Some(Ending::Time), None),
            ("勝ち宣言", Some(GameResult::BlackWins), Some(Ending::Declaration), None),
            ("最大手数超過", Some(GameResult::Draw), Some(Ending::MaxMoves), None),
            ("トライ", None, None, Some("トライ")),
            ("王手連続千日手", None, None, Some("王手連続千日手")),
        ] {
            let text = format!("1 ７六歩(77)\n2 ３四歩(33)\n3 {word}  ( 0:03/00:00:04)\n");
            let game = read_text(&text).expect(word);
            assert_eq!((game.result, game.ending), (result, ending), "{word}");
            assert_eq!(game.header.get("end"), kept, "{word}");
            assert_eq!(game.notes.time(2), Some(Duration::from_secs(3)), "{word}");
            // If the word has no result, the sentence has it. If they disagree, nobody is believed.
            let reading = read(&testing::lines(&format!("{text}まで2手で後手の勝ち\n")));
            let Reading { game, warnings } = reading.expect(word);
            let is_disputed = result.is_some() && result != white;
            assert_eq!(game.result, white.filter(|_| !is_disputed), "{word}");
            assert_eq!(warnings.len(), usize::from(is_disputed), "{word}");
        }
    }

    #[test]
    fn lines_that_only_look_like_a_variation() {
        let moves = "   1 ７六歩(77)\n   2 ３四歩(33)\n";
        let game = read_text(&format!("変化：3手\n{moves}   3 投了\n変化：2手\n   2 ８四歩(83)\n"));
        assert_eq!(game.expect("a game").result, Some(GameResult::WhiteWins));
        let remark = read(&testing::lines(&format!("{moves}変化の多い局面\n   3 投了\n")));
        let remark = remark.expect("a game");
        assert_eq!((remark.game.result, remark.warnings[0].line), (Some(GameResult::WhiteWins), 3));
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
