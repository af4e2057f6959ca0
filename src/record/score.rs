//! Search scores, with their bounds and depths.

use std::fmt;
use std::num::NonZeroU8;
use std::ops::Neg;
use std::str::FromStr;

/// The search score before a move, for the side to move, by the engine that labelled the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveScore {
    /// Centipawns on the scale of that engine.
    Centipawns(i32),
    /// The side to move mates in this number of plies.
    MatesIn(u32),
    /// The side to move is mated in this number of plies.
    MatedIn(u32),
}

impl MoveScore {
    /// The value of a mate on the board.
    pub(super) const MATE: i32 = 32_000;
    /// The longest mate that differs from a large value, plies.
    pub(super) const LONGEST_MATE: u32 = 512;

    /// The score as one number, as most engines store it: a mate is 32,000 minus its plies.
    pub(crate) fn to_value(self) -> i32 {
        let mate = |plies: u32| MoveScore::MATE - plies.min(MoveScore::LONGEST_MATE) as i32;
        match self {
            MoveScore::Centipawns(value) => value,
            MoveScore::MatesIn(plies) => mate(plies),
            MoveScore::MatedIn(plies) => -mate(plies),
        }
    }

    /// The score of a move from this score of the position after it.
    pub(crate) fn before_move(self) -> MoveScore {
        match -self {
            MoveScore::MatesIn(plies) => MoveScore::MatesIn(plies + 1),
            MoveScore::MatedIn(plies) => MoveScore::MatedIn(plies + 1),
            centipawns => centipawns,
        }
    }

    /// Reads [`to_value`](MoveScore::to_value).
    pub(super) fn from_value(value: i32) -> MoveScore {
        let plies = MoveScore::MATE.unsigned_abs().checked_sub(value.unsigned_abs());
        match plies.filter(|&plies| plies <= MoveScore::LONGEST_MATE) {
            Some(plies) if value > 0 => MoveScore::MatesIn(plies),
            Some(plies) => MoveScore::MatedIn(plies),
            None => MoveScore::Centipawns(value),
        }
    }
}

impl Neg for MoveScore {
    type Output = MoveScore;

    /// The same from the other side's view.
    fn neg(self) -> MoveScore {
        match self {
            MoveScore::Centipawns(value) => MoveScore::Centipawns(value.saturating_neg()),
            MoveScore::MatesIn(plies) => MoveScore::MatedIn(plies),
            MoveScore::MatedIn(plies) => MoveScore::MatesIn(plies),
        }
    }
}

impl fmt::Display for MoveScore {
    /// `-43`, `m5`, `-m4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveScore::Centipawns(value) => write!(f, "{value}"),
            MoveScore::MatesIn(plies) => write!(f, "m{plies}"),
            MoveScore::MatedIn(plies) => write!(f, "-m{plies}"),
        }
    }
}

impl FromStr for MoveScore {
    type Err = ();

    fn from_str(text: &str) -> Result<MoveScore, ()> {
        if let Some(plies) = text.strip_prefix("-m") {
            return plies.parse().map(MoveScore::MatedIn).map_err(|_| ());
        }
        match text.strip_prefix('m') {
            Some(plies) => plies.parse().map(MoveScore::MatesIn).map_err(|_| ()),
            None => text.parse().map(MoveScore::Centipawns).map_err(|_| ()),
        }
    }
}

/// Whether a score is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// Exact.
    #[default]
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl Bound {
    /// All kinds, in the order of their discriminants.
    pub const ALL: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];
}

impl Neg for Bound {
    type Output = Bound;

    /// The bound of the negated score.
    fn neg(self) -> Bound {
        match self {
            Bound::Exact => Bound::Exact,
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        }
    }
}

/// A score with the bound and the depth of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchedScore {
    /// The score.
    pub score: MoveScore,
    /// Whether it is exact.
    pub bound: Bound,
    /// Depth of the search in plies, 0 = unknown.
    pub depth: u8,
}

impl From<MoveScore> for SearchedScore {
    /// An exact score of unknown depth.
    fn from(score: MoveScore) -> SearchedScore {
        SearchedScore { score, bound: Bound::Exact, depth: 0 }
    }
}

impl fmt::Display for SearchedScore {
    /// `-35`, `-35/9` (exact at depth 9), `>120/8` (at least), `<120/8` (at most).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.bound {
            Bound::Exact => "",
            Bound::Lower => ">",
            Bound::Upper => "<",
        };
        write!(f, "{bound}{}", self.score)?;
        if self.depth > 0 { write!(f, "/{}", self.depth) } else { Ok(()) }
    }
}

impl FromStr for SearchedScore {
    type Err = ();

    fn from_str(text: &str) -> Result<SearchedScore, ()> {
        let (bound, text) = match (text.strip_prefix('>'), text.strip_prefix('<')) {
            (Some(rest), _) => (Bound::Lower, rest),
            (_, Some(rest)) => (Bound::Upper, rest),
            (None, None) => (Bound::Exact, text),
        };
        let (score, depth) = match text.split_once('/') {
            Some((score, depth)) => (score, depth.parse::<NonZeroU8>().map_err(|_| ())?.get()),
            None => (text, 0),
        };
        Ok(SearchedScore { score: score.parse()?, bound, depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searched_scores_round_trip() {
        for text in ["0", "-35/9", ">120/8", "<-120/255", "m3", "-m4/12", ">m5/1", "<7"] {
            assert_eq!(text.parse::<SearchedScore>().map(|s| s.to_string()), Ok(text.to_owned()));
        }
        for bad in ["", ">", "/9", "5/", "5/0", "5/256", "5/-1", "5/9/9", "><5", "=5", "5>"] {
            assert!(bad.parse::<SearchedScore>().is_err(), "{bad}");
        }
        let bounds = Bound::ALL.map(|bound| -bound);
        assert_eq!(bounds, [Bound::Exact, Bound::Upper, Bound::Lower]);
    }
}
