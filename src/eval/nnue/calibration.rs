//! Conversion of raw network values to Kankei's centipawns.
//!
//! Every file has its own scale, but the search margins assume Kankei's scale. When a network is
//! read, its scale is measured once, by comparison with the embedded evaluation.

use crate::eval::{embedded, learned};
use crate::shogi::Position;

/// The number of centipawns per raw unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calibration {
    /// Centipawns per 2^24 raw units, greater than 0.
    factor: i64,
}

const ONE: i64 = 1 << 24;

impl Calibration {
    /// The scale for a network that cannot be measured: 90 units are a pawn at the usual `FV_SCALE`
    /// of 16.
    pub const NOMINAL: Calibration = Calibration { factor: ONE * 100 / (90 * 16) };
    /// Largest ratio between a measured factor and the nominal one, in either direction.
    const RANGE: i64 = 64;

    /// Measures the scale of a network. `raw` returns its value of a position, from the side to
    /// move's view.
    ///
    /// With the embedded evaluation's value k and the network's value r of a position, factor =
    /// sqrt(sum of k^2 / sum of r^2). This is the slope of the line through the origin that
    /// attributes the error to both values equally. Unlike a regression of one value on the other,
    /// this factor does not shrink when the two disagree.
    pub(super) fn measure(mut raw: impl FnMut(&Position) -> Option<i32>) -> Calibration {
        let (mut ours, mut theirs) = (0.0, 0.0);
        for sfen in POSITIONS {
            let pos = Position::from_sfen(sfen).expect("the positions should be valid");
            if let Some(raw) = raw(&pos) {
                ours += f64::from(embedded_value(&pos)).powi(2);
                theirs += f64::from(raw).powi(2);
            }
        }
        if theirs == 0.0 {
            return Calibration::NOMINAL;
        }
        let (factor, nominal) = ((ours / theirs).sqrt() * ONE as f64, Calibration::NOMINAL.factor);
        let range = nominal / Calibration::RANGE..=nominal * Calibration::RANGE;
        Calibration { factor: (factor.round() as i64).clamp(*range.start(), *range.end()) }
    }

    /// Converts a raw value to centipawns, rounded towards zero. Values beyond the range of scores
    /// are clamped.
    #[inline]
    pub fn to_centipawns(self, raw: i32) -> i32 {
        let beyond = 1 << 20;
        (i64::from(raw) * self.factor / ONE).clamp(-beyond, beyond) as i32
    }

    /// Centipawns per raw unit.
    pub fn slope(self) -> f64 {
        self.factor as f64 / ONE as f64
    }
}

/// Value by the embedded evaluation in centipawns, from the side to move's view.
fn embedded_value(pos: &Position) -> i32 {
    learned::full::evaluate(embedded::weights(), pos).to_cp()
}

/// Undecided positions of Kankei's own games (400 to 800 nodes per move, seed 44).
const POSITIONS: [&str; 64] = [
    "ln1g3nl/1r1sksg2/p1ppppbpp/6p2/1p5P1/P1PPP4/1PB2PP1P/2S2S1R1/LN1GKG1NL w - 18",
    "4g3l/5+NG2/3pppG2/p6kp/1+R1N5/4b1PS1/P2P1P1PP/4P1G2/L1+b1K2NL b 4Pr3snl2p 117",
    "l6nl/6ks1/p2p+Sp1p1/2p3p1p/9/1PPB3PP/P1GP1PP+n1/7K1/L3G2NL b RGPrbg2sn2p 77",
    "1n6l/1+Bsgrkg2/l1p3npp/1p1p+bpp2/P1PPp1sPP/2S6/LPNSP1P2/1KGG3R1/7NL b 2P 69",
    "1n1gk1snl/2s1rb3/l1pp1g1p1/4ppp1p/1p5P1/1PP1P3P/P1BP1PP2/2GSK2R1/L3G1SNL w Pn 28",
    "1n1gk1snl/lr1s2g2/p1ppppppb/1p6p/7R1/P1PB5/1P1PPPP1P/2G6/LNS1KGSNL w P 18",
    "lnsgk2nl/1r5s1/p1pp2g1p/4p1pP1/3B1b3/P1PP5/4PPPpP/LSGK1GR2/1N4SNL b 2Pp 37",
    "lnsgk2nl/4r1gs1/3pppb1p/ppp3pP1/9/P3P3P/1PPP1PP1L/1BGS1S1R1/LN1K1G1N1 w P 22",
    "ln5nl/1s1kg1rs1/1pp1pg1p1/p2p4p/4S1p2/6bR1/PPBPPPP1P/2GK2G2/LNS4NL w P2p 46",
    "ln3k1nl/1r1sgbgs1/3p1p1pp/p1p1p1p2/3P5/P1P1PPP2/1PNS2S1P/1BG1G2R1/L3K2NL w Pp 44",
    "l1+R2gsnl/4p1kb1/p6p1/2p3p1p/r8/2P6/3PLPPPP/1GG2G3/2S1K1SNL w SN3Pbn3p 56",
    "5k1nl/lr1sg1g2/p1npbpsp1/2p1p1P1p/1p5P1/P1PPPS2P/1PS2P3/2GBG2R1/LN1K3NL w P 40",
    "ln2k3+B/1r1sg4/4pgsp1/p+b1p2p2/1p5Pp/P1p1P1P2/1P1P1SN1P/2K1G1R2/LN1G4L w NL2Psp 46",
    "ln2k2nl/3r2gP1/1p1g1pppp/2s6/p1p3R2/3sPPP2/PPG2S2P/L1+BS1K3/+bN3G1NL w 2P2p 64",
    "l1S4nl/4gkS2/1b1pppp2/p1R4Np/3ng4/1PPb4P/Pp2PPP2/3SK4/Lr2G1SNL b 3Pgp 71",
    "1ns1k1s1l/1r2g1g2/3pppn1p/1pp2b3/9/R8/BPPPPPP1P/1S3G3/1N1GK1SNL w L3Pl2p 28",
    "lns4nl/1r1g1kg2/ppp1p1s2/3p1pppp/9/P1P5P/1PSPPPP2/2G4R1/LN1K1GSNL w Bbp 24",
    "ln1gk1snl/3s3g1/3ppp1p1/p1p3p1p/1r7/P1PB1P3/1P1PP1P1P/2GK2SR1/LNS2G1NL b Pbp 31",
    "4k2nl/lrs1g1gs1/2nppp1p1/2pb4p/pp3NpP1/2PPP4/PPBS1G2P/2G2KS2/LN5RL b 2p 39",
    "lnsg2snl/1r3k3/p1pBppgpp/3p5/6pP1/2P5P/PPNPPPP2/1SG3SR1/L3KG1NL b bp 25",
    "lnsk3nl/1r5+r1/p1pppGs1p/1p4b2/9/2P5B/PPNPPPP1P/LS4G+p1/3GK3L b GN3Ps 41",
    "l6n1/1rs1g4/2npp1sk1/p1pb1pp1l/1p5P1/2PPRPP2/PPS1P1N2/2G2KS2/LN3G2L b Gb3p 53",
    "l2g3nl/2s2kg1b/p1npppp1p/2p6/6sP1/1PPB5/PSNPPPN1P/2GK1SG2/L3R2rL w P2p 56",
    "lnsgk1snl/6gb1/p1pppppp1/1+r6p/9/2P3P2/P2PPP2P/1BGKG2R1/LNS3SNL w 2Pp 22",
    "lns1r1snl/1kg3gb1/1ppp1p1p1/4p1p1p/p8/2P1PPP1P/PP1P1S3/1B1KG2R1/LNSG3NL b P 29",
    "lnsgk2nl/1r4gs1/p1pppp3/6pRp/9/2P5P/PP1PPPP2/1SG2S3/LN2KG1NL b BPb2p 23",
    "ln1g1k1nl/3s2gs1/2ppppbpp/p5p2/4P2P1/PrPS1P3/3P2P1P/1BG4R1/LNS1KG1NL w Pp 24",
    "2g3snl/1p1skg3/1+Ppp1ppP1/1P5pp/R3pL3/2P5P/2BPPPP2/4KS3/1NS1G2r1 w BPg2n2l 94",
    "+R3gk1nl/4Psg2/3p2pp1/p1psrp2P/3N2SP1/P1P1p1+b2/1P1P1PN2/1G1LKS3/L3G3L b B3Pn 83",
    "ln1g3nl/1r3Pk2/p1p1ppp1p/1p1ps4/7+RB/1PP2sPP1/P2PP+b2P/2GKG4/LNS5L w GPsn 42",
    "l2+B4l/4gkgP1/p3ppns1/3p2ppp/5N3/P4PP2/1P1P2N1P/1+r3G1R1/L4Kg1L b BS2sn4p 71",
    "lnsgk1snl/6g2/4pp1pb/p1p1r1p1p/3p3P1/PBP3P2/1PSPPP2P/2G1KGSR1/LN5NL w p 32",
    "lnsgk1snl/6g2/prpppp1p1/6p1p/9/2P5P/PpGPPPP2/4GS1R1/LNSK3NL b B2Pb 35",
    "lr4snl/3gk1g2/2n2pbp1/p1pps3p/6p2/P1PP1P1RP/1P3SN2/1BGSG4/LN1K4L w P4p 58",
    "1n1gk1sn1/1r1s2gbl/2pppp2p/6pR1/lp7/8P/1PPPPPP2/pB3S3/LNSGKG1NL b 2Pp 27",
    "lng1k3l/3s2g2/2p1bpnPp/p2pp1pp1/1N7/P1P5P/1P1PPPP2/2G2S3/L1S1KG1NL b RSPrb 35",
    "lns1gB1nl/3k3s1/pbppppgpp/1p4p2/2r2P1PP/4P4/P1PP1SP2/2G4R1/LNS1KG1NL b p 31",
    "ln1g3nl/1Ps2kg2/p1pppps1p/6pp1/9/2+s2S2P/PnbPPPP2/1p2GK1R1/L2G3NL w RB2p 60",
    "lnsgk1snl/1r5b1/p1p1pppgp/3R3P1/9/2P5P/PpBPPPP2/2G2S3/LNS1KG1NL w P2p 26",
    "lns3snl/4gk1b1/prpppppgp/7p1/8P/P1P1P4/1P1P1PP2/1BGSG2R1/LN2K1SNL w 2p 26",
    "lr3k2l/4g1gbs/4pp3/p2ps1pPp/1ppn1P1R1/P1P1PSP1P/1P1P5/1SGBG4/LN2K3L b Nnp 49",
    "ln3g1nl/1rgs1ksb1/p1ppppppp/9/1p7/8P/PPPPPPP2/1BG2S1R1/LNS1KG1NL b P 17",
    "ln2gk1nl/1r1s1sgb1/2pppp1p1/p5p2/3R4p/P1PP5/Bp2PPP1P/2GS2SK1/LN3G1NL b 2P 37",
    "1nsgkg3/l3r1s2/pBpppp1pp/6p2/7P1/PPP6/2NPPPP1P/+b1S2S1R1/3GKG1NL b NP2l 29",
    "ln1gk1s1l/1rbs2g2/p1p1pp1p1/3P2P1p/P3R1pn1/1pPS1P3/1P2P3P/9/LN1GKGSNL b BPp 43",
    "ln1gk2nl/1r3sg2/p2p2bp1/2psp1p1p/5p1P1/P1PPP1P1P/1PN1S1N2/1BG1K1GR1/L1S5L b 2p 39",
    "ln3ks2/1r1sg1g2/2pp1p1p1/p2bp1Pl1/5npPl/2P2P1R1/PPNPP4/1SG1GS3/L3K2N1 w B3p 48",
    "ln7/1rgs1k1+B1/p2p1p2l/2p1p1pp1/3N4p/1pP2P1P1/PP2+b1PSP/6GK1/L2r3NL b GSNgs2p 53",
    "ln2k1snl/1r2g1g2/2spppbpp/2p3p2/p6PP/1P4P2/PSPPPPS2/1BG1K2R1/LN3G1NL b P 25",
    "ln1g3nl/2s1k1s2/p1pppp2p/1r4p2/9/2P3P1P/PPNPPPN2/4KG1SG/L1S5L w RB2Pbgp 44",
    "ln1gk1s1l/2s3g2/p1pp1pnpp/1r2pbp2/1P7/P2P1B1RP/1pN1PPP2/2G2K3/L1S2GSNL w 2p 38",
    "ln1g2s1l/3s1kg2/p1pppp3/4r1ppp/9/2P3P2/P2PRP2P/1SG1K1G2/LN5NL b BSN2Pb2p 53",
    "lnsgk1snl/1r7/1pppppg1p/p5pp1/9/2P5P/PP1PPPP2/1G1S3R1/LN2KGSNL b Bbp 17",
    "lnsgk2nl/1r4gs1/2pppp2p/pp4p2/9/2P6/PPBPPPP1P/1S4Sp1/LN1GKG1NL b BPr 19",
    "ln1k2G1l/9/p1pps+P2p/2g3p2/1r5R1/2PP4P/P3PPP2/4GKS2/Lb+n4NL b SN4Pbgsp 57",
    "ln3ksnl/1r1sg1g2/p1pp1ppp1/4Rb2p/1p7/P8/1PPPPPP1P/1BGS2S2/LN2KG1NL b 2P 29",
    "l3k2nl/1rgs2g2/2n2p1p1/p1pppbp1p/1p5P1/P1PP1PPs1/1PB1PS2P/1SGKG2R1/LN5NL b - 45",
    "ln6l/1r1s2k2/p1p1gpngp/1p2P1pp1/8P/P1PSs+r3/1P1P2PB1/3KG4/LN1G2SNL w B2P2p 52",
    "l6nl/1rg1k1g2/2nsppspp/2pp2p2/pp6P/2PP1P3/PPG1PSP2/1S2G2R1/LN2K2NL w BPb 36",
    "l1s2g2l/2kg1r3/ppN4pp/3Ppspb1/P1S6/4PpsP1/1P6P/LBG1GR3/4K2NL w 2NP4p 58",
    "ln1gkgsnl/1r1s5/p1pp1p1pp/3bp4/6pP1/2P1P1PRP/PP1P1PN2/1BG2S3/LNS1KG2L w p 24",
    "ln4knl/1r2gsg2/4bp1pp/2spp1P2/pp7/2G2P2P/PPS1P2P1/3KGR3/LN4SNL b B3Pp 49",
    "ln6l/3ks2+P1/p1psp1n1p/5p3/3p1g1p1/P1P3p1P/BP1PP1P2/1SGK2S2/LN3G1NL w B2P2rg 68",
    "2+B4nl/r4k1s1/2npsggp1/p3ppp1p/1pp4P1/P1PPPPP1P/1P1S1GN+b1/2GK1S3/LN6L b Lr 53",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_of_any_scale_are_converted_to_kankeis_scale() {
        for scale in [3, 14, 300] {
            // Kankei's values in another unit, half of them with an error.
            let mut errors = [0, 30, 0, -30].into_iter().cycle();
            let calibration =
                Calibration::measure(|pos| Some((embedded_value(pos) + errors.next()?) * scale));
            let slope = calibration.slope() * f64::from(scale);
            assert!((0.98..1.02).contains(&slope), "{scale}: {slope}");
            assert!((calibration.to_centipawns(500 * scale) - 500).abs() <= 10);
        }
    }

    #[test]
    fn a_network_without_values_gets_the_nominal_scale() {
        for value in [None, Some(0)] {
            assert_eq!(Calibration::measure(|_| value), Calibration::NOMINAL);
        }
        let nominal = Calibration::NOMINAL;
        assert_eq!([1_440, -1_440, 0].map(|raw| nominal.to_centipawns(raw)), [99, -99, 0]);
        for raw in [i32::MIN, i32::MAX] {
            assert!(nominal.to_centipawns(raw).abs() == 1 << 20, "{raw}");
        }
        let least = Calibration::measure(|_| Some(i32::MAX)).slope() / nominal.slope();
        assert!((0.99..=1.0).contains(&(64.0 * least)), "{least}");
    }
}
