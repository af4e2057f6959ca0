//! A number for each game, the same on every machine and in every version.

use super::Game;

/// Hash of the start position and the moves of a game. Result, scores and names are ignored. Two
/// different games have equal hashes with probability 2^-64. The default is the hash of no games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameHash(u64);

impl GameHash {
    /// The hash of a game.
    pub fn of(game: &Game) -> GameHash {
        GameHash::of_beginnings(game).last().expect("the start alone has a hash")
    }

    /// The hashes of the prefixes of a game: no moves, one move, two moves, and so on. The last one
    /// is the hash of the game.
    pub fn of_beginnings(game: &Game) -> impl Iterator<Item = GameHash> {
        // The move number is not part of the position.
        let position = game.start_sfen().rsplit_once(' ').map_or("", |(position, _)| position);
        let start = hash_text(0, position);
        let moves = game.moves().iter().scan(start, |hash, mv| {
            *hash = mix(*hash ^ u64::from(mv.to_bits()));
            Some(*hash)
        });
        std::iter::once(start).chain(moves).map(GameHash)
    }

    /// The hash of several games in this order.
    pub fn of_games(games: &[Game]) -> GameHash {
        games.iter().fold(GameHash::default(), |hash, game| hash.then(GameHash::of(game)))
    }

    /// The hash of these games, followed by one more.
    pub fn then(self, game: GameHash) -> GameHash {
        GameHash(mix(self.0 ^ game.0))
    }

    /// The hash with this value.
    pub fn from_u64(number: u64) -> GameHash {
        GameHash(number)
    }

    /// The value; [`from_u64`](GameHash::from_u64) is the inverse.
    pub fn to_u64(self) -> u64 {
        self.0
    }

    /// Whether the game belongs to the held-out part of `percent` (0 to 100, with two decimals). A
    /// larger part contains every smaller part.
    pub fn is_held_out(self, percent: f64) -> bool {
        ((self.0 % 10_000) as f64) < percent * 100.0
    }
}

/// The hash of a text, the same in every version; `before` is that of the text before it, or 0.
pub fn hash_text(before: u64, text: &str) -> u64 {
    text.bytes().fold(before, |hash, byte| mix(hash ^ u64::from(byte)))
}

/// One step of SplitMix64 (Steele, Lea, Flood 2014).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::testing;

    #[test]
    fn start_and_moves_count_and_nothing_else() {
        let hash = |line: &str| GameHash::of(&testing::game(line));
        let game = hash("startpos moves 7g7f 3c3d");
        // Held-out parts must stay the same from version to version.
        assert_eq!(game, GameHash::from_u64(16_013_829_428_027_952_387));
        assert_eq!(hash("startpos moves 7g7f 3c3d | winner=b | black=A | scores=1 2"), game);
        let numbered = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7";
        assert_eq!(hash(&format!("sfen {numbered} moves 7g7f 3c3d")), game);
        assert_ne!(hash("startpos moves 7g7f"), game);
        assert_ne!(hash("startpos moves 7g7f 8c8d"), game);
        assert_ne!(
            hash("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1"),
            hash("sfen 4k4/9/9/9/9/9/9/9/4K4 w - 1")
        );
        let begun = testing::game("startpos moves 7g7f 3c3d");
        let beginnings: Vec<GameHash> = GameHash::of_beginnings(&begun).collect();
        assert_eq!(beginnings, [hash("startpos"), hash("startpos moves 7g7f"), game]);
    }

    #[test]
    fn held_out_parts_have_their_size_and_contain_smaller_ones() {
        let mut counts = [0; 4];
        for n in 0..100_000 {
            let hash = GameHash(mix(n));
            let parts = [0.0, 2.5, 10.0, 100.0].map(|percent| hash.is_held_out(percent));
            assert!(parts.is_sorted(), "{parts:?}");
            for (count, part) in counts.iter_mut().zip(parts) {
                *count += usize::from(part);
            }
        }
        assert_eq!((counts[0], counts[3]), (0, 100_000));
        assert!(counts[1].abs_diff(2_500) < 250 && counts[2].abs_diff(10_000) < 500, "{counts:?}");
    }
}
