//! The weights of a learned evaluation, ready for use.

use super::king_view::KingView;
use super::kpp::Kpp;
use super::network::Network;
use super::triangle::{TRIANGLE, fold, unfold};
use crate::eval::index::PieceIndex;
use crate::eval::kernel::PieceRow;

/// All weights of one learned evaluation, in fixed point: [`UNIT`](super::UNIT) of a centipawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    single: SingleWeights,
    /// Shape `[1548][1548]`, symmetric, Black's view.
    pp: Vec<PieceRow<i16>>,
    /// Whether any of them is not zero.
    has_pp: bool,
    kpp: Kpp,
    network: Option<Network>,
    /// Whether the network is the whole value.
    standalone: bool,
}

/// The weights of the kings and of one piece with them.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleWeights {
    /// KK. Shape `[3645]` by [`KingView::pair`], Black's view.
    pub kk: Vec<i16>,
    /// Tempo: what having the move is worth, by the kings as the side to move sees them. Shape
    /// `[3645]`.
    pub tempo: Vec<i16>,
    /// KKP. Shape `[3645][1548]`, Black's view.
    pub kkp: Vec<PieceRow<i16>>,
}

impl Weights {
    /// `pp`: shape `[TRIANGLE]`, Black's view. `None` if a shape is wrong, an empty slot has a weight,
    /// or there are both KPP and a network: a value has one or the other.
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

    /// The same weights with the network as the whole value, without material: what other programs can
    /// read ([`nnue::export`](crate::eval::nnue::export)). `None` if there is no network or more than
    /// that, or if the network is not [plain](Network::is_plain).
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

    /// What material, of which this is the balance, counts where both kings are there.
    #[inline]
    pub(super) fn material(&self, balance: i32) -> i32 {
        if self.standalone { 0 } else { balance }
    }

    /// The weights of the kings and of one piece with them.
    pub fn single(&self) -> &SingleWeights {
        &self.single
    }

    /// The weights of KPP.
    #[inline]
    pub fn kpp(&self) -> &Kpp {
        &self.kpp
    }

    /// The network in place of KPP.
    #[inline]
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Length of what is kept for each side of a position: the rank of the factored KPP or the
    /// hidden units of the network.
    #[inline]
    pub(super) fn width(&self) -> usize {
        self.network.as_ref().map_or_else(|| self.kpp.rank(), Network::units)
    }

    /// KK, Black's view.
    #[inline]
    pub(super) fn kk(&self, view: KingView) -> i32 {
        i32::from(self.single.kk[view.pair()])
    }

    /// Tempo. `view`: of the side to move.
    #[inline]
    pub(super) fn tempo(&self, view: KingView) -> i32 {
        i32::from(self.single.tempo[view.pair()])
    }

    /// KKP: both kings with every piece, Black's view.
    #[inline]
    pub(super) fn kkp_row(&self, view: KingView) -> &PieceRow<i16> {
        &self.single.kkp[view.pair()]
    }

    /// Whether any weight of PP is not zero.
    #[inline]
    pub(super) fn has_pp(&self) -> bool {
        self.has_pp
    }

    /// PP: a piece with every other piece, Black's view.
    #[inline]
    pub(super) fn pp_row(&self, index: PieceIndex) -> &PieceRow<i16> {
        &self.pp[index.index()]
    }

    /// PP, shape `[TRIANGLE]`, Black's view.
    pub fn pp_triangle(&self) -> Vec<i16> {
        fold(&self.pp)
    }
}
