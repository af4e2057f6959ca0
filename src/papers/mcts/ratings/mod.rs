//! Move ratings: estimates of how promising a move is, without a look at the position after it.
//!
//! The rating of a move is a sum of weights, one for each of its [`features`]. The softmax of the
//! ratings of all moves gives the probability that a move is the best. The weights are learned from
//! played moves (`kankei learn ratings`). The embedded ones are `eval/default.ratings`. Monte-Carlo
//! tree search uses the ratings as priors and in its playouts.
//!
//! Input: a [`Position`](crate::shogi::Position) and its moves. Output: ratings.
//!
//! Source of move patterns of this kind and of the term "ratings": Coulom, "Computing Elo ratings
//! of move patterns in the game of Go" (2007). The features and the learning method are our own.

pub mod features;
pub mod file;
mod move_ratings;

pub use move_ratings::{MoveRatings, RatedMoves, UNIT};

use std::sync::LazyLock;

static EMBEDDED: LazyLock<MoveRatings> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../../eval/default.ratings");
    file::read(&bytes[..]).expect("the embedded ratings should be valid")
});

impl MoveRatings {
    /// The embedded ratings.
    pub fn embedded() -> &'static MoveRatings {
        &EMBEDDED
    }
}

#[cfg(test)]
mod tests {
    use super::features::FEATURES;
    use super::*;
    use crate::shogi::{Position, Scope, movegen};

    #[test]
    fn the_embedded_ratings_prefer_a_good_capture() {
        let pos = Position::from_sfen("4k4/9/4p4/9/4r4/9/9/4L4/4K2R1 b - 1").expect("valid");
        let moves = movegen::legal_moves(&pos, Scope::USEFUL);
        let rated = MoveRatings::embedded().rate(&pos, &moves);
        let best = rated.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("the position has moves");
        assert_eq!(best.0.to_string(), "5h5e");
    }

    #[test]
    fn files_are_read_as_written() {
        let weights = (0..FEATURES).map(|n| (n * 37 % 4_001) as i16 - 2_000).collect();
        let ratings = MoveRatings::new(weights).expect("one weight per feature");
        let mut bytes = Vec::new();
        file::write(&ratings, &mut bytes, 3).expect("writing to a Vec cannot fail");
        assert_eq!(file::read(&bytes[..]).expect("the file is valid"), ratings);
        let mut broken = bytes.clone();
        broken[bytes.len() / 2] ^= 1;
        assert!(file::read(&broken[..]).is_err());
        assert!(file::read(&bytes[..bytes.len() - 3]).is_err());
        assert!(file::read(&b"KANKEI\0W"[..]).is_err());
    }
}
