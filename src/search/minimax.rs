//! The oracle of alpha-beta searchers: plain minimax. With every technique off, a searcher must return
//! the same scores.

use super::depth::Depth;
use super::search_thread::SearchThread;
use crate::eval::Score;
use crate::rng::Rng;
use crate::shogi::{Position, Scope, movegen};

/// A quiet, a mating and a tactical position.
const POSITIONS: [&str; 3] = [
    "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1",
    "3gk1gn+B/6s2/l1s2pppp/p3p4/9/3P2P2/2PGP+b+nPP/4g1R2/1+r3sSKL w 2n2l6p 94",
    "2g2+S3/4p+R1+R1/2pp1pp2/3g1k2p/9/p3GPP1P/nGPPP1N2/2KSS4/8L b S2N3L5P2b 107",
];
/// Number of random games; one position of each is searched.
const RANDOM_GAMES: u64 = 12;
/// Approximate limit of the leaves of one search.
const GREATEST_TREE: usize = 4_000;

/// Searches every move to the same depth, without table or window. `leaf` evaluates the horizon
/// nodes.
pub(crate) fn minimax<'a, S>(
    thread: &mut SearchThread<'a, S>,
    depth: i32,
    leaf: fn(&mut SearchThread<'a, S>) -> Score,
) -> Score {
    if depth == 0 {
        return leaf(thread);
    }
    if let Some(score) = thread.decided(false) {
        return score;
    }
    let moves = movegen::legal_moves(&thread.pos, Scope::USEFUL);
    let scores =
        moves.into_iter().map(|mv| thread.descend(mv, |thread| -minimax(thread, depth - 1, leaf)));
    scores.max().unwrap_or_else(|| thread.mated_here())
}

/// Calls `show` for the positions above and for positions of random games, with each depth to
/// search.
pub(crate) fn for_each_position(mut show: impl FnMut(&Position, Depth)) {
    let random = (0..RANDOM_GAMES).map(|game| {
        let mut rng = Rng::for_item(31, game);
        let mut pos = Position::startpos();
        for _ in 0..rng.below(120) {
            match rng.choose(&movegen::legal_moves(&pos, Scope::LEGAL)) {
                Some(&mv) => pos.do_move(mv),
                None => break,
            };
        }
        pos
    });
    let own = POSITIONS.into_iter().map(|sfen| Position::from_sfen(sfen).expect("valid"));
    for pos in own.chain(random) {
        let moves = movegen::legal_moves(&pos, Scope::USEFUL).len();
        for plies in (1..=3).filter(|&plies| moves.pow(plies) <= GREATEST_TREE) {
            show(&pos, Depth::plies(plies as i32));
        }
    }
}
