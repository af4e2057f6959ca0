//! Positions and helpers for the tests of searches.

use std::time::Instant;

use kankei::engine::{Control, Engine, Limits, Outcome, Query};
use kankei::shogi::{Move, Position, movegen};

/// Positions from self-play games of this engine, by plies to mate.
pub const MATES: [(u32, &str); 9] = [
    (1, "3gk1gn+B/6s2/l1s2pppp/p3p4/9/3P2P2/2PGP+b+nPP/4g1s1K/1+r4S1L w r2n2l6p 96"),
    (1, "2g2+S3/4p+R1+R1/2pp1pp2/3g1k2p/9/p3GPP1P/nGPPP1N2/2KSS4/8L b S2N3L5P2b 107"),
    (1, "+P1k1g1+L2/8l/1p1pGp3/2p1p1p1p/+bn3N3/n1P1PP+r1P/pKlPS2s1/3S1+b3/2G4rL w SPgn3p 134"),
    (3, "3gk1gn+B/6s2/l1s2pppp/p3p4/9/3P2P2/2PGP+b+nPP/4g1R2/1+r3sSKL w 2n2l6p 94"),
    (3, "2g2+S3/4p1+R+R1/2ppkpp2/3g4p/9/p3GPP1P/nGPPP1N2/2KSS4/8L b S2N3L5P2b 105"),
    (3, "+P1k1g1+L2/8l/1p1pGp3/2p1p1p1p/+bn3N3/n1P1PP+r1P/2lPS2s1/K2S1+b3/2G4rL w SPgn4p 132"),
    (5, "ln3+P3/1rkg3+R1/pppg5/3s4p/6P2/2P2G3/PPN+b5/2Lg1+b3/1K5+l1 w NL4P3sn5p 134"),
    (5, "3g1+S3/4p1+R+R1/2ppkpp2/3g4p/9/p3GPP1P/nGPPP1N2/2KSS4/8L b BS2N3L5Pb 103"),
    (5, "+P1k1g1+L2/8l/1pnpGp3/2p1p1p1p/+b4N3/n1P1PP+r1P/K1lPS2s1/3S1+b3/2G4rL w SPgn4p 130"),
];

pub const QUIET: &str =
    "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1";
pub const OPENING: &str =
    "ln2kg1nl/r2s1s1b1/2pppppp1/pB6p/9/Pg6P/2PPPPPP1/3S1S2R/LN1GKG1NL b 2p 27";
pub const SHARP: &str = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1";

pub fn search(engine: &mut dyn Engine, pos: &Position, limits: &Limits) -> Outcome {
    engine.search(Query::new(pos, limits, &Control::new(Instant::now())), &mut |_| ())
}

pub fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

pub fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Plays the line, which must be legal and end in mate.
pub fn assert_mates(pos: &Position, line: &[Move]) {
    let mut end = pos.clone();
    for &mv in line {
        assert_eq!(end.check_legal(mv), Ok(()), "{pos}");
        end.do_move(mv);
    }
    assert!(end.in_check() && !movegen::has_legal_move(&end), "{pos}");
}
