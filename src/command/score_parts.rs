//! The score of a position, split into named parts.

use super::language::Language;
use super::notation::padded;
use super::texts::{self, part_name, side_name};
use crate::eval::learned::{self, Term, Weights};
use crate::eval::material::PieceValues;
use crate::eval::nnue::Nnue;
use crate::eval::{Evaluation, Kernel, hand_made, nnue};
use crate::shogi::{Color, Position};

/// The score of a position split into its terms, each from the side to move's view, as lines of
/// text.
pub(crate) fn score_by_parts(
    evaluation: &Evaluation,
    pos: &Position,
    language: Language,
) -> String {
    let row = |name: &str, value: i32| format!("{} {value:+6}", padded(name, 28));
    let part = |(name, value): (String, i32)| row(&part_name(language, &name), value) + "\n";
    let text: String = parts(evaluation, pos).into_iter().map(part).collect();
    let side = side_name(language, pos.side_to_move());
    let score = row(texts::SCORE.get(language), evaluation.evaluate(pos).to_cp());
    format!("{text}{score} {}", texts::CENTIPAWNS_FOR.with(language, [&side]))
}

/// Splits the value of a position into named parts, in centipawns from the side to move's view.
/// Except for rounding, their sum is the value before it is clamped to the range of scores.
pub fn parts(evaluation: &Evaluation, pos: &Position) -> Vec<(String, i32)> {
    match evaluation {
        Evaluation::HandMade => parts_of_hand_made(pos),
        Evaluation::Nnue(network) => vec![only_part(network, pos)],
        Evaluation::Registered(form) => form.explain(pos),
        Evaluation::Learned(weights) => parts_of_learned(weights, pos),
    }
}

fn parts_of_hand_made(pos: &Position) -> Vec<(String, i32)> {
    let us = pos.side_to_move();
    let mut parts = Vec::new();
    for side in Color::ALL {
        let sign = side.sign() * us.sign();
        let relations = hand_made::relation_half(pos, side);
        parts.push((
            format!("material, {side:?}"),
            sign * PieceValues::ENGINE.side_total(pos, side),
        ));
        parts.push((format!("king relations, {side:?}"), sign * relations));
    }
    parts.push(("tempo".to_owned(), hand_made::TEMPO));
    parts
}

fn only_part(network: &Nnue, pos: &Position) -> (String, i32) {
    let has_value = nnue::full::raw(network, Kernel::Portable, pos).is_some();
    let name = if has_value { "network" } else { "material" };
    (name.to_owned(), nnue::full::evaluate(network, pos).to_cp())
}

fn parts_of_learned(weights: &Weights, pos: &Position) -> Vec<(String, i32)> {
    let sign = pos.side_to_move().sign();
    let relations = learned::full::relations(weights, pos);
    let counts = relations.is_none() || !weights.is_standalone();
    let material = if counts { weights.piece_values().balance(pos) } else { 0 };
    let relations = relations.unwrap_or_default();
    let (of_move, of_black): (Vec<Term>, Vec<Term>) =
        Term::ALL.into_iter().partition(|term| term.is_of_side_to_move());
    let named = |term: &Term| (term.name(), relations.terms[*term]);
    let mut black = vec![("material", material * learned::UNIT)];
    black.extend(of_black.iter().map(named));
    if weights.network().is_some() {
        black.push(("network", sign * relations.network));
    } else {
        black.push(("KPP, Black", relations.kpp[0]));
        black.push(("KPP, White", -relations.kpp[1]));
    }
    black.extend(of_move.iter().map(named).map(|(name, own)| (name, sign * own)));
    let part = |(name, units): (&str, i32)| (name.to_owned(), sign * units / learned::UNIT);
    black.into_iter().map(part).collect()
}
