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
    kpp: Kpp,
    network: Option<Network>,
    /// Whether the network is the whole value.
    standalone: bool,
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
    /// Creates weights. `pp` has the shape `[TRIANGLE]`, from Black's view. A value has KPP or a
    /// network, not both. Returns `None` if both are given, a shape is wrong, or an empty slot has
    /// a weight.
    pub fn new(
        single: SingleWeights,
        pp: &[i16],
        kpp: Kpp,
        network: Option<Network>,
    ) -> Option<Weights> {
        let fits = single.kk.len() == KingView::PAIRS
            && single.tempo.len() == KingView::PAIRS
            && single.kkp.len() == KingView::PAIRS
            && pp.len() == TRIANGLE
            && (network.is_none() || kpp == Kpp::None);
        if !fits {
            return None;
        }
        let mut rows = vec![[0; PieceIndex::COUNT]; PieceIndex::COUNT];
        let empty = PieceIndex::NONE.index();
        let empty_slots_are_zero =
            unfold(pp, &mut rows) && single.kkp.iter().all(|row| row[empty] == 0);
        let has_pp = pp.iter().any(|&weight| weight != 0);
        let weights = Weights { single, pp: rows, has_pp, kpp, network, standalone: false };
        empty_slots_are_zero.then_some(weights)
    }

    /// Makes the network the whole value, without material, so that other programs can read it
    /// ([`nnue::export`](crate::eval::nnue::export)). Returns `None` if there is no network, if
    /// there are other parts, or if the network is not [plain](Network::is_plain).
    pub fn into_standalone(self) -> Option<Weights> {
        let SingleWeights { kk, tempo, kkp } = &self.single;
        let mut others = kk.iter().chain(tempo).chain(kkp.as_flattened());
        let is_alone = !self.has_pp && others.all(|&weight| weight == 0);
        let is_plain = self.network.as_ref().is_some_and(Network::is_plain);
        (is_alone && is_plain).then_some(Weights { standalone: true, ..self })
    }

    /// Whether the network is the whole value, without material.
    #[inline]
    pub fn is_standalone(&self) -> bool {
        self.standalone
    }

    /// The material term for this material balance, if both kings exist.
    #[inline]
    pub(super) fn material(&self, balance: i32) -> i32 {
        if self.standalone { 0 } else { balance }
    }

    /// The weights of the kings, and of one piece with the kings.
    pub fn single(&self) -> &SingleWeights {
        &self.single
    }

    /// The weights of KPP.
    #[inline]
    pub fn kpp(&self) -> &Kpp {
        &self.kpp
    }

    /// The network, which replaces KPP.
    #[inline]
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Length of the stored vector of each side of a position. It is the rank of the factored KPP,
    /// or the number of hidden units of the network.
    #[inline]
    pub(super) fn width(&self) -> usize {
        self.network.as_ref().map_or_else(|| self.kpp.rank(), Network::units)
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
