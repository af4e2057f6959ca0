//! Positions for measurements: openings to endgames, some of them in check, from random and greedy
//! games of this engine. Each benchmark target in this folder includes this module (`mod
//! positions;`).

/// The start position and ten others.
pub const POSITIONS: [&str; 11] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "1n1gk1s1l/r1s1g2b1/l1pppp2n/1p4ppp/p8/2PP2PPP/PP2PP3/LS2GS1RL/BN2K1GN1 b - 27",
    "ln2kg1nl/3sg1sb1/pp1ppp3/6ppp/r8/2P1P2PP/PPB1GPP2/L2S1SR1L/1N2K1GN1 b Pp 41",
    "lng1k1sn1/2rs2g1l/1ppppp2p/p5G2/1G7/1P1P2+b2/P1P1P4/1B3S3/LNS1K4 w 2Prnl4p 42",
    "4k2n1/ls2g2s1/n1ppgpp2/pp7/4p4/PPPP2P2/4PP3/LB1S1S3/2G1K2+p+l b RBPrg2nl2p 69",
    "1n2k2n1/l2br4/p1pg4p/1p1p1ps1g/P3p4/+s1PP1PSPP/2NGP1P2/2S5G/4K1RNL b L2Pblp 83",
    "1s2kg1nb/1r4s2/l1ng2ppl/ppppp3P/5pPP1/PPPPP2G1/2N1G2SL/L4S3/2B1KR1N1 b Pp 97",
    "1n1gk2n1/2sg2s2/l8/pPp1ppp2/3p5/P+r2PPP2/3P1S2+l/L4KB+r+p/5G3 b Pbgs2nl4p 111",
    "4k3b/3sg4/5sn1l/1+L1Ppp1pp/1P5g1/3RPPp1P/3G2PPL/+p8/1+r2K1GN1 b NL3Pb2sn2p 125",
    "1n2k2nl/2gs2sb1/5gppp/1ppp1p3/4pPPPP/5G2L/1PPPP1NR1/+r7S/+p2K5 w Lbgsnlp 66",
    "4k4/9/2+R1+B4/4p4/3nsn3/3NSN3/4P4/+b6+r1/4K4 w GSL8Pgsl8p 1",
];
