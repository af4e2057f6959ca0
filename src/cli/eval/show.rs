//! `kankei eval show`: explains the score of a position.

use std::fmt::Write as _;
use std::process::ExitCode;

use super::explanation::{Explanation, explain};
use crate::command::language::{Language, Text};
use crate::command::notation::{NotationArg, at_right, centred, padded};
use crate::command::searcher::EvalArgs;
use crate::command::texts::{self, part_name, side_name};
use crate::command::{CliError, parse_position, score_by_parts};
use crate::eval::learned::Term;
use crate::eval::nnue;
use crate::eval::{Evaluation, Kernel};
use crate::papers::{bonanza::hoki, td::features};
use crate::record::{diagram_text, japanese_kind_name, japanese_square_name};
use crate::shogi::{Color, Piece, Place, Position, Square};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    eval: EvalArgs,
    /// Number of the strongest relations to list
    #[arg(long, default_value_t = 12, value_parser = crate::command::whole_number::<usize>)]
    relations: usize,
    #[command(flatten)]
    notation: NotationArg,
    /// Position: `startpos` or an SFEN, optionally followed by `moves` and a list; quotes are
    /// optional
    #[arg(required = true, num_args = 1..)]
    sfen: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let evaluation = args.eval.load()?;
    let pos = parse_position(&args.sfen.join(" "))?;
    let language = args.notation.wording().language;
    print!("{}", describe(&evaluation, &pos, args.relations, language));
    Ok(ExitCode::SUCCESS)
}

fn describe(
    evaluation: &Evaluation,
    pos: &Position,
    relations: usize,
    language: Language,
) -> String {
    let drawing = match language {
        Language::English => pos.to_string(),
        Language::Japanese => format!("{}sfen {}", diagram_text(pos), pos.to_sfen()),
    };
    let mut text = format!("{drawing}\n\n{}\n\n", score_by_parts(evaluation, pos, language));
    let heading = |heading: Text<0>| format!("{}\n\n", heading.get(language));
    if let Evaluation::Learned(weights) = evaluation {
        let explanation = explain(weights, pos);
        let shares: Vec<(Place, f64)> =
            explanation.pieces.iter().map(|piece| (piece.place, piece.relations())).collect();
        text += &heading(texts::RELATIONS_OF_PIECES);
        text += &board(pos, &shares, language);
        text += &hands(&shares, language);
        text += &pieces(&explanation, language);
        text += &strongest(&explanation, relations, language);
    }
    if let Evaluation::Nnue(network) = evaluation {
        let shares: Vec<(Place, f64)> = nnue::full::shares(network, pos)
            .into_iter()
            .map(|(place, share)| (place, f64::from(share)))
            .collect();
        let value = nnue::full::raw(network, Kernel::detect(), pos);
        if let Some(raw) = value {
            let scale = network.recommended_fv_scale();
            let own = format!("{:+}", network.own_value(raw, scale));
            let _ = writeln!(text, "{}", texts::OWN_UNIT.with(language, [&own, &scale]));
        }
        text += &heading(texts::LOSS_WITHOUT);
        text += &board(pos, &shares, language);
        text += &hands(&shares, language);
    }
    if let Some(weights) = evaluation.registered() {
        text += &features::table(weights, pos, language);
    }
    if let Some(weights) = evaluation.registered() {
        text += &hoki::table(weights, pos, language);
    }
    text
}

/// Draws the board. The contribution of a piece to the value is below the piece.
fn board(pos: &Position, shares: &[(Place, f64)], language: Language) -> String {
    let share_on = |sq: Square| {
        let on_it = |place: &Place| matches!(place, Place::Board(at, _) if *at == sq);
        shares.iter().find(|(place, _)| on_it(place)).map(|(_, share)| *share)
    };
    let line = "+------+------+------+------+------+------+------+------+------+\n";
    let files = language.choose("987654321", "９８７６５４３２１").chars();
    let ranks = language.choose("abcdefghi", "一二三四五六七八九").chars();
    let mut text: String = files.map(|file| centred(&file.to_string(), 7)).collect();
    text = format!(" {}\n{line}", text.trim_end());
    for (rank, name) in ranks.enumerate() {
        let names = Square::of_rank(rank)
            .map(|sq| pos.piece_on(sq).map_or_else(String::new, |piece| symbol(piece, language)));
        let shares = Square::of_rank(rank)
            .map(|sq| share_on(sq).map_or_else(String::new, |share| format!("{share:+.0}")));
        for (cells, mark) in [(names.collect::<Vec<_>>(), name), (shares.collect::<Vec<_>>(), ' ')]
        {
            for cell in cells {
                let _ = write!(text, "|{}", centred(&cell, 6));
            }
            let _ = writeln!(text, "| {mark}");
        }
        text += line;
    }
    text
}

fn hands(shares: &[(Place, f64)], language: Language) -> String {
    let mut text = String::new();
    for color in [Color::Black, Color::White] {
        let held: Vec<String> = shares
            .iter()
            .filter(|(place, _)| matches!(place, Place::Hand(holder, ..) if *holder == color))
            .map(|(place, share)| format!("{} {share:+.0}", place_name(*place, language)))
            .collect();
        if !held.is_empty() {
            let held = held.join(texts::SEPARATOR.get(language));
            let side = side_name(language, color);
            let _ = writeln!(text, "{}", texts::HOLDS.with(language, [&side, &held]));
        }
    }
    text + "\n"
}

fn pieces(explanation: &Explanation, language: Language) -> String {
    let (of_pieces, of_kings): (Vec<Term>, Vec<Term>) =
        Term::ALL.into_iter().partition(|term| term.has_pieces());
    // The longest names: `piece` or ▲５五成銀, and `relations` or ネットワーク.
    let (first, width) = language.choose((8, 9), (12, 12));
    let named = |name: &str| padded(&part_name(language, name), first);
    let mut text = padded(texts::PIECE.get(language), first);
    let names = of_pieces.iter().map(|term| term.name());
    for name in ["material"].into_iter().chain(names).chain(["KPP", "kPP", "network", "relations"])
    {
        let _ = write!(text, " {}", at_right(&part_name(language, name), width));
    }
    for piece in &explanation.pieces {
        let name = padded(&place_name(piece.place, language), first);
        let _ = write!(text, "\n{name} {:>+width$.0}", piece.material);
        let shares = of_pieces.iter().map(|&term| piece.terms[term]);
        for share in shares.chain([piece.kpp[0], piece.kpp[1], piece.network, piece.relations()]) {
            let _ = write!(text, " {share:>+width$.1}");
        }
    }
    text.push('\n');
    for term in of_kings {
        let (name, value) = (named(term.name()), explanation.kings[term]);
        let _ = writeln!(text, "{name} {:>width$} {value:>+width$.1}", "");
    }
    if explanation.network != 0.0 {
        let rest = format!("{:+.1}", explanation.network_rest());
        let _ = writeln!(
            text,
            "{} {:>width$} {:>+width$.1}{}{}",
            named("network"),
            "",
            explanation.network,
            texts::SEPARATOR.get(language),
            texts::NETWORK_REST.with(language, [&rest]),
        );
    }
    text + "\n"
}

fn strongest(explanation: &Explanation, count: usize, language: Language) -> String {
    let mut text = texts::STRONGEST.get(language).to_owned() + "\n";
    for relation in explanation.relations.iter().take(count) {
        let [first, second] = relation.places.map(|place| place_name(place, language));
        let pair = texts::AND.with(language, [&first, &second]);
        let _ = writeln!(text, "{:>+8.1}  {pair}", relation.value);
    }
    text
}

/// A piece on the board: `S` and `v銀`, with lower case or `v` for White.
fn symbol(piece: Piece, language: Language) -> String {
    let mark = if piece.color == Color::White { "v" } else { "" };
    language.choose(piece.to_string(), format!("{mark}{}", japanese_kind_name(piece.kind)))
}

/// Formats as `S7g`, with lower case for White, or as `▲７七銀`. `P*2` and `▲持駒歩2` are the
/// second pawn in hand.
fn place_name(place: Place, language: Language) -> String {
    let mark = |color: Color| ["▲", "△"][color.index()];
    match (place, language) {
        (Place::Board(sq, piece), Language::English) => format!("{piece}{sq}"),
        (Place::Board(sq, piece), Language::Japanese) => {
            format!(
                "{}{}{}",
                mark(piece.color),
                japanese_square_name(sq),
                japanese_kind_name(piece.kind)
            )
        }
        (Place::Hand(color, held, n), Language::English) => {
            format!("{}*{n}", Piece::new(color, held.kind()))
        }
        (Place::Hand(color, held, n), Language::Japanese) => {
            format!("{}持駒{}{n}", mark(color), japanese_kind_name(held.kind()))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::cli::eval::explanation::Relation;
    use crate::eval::learned::Terms;
    use crate::eval::learned::network::{HeadShape, NetworkShape};
    use crate::eval::{PieceIndex, learned::KingView};
    use crate::lab::learn::{RealKpp, RealNetwork, RealUpper, RealWeights};
    use crate::papers::bonanza::hoki::HokiGroup;
    use crate::rng::Rng;

    fn random(has_network: bool) -> Evaluation {
        let mut rng = Rng::from_seed(5);
        let mut numbers = |count: usize| -> Vec<f32> {
            (0..count).map(|_| 4.0 * rng.unit() as f32 - 2.0).collect()
        };
        let mut real = RealWeights::zero();
        real.terms = Terms::from_fn(|term| numbers(term.size()));
        if has_network {
            let head = HeadShape::classic(16);
            let shape = NetworkShape { units: 32, king_relative: false, head };
            let sized = |count, size: f64| numbers(count).iter().map(|x| size as f32 * x).collect();
            real.upper = RealUpper::Network(RealNetwork::draw(shape, sized));
        } else {
            let rows = numbers(KingView::KINGS * PieceIndex::COUNT * 32);
            real.upper = RealUpper::Kpp(RealKpp::Factored { rank: 32, rows });
        }
        Evaluation::Learned(Arc::new(real.quantize().weights))
    }

    const UNUSUAL: &str =
        "3gk1gn+B/6s2/l1s2pppp/p3p4/9/3P2P2/2PGP+b+nPP/4g1R2/1+r3sSKL w 2n2l6p 94";

    #[test]
    fn contributions_add_up_to_the_score() {
        let quiet = "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1";
        let evaluations = [false, true].map(random);
        for (evaluation, sfen) in evaluations.iter().flat_map(|e| [(e, quiet), (e, UNUSUAL)]) {
            let Evaluation::Learned(weights) = evaluation else { panic!("not a learned one") };
            let pos = Position::from_sfen(sfen).expect("valid");
            let parts = explain(weights, &pos);
            let shares: f64 =
                parts.pieces.iter().map(|piece| piece.material + piece.relations()).sum();
            let kings: f64 = Term::ALL.map(|term| parts.kings[term]).iter().sum();
            let black = shares + kings + parts.network_rest();
            let score = f64::from(pos.side_to_move().sign() * evaluation.evaluate(&pos).to_cp());
            assert!((black - score).abs() < 1.5, "{black} {score}");
            assert!(parts.relations.is_sorted_by(|a, b| a.value.abs() >= b.value.abs()));
        }
    }

    #[test]
    fn relations_in_a_network_are_the_change_of_one_piece_by_the_other() {
        let Evaluation::Learned(weights) = random(true) else { panic!("not a learned one") };
        let with = Position::from_sfen("4k4/9/4p4/9/9/2S6/4P4/9/4K4 b - 1").expect("valid");
        let without = Position::from_sfen("4k4/9/4p4/9/9/2S6/9/9/4K4 b - 1").expect("valid");
        let share = |pos: &Position| {
            let pieces = explain(&weights, pos).pieces;
            let silver =
                pieces.iter().find(|piece| place_name(piece.place, Language::English) == "S7f");
            silver.expect("a silver").relations()
        };
        let free = share(&with) - share(&without);
        let relations = explain(&weights, &with).relations;
        let is_meant = |relation: &Relation| {
            let names = relation.places.map(|place| place_name(place, Language::English));
            ["S7f", "P5g"].iter().all(|name| names.contains(&(*name).to_owned()))
        };
        let pair = relations
            .iter()
            .find(|relation| is_meant(relation))
            .expect("a relation of these pieces")
            .value;
        assert_eq!(relations.len(), 3);
        // Each piece gets half of PP, which is at most 2 centipawns.
        assert!(pair.abs() > 2.0 && (pair - free).abs() < 1.1, "{pair} {free}");
    }

    #[test]
    fn all_names_of_weights_are_known() {
        let groups = HokiGroup::ALL.map(|group| group.name().to_owned());
        for name in (0..features::WEIGHTS).map(features::weight_name).chain(groups) {
            let japanese = part_name(Language::Japanese, &name);
            assert!(!japanese.contains(|c: char| c.is_ascii_lowercase()), "{name}: {japanese}");
        }
    }

    #[test]
    fn the_board_and_the_contributions_are_printed() {
        let pos = Position::from_sfen(UNUSUAL).expect("valid");
        let text = describe(&random(false), &pos, 3, Language::English);
        for part in ["|  +B  |", "White holds", "l*2 ", "g6a ", " kPP ", "for White, to move"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("in addition"), "{text}");
        let text = describe(&random(true), &pos, 3, Language::English);
        for part in ["\nnetwork  ", "in addition to the contributions"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let kingless = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b 2G 1").expect("valid");
        for evaluation in [random(false), random(true), Evaluation::HandMade] {
            assert!(describe(&evaluation, &kingless, 3, Language::English).contains("score"));
        }
    }
}
