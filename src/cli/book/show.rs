//! `kankei book show`: shows the moves of a book for a position.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::book::{Book, BookMove, BookRules};
use crate::command::notation::{Notation, NotationArg, Wording, at_right, padded};
use crate::command::texts::side_name;
use crate::command::{CliError, parse_position, texts};
use crate::shogi::{Move, Position};

/// Show the moves of a book for a position, at any move number, rotated or not.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Book of YaneuraOu, text (.db) or binary (.ybb)
    book: PathBuf,
    /// Position: `startpos` or an SFEN, optionally followed by `moves` and a list, with or without
    /// quotes
    #[arg(required = true, num_args = 1..)]
    sfen: Vec<String>,
    #[command(flatten)]
    notation: NotationArg,
    /// Print one JSON object per move instead
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let pos = parse_position(&args.sfen.join(" "))?;
    let rules = BookRules { any_number: true, turned: true, ..BookRules::default() };
    let page = Book::open(&args.book)?.look_up(&pos, &rules)?;
    page.faults.iter().for_each(|fault| eprintln!("{fault}"));
    if args.json {
        page.moves.iter().for_each(|known| println!("{}", json(&pos, known)));
        return Ok(ExitCode::SUCCESS);
    }
    let Wording { notation, language } = args.notation.wording();
    let side = side_name(language, pos.side_to_move());
    println!("{}", texts::BOOK_POSITION.with(language, [&pos.to_sfen(), &side]));
    if page.moves.is_empty() {
        println!("{}", texts::NOT_IN_BOOK.get(language));
        return Ok(ExitCode::SUCCESS);
    }
    let width = if notation == Notation::Usi { 6 } else { 14 };
    let [mv, reply] = [texts::MOVE, texts::ANSWER].map(|text| padded(text.get(language), width));
    print!("{mv} {reply}");
    for (text, width) in [
        (texts::SCORE, 7),
        (texts::BLACKS, 7),
        (texts::DEPTH, 6),
        (texts::COUNT, 9),
        (texts::SHARE, 7),
    ] {
        print!(" {}", at_right(text.get(language), width));
    }
    println!();
    let all = total(&page.moves);
    for known @ &BookMove { mv, score, depth, count, .. } in &page.moves {
        let reply = known.reply.and_then(|reply| after(&pos, mv, reply));
        let reply = reply.map_or_else(|| "-".to_owned(), |(pos, mv)| notation.name(&pos, mv));
        let [mv, reply] = [notation.name(&pos, mv), reply].map(|text| padded(&text, width));
        let black = pos.side_to_move().sign() * score;
        let share = 100.0 * count as f64 / all;
        println!("{mv} {reply} {score:>+7} {black:>+7} {depth:>6} {count:>9} {share:>5.1} %");
    }
    Ok(ExitCode::SUCCESS)
}

/// The sum of all counts, at least 1.
fn total(moves: &[BookMove]) -> f64 {
    moves.iter().map(|known| known.count).sum::<u64>().max(1) as f64
}

/// The position after a move, and the reply to it if that is legal.
fn after(pos: &Position, mv: Move, reply: Move) -> Option<(Position, Move)> {
    let mut pos = pos.clone();
    pos.do_move(mv);
    pos.is_legal(reply).then_some((pos, reply))
}

/// A move of the book as JSON. Scores in centipawns.
fn json(pos: &Position, known: &BookMove) -> serde_json::Value {
    let &BookMove { mv, reply, score, depth, count } = known;
    serde_json::json!({
        "position": pos.to_sfen(),
        "move": mv.to_string(),
        "japanese": Notation::Japanese.name(pos, mv),
        "reply": reply.map(|reply| reply.to_string()),
        "score": score,
        "black_score": pos.side_to_move().sign() * score,
        "depth": depth,
        "count": count,
    })
}
