//! The analysis as JSON, one object per line.

use serde_json::{Value, json};

use super::review::{Mark, Review};
use super::table::title;
use crate::command::language::Language;
use crate::command::notation::{Notation, json_moves, json_score};
use crate::record::GameResult;
use crate::shogi::Color;

/// The objects of a game: one for the game, one for each move, one for each reviewed variation
/// before its moves, one for each side. `number`: of the game, from 1. Scores are centipawns,
/// probabilities and losses 0 to 1, texts
/// English.
pub(super) fn objects(review: &Review<'_>, number: usize) -> Vec<Value> {
    let game = review.game;
    let winner = game.result.and_then(GameResult::winner).map(name);
    let mut objects = vec![json!({
        "type": "game",
        "game": number,
        "title": title(game, Language::English),
        "start": game.start_sfen(),
        "black": game.header.players[Color::Black.index()],
        "white": game.header.players[Color::White.index()],
        "winner": winner,
        "ending": game.end_name(),
    })];
    objects.extend(moves(review, number, None));
    for (at, (variation, review)) in game.variations().iter().zip(&review.variations).enumerate() {
        objects.push(json!({
            "type": "variation",
            "game": number,
            "variation": at + 1,
            "parent": variation.parent().map(|parent| parent + 1),
            "ply": variation.ply() + 1,
        }));
        objects.extend(moves(review, number, Some(at + 1)));
    }
    for color in Color::ALL {
        let side = review.side(color);
        objects.push(json!({
            "type": "side",
            "game": number,
            "side": name(color),
            "moves": side.moves,
            "best_moves": side.best,
            "accuracy": side.accuracy,
            "mean_loss": side.loss,
            "inaccuracies": side.marks[Mark::Inaccuracy as usize],
            "mistakes": side.marks[Mark::Mistake as usize],
            "blunders": side.marks[Mark::Blunder as usize],
        }));
    }
    objects
}

/// The objects of the moves of a game, or of the variation with this number.
pub(super) fn moves(review: &Review<'_>, number: usize, variation: Option<usize>) -> Vec<Value> {
    let mut objects = Vec::with_capacity(review.moves.len());
    review.game.replay(|pos, mv| {
        let ply = objects.len();
        let (of_move, reading) = (&review.moves[ply], &review.readings[ply]);
        let black = if of_move.mover == Color::Black { of_move.score } else { -of_move.score };
        let candidates = reading.candidates();
        let candidates: Vec<Value> = candidates
            .map(|(score, line)| json!({"score": json_score(score), "line": json_moves(line)}))
            .collect();
        objects.push(json!({
            "type": "move",
            "game": number,
            "variation": variation,
            "ply": review.first + ply + 1,
            "mover": name(of_move.mover),
            "move": mv.to_string(),
            "japanese": Notation::Japanese.name(pos, mv),
            "score": json_score(of_move.score),
            "black_score": json_score(black),
            "black_chance": of_move.black_chance(),
            "loss": of_move.loss(),
            "mark": of_move.mark.map(|mark| mark.name(Language::English)),
            "mate": of_move.mate.map(|mate| mate.text(Language::English)),
            "best": json_moves(&reading.line),
            "best_score": json_score(reading.score),
            "candidates": candidates,
            "depth": reading.depth,
            "nodes": reading.nodes,
            "turning_point": of_move.is_turning_point(),
        }));
    });
    objects
}

fn name(color: Color) -> &'static str {
    ["black", "white"][color.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameBuilder;

    #[test]
    fn sides_without_moves_have_no_accuracy_and_draws_an_ending() {
        let mut game = GameBuilder::new().finish();
        game.result = Some(GameResult::Draw);
        let review = Review::of(&game, vec!["0 1 1 7g7f".parse().expect("a reading")]);
        let objects = objects(&review, 1);
        assert_eq!((&objects[0]["winner"], &objects[0]["ending"]), (&Value::Null, &json!("draw")));
        assert!(objects[1..].iter().all(|side| side.get("accuracy") == Some(&Value::Null)));
    }
}
