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
//! [`notation::japanese`](super::notation::japanese) has the words of the moves.

use std::io::{self, Write};

use super::closing::{SENTENCE, closing_sentence, read_closing_word};
use super::forks::take_back;
use super::japanese_record::{self, MoveLines, Numbers, write_comments, write_start_of_variation};
use super::lines::{Broken, Reading, TextLine};
use super::notation::japanese::{find_move, japanese_move_text, marked};
use super::notation::words::{is_move_form, names_a_square, side_of_mark, split_mark};
use super::transcript::Transcript;
use super::{Fault, Game, MoveFault, handicap, preamble, search_comment};
use crate::shogi::Position;

/// Whether the moves of a game have started with or before this line.
pub(super) fn is_move_line(text: &str) -> bool {
    let has_mark = split_mark(text).0.is_some();
    text.starts_with(SENTENCE) || (has_mark && !preamble::is_hand_line(text))
}

/// Reads the lines of one game.
pub(super) fn read(lines: &[TextLine]) -> Result<Reading, Broken> {
    let count = |text: &str| match text.starts_with(SENTENCE) {
        true => 1,
        false => marked(text).count(),
    };
    let read = |_: &mut Numbers, transcript: &mut Transcript, line: &TextLine, text: &str| {
        read_moves(transcript, line, text)
    };
    japanese_record::read(lines, &MoveLines { is_move_line, count, read })
}

fn read_moves(transcript: &mut Transcript, line: &TextLine, text: &str) -> Result<bool, Broken> {
    if split_mark(text).0.is_none() {
        // Moves have no numbers, so a line that may hide a move cannot be ignored.
        let may_hide_a_move = names_a_square(text) || text.contains(|c| side_of_mark(c).is_some());
        if may_hide_a_move {
            transcript.stop_at(line.broken(Fault::unexpected("a line of moves", text)))?;
        }
        return Ok(may_hide_a_move);
    }
    marked(text).try_for_each(|(color, text)| {
        let is_turn = transcript.is_stopped() || color == transcript.position().side_to_move();
        let closing = if is_move_form(text) { None } else { read_closing_word(text) };
        if let Some(statement) = closing.filter(|_| is_turn) {
            transcript.state(line.number, text, statement, Some(color));
            return Ok(());
        }
        transcript.play(line, text, |pos, text| {
            if color != pos.side_to_move() {
                return Err(MoveFault::WrongSide(text.to_owned()));
            }
            find_move(pos, text)
        })
    })?;
    Ok(true)
}

/// Moves in a line of a record that is written.
const MOVES_A_LINE: usize = 6;

/// Writes one game.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    preamble::write(game, out)?;
    writeln!(out)?;
    let has_handicap = handicap::name(game).is_some();
    let mut pos = game.start_position();
    for (number, (first, line)) in game.lines().enumerate() {
        if number > 0 {
            take_back(&mut pos, first);
            write_start_of_variation(first, out)?;
        }
        write_moves(line, &mut pos, out)?;
        let moves = first + line.moves().len();
        let sentence = closing_sentence(line, moves, pos.side_to_move(), has_handicap);
        // Without moves, this sentence separates the position from the next one in the file.
        if let Some(sentence) = sentence.or((moves == 0).then(|| format!("{SENTENCE}0手"))) {
            writeln!(out, "{sentence}")?;
        }
    }
    writeln!(out)
}

/// Writes the moves and comments of a line that starts at `pos`, and plays the moves.
fn write_moves(game: &Game, pos: &mut Position, out: &mut dyn Write) -> io::Result<()> {
    let comments = search_comment::comments(game);
    write_comments(&comments[0], out)?;
    // A line ends where it is full, and where there is something to say.
    let mut line = Vec::new();
    for (&mv, comments) in game.moves().iter().zip(&comments[1..]) {
        line.push(japanese_move_text(pos, mv));
        pos.do_move(mv);
        if line.len() == MOVES_A_LINE || !comments.is_empty() {
            writeln!(out, "{}", line.join("  "))?;
            write_comments(comments, out)?;
            line.clear();
        }
    }
    if line.is_empty() { Ok(()) } else { writeln!(out, "{}", line.join("  ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Ending, GameResult, testing};

    /// A game that is read without a warning.
    fn read_text(text: &str) -> Result<Game, Broken> {
        testing::whole(read(&testing::lines(text)))
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
            ("◇３四歩", "◇３四歩"),
        ];
        testing::check_faults(read, "▲７六歩\n", "▲２六歩\n", &cases);
        assert_eq!(read_text("▲同　歩\n").map_err(|broken| broken.line), Err(1));
        assert_eq!(read_text("先手：甲\n◆７六歩\n").map_err(|broken| broken.line), Err(2));
    }

    #[test]
    fn illegal_last_moves_and_prose() {
        let moves = "▲７六歩    △３四歩    ▲７七歩打\n";
        for end in ["まで3手で先手の反則負け", "まで2手で後手の反則勝ち", "まで2手で後手の勝ち"]
        {
            let game = read_text(&format!("{moves}{end}\n")).expect(end);
            let result = (game.moves().len(), game.result, game.ending);
            let expected = (2, Some(GameResult::WhiteWins), Some(Ending::IllegalMove));
            assert_eq!(result, expected, "{end}");
        }
        let prose = read(&testing::lines("▲７六歩\n角道を開ける。\n△３四歩\n変化：2手\n▲foo\n"));
        let prose = prose.expect("a game");
        assert_eq!((prose.game.moves().len(), prose.warnings[0].line), (2, 2));
        for text in ["⛊７六歩\n⛉３四歩\n", "☗７六歩☖３四歩\n"] {
            assert_eq!(testing::moves(&read_text(text).expect(text)), "7g7f 3c3d");
        }
    }
}
