//! CSA: the format of computer tournaments, versions 1 to 3.
//!
//! ```text
//! V2.2
//! N+first player
//! N-second player
//! $EVENT:name
//! PI
//! +
//! +7776FU
//! T12
//! '** 30 -3334FU +2726FU
//! -3334FU
//! '*a comment
//! %TORYO
//! ```
//!
//! The start position is `PI` (the standard one, optionally without some pieces), nine ranks `P1`
//! to `P9`, or single pieces `P+` and `P-`. A move names its squares and the piece after the move.
//! A line `/` separates the games of a file. `T` gives the seconds spent on a move. `'` starts a
//! comment: [scores](super::search_comment), text, and header fields that CSA does not define
//! (`'$END_TIME:...`, `'black_rate:NAME:2800.0` of floodgate; `'$KEY:value` with keys in Japanese).
//! Floodgate's comment `'summary:REASON:BLACK win:WHITE lose` is the [verdict](summary)
//! of the server.

mod header;
mod start;
mod summary;

use std::io::{self, Write};

use self::start::{read_pieces, read_rank, read_usual, write_start};
use super::closing::{Statement, read_closing_word};
use super::ending::{Closing, SideResult};
use super::lines::{Broken, Reading, TextLine};
use super::notation::csa::{color, csa_move_text, read_csa_move, sign};
use super::text::{read_seconds, seconds_text};
use super::transcript::Transcript;
use super::{Ending, Fault, Game, GameBuilder, Header, search_comment};
use crate::shogi::{BoardContent, Color, Position};

const CLOSINGS: [Closing; 13] = [
    Closing::new("TORYO", SideResult::Loses, Some(Ending::Resignation)),
    Closing::new("TSUMI", SideResult::Loses, Some(Ending::Mate)),
    Closing::new("TIME_UP", SideResult::Loses, Some(Ending::Time)),
    Closing::new("ILLEGAL_MOVE", SideResult::Loses, Some(Ending::IllegalMove)),
    Closing::new("KACHI", SideResult::Wins, Some(Ending::Declaration)),
    Closing::new("HIKIWAKE", SideResult::Draw, None),
    Closing::new("SENNICHITE", SideResult::Draw, Some(Ending::Repetition)),
    Closing::new("JISHOGI", SideResult::Draw, Some(Ending::Impasse)),
    Closing::new("MAX_MOVES", SideResult::Draw, Some(Ending::MaxMoves)),
    Closing::new("CHUDAN", SideResult::Open, Some(Ending::Interruption)),
    Closing::new("MATTA", SideResult::Open, None),
    Closing::new("FUZUMI", SideResult::Open, None),
    Closing::new("ERROR", SideResult::Open, None),
];

/// Prefixes of floodgate's comments with the players' ratings: `black_rate:NAME:2800.0`.
const RATINGS: [&str; 2] = ["black_rate", "white_rate"];

/// Prefix of the comment that declares the encoding of the file.
const ENCODING: &str = "CSA encoding=";

/// The line between two games of a file.
pub(super) const SEPARATOR: &str = "/";

/// Whether the line is content of a game, not a comment or a version.
pub(super) fn is_content(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(['\'', 'V'])
}

/// Whether no other format has such a line.
pub(super) fn is_typical(text: &str) -> bool {
    match text.as_bytes() {
        [b'V', version @ ..] => {
            !version.is_empty() && version.iter().all(|b| b.is_ascii_digit() || *b == b'.')
        }
        [b'N' | b'P', b'+' | b'-', ..]
        | [b'P', b'I', ..]
        | [b'P', b'1'..=b'9', b'+' | b'-' | b' ' | b'*', ..] => true,
        [b'\'', ..] | [b'$', b'A'..=b'Z', ..] => true,
        [b'+' | b'-', mv @ ..] => is_move_form(mv),
        _ => false,
    }
}

/// Whether a text has the form of a move without its sign: `7776FU`.
fn is_move_form(text: &[u8]) -> bool {
    text.split_at_checked(4).is_some_and(|(squares, piece)| {
        let is_piece = piece.len() == 2 && piece.iter().all(u8::is_ascii_uppercase);
        is_piece && squares.iter().all(u8::is_ascii_digit)
    })
}

/// Reads the lines of one game.
pub(super) fn read(lines: &[TextLine]) -> Result<Reading, Broken> {
    let mut reader = Reader::default();
    for line in lines {
        let text = line.text.trim_end();
        // Commas separate statements in a line. Names and comments may contain commas.
        let mut rest = text;
        while rest.starts_with(['+', '-', 'P', 'T', '%'])
            && let Some((statement, behind)) = rest.split_once(',')
        {
            reader.read(line, statement)?;
            rest = behind;
        }
        reader.read(line, rest)?;
    }
    let line = lines.last().map_or(0, |line| line.number);
    // Text of which nothing was understood is not a game without moves.
    if let (None, None, Some(line)) =
        (&reader.transcript, &reader.setup, reader.meaningless.first())
    {
        return Err(line.broken(Fault::unexpected("a line of CSA", line.text.trim())));
    }
    reader.begin(line, Color::Black)?;
    let Some(mut transcript) = reader.transcript else { unreachable!("begun above") };
    reader.meaningless.into_iter().for_each(|line| transcript.pass_over(line));
    if let Some((line, text)) = reader.summary {
        summary::judge(&mut transcript, line, &text, &reader.header);
    }
    transcript.finish(reader.header)
}

/// State while the lines of a game are read.
#[derive(Default)]
struct Reader<'a> {
    header: Header,
    /// The start position, if a line has set it.
    setup: Option<BoardContent>,
    /// Comments before the line with the side to move.
    remarks: Vec<String>,
    /// Set by the line with the side to move.
    transcript: Option<Transcript>,
    /// Floodgate's summary and its line.
    summary: Option<(usize, String)>,
    /// Lines before or after the moves that have no meaning.
    meaningless: Vec<&'a TextLine>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, line: &'a TextLine, text: &str) -> Result<(), Broken> {
        let place = |result: Result<(), Fault>| result.map_err(|fault| line.broken(fault));
        match text.as_bytes() {
            [] | [b'V', ..] => Ok(()),
            [b'\'', ..] => {
                self.read_remark(line.number, &text[1..]);
                Ok(())
            }
            [b'T', ..] => {
                if let (Some(transcript), Some(time)) =
                    (&mut self.transcript, read_seconds(&text[1..]))
                {
                    transcript.spend(time);
                }
                Ok(())
            }
            [b'N', sign @ (b'+' | b'-'), ..] => {
                self.header.set(["black", "white"][color(*sign).index()], &text[2..]);
                Ok(())
            }
            [b'$', ..] if text.contains(':') => {
                let (key, value) = text[1..].split_once(':').expect("there is a colon");
                header::set(&mut self.header, key, value);
                Ok(())
            }
            [b'P', ..] if self.transcript.is_some() => self.pass_over(line, text),
            [b'P', b'I', ..] => place(read_usual(&text[2..]).map(|setup| self.setup = Some(setup))),
            [b'P', rank @ b'1'..=b'9', ..] => {
                let setup = self.setup.get_or_insert_default();
                place(read_rank(setup, (rank - b'1').into(), &text[2..]))
            }
            [b'P', sign @ (b'+' | b'-'), ..] => {
                let setup = self.setup.get_or_insert_default();
                place(read_pieces(setup, color(*sign), &text[2..]))
            }
            [sign @ (b'+' | b'-')] => self.begin(line.number, color(*sign)).map(|_| ()),
            [sign @ (b'+' | b'-'), b'0'..=b'9', ..] => {
                self.begin(line.number, color(*sign))?.play(line, text.trim_end(), read_csa_move)
            }
            [b'%', ..] => self.close(line, &text[1..]),
            _ => self.pass_over(line, text),
        }
    }

    /// Records a line without a meaning. Moves have no numbers: a line between them, or a move without
    /// its sign, may hide one.
    fn pass_over(&mut self, line: &'a TextLine, text: &str) -> Result<(), Broken> {
        let is_move = text.split(',').next().is_some_and(|first| is_move_form(first.as_bytes()));
        let broken = || line.broken(Fault::unexpected("a line of CSA", text));
        match &mut self.transcript {
            Some(transcript)
                if !transcript.is_closed()
                    && (is_move || transcript.position().moves_made() > 0) =>
            {
                transcript.stop_at(broken())
            }
            None if is_move && self.setup.is_some() => Err(broken()),
            _ => {
                self.meaningless.push(line);
                Ok(())
            }
        }
    }

    /// Reads the text after `'`.
    fn read_remark(&mut self, line: usize, text: &str) {
        if summary::read(text).is_some() {
            self.summary = Some((line, text.trim().to_owned()));
        }
        if summary::is_bare_winner(text) {
            return;
        }
        let rating = RATINGS.into_iter().find(|rating| text.starts_with(rating));
        if let Some((key, value)) = text.strip_prefix('$').and_then(|text| text.split_once(':')) {
            header::set(&mut self.header, key, value);
        } else if let (Some(rating), Some((_, value))) = (rating, text.rsplit_once(':')) {
            self.header.set(rating, value);
        } else if !text.trim().is_empty() && !text.starts_with(ENCODING) {
            let text = text.strip_prefix('*').unwrap_or(text);
            match &mut self.transcript {
                Some(transcript) => transcript.comment(text),
                None => self.remarks.push(text.to_owned()),
            }
        }
    }

    /// Returns the transcript; creates it at this line of the file if there is none. The default
    /// start position is the standard one.
    fn begin(&mut self, line: usize, side: Color) -> Result<&mut Transcript, Broken> {
        match &mut self.transcript {
            Some(transcript) => Ok(transcript),
            none => {
                let setup = self.setup.take().unwrap_or_else(|| Position::startpos().content());
                let pos = Position::from_pieces(&BoardContent { side, ..setup });
                let pos = pos.map_err(|error| Broken { line, fault: Fault::Start(error) })?;
                let mut transcript = Transcript::new(GameBuilder::from_position(pos));
                self.remarks.drain(..).for_each(|text| transcript.comment(&text));
                Ok(none.insert(transcript))
            }
        }
    }

    /// Reads the word after `%`. An unknown word leaves the result open and is kept as field `end`.
    fn close(&mut self, line: &TextLine, word: &str) -> Result<(), Broken> {
        let word = word.trim();
        let transcript = self.begin(line.number, Color::Black)?;
        let mover = transcript.mover();
        match read_closing(word, mover) {
            Some(statement) => transcript.state(line.number, word, statement, mover),
            None => transcript.close_by_unknown_word(line.number, word),
        }
        Ok(())
    }
}

/// The meaning of a closing word for the side to move. `+ILLEGAL_ACTION` names the side that broke
/// a rule. JKF has the words of CSA and those of KIF.
pub(super) fn read_closing(word: &str, mover: Option<Color>) -> Option<Statement> {
    let (known, offender) = match word {
        "+ILLEGAL_ACTION" => ("+ILLEGAL_ACTION", Color::Black),
        "-ILLEGAL_ACTION" => ("-ILLEGAL_ACTION", Color::White),
        _ => {
            let closing = Closing::find(&CLOSINGS, word).map(Statement::OfMover);
            return closing.or_else(|| read_closing_word(word));
        }
    };
    let is_own = mover == Some(offender);
    let side_result = if is_own { SideResult::Loses } else { SideResult::Wins };
    Some(Statement::OfMover(Closing::new(known, side_result, Some(Ending::IllegalMove))))
}

/// Writes one game.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    // Version 2.2 has whole seconds only.
    let is_exact = game.notes.times().any(|(_, time)| time.subsec_millis() > 0);
    writeln!(out, "{}", if is_exact { "V3.0" } else { "V2.2" })?;
    header::write(&game.header, out)?;
    write_start(&game.start_position(), out)?;
    let mut moves = Vec::with_capacity(game.moves().len() + 1);
    let last = game.replay(|pos, mv| moves.push(csa_move_text(pos, mv)));
    let closing = closing(game, last.side_to_move());
    moves.extend(closing.map(|(word, _)| format!("%{word}")));
    let comments = search_comment::comments(game);
    write_comments(&comments[0], out)?;
    for (ply, text) in moves.into_iter().enumerate() {
        writeln!(out, "{text}")?;
        if let Some(time) = game.notes.time(ply) {
            writeln!(out, "T{}", seconds_text(time))?;
        }
        write_comments(comments.get(ply + 1).map_or(&[], Vec::as_slice), out)?;
    }
    summary::write(game, out)
}

fn write_comments(lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(out, "'*{line}"))
}

/// The closing word that preserves the result, and its ending. CSA can express a win
/// of the side to move without a declaration only as an illegal action of the opponent. `None` for
/// a win without an ending: any word would be a guess.
pub(super) fn closing(game: &Game, side: Color) -> Option<(String, Option<Ending>)> {
    if game.bare_winner().is_some() {
        return None;
    }
    let side_result = SideResult::of(game.result, side);
    if side_result == SideResult::Wins && game.ending != Some(Ending::Declaration) {
        return Some((format!("{}ILLEGAL_ACTION", sign(!side)), Some(Ending::IllegalMove)));
    }
    let closing = Closing::choose(&CLOSINGS, side_result, game.ending)?;
    Some((closing.word.to_owned(), closing.ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameResult;
    use crate::record::testing::{self, moves};

    /// A game that is read without a warning.
    fn read_text(text: &str) -> Result<Game, Broken> {
        testing::whole(read(&testing::lines(text)))
    }

    #[test]
    fn a_first_move_without_its_sign_is_an_error() {
        for text in ["PI\n+\n7776FU\n%TORYO", "PI\n+\n7776FU,T5\n%TORYO", "PI\n\n7776FU\n-3334FU"] {
            let read = read_text(text).map(|game| game.moves().len());
            assert_eq!(read.map_err(|broken| broken.line), Err(3), "{text}");
        }
    }

    #[test]
    fn words_without_a_result_are_kept() {
        for word in ["FUZUMI", "MATTA", "ERROR", "XYZ"] {
            let game = read_text(&format!("PI\n+\n+7776FU\n%{word}\n")).expect(word);
            assert_eq!((game.result, game.ending), (None, None));
            assert_eq!(game.header.get("end"), Some(word));
        }
    }

    #[test]
    fn short_game() {
        let text = "'CSA encoding=UTF-8\nV3.0\nN+A, B\nN-乙\n$EVENT:E:F\n$START_TIME:2020/01/02\n\
            $SITE:here\nPI\n'remark, with comma\n+\n+7776FU\nT12\n-3334FU,T3\n+8822UM,T1.5,-3122GI\n\
            +0045KA\n%TORYO\nT1\n";
        let game = read_text(text).expect("a game");
        assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b B*4e");
        assert_eq!(game.result, Some(GameResult::BlackWins));
        assert_eq!(game.ending, Some(Ending::Resignation));
        assert_eq!(game.header.get("black"), Some("A, B"));
        assert_eq!(game.header.get("event"), Some("E:F"));
        assert_eq!(
            (game.header.get("date"), game.header.get("site")),
            (Some("2020/01/02"), Some("here"))
        );
    }

    #[test]
    fn starts() {
        let start = |text: &str| read_text(text).map(|game| game.start_sfen().to_owned());
        assert_eq!(
            start("PI82HI22KA\n-\n").as_deref(),
            Ok("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")
        );
        let board = "P1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  *  *  *  *  *  *\n\
            P3 *  *  *  * +TO *  *  *  * \nP4 *  *  *  *  *  *  *  *  * \n\
            P5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n\
            P7 *  *  *  *  *  *  *  *  * \nP8 *  *  *  *  *  *  *  *  * \n\
            P9 *  *  *  * +OU *  *  *  * \nP+00KI00FU00FU\nP-00AL\n-\n";
        assert_eq!(start(board).as_deref(), Ok("4k4/9/4+P4/9/9/9/9/9/4K4 w G2P2r2b3g4s4n4l15p 1"));
        assert_eq!(
            start("P-51OU\nP+53TO00KI\nP+59OU\n+\n").as_deref(),
            Ok("4k4/9/4+P4/9/9/9/9/9/4K4 b G 1")
        );
        assert_eq!(start("+7776FU").as_deref(), Ok(crate::shogi::STARTPOS));
    }

    #[test]
    fn closings() {
        let closed = |words: &str| {
            let game = read_text(&format!("PI\n+\n+7776FU\n{words}\n")).expect(words);
            (game.result, game.ending, game.moves().len())
        };
        let (black, white) = (Some(GameResult::BlackWins), Some(GameResult::WhiteWins));
        let illegal = Some(Ending::IllegalMove);
        assert_eq!(closed("%KACHI"), (white, Some(Ending::Declaration), 1));
        assert_eq!(closed("%+ILLEGAL_ACTION"), (white, illegal, 1));
        assert_eq!(closed("%-ILLEGAL_ACTION"), (black, illegal, 1));
        assert_eq!(closed("-3335FU\nT3\n%-ILLEGAL_ACTION"), (black, illegal, 1));
        assert_eq!(closed("-3335FU\n%ILLEGAL_MOVE"), (black, illegal, 1));
        assert_eq!(closed("%SENNICHITE"), (Some(GameResult::Draw), Some(Ending::Repetition), 1));
        assert_eq!(closed("%CHUDAN"), (None, Some(Ending::Interruption), 1));
        assert_eq!(closed("%SOMETHING"), (None, None, 1));
        assert_eq!(closed(""), (None, None, 1));
    }

    #[test]
    fn a_summary_gives_the_result_without_a_closing_word() {
        let closed = |lines: &str| {
            let game = read_text(&format!("PI\n+\n+7776FU\n{lines}\n")).expect(lines);
            (game.result, game.ending, game.notes.comment(1).map(str::to_owned))
        };
        let (black, white) = (Some(GameResult::BlackWins), Some(GameResult::WhiteWins));
        let kept = |text: &str| Some(text.to_owned());
        let text = "summary:abnormal:A win:B:C lose";
        assert_eq!(closed(&format!("'{text}")), (black, None, kept(text)));
        let text = "summary:unknown reason:A lose:B win";
        assert_eq!(closed(&format!("'{text}")), (white, None, kept(text)));
        let text = "summary:max_moves:A draw:B draw";
        assert_eq!(closed(&format!("'{text}")), (Some(GameResult::Draw), None, kept(text)));
        assert_eq!(closed("'summary:unknown: win: lose"), (black, None, None));
        assert_eq!(closed("'summary: of the game"), (None, None, kept("summary: of the game")));
        // A closing word takes precedence.
        let (result, ending, _) = closed("%CHUDAN\n'summary:abnormal:A win:B lose");
        assert_eq!((result, ending), (None, Some(Ending::Interruption)));
    }

    #[test]
    fn a_win_without_an_ending_is_written_as_a_summary() {
        for (moves, winner, line) in [
            ("7g7f", "b", "'summary:unknown:A win: lose"),
            ("7g7f", "w", "'summary:unknown:A lose: win"),
            ("7g7f 3c3d", "b", "'summary:unknown:A win: lose"),
        ] {
            let game =
                testing::game(&format!("startpos moves {moves} | winner={winner} | black=A"));
            let text = testing::written(write, &game);
            assert_eq!(text.lines().last(), Some(line));
            assert!(!text.contains('%'), "{text}");
            assert_eq!(read_text(&text), Ok(game));
        }
    }

    #[test]
    fn faults_name_line_and_text() {
        let begun = [
            ("-3335FU", "3c3e"),
            ("+3334FU", "is not of the side to move"),
            ("-3334GI", "fits no piece"),
            ("-3334XX", "-3334XX"),
            ("-0034TO", "-0034TO"),
            ("-333FU", "-333FU"),
            ("-3334歩", "-3334歩"),
            ("PI", "\"PI\""),
            ("hello", "hello"),
            ("-hello", "-hello"),
        ];
        testing::check_faults(read, "PI\n+\n+7776FU\n", "-3334FU\n", &begun);
        for (line, part) in [
            ("PI55FU", "55FU"),
            ("PI82H", "82H"),
            ("P1-KY-KE", "-KY-KE"),
            ("P1-KY-KE-GI-KI-OU-KI-GI-KE?KY", "?KY"),
            ("P1 * * * * * * * * * *", "* *"),
            ("P1 * * * * * * * *", "* *"),
            ("P+00OU", "00OU"),
            ("P+99", "99"),
        ] {
            let broken = read_text(&format!("{line}\n")).expect_err(line);
            assert!(broken.fault.to_string().contains(part), "{}", broken.fault);
        }
        assert!(matches!(
            read_text("P-51OU51KI\n+\n"),
            Err(Broken { line: 2, fault: Fault::Start(_) })
        ));
        let nothing = read_text("hello\nworld\n").expect_err("nothing is understood");
        assert_eq!(nothing.line, 1);
    }

    #[test]
    fn lines_without_meaning_around_the_moves() {
        for text in [
            "$EVENT\nPI\n+\n+7776FU\n%TORYO\n",
            "Subject: a game\nPI\n+\n+7776FU\n%TORYO\n",
            "PI\n+\n+7776FU\n%TORYO\n#RESIGN\n#WIN\n",
        ] {
            let reading = read(&testing::lines(text)).expect(text);
            assert_eq!(
                (reading.game.moves().len(), reading.game.ending),
                (1, Some(Ending::Resignation))
            );
            assert!(!reading.warnings.is_empty(), "{text}");
        }
    }

    #[test]
    fn ranks_with_single_blanks() {
        let usual = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI * * * * * -KA *\n\
            P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 * * * * * * * * *\nP5*********\n\
            P6  *  *  *  *  *  *  *  *  *  \nP7+FU +FU+FU+FU+FU+FU+FU+FU+FU\n\
            P8 *+KA * * * * *+HI *\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n";
        let game = read_text(usual).expect("a start");
        assert!(game.is_from_usual_start());
    }
}
