//! The positions of `kankei bench`, from self-play games of this engine (random first moves, then
//! 3,000 to 25,000 nodes per move). Decided positions are excluded.

/// Phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Plies 10 to 30.
    Opening,
    /// Plies 44 to 72.
    Middle,
    /// Plies 88 to 118.
    Endgame,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::Endgame];

    pub const fn name(self) -> &'static str {
        ["opening", "middle", "endgame"][self as usize]
    }
}

/// All positions, each with its phase.
pub(crate) fn positions() -> impl Iterator<Item = (Phase, &'static str)> {
    let of_phase = |phase: Phase| POSITIONS[phase as usize].iter().map(move |&sfen| (phase, sfen));
    Phase::ALL.into_iter().flat_map(of_phase)
}

/// Twelve positions of each phase.
const POSITIONS: [[&str; 12]; 3] = [
    [
        "l2gk2n1/r2sgs1bl/2np1pp2/ppp1p2pp/9/P5PPP/1PPPPPN2/1BGSGS2R/LN1K4L b - 25",
        "ln2g1snl/1r2kg1b1/pppsppppp/3p5/4B4/1PP6/P2PPPPPP/L1S2S1R1/1N1GKG1NL b - 13",
        "1n1gkg1nl/l2s1s1b1/pp1p1p1pp/4p1p2/7r1/1P1P5/P3PPPPP/1B1S1S2R/LN1GKG1NL b Pp 21",
        "ln1gk2nl/r2sgs3/1pp1pp1pp/6p2/2Bpb4/p6PP/1PPPPPP1N/R2SGS3/LN1GK3L b p 27",
        "ln3ksnl/1r1sg1gb1/ppppppp1p/7p1/9/9/PPPPPPP1P/1B1SGS1RL/LN2KG1N1 b p 15",
        "ln2kg2l/r2sgs3/1pppp4/p4Bppp/5n3/PPP4PP/3PP1P2/3SGS2R/LN1GK2NL w Pbp 30",
        "lnsgkgsnl/r6b1/ppppp1pp1/8p/3P1p3/2P5P/PP2PPPP1/1B4SR1/LNSGKG1NL b - 11",
        "ln2kg1nl/r2sgs1b1/1pppp2pp/5pp2/p7P/2PB5/PPNPPPPP1/R2SGS3/L3KG1NL b - 21",
        "ln2g1knl/r2s1sgb1/1pppppppp/p8/8P/PP4R2/2PPPPPP1/1B1S1S3/LN1GKG1NL w - 22",
        "ln2kg1nl/r2s1s1b1/2pppppp1/pB6p/9/Pg6P/2PPPPPP1/3S1S2R/LN1GKG1NL b 2p 27",
        "lnsgkg1nl/2r2s1b1/p1ppp2pp/1p3pp2/9/2P2P3/PP1PP1PPP/1B1SG1SR1/LNG1K2NL w - 12",
        "ln2sk1nl/4gsgb1/2ppp1ppp/p4p3/1p6P/P6P1/1PPPPPP2/1B1SGS3/LN1GK2NL b Rr 29",
    ],
    [
        "ln3gsnl/5gkb1/prp2ppp1/4pg2p/2S6/1PPB4P/P3PPPPN/L2SGS2R/1N2K3L w 3p 56",
        "1n1gkg2l/l2s1s1Br/pp1p3p1/4ppN2/3P1b1PL/1P7/P3PPP2/3S1S1R1/LN1GKG3 w 3Pn2p 46",
        "ln2kg2l/r2sg1b2/1pppp1s2/p6pp/6p2/PPP1SP1PP/2SPG1P1R/9/LN1GK2NL w BN2p 46",
        "+P3kg1nl/3s1s1b1/n1p2pp2/p3p2pp/2Pp5/1+r5PP/3PPPP2/1B1SGS1R1/2+l1K2NL b GLgn2p 61",
        "ln3gknl/r4sgb1/1ppspppp1/p2p4P/4B2+Rp/P1P6/1P1PPPP2/L2SGS3/1N1GK2NL w p 60",
        "1n1gkg1+L1/3s1s2l/2ppppp1b/7pp/9/7PP/1+lPPPPP2/4GS1R1/P1S1K2NL w RGNbn3p 46",
        "ln2k3+B/+S2s1g3/p1ppp3p/1p4p2/P6PP/1PP1P1P1R/3P5/3SGG3/L+l2K2+p+b w R2NLgsn2p 60",
        "4gk1+N1/l4sgP1/pppspppp1/3N5/8+r/PL6p/1PPPPPP2/1R2SS2+b/LN2KG3 w BNPglp 64",
        "+N+L2gk3/3rss1g1/p2pp1np1/1pr3p2/4B4/1Pp1P2P1/P2P1PP2/3S1S3/+n+lLGK1GN+l w B3Pp 58",
        "ln2g2+R1/2skg4/pp1pNp3/2p1s1ppp/P4N3/L2PpL1PP/+bPPG1PPR1/3GS4/1+b2K2N+s b lp 65",
        "l4gbSl/3ngk3/p4p1+Rp/2p1ps3/6P2/1rPBPP3/PnGP4P/2S2S3/LK1G4L w 4P2n2p 72",
        "lnR2gknl/6s2/p1p1ppg1p/2sp2p2/7RP/1SP3P2/P2PPPN2/L3GS3/+bN1GK3L b Pb3p 51",
    ],
    [
        "r6n1/3s2k2/2pp2sg1/pp3pppP/2PNB4/1G4b2/1P1GPPN2/3S1S3/1+r1PKG1+l1 b L2Pn2l3p 93",
        "2+N3S+P1/9/lnp+R3G1/1p1lppp1p/1P5lk/b1P2P2+s/2NPP1P2/4GSG2/+p1+r2K1+p1 b BPgsnl2p 113",
        "+P4g3/5s3/3k1pp2/2+B1p2p+L/3p5/7PP/2+nPPPP2/1+p1LGS1R1/3+rSK1NL w BN3P2gsnl2p 108",
        "ln3g1k1/1+S3sg1l/2p2p1p+R/p2pr4/4p1p2/P1P5N/1PNPPPP2/L2SGS3/1+p1GK2+b1 b BLPn2p 95",
        "2g1kg1+L1/1p1s1s3/2pppp2l/6ppp/6g2/5P1PP/2+R1g1P2/4+b+sSRK/P6NL b B3NL5p 91",
        "+R1sk1G1+N+B/1r1sg4/p1pppg2p/6N2/P4l1PP/lPP1P1P2/3P1P3/3S1G3/+l3K3+p b BSNPnl2p 93",
        "1n1k1G+P2/2gsg2+r1/1Spppp3/+R5p2/9/4P4/PPPP2P2/LBSN+b1g2/1NK4+p1 w SL2Pn2l3p 92",
        "lngk5/4p1+S2/5+r3/r1p+B3+B1/pp7/2P6/PP1PP4/2GS2+n2/LN1KS3+l w S7P2gnl2p 96",
        "5kgnl/5s1+P1/2+NB5/3pppp2/1P6p/6P1P/1+bNPPP1R1/2+sg1S1Lr/+l3GK1+s1 w 6Pgnl 92",
        "l4kg1l/5s3/r3spb2/p1pp4p/1P3PpN1/P1P1+R3P/2N6/1+p1SS1P2/L2GKG2L b GN2Pbn3p 97",
        "3+S2knl/4+Rsgb1/p2p3pp/2G1ppp2/1n3n3/P1p+b1SP1P/5P1P1/K2SG1R2/L7L w GL4Pnp 92",
        "l5knl/1B1sg1g2/p1p1pPpp1/5S1s1/Pn2S3p/L2P2bP1/1KP1P3P/R3G3R/1g6L b N3Pn2p 107",
    ],
];
