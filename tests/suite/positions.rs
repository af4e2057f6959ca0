//! Positions from SFEN and from random play, for the oracles.

use kankei::rng::Rng;
use kankei::shogi::{Position, Scope, movegen};

pub fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// Further start positions of random games: open boards, full hands, kings in the enemy camp, a
/// side without a king.
pub const BEGINNINGS: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RBGSNL9Prb3g3s3n3l9p 1",
    "4k4/9/2+R1+B4/4p4/3nsn3/3NSN3/4P4/+b6+r1/4K4 w GSL8Pgsl8p 1",
    "lr2k2rl/2b1g1b2/p1p1p1p1p/9/9/9/P1P1P1P1P/4G4/LN2K2NL w 2GS2Ps2n6p 1",
    "1GK3+r2/1S2G4/PPPP+p+p3/9/4b4/4B4/3+P+P4/1+R2g2s1/4k2g1 b SNLPsnl9p 1",
    "9/4k4/4p4/9/9/9/9/9/9 b 2R2B4G4S4N4L17P 1",
];

/// Plays random legal moves and passes every position, including the first, to `show`, until it has
/// shown `positions`. Games have at most 250 moves. The start positions alternate.
pub fn random_positions(seed: u64, positions: usize, mut show: impl FnMut(&mut Position)) {
    println!("seed {seed}");
    let mut rng = Rng::from_seed(seed);
    let beginnings = BEGINNINGS.map(position);
    let mut shown = 0;
    for game in 0.. {
        let mut pos = beginnings[game % beginnings.len()].clone();
        for _ in 0..250 {
            if shown == positions {
                return;
            }
            show(&mut pos);
            shown += 1;
            match rng.choose(&movegen::legal_moves(&pos, Scope::LEGAL)) {
                Some(&mv) => pos.do_move(mv),
                None => break,
            };
        }
    }
}
