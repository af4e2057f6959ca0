//! Losses of an evaluation against the labels of samples, by groups of positions: a mean over all
//! positions hides where the evaluation fails.

use super::logistic::{excess, fit_slope, sigmoid};
use super::sample::Sample;
use crate::shogi::{Color, Position};

/// A named set of positions.
pub struct Group {
    /// What the positions have in common.
    pub name: &'static str,
    is_member: fn(&Traits) -> bool,
}

/// The properties that groups depend on.
struct Traits {
    /// Number of moves played before the position, in the game in whose search it occurred.
    ply: u16,
    /// Absolute material balance, centipawns.
    material: u32,
    /// Pieces in both hands.
    in_hand: u32,
    /// Kings in the enemy camp, and kings outside both camps.
    entered: usize,
    outside: usize,
    /// Absolute score of the label, centipawns.
    score: u16,
}

/// The groups: all positions, then by game length, material, hands, kings and label.
pub const GROUPS: [Group; 16] = [
    Group { name: "all", is_member: |_| true },
    Group { name: "ply 0-39", is_member: |p| p.ply < 40 },
    Group { name: "ply 40-79", is_member: |p| (40..80).contains(&p.ply) },
    Group { name: "ply 80-119", is_member: |p| (80..120).contains(&p.ply) },
    Group { name: "ply 120+", is_member: |p| p.ply >= 120 },
    Group { name: "material 0-299", is_member: |p| p.material < 300 },
    Group { name: "material 300-1199", is_member: |p| (300..1_200).contains(&p.material) },
    Group { name: "material 1200+", is_member: |p| p.material >= 1_200 },
    Group { name: "in hand 0-3", is_member: |p| p.in_hand < 4 },
    Group { name: "in hand 4-7", is_member: |p| (4..8).contains(&p.in_hand) },
    Group { name: "in hand 8+", is_member: |p| p.in_hand >= 8 },
    Group { name: "kings at home", is_member: |p| p.entered == 0 && p.outside == 0 },
    Group { name: "a king in between", is_member: |p| p.entered == 0 && p.outside > 0 },
    Group { name: "a king entered", is_member: |p| p.entered == 1 },
    Group { name: "both kings entered", is_member: |p| p.entered == 2 },
    Group { name: "score 0-799", is_member: |p| p.score < 800 },
];
/// Indices in [`GROUPS`] of all positions and of those that are not decided.
pub const ALL_AND_UNDECIDED: [usize; 2] = [0, 15];

impl Traits {
    fn of(pos: &Position, sample: &Sample) -> Traits {
        let held = |color| pos.hand(color).iter().map(|(_, count)| count).sum::<u32>();
        let is_outside = |&color: &Color| {
            pos.king(color).is_some_and(|king| (3..6).contains(&king.relative(color).rank()))
        };
        Traits {
            ply: sample.ply,
            material: sample.view().map_or(0, |view| view.material().unsigned_abs()),
            in_hand: Color::ALL.into_iter().map(held).sum(),
            entered: Color::ALL.into_iter().filter(|&color| pos.has_entered(color)).count(),
            outside: Color::ALL.iter().filter(|color| is_outside(color)).count(),
            score: sample.score.unsigned_abs(),
        }
    }
}

/// One sample with the value that an evaluation or a search gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedSample {
    /// Bit mask of the [`GROUPS`] it belongs to.
    members: u16,
    /// The value, side to move's view, centipawns.
    value: f32,
    /// Expected points of the label.
    expected: f32,
}

impl JudgedSample {
    /// Gives a sample the value of its position. `scale`: centipawns of its score that multiply the
    /// odds of winning by e. `value` returns centipawns, side to move's view. `None` if the
    /// position is invalid.
    pub fn new(
        sample: &Sample,
        scale: f32,
        value: impl FnOnce(&Position) -> i32,
    ) -> Option<JudgedSample> {
        let pos = sample.position.unpack().ok()?;
        let traits = Traits::of(&pos, sample);
        let bit = |(at, group): (usize, &Group)| u16::from((group.is_member)(&traits)) << at;
        Some(JudgedSample {
            members: GROUPS.iter().enumerate().map(bit).sum(),
            value: value(&pos) as f32,
            expected: sample.expected(scale),
        })
    }

    fn is_in(&self, group: usize) -> bool {
        self.members >> group & 1 == 1
    }
}

/// An evaluation's losses.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupLosses {
    /// Centipawns of the evaluation that multiply the odds of winning by e, fitted to the labels of
    /// all samples.
    pub scale: f32,
    /// One entry for each of the [`GROUPS`].
    pub groups: Vec<GroupLoss>,
}

/// The losses of an evaluation in one group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupLoss {
    /// Number of samples.
    pub samples: usize,
    /// Mean excess over the labels' entropy, nats.
    pub excess: f64,
    /// Mean of the evaluation's expected points less the label's, in the view of the side to move.
    /// A bias in favour of the side to move hardly changes the excess but misleads searches, which
    /// compare the value before a move with those after it.
    pub bias: f64,
}

impl GroupLosses {
    /// The losses over these samples.
    pub fn of(judged: &[JudgedSample]) -> GroupLosses {
        let scale = fit_slope(judged, |one| one.value, |one| one.expected);
        let mut groups = vec![GroupLoss::default(); GROUPS.len()];
        for one in judged {
            let odds = one.value / scale;
            let loss = excess(odds, one.expected);
            let bias = f64::from(sigmoid(odds) - one.expected);
            for (at, group) in groups.iter_mut().enumerate() {
                if one.is_in(at) {
                    group.samples += 1;
                    group.excess += loss;
                    group.bias += bias;
                }
            }
        }
        for group in &mut groups {
            group.excess /= group.samples.max(1) as f64;
            group.bias /= group.samples.max(1) as f64;
        }
        GroupLosses { scale, groups }
    }

    /// The excess of each sample in a group over the entropy of its label, nats. `judged`: the
    /// samples of these losses.
    pub fn excesses(&self, judged: &[JudgedSample], group: usize) -> Vec<f64> {
        let members = judged.iter().filter(|one| one.is_in(group));
        members.map(|one| excess(one.value / self.scale, one.expected)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;

    fn judged(sfen: &str, ply: u16, score: i16) -> JudgedSample {
        let pos = Position::from_sfen(sfen).expect(sfen);
        let sample = Sample { score, ply, ..Sample::even(&pos) };
        let value = |pos: &Position| Evaluation::HandMade.evaluate(pos).to_cp();
        JudgedSample::new(&sample, 700.0, value).expect("a position")
    }

    fn names(judged: JudgedSample) -> Vec<&'static str> {
        let members = (0..GROUPS.len()).filter(|at| judged.members >> at & 1 == 1);
        members.map(|at| GROUPS[at].name).collect()
    }

    #[test]
    fn positions_belong_to_their_groups() {
        assert_eq!(
            names(judged(crate::shogi::STARTPOS, 0, 0)),
            ["all", "ply 0-39", "material 0-299", "in hand 0-3", "kings at home", "score 0-799"]
        );
        assert_eq!(
            names(judged("4K4/9/9/9/4k4/9/9/9/9 w 2R2B2G2S 1", 130, -800)),
            ["all", "ply 120+", "material 1200+", "in hand 8+", "a king entered"]
        );
    }

    #[test]
    fn losses_are_those_of_the_members() {
        let (start, endgame) =
            (judged(crate::shogi::STARTPOS, 0, 0), judged("4K4/9/9/9/4k4/9/9/9/9 b 4G 1", 50, 900));
        let losses = GroupLosses::of(&[start, endgame]);
        let [all, opening, middlegame] = [0, 1, 2].map(|at| losses.groups[at]);
        assert_eq!((all.samples, opening.samples, middlegame.samples), (2, 1, 1));
        let mean = (opening.excess + middlegame.excess) / 2.0;
        assert!((all.excess - mean).abs() < 1e-9 && mean >= 0.0);
        assert_eq!(losses.groups[14], GroupLoss::default());
        let excesses = |group| losses.excesses(&[start, endgame], group);
        assert_eq!(excesses(0), [opening.excess, middlegame.excess]);
        let [_, undecided] = ALL_AND_UNDECIDED;
        assert_eq!(excesses(undecided), [opening.excess], "a score of 900 is decided");
    }

    #[test]
    fn bias_is_what_the_evaluation_adds_to_the_label() {
        // Whatever the scale, an extra rook cannot be good for both sides.
        let bias = |score| {
            let rook = |side| judged(&format!("4k4/9/9/9/9/9/9/9/4K4 {side} R 1"), 0, score);
            GroupLosses::of(&[rook("b"), rook("w")]).groups[0].bias
        };
        assert!(bias(0).abs() < 0.01, "{}", bias(0));
        // The label expects e / (1 + e) = .731 points.
        assert!((bias(700) + 0.231).abs() < 0.01, "{}", bias(700));
    }
}
