//! Removes duplicates from a set of games.

use std::collections::HashSet;

use super::{Game, GameHash};

/// The result of [`dedup()`].
#[derive(Debug, Default)]
pub struct Deduplicated {
    /// The kept games, in their order.
    pub games: Vec<Game>,
    /// Dropped games with the start position and moves of an earlier game.
    pub copies: usize,
    /// Dropped games that are a prefix of a longer game.
    pub beginnings: usize,
}

/// Drops duplicates, and games that are a prefix of a longer game in the set. The first of several
/// duplicates is kept, regardless of results and players. Cost: one hash per move.
pub fn dedup(games: Vec<Game>) -> Deduplicated {
    let hashes: Vec<GameHash> = games.iter().map(GameHash::of).collect();
    let whole: HashSet<GameHash> = hashes.iter().copied().collect();
    let mut begun = HashSet::new();
    for game in &games {
        let beginnings = GameHash::of_beginnings(game).take(game.moves().len());
        begun.extend(beginnings.filter(|hash| whole.contains(hash)));
    }
    let mut left = Deduplicated::default();
    let mut seen = HashSet::new();
    for (game, hash) in games.into_iter().zip(hashes) {
        if !seen.insert(hash) {
            left.copies += 1;
        } else if begun.contains(&hash) {
            left.beginnings += 1;
        } else {
            left.games.push(game);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::testing::game;

    #[test]
    fn copies_and_beginnings_go() {
        let lines = [
            "startpos moves 7g7f 3c3d | winner=b",
            "startpos moves 7g7f 3c3d 2g2f | winner=w",
            "startpos moves 7g7f 3c3d | winner=d",
            "startpos moves 7g7f 8c8d",
            "startpos moves 7g7f 3c3d 2g2f",
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN1 b - 1 moves 7g7f",
        ];
        let left = dedup(lines.into_iter().map(game).collect());
        let kept: Vec<Game> = [1, 3, 5].map(|at| game(lines[at])).into();
        assert_eq!(left.games, kept);
        assert_eq!((left.copies, left.beginnings), (2, 1));
    }
}
