//! USI lines: `startpos moves 7g7f ... | winner=b | class=pro | black=...`.
//!
//! One game per line. The moves are written as in the USI command `position`; the word `position`
//! may precede them. The fields after ` | ` are `key=value`. `winner` is `b`, `w`, `d` or `?`. `ending`
//! is an [`Ending`]. `scores` has one score per move, as in labelled games; bounds and depths are read
//! but not written. `times` has the seconds per move (`.` = unknown) and optionally the time of the
//! closing action. `comment3` is the comment after three moves, `line3` the line then expected (`3c3d
//! 2g2f`). `header.` before a key marks a header field whose key would have another meaning.
//! GUIs end the list of moves with a word: `resign`, `win`, `rep_draw`, `draw`, `timeout` or `break`.
//! The fields `winner` and `ending` take precedence over the word, and the rules over `rep_draw`: perpetual
//! check loses.
//! Empty lines and lines that start with `#` are skipped.

use std::io::{self, Write};

use super::claims::{self, Claim};
use super::ending::{Closing, SideResult};
use super::text::{one_line, read_seconds, seconds_text};
use super::{
    Ending, Fault, Game, GameBuilder, GameResult, Header, MoveFault, Notes, SearchedScore,
};
use crate::shogi::Move;

/// Words that end a list of moves, from the view of the side to move.
const CLOSINGS: [Closing; 6] = [
    Closing::new("resign", SideResult::Loses, Some(Ending::Resignation)),
    Closing::new("win", SideResult::Wins, Some(Ending::Declaration)),
    Closing::new("rep_draw", SideResult::Draw, Some(Ending::Repetition)),
    Closing::new("draw", SideResult::Draw, None),
    Closing::new("timeout", SideResult::Loses, Some(Ending::Time)),
    Closing::new("break", SideResult::Open, Some(Ending::Interruption)),
];

/// Prefix of the key of a header field that would be read as another field.
const HEADER: &str = "header.";

/// Start position and moves of a line.
pub(super) struct Play {
    pub game: Game,
    /// What was not understood: a dropped last move, or a word that contradicts the rules.
    pub warning: Option<Fault>,
}

/// Reads a line.
pub(super) fn read(line: &str) -> Result<Play, Fault> {
    let mut parts = line.split(" | ");
    let play = parts.next().unwrap_or_default();
    let mut header = Header::default();
    let (mut result, mut ending, mut scores, mut notes) = (None, None, None, Notes::default());
    for part in parts {
        let (key, value) =
            part.split_once('=').ok_or_else(|| Fault::unexpected("a field key=value", part))?;
        match (key.trim(), value.trim()) {
            ("winner", letter) => result = read_result(letter)?,
            ("ending", name) => {
                let found = Ending::from_name(name);
                ending = Some(found.ok_or_else(|| Fault::unexpected("an ending", name))?);
            }
            ("scores", list) => scores = Some(read_scores(list)?),
            // A comment may be indented.
            (key, _) if read_note(&mut notes, key, value)? => {}
            (key, value) => header.set(key.strip_prefix(HEADER).unwrap_or(key), value),
        }
    }
    let Play { mut game, mut warning } = read_play(play, scores.as_deref())?;
    (game.header, game.notes) = (header, notes);
    if result.is_some() || ending.is_some() {
        (game.result, game.ending) = (result, ending);
        warning = warning.filter(|fault| !matches!(fault, Fault::Disputed(_)));
    }
    Ok(Play { game, warning })
}

pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}", play_text(game))?;
    let mut field = |key: &str, value: &str| write!(out, " | {}={}", clean(key), clean(value));
    field("winner", &result_text(game.result))?;
    if let Some(ending) = game.ending {
        field("ending", ending.name())?;
    }
    for (key, value) in &game.header.fields {
        let key = clean(key).trim().replace('=', "＝");
        let prefix = if has_meaning(&key) { HEADER } else { "" };
        field(&format!("{prefix}{key}"), value)?;
    }
    for key in ["black", "white", "event", "date"] {
        if let Some(value) = game.header.get(key) {
            field(key, value)?;
        }
    }
    if (0..game.moves().len()).any(|ply| game.score(ply).is_some()) {
        field("scores", &scores_text(game, |ply| game.score(ply)))?;
    }
    write_notes(&game.notes, out)?;
    writeln!(out)
}

/// Whether a field with this key is not read as a header field with the same key.
fn has_meaning(key: &str) -> bool {
    let number = |name| key.strip_prefix(name).is_some_and(|number| number.parse::<u16>().is_ok());
    ["winner", "ending", "scores", "times"].contains(&key)
        || number("comment")
        || number("line")
        || key.starts_with(HEADER)
}

/// Reads a field of [`write_notes`]. Returns false for other fields.
fn read_note(notes: &mut Notes, key: &str, value: &str) -> Result<bool, Fault> {
    let number = |name| key.strip_prefix(name).and_then(|number| number.parse::<u16>().ok());
    if key == "times" {
        for (ply, word) in value.split_ascii_whitespace().enumerate().filter(|(_, w)| *w != ".") {
            let time = read_seconds(word);
            notes.set_time(ply, time.ok_or_else(|| Fault::unexpected("a time in seconds", word))?);
        }
    } else if let Some(moves) = number("comment") {
        notes.add_comment(moves.into(), &unescaped(value));
    } else if let Some(ply) = number("line").and_then(|moves| moves.checked_sub(1)) {
        let moves =
            value.split_ascii_whitespace().map(str::parse).collect::<Result<Vec<Move>, ()>>();
        let moves = moves.map_err(|()| Fault::unexpected("a line of moves", value))?;
        notes.set_line(ply.into(), &moves);
    } else {
        return Ok(false);
    }
    Ok(true)
}

fn write_notes(notes: &Notes, out: &mut dyn Write) -> io::Result<()> {
    if let Some((last, _)) = notes.times().last() {
        let time = |ply| notes.time(ply).map_or_else(|| ".".to_owned(), seconds_text);
        write!(out, " | times={}", (0..=last).map(time).collect::<Vec<String>>().join(" "))?;
    }
    for (moves, text) in notes.comments() {
        write!(out, " | comment{moves}={}", escaped(text))?;
    }
    for (ply, line) in notes.lines() {
        let moves: Vec<String> = line.iter().map(Move::to_string).collect();
        write!(out, " | line{}={}", ply + 1, moves.join(" "))?;
    }
    Ok(())
}

/// Reads `[position] [startpos | [sfen] BOARD SIDE HANDS [NUMBER]] [moves] MOVE ... [WORD]`. The word
/// `moves` may be missing if the text starts with the list. An illegal last move is dropped.
pub(super) fn read_play(
    text: &str,
    scores: Option<&[Option<SearchedScore>]>,
) -> Result<Play, Fault> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let words = match words.as_slice() {
        ["position", rest @ ..] => rest,
        all => all,
    };
    let (setup, moves) = match words.iter().position(|&word| word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None if words.first().is_some_and(|word| word.parse::<Move>().is_ok()) => words.split_at(0),
        None => (words, &[][..]),
    };
    let closing = moves.last().and_then(|last| CLOSINGS.iter().find(|known| known.word == *last));
    let moves = &moves[..moves.len() - usize::from(closing.is_some())];
    let mut builder = match setup {
        [] | ["startpos"] => GameBuilder::new(),
        ["sfen", fields @ ..] | fields => GameBuilder::from_sfen(&fields.join(" "))?,
    };
    if let Some(scores) = scores
        && scores.len() != moves.len()
    {
        return Err(Fault::ScoreCount(scores.len(), moves.len()));
    }
    let mut cut = None;
    for (ply, text) in moves.iter().enumerate() {
        let broken = |fault| Fault::Move { number: ply + 1, fault };
        let mv = text.parse().map_err(|()| broken(MoveFault::NotAMove((*text).to_owned())))?;
        let score = scores.and_then(|scores| scores[ply]);
        if let Err(error) = builder.push_scored(mv, score) {
            let fault = broken(error.into());
            if ply == 0 || ply + 1 < moves.len() {
                return Err(fault);
            }
            cut = Some(Fault::Cut { part: "game", fault: Box::new(fault), kept: ply });
        }
    }
    let side = builder.position().side_to_move();
    // The word refers to the position after all moves.
    let claim = closing.filter(|_| cut.is_none()).map(|closing| Claim {
        line: 1,
        text: closing.word.to_owned(),
        result: closing.side_result.result(side),
        ending: closing.ending,
        is_verdict: false,
    });
    let claims: Vec<Claim> = claim.into_iter().collect();
    let (end, disputed) = claims::decide(&claims, Some(builder.position()));
    let mut game = builder.finish();
    (game.result, game.ending) = end;
    Ok(Play { game, warning: cut.or(disputed.map(|broken| broken.fault)) })
}

/// Start position and moves in the form that [`read_play`] reads.
pub(super) fn play_text(game: &Game) -> String {
    let mut text = if game.is_from_usual_start() {
        "startpos".to_owned()
    } else {
        format!("sfen {}", game.start_sfen())
    };
    if !game.moves().is_empty() {
        text.push_str(" moves");
    }
    for mv in game.moves() {
        text += &format!(" {mv}");
    }
    text
}

/// `b`, `w`, `d`, or `?` where the record does not say.
pub(super) fn read_result(letter: &str) -> Result<Option<GameResult>, Fault> {
    if letter == "?" {
        return Ok(None);
    }
    let result = GameResult::from_letter(letter);
    result.map(Some).ok_or_else(|| Fault::unexpected("a result b, w, d or ?", letter))
}

pub(super) fn result_text(result: Option<GameResult>) -> String {
    result.map_or('?', GameResult::letter).to_string()
}

/// One score per move, `.` for none.
pub(super) fn read_scores(text: &str) -> Result<Vec<Option<SearchedScore>>, Fault> {
    let score = |word: &str| match word {
        "." => Ok(None),
        _ => word.parse().map(Some).map_err(|()| Fault::unexpected("a score", word)),
    };
    text.split_ascii_whitespace().map(score).collect()
}

/// The text that [`read_scores`] reads. `score`: the score before a move.
pub(super) fn scores_text<T: ToString>(game: &Game, score: impl Fn(usize) -> Option<T>) -> String {
    let text = |ply| score(ply).map_or_else(|| ".".to_owned(), |score| score.to_string());
    (0..game.moves().len()).map(text).collect::<Vec<String>>().join(" ")
}

/// The comment escaped, so that it cannot end its field or its line. `\\n` separates its lines.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', r"\\").replace('|', r"\|");
    text.split('\n').map(one_line).collect::<Vec<_>>().join(r"\n")
}

/// Reverses [`escaped`].
fn unescaped(text: &str) -> String {
    let mut chars = text.chars();
    let mut next = || match chars.next()? {
        '\\' => chars.next().map(|c| if c == 'n' { '\n' } else { c }),
        c => Some(c),
    };
    std::iter::from_fn(&mut next).collect()
}

/// The value with characters replaced that could end its field or its line.
fn clean(text: &str) -> String {
    one_line(text).replace('|', "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{MoveScore, testing};

    fn written(game: &Game) -> String {
        testing::written(write, game)
    }

    /// A game that is read whole.
    fn read(line: &str) -> Result<Game, Fault> {
        super::read(line).and_then(|play| play.warning.map_or(Ok(play.game), Err))
    }

    #[test]
    fn lines_round_trip() {
        let line = "startpos moves 7g7f 3c3d 8h2b+ 3a2b | winner=w | ending=resignation | \
                    class=pro | black=A B | white=棋士 | event=E=1 | date=2005/03/19 | \
                    scores=. 12 -m4 m3 | times=1 . 2.5 0 12 | comment0=a \\| b\\nc\\\\n | comment4= | \
                    line2=8h2b+ 3a2b\n";
        let game = read(line.trim_end()).expect("a game");
        assert_eq!(game.result, Some(GameResult::WhiteWins));
        assert_eq!(game.header.get("event"), Some("E=1"));
        assert_eq!(game.score(2), Some(MoveScore::MatedIn(4)));
        assert_eq!(game.notes.comment(0), Some("a | b\nc\\n"));
        assert_eq!(game.notes.time(4), Some(std::time::Duration::from_secs(12)));
        assert_eq!(game.notes.line(1).len(), 2);
        assert_eq!(written(&game), line);
        let searched = read("startpos moves 7g7f | winner=? | scores=>35/9").expect("a game");
        assert_eq!(written(&searched), "startpos moves 7g7f | winner=? | scores=35\n");
        let indented = "startpos moves 7g7f | winner=? | comment1=　a\n";
        assert_eq!(written(&read(indented.trim_end()).expect("a game")), indented);
        let bare = "sfen 4k4/9/9/9/9/9/9/9/4K4 w G 12 moves 5a5b | winner=?\n";
        assert_eq!(written(&read(bare.trim_end()).expect("a game")), bare);
    }

    #[test]
    fn all_forms_are_read() {
        let usual = crate::shogi::STARTPOS;
        for start in ["startpos".to_owned(), format!("sfen {usual}"), usual.to_owned()] {
            for line in [format!("{start} moves 7g7f"), format!("position {start} moves 7g7f")] {
                let game = read(&line).expect(&line);
                assert!(game.is_from_usual_start());
                assert_eq!((game.moves().len(), game.result), (1, None));
            }
            assert_eq!(read(&start).map(|game| game.moves().len()), Ok(0));
        }
    }

    #[test]
    fn keys_with_another_meaning_stay_header_fields() {
        let mut game = read("startpos moves 7g7f | winner=b").expect("a game");
        let fields = [("winner", "w"), ("ending", "x"), ("times", "y"), ("comment1", "z")];
        let others = [("line0", "0"), ("header.winner", "d"), ("lines", "2"), ("a", "b")];
        for (key, value) in fields.into_iter().chain(others) {
            game.header.set(key, value);
        }
        let again = read(written(&game).trim_end()).expect("a game");
        assert_eq!((again.result, again.ending), (game.result, None));
        assert_eq!(again.header, game.header);
        assert_eq!(again.notes.comment(1), None);
        game.header.set(" winner\t", "w");
        game.header.set("c=d", "e");
        let again = read(written(&game).trim_end()).expect("a game");
        assert_eq!(again.header.get("c＝d"), Some("e"));
    }

    #[test]
    fn faults_name_the_culprit() {
        let message = |line| read(line).expect_err(line).to_string();
        assert!(message("startpos moves 7g7f 7g7f 3c3d").starts_with("move 2: 7g7f"));
        assert!(message("startpos moves 7g7f pass").starts_with("move 2: \"pass\""));
        assert!(message("startpos moves resign 7g7f").starts_with("move 1: \"resign\""));
        assert!(message("startpos moves 7g7f | winner=x").contains("\"x\""));
        assert!(message("startpos moves 7g7f | nobody").contains("\"nobody\""));
        assert!(message("startpos moves 7g7f | ending=boredom").contains("\"boredom\""));
        assert!(message("startpos moves 7g7f | scores=1 2").contains("2 scores for 1 move"));
        assert!(message("startpos moves 7g7f | scores=x").contains("\"x\""));
        assert!(message("startpos moves 7g7f | times=1 y").contains("\"y\""));
        assert!(message("startpos moves 7g7f | line1=z").contains("\"z\""));
        assert!(message("sfen 9/9 b - moves").contains("9/9"));
        assert!(message("startpos 7g7f").contains("startpos"));
    }

    #[test]
    fn words_close_the_list_of_moves() {
        use Ending::{Declaration, Interruption, Repetition, Resignation, Time};
        use GameResult::{BlackWins, Draw, WhiteWins};
        for (word, result, ending) in [
            ("resign", Some(WhiteWins), Some(Resignation)),
            ("win", Some(BlackWins), Some(Declaration)),
            ("rep_draw", Some(Draw), Some(Repetition)),
            ("draw", Some(Draw), None),
            ("timeout", Some(WhiteWins), Some(Time)),
            ("break", None, Some(Interruption)),
        ] {
            let game = read(&format!("position startpos moves 7g7f 3c3d {word}")).expect(word);
            assert_eq!(
                (game.moves().len(), game.result, game.ending),
                (2, result, ending),
                "{word}"
            );
        }
        // Fields take precedence over the word. The word has no score.
        let game = read("startpos moves 7g7f resign | winner=d | scores=5").expect("a game");
        assert_eq!((game.result, game.ending), (Some(Draw), None));
        let white = "sfen 4k4/9/9/9/9/9/9/9/4K4 w G 1 moves 5a5b 5i5h resign";
        assert_eq!(read(white).expect("a game").result, Some(BlackWins));
    }

    #[test]
    fn a_repetition_by_perpetual_check_is_no_draw() {
        let start = "sfen 4k4/9/9/9/9/9/9/7R1/7K1 b - 1";
        let round = " 5a4a 5h4h 4a5a 4h5h";
        let line = format!("{start} moves 2h5h{} rep_draw", round.repeat(3));
        let play = super::read(&line).expect("a game");
        assert_eq!(play.game.result, Some(GameResult::WhiteWins));
        let warning = play.warning.expect("a warning").to_string();
        assert!(warning.contains("rep_draw") && warning.contains("White won"), "{warning}");
        // Fields decide.
        let drawn = read(&format!("{line} | winner=d | ending=repetition")).expect("a game");
        assert_eq!(drawn.result, Some(GameResult::Draw));
    }

    #[test]
    fn an_illegal_last_move_is_left_out() {
        let play = super::read("startpos moves 7g7f 3c3d 7f7g | winner=w").expect("a game");
        assert_eq!((play.game.moves().len(), play.game.result), (2, Some(GameResult::WhiteWins)));
        let cut = play.warning.expect("a warning").to_string();
        assert!(cut.starts_with("move 3: 7f7g") && cut.ends_with("ends after move 2"), "{cut}");
        for line in ["startpos moves 7f7g", "startpos moves 7g7f 7g7f 3c3d"] {
            assert!(super::read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn values_cannot_break_the_line() {
        let mut game = read("startpos").expect("a game");
        game.header.set("note", "a | b\nc");
        assert_eq!(written(&game), "startpos | winner=? | note=a / b c\n");
    }
}
