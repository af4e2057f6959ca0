//! Descriptions of weights as text.

use std::fmt::Write as _;

use super::live_units::LiveUnits;
use crate::eval::Evaluation;
use crate::eval::learned::file::{Parts, WeightsHeader};
use crate::eval::learned::{Kpp, Network, Term, UNIT, Upper, Weights};
use crate::eval::material::PieceValues;
use crate::eval::nnue::Nnue;
use crate::eval::see_values;
use crate::shogi::{Color, HandPiece, Move, Piece, PieceKind, Position, Scope, movegen};

/// The program and the values of an evaluation, for the name of a run: another run has another name.
pub(crate) fn identity(evaluation: &Evaluation) -> String {
    let value = |pos: &Position| i64::from(evaluation.evaluate(pos).to_cp());
    let add = |sum: i64, pos: &Position| sum.wrapping_mul(31).wrapping_add(value(pos));
    let values = plausible_positions().iter().fold(0, add);
    format!("{} {:016x}", env!("CARGO_PKG_VERSION"), values)
}

/// Form and parts of an evaluation, and the distribution of the weights of each part.
pub(crate) fn describe(evaluation: &Evaluation) -> String {
    match evaluation {
        Evaluation::HandMade => "hand-made: material and king relations, no weights\n".to_owned(),
        Evaluation::Learned(weights) => describe_learned(weights),
        Evaluation::Nnue(network) => describe_nnue(network),
        Evaluation::Registered(form) => form.describe(),
    }
}

/// Form, sizes and scale. The weights of a single hidden unit have no meaning.
fn describe_nnue(network: &Nnue) -> String {
    let (form, scale) = (network.form(), network.recommended_fv_scale());
    let slope = network.calibration().slope();
    let own_unit = f64::from(scale.get()) * slope;
    format!(
        "form: NNUE, {form}\nrows: {} of {} values\nfile: {} bytes\ntext: {:?}\n\
         FV_SCALE: {scale}\nunit: {own_unit:.3} centipawns at this FV_SCALE, measured\n",
        form.features.rows(),
        form.units,
        network.file_bytes(),
        network.text(),
    )
}

fn describe_learned(weights: &Weights) -> String {
    let header = WeightsHeader::of(weights);
    let form = weights.form();
    let part = |name: &str| match name {
        "KK" | "KKP" | "PP" => name.to_owned(),
        _ => name.to_lowercase().replace('_', " "),
    };
    let parts: Vec<String> = header.parts.iter_names().map(|(name, _)| part(name)).collect();
    let parts = parts.join(", ");
    let mut text = format!("form: {form}\nunit: 1/{UNIT} centipawn\nparts: {parts}\n");
    if header.parts.contains(Parts::PIECE_VALUES) {
        text += &piece_values(weights.piece_values());
    }
    text.push('\n');
    let _ = writeln!(text, "{}", heading());
    let unit = f64::from(UNIT);
    let mut row = |name: &str, weights: Vec<f64>| {
        let _ = writeln!(text, "{}", distribution(name, weights));
    };
    let wide = |weights: &[i16]| weights.iter().map(|&w| f64::from(w) / unit).collect();
    for term in Term::ALL {
        row(term.name(), wide(&weights.table(term)));
    }
    match weights.upper() {
        Upper::None => {}
        Upper::Kpp(Kpp::Table(table)) => row("KPP", wide(table.rows().as_flattened())),
        Upper::Kpp(Kpp::Factored(form)) => {
            let step = f64::from(1 << form.fraction_bits());
            row("KPP factors (roots)", form.rows().iter().map(|&u| f64::from(u) / step).collect());
        }
        Upper::Network(network) | Upper::Standalone(network) => {
            let one = f64::from(Network::ONE);
            let tables = [("rows (1.0)", network.rows()), ("biases (1.0)", network.biases())];
            for (name, numbers) in tables {
                row(name, numbers.iter().map(|&w| f64::from(w) / one).collect());
            }
            let _ = write!(text, "\n{}", LiveUnits::of(network, &plausible_positions()));
        }
    }
    text
}

/// The values of the pieces, in centipawns: a line for the board and one for the hands.
fn piece_values(values: &PieceValues) -> String {
    let on_board = PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King);
    let on_board = on_board
        .map(|kind| format!("{} {}", Piece::new(Color::Black, kind), values.board[kind.index()]));
    let in_hand = HandPiece::ALL
        .into_iter()
        .map(|held| format!("{} {}", held.letter(), values.hand[held.index()]));
    let [on_board, in_hand] = [on_board.collect::<Vec<_>>(), in_hand.collect()];
    format!("on board: {}\nin hand: {}\n", on_board.join(", "), in_hand.join(", "))
}

/// Positions of games with random moves that lose no material: always the same.
fn plausible_positions() -> Vec<Position> {
    const GAMES: u64 = 256;
    const PLIES: usize = 100;
    let mut positions = Vec::new();
    for game in 0..GAMES {
        let mut pos = Position::startpos();
        for _ in 0..PLIES {
            let moves = movegen::legal_moves(&pos, Scope::USEFUL);
            let sound: Vec<Move> =
                moves.iter().copied().filter(|&mv| pos.see_ge(mv, see_values(), 0)).collect();
            let choice = if sound.is_empty() { &moves[..] } else { &sound };
            if choice.is_empty() {
                break;
            }
            // The key of the position serves as a random number.
            let at = pos.key().wrapping_add(game) as usize % choice.len();
            pos.do_move(choice[at]);
            positions.push(pos.clone());
        }
    }
    positions
}

/// The heading of the rows of [`distribution`].
pub(crate) fn heading() -> String {
    format!(
        "{:<22} {:>11} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "part, centipawns", "weights", "non-zero", "mean |w|", "median", "99 %", "largest"
    )
}

/// The distribution of weights, in centipawns, by absolute value, as a row of a table. The quantiles
/// exclude zero weights.
pub(crate) fn distribution(name: &str, weights: Vec<f64>) -> String {
    let count = weights.len();
    let mut sizes: Vec<f64> = weights.into_iter().filter(|&w| w != 0.0).map(f64::abs).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let quantile = |share: f64| {
        let at = (share * sizes.len() as f64) as usize;
        sizes.get(at.min(sizes.len().saturating_sub(1))).copied().unwrap_or(0.0)
    };
    format!(
        "{name:<22} {count:>11} {:>7.2} % {:>9.2} {:>9.2} {:>9.2} {:>9.2}",
        100.0 * sizes.len() as f64 / count.max(1) as f64,
        // The sum of no numbers is -0.
        sizes.iter().sum::<f64>().abs() / sizes.len().max(1) as f64,
        quantile(0.5),
        quantile(0.99),
        quantile(1.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::learned::network::{HeadShape, NetworkShape};
    use crate::lab::learn::{RealNetwork, RealUpper, RealWeights};

    #[test]
    fn every_part_has_its_row() {
        let mut real = RealWeights::zero();
        real.terms[Term::Tempo].fill(10.0);
        let text = describe_learned(&real.quantize().weights);
        assert!(text.contains("form: no KPP"), "{text}");
        assert!(text.contains("parts: tempo\n"), "{text}");
        let row = text.lines().find(|line| line.starts_with("tempo")).expect("a row");
        assert!(row.contains("100.00 %") && row.contains("10.00"), "{row}");
        assert!(!text.contains("-0.0"), "{text}");
    }

    #[test]
    fn networks_are_named_by_their_shape() {
        let mut real = RealWeights::zero();
        let shape = NetworkShape { units: 64, king_relative: false, head: HeadShape::classic(16) };
        real.upper = RealUpper::Network(RealNetwork::draw(shape, |count, _| vec![0.5; count]));
        let text = describe_learned(&real.quantize().weights);
        let form = "form: network, 64 hidden units, king-free rows, head 128-16-32-1\n";
        assert!(text.starts_with(form), "{text}");
        let row = text.lines().find(|line| line.starts_with("rows (1.0)")).expect("a row");
        assert!(row.contains("99.94 %") && row.contains("0.50"), "{row}");
        assert!(
            text.contains("live units, hidden units: 0 of 64 (0 dead, 64 saturated)\n"),
            "{text}"
        );
    }
}
