//! The weights of a learned evaluation, prepared for evaluation.

use super::king_view::KingView;
use super::kpp::Kpp;
use super::network::Network;
use super::triangle::{TRIANGLE, fold, unfold};
use crate::eval::index::PieceIndex;
use crate::eval::kernel::PieceRow;

/// All weights of one learned evaluation, in fixed point. There are [`UNIT`](super::UNIT) units per
/// centipawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    single: SingleWeights,
    /// PP, shape `[1548][1548]`, symmetric, from Black's view.
    pp: Vec<PieceRow<i16>>,
    /// Whether any weight of `pp` is not zero.
    has_pp: bool,
    upper: Upper,
}

/// What values a king and several pieces at once: at most one of these.
#[derive(Clone, Debug, PartialEq)]
pub enum Upper {
    /// Nothing.
    None,
    /// KPP, a king and two pieces.
    Kpp(Kpp),
    /// A network of all pieces.
    Network(Network),
    /// A network that is the whole value, without material.
    Standalone(Network),
}

/// The weights of the kings, and of one piece with the kings.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleWeights {
    /// KK. Shape `[3645]` by [`KingView::pair`], from Black's view.
    pub kk: Vec<i16>,
    /// Tempo, by the kings in the side to move's view. Shape `[3645]`.
    pub tempo: Vec<i16>,
    /// KKP. Shape `[3645][1548]`, from Black's view.
    pub kkp: Vec<PieceRow<i16>>,
}

impl Weights {
    /// Creates weights. `pp` has the shape `[TRIANGLE]`, from Black's view. Returns `None` if a shape
    /// is wrong, an empty slot has a weight, or a [standalone](Upper::Standalone) network is not
    /// [plain](Network::is_plain) or has other parts.
    pub fn new(single: SingleWeights, pp: &[i16], upper: Upper) -> Option<Weights> {
        let fits = single.kk.len() == KingView::PAIRS
            && single.tempo.len() == KingView::PAIRS
            && single.kkp.len() == KingView::PAIRS
            && pp.len() == TRIANGLE;
        if !fits {
            return None;
        }
        let mut rows = vec![[0; PieceIndex::COUNT]; PieceIndex::COUNT];
        let empty = PieceIndex::NONE.index();
        let empty_slots_are_zero =
            unfold(pp, &mut rows) && single.kkp.iter().all(|row| row[empty] == 0);
        let has_pp = pp.iter().any(|&weight| weight != 0);
        let is_allowed = match &upper {
            Upper::Standalone(network) => {
                let SingleWeights { kk, tempo, kkp } = &single;
                let mut others = kk.iter().chain(tempo).chain(kkp.as_flattened());
                network.is_plain() && !has_pp && others.all(|&weight| weight == 0)
            }
            _ => true,
        };
        let weights = Weights { single, pp: rows, has_pp, upper };
        (empty_slots_are_zero && is_allowed).then_some(weights)
    }

    /// Whether a network is the whole value, without material.
    #[inline]
    pub fn is_standalone(&self) -> bool {
        matches!(self.upper, Upper::Standalone(_))
    }

    /// The material term for this material balance, if both kings exist.
    #[inline]
    pub(super) fn material(&self, balance: i32) -> i32 {
        if self.is_standalone() { 0 } else { balance }
    }

    /// The weights of the kings, and of one piece with the kings.
    pub fn single(&self) -> &SingleWeights {
        &self.single
    }

    /// What values a king and several pieces at once.
    #[inline]
    pub fn upper(&self) -> &Upper {
        &self.upper
    }

    /// The weights of KPP, if there are any.
    #[inline]
    pub fn kpp(&self) -> Option<&Kpp> {
        if let Upper::Kpp(kpp) = &self.upper { Some(kpp) } else { None }
    }

    /// The network, if there is one.
    #[inline]
    pub fn network(&self) -> Option<&Network> {
        match &self.upper {
            Upper::Network(network) | Upper::Standalone(network) => Some(network),
            Upper::None | Upper::Kpp(_) => None,
        }
    }

    /// Length of the stored vector of each side of a position. It is the rank of the factored KPP,
    /// or the number of hidden units of the network.
    #[inline]
    pub(super) fn width(&self) -> usize {
        match &self.upper {
            Upper::None => 0,
            Upper::Kpp(kpp) => kpp.rank(),
            Upper::Network(network) | Upper::Standalone(network) => network.units(),
        }
    }

    /// KK, from Black's view.
    #[inline]
    pub(super) fn kk(&self, view: KingView) -> i32 {
        i32::from(self.single.kk[view.pair()])
    }

    /// Tempo. `view` is the view of the side to move.
    #[inline]
    pub(super) fn tempo(&self, view: KingView) -> i32 {
        i32::from(self.single.tempo[view.pair()])
    }

    /// KKP of both kings with every piece, from Black's view.
    #[inline]
    pub(super) fn kkp_row(&self, view: KingView) -> &PieceRow<i16> {
        &self.single.kkp[view.pair()]
    }

    /// Whether any weight of PP is not zero.
    #[inline]
    pub(super) fn has_pp(&self) -> bool {
        self.has_pp
    }

    /// PP of a piece with every other piece, from Black's view.
    #[inline]
    pub(super) fn pp_row(&self, index: PieceIndex) -> &PieceRow<i16> {
        &self.pp[index.index()]
    }

    /// PP, shape `[TRIANGLE]`, from Black's view.
    pub fn pp_triangle(&self) -> Vec<i16> {
        fold(&self.pp)
    }
}
