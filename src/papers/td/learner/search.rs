//! A full-width search of a fixed depth: every legal move, alpha-beta as the only pruning, no
//! transposition table. At the horizon it evaluates statically or by a quiescence search of
//! captures and promotions. Its value equals that of minimax. Moves to leaves that are certain to
//! be below alpha whatever they attack are skipped, which is also exact.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::lab::capture_search::{ScoredMove, best_value, ordered};
use crate::papers::td::features::{self, FeatureCounts, FeatureWeights, UNIT};
use crate::shogi::{CheckSquares, Move, Position, Scope, SeeValues, movegen};

/// Largest search depth.
pub const MAX_PLIES: usize = 8;
/// Longest line, including quiescence search.
const MAX_LINE: usize = MAX_PLIES + 12;

/// The value of a mate, in units: the king of Table 2.
const MATE: i32 = 100_000 * UNIT;
const INFINITE: i32 = MATE + 1;
/// The largest value that is not a mate.
const LARGEST: i32 = MATE - 1000 * UNIT;

type Line = ArrayVec<Move, MAX_LINE>;

/// Evaluation of the positions at full depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// Static evaluation, as in the paper.
    Static,
    /// Quiescence search of captures and promotions, in which either side may stand pat at any
    /// time.
    Quiescence,
}

/// Random numbers that are a function of the position: equal positions get equal numbers, so that
/// alpha-beta and minimax give the same value.
#[derive(Clone, Copy, Debug)]
pub struct LeafNoise {
    /// A different salt gives different numbers.
    pub salt: u64,
    /// Bound of the absolute value, centipawns.
    pub size: f64,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct PrincipalLine {
    /// The principal variation, at least one move.
    pub line: ArrayVec<Move, MAX_LINE>,
    /// Value of the leaf with its random number, side to move's view, centipawns.
    pub value: f64,
    /// Feature counts of the principal leaf, side to move's view; `None` for a mate.
    pub leaf: Option<FeatureCounts>,
    /// Whether the side to move mates; `None` if there is no mate.
    pub mates: Option<bool>,
    /// Number of positions searched.
    pub nodes: u64,
}

/// A position during the search.
struct SearchedNode {
    /// Plies to the horizon; 0 at the horizon and below it.
    plies: usize,
    /// Plies from the root.
    ply: usize,
    /// Static value without the attacked squares, Black's view.
    standing: i32,
    /// Set if moves lead to the horizon or below it: identifies the moves that give check.
    checks: Option<CheckSquares>,
}

impl SearchedNode {
    fn new(pos: &Position, plies: usize, ply: usize, standing: i32) -> SearchedNode {
        let checks = (plies <= 1).then(|| pos.check_squares());
        SearchedNode { plies, ply, standing, checks }
    }
}

/// A searcher with fixed weights.
pub struct DepthSearch<'a> {
    weights: &'a FeatureWeights,
    horizon: Horizon,
    /// Used for move ordering only.
    gains: SeeValues,
    salt: u64,
    /// Twice the bound of the noise plus one, in units.
    noise_range: u64,
    /// Upper bound of attacked squares and noise together, in units.
    largest_rest: i32,
    /// Killer moves, by ply.
    killers: [[Option<Move>; 2]; MAX_LINE],
    /// Best lines, by ply.
    lines: [Line; MAX_LINE + 1],
    nodes: u64,
}

impl LeafNoise {
    /// No noise.
    pub const NONE: LeafNoise = LeafNoise { salt: 0, size: 0.0 };
}

impl<'a> DepthSearch<'a> {
    /// Creates a searcher.
    pub fn new(weights: &'a FeatureWeights, horizon: Horizon, noise: LeafNoise) -> DepthSearch<'a> {
        let size = (noise.size.clamp(0.0, 1e4) * f64::from(UNIT)) as u64;
        DepthSearch {
            weights,
            horizon,
            gains: weights.piece_values().see_values(),
            salt: noise.salt,
            noise_range: 2 * size + 1,
            largest_rest: weights.largest_attacks() + size as i32,
            killers: [[None; 2]; MAX_LINE],
            lines: [const { Line::new_const() }; MAX_LINE + 1],
            nodes: 0,
        }
    }

    /// Searches all moves to `depth` plies, 1 to [`MAX_PLIES`]. `None` if there is no legal move.
    pub fn search(&mut self, pos: &mut Position, depth: usize) -> Option<PrincipalLine> {
        self.nodes = 0;
        let mut moves: Vec<(i32, Move)> =
            self.ordered(pos, Scope::LEGAL, 0).iter().map(|scored| (0, scored.mv)).collect();
        let standing = self.weights.standing(pos);
        // Iterative deepening: the best move of the previous iteration comes first.
        for plies in 1..=depth.min(MAX_PLIES) {
            let root = SearchedNode::new(pos, plies, 0, standing);
            let mut alpha = -INFINITE;
            for (value, mv) in &mut moves {
                *value = self.descend(pos, *mv, &root, [alpha, INFINITE]);
                if *value > alpha {
                    alpha = *value;
                    self.extend_line(0, *mv);
                }
            }
            moves.sort_by_key(|&(value, _)| Reverse(value));
        }
        let &(value, _) = moves.first()?;
        let line = self.lines[0].clone();
        let leaf = (value.abs() <= LARGEST).then(|| leaf(pos, &line));
        let mates = leaf.is_none().then_some(value > 0);
        let value = f64::from(value) / f64::from(UNIT);
        Some(PrincipalLine { line, value, leaf, mates, nodes: self.nodes })
    }

    /// The value of a move, mover's view, fail-soft: a bound if it is outside the window.
    fn descend(
        &mut self,
        pos: &mut Position,
        mv: Move,
        node: &SearchedNode,
        [alpha, beta]: [i32; 2],
    ) -> i32 {
        let change = self.weights.standing_change(pos, &pos.delta_of(mv));
        // Skips a move to the horizon that does not give check and stays below alpha whatever it
        // attacks. The bound also holds with quiescence search, because the opponent can stand pat.
        if let (Some(checks), Some(change)) = (&node.checks, change) {
            let standing = pos.side_to_move().sign() * (node.standing + change);
            let bound = held(standing + self.largest_rest);
            if bound <= alpha && !pos.gives_check(mv, checks) {
                return bound;
            }
        }
        pos.do_move(mv);
        self.nodes += 1;
        let standing = match change {
            Some(change) => node.standing + change,
            None => self.weights.standing(pos),
        };
        let (plies, ply) = (node.plies.saturating_sub(1), node.ply + 1);
        let value = if plies == 0 {
            match self.horizon {
                Horizon::Static => {
                    self.lines[ply].clear();
                    self.leaf(pos, ply, standing)
                }
                Horizon::Quiescence => self.quiet(pos, ply, standing, [-beta, -alpha]),
            }
        } else {
            let node = SearchedNode::new(pos, plies, ply, standing);
            self.node(pos, &node, [-beta, -alpha])
        };
        pos.undo_move();
        -value
    }

    /// The value of a position, side to move's view, fail-soft.
    fn node(
        &mut self,
        pos: &mut Position,
        node: &SearchedNode,
        [mut alpha, beta]: [i32; 2],
    ) -> i32 {
        let ply = node.ply;
        self.lines[ply].clear();
        let mut best = ply as i32 - MATE;
        for ScoredMove { mv, value: gain } in self.ordered(pos, Scope::LEGAL, ply) {
            let value = self.descend(pos, mv, node, [alpha, beta]);
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.extend_line(ply, mv);
                if value >= beta {
                    if gain <= 1 && self.killers[ply][0] != Some(mv) {
                        self.killers[ply] = [Some(mv), self.killers[ply][0]];
                    }
                    break;
                }
            }
        }
        best
    }

    /// The value of a position at the horizon or below it, side to move's view, fail-soft. A mate
    /// is detected; otherwise even a side in check may stand pat.
    fn quiet(&mut self, pos: &mut Position, ply: usize, standing: i32, window: [i32; 2]) -> i32 {
        self.lines[ply].clear();
        let static_value = self.leaf(pos, ply, standing);
        if static_value >= window[1] || static_value < -LARGEST || ply == MAX_LINE {
            return static_value;
        }
        let node = SearchedNode::new(pos, 0, ply, standing);
        let moves = self.ordered(pos, Scope::CAPTURES | Scope::PROMOTIONS, ply);
        best_value(static_value, window, moves, |ScoredMove { mv, .. }, window| {
            let value = self.descend(pos, mv, &node, window);
            if value > window[0] {
                self.extend_line(ply, mv);
            }
            Some(value)
        })
    }

    /// The static value of a position. It detects mates and no other rule that ends a game.
    #[inline]
    fn leaf(&self, pos: &Position, ply: usize, standing: i32) -> i32 {
        if pos.in_check() && !movegen::has_legal_move(pos) {
            return ply as i32 - MATE;
        }
        let value = standing + self.weights.attacks(pos);
        held(pos.side_to_move().sign() * value + self.noise(pos.key()))
    }

    #[inline]
    fn noise(&self, key: u64) -> i32 {
        let mixed = (key ^ self.salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32;
        ((mixed * self.noise_range) >> 32) as i32 - (self.noise_range / 2) as i32
    }

    /// The moves of a scope, ordered by material gain; killer moves precede the moves without gain.
    fn ordered(&self, pos: &Position, scope: Scope, ply: usize) -> Vec<ScoredMove> {
        let killers = self.killers[ply];
        ordered(pos, scope, |mv| {
            let gain = pos.material_gain(mv, &self.gains);
            Some(if gain == 0 && killers.contains(&Some(mv)) { 1 } else { gain })
        })
    }

    fn extend_line(&mut self, ply: usize, mv: Move) {
        let [line, rest] = &mut self.lines[ply..ply + 2] else { return };
        line.clear();
        line.push(mv);
        line.extend(rest.iter().copied().take(MAX_LINE - 1));
    }
}

/// Clamps to the values that are not mates.
#[inline]
fn held(value: i32) -> i32 {
    value.clamp(-LARGEST, LARGEST)
}

/// Feature counts at the end of a line, from the view of the side to move at its start.
fn leaf(pos: &mut Position, line: &Line) -> FeatureCounts {
    for &mv in line {
        pos.do_move(mv);
    }
    let counts = features::of(pos);
    line.iter().for_each(|_| pos.undo_move());
    if line.len() % 2 == 0 { counts } else { counts.turned() }
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;
    use crate::papers::td::features::TABLE_2;
    use crate::rng::Rng;

    fn minimax(search: &DepthSearch, pos: &mut Position, depth: usize, ply: usize) -> i32 {
        if depth == 0 {
            return match search.horizon {
                Horizon::Static => search.leaf(pos, ply, search.weights.standing(pos)),
                Horizon::Quiescence => quiet(search, pos, ply, [-INFINITE, INFINITE]),
            };
        }
        let mut best = ply as i32 - MATE;
        for mv in movegen::legal_moves(pos, Scope::LEGAL) {
            pos.do_move(mv);
            best = best.max(-minimax(search, pos, depth - 1, ply + 1));
            pos.undo_move();
        }
        best
    }

    /// Plain alpha-beta, because the tree of exchanges is too large without pruning.
    fn quiet(search: &DepthSearch, pos: &mut Position, ply: usize, window: [i32; 2]) -> i32 {
        let [alpha, beta] = window;
        let mut best = search.leaf(pos, ply, search.weights.standing(pos));
        if best < -LARGEST || ply == MAX_LINE {
            return best;
        }
        for ScoredMove { mv, .. } in search.ordered(pos, Scope::CAPTURES | Scope::PROMOTIONS, ply) {
            if best >= beta {
                break;
            }
            pos.do_move(mv);
            best = best.max(-quiet(search, pos, ply + 1, [-beta, -alpha.max(best)]));
            pos.undo_move();
        }
        best
    }

    #[test]
    fn the_search_equals_minimax_and_its_leaf_has_the_value() {
        let weights = FeatureWeights::new(TABLE_2);
        let mut rng = Rng::from_seed(3);
        let searches: Vec<_> = (0..6)
            .flat_map(|game| {
                let mut pos = Position::startpos();
                for _ in 0..rng.below(150) {
                    match rng.choose(&movegen::legal_moves(&pos, Scope::LEGAL)) {
                        Some(&mv) => pos.do_move(mv),
                        None => break,
                    };
                }
                let moves = movegen::legal_moves(&pos, Scope::LEGAL).len();
                let depths = (1..=3).filter(move |&depth| moves.pow(depth as u32) < 10_000);
                let horizons = [Horizon::Static, Horizon::Quiescence];
                let ends = depths.flat_map(move |depth| horizons.map(|end| (depth, end)));
                ends.map(move |(depth, horizon)| (game, pos.clone(), depth, horizon))
            })
            .collect();
        let lines = searches.into_par_iter().filter_map(|(game, mut pos, depth, horizon)| {
            let noise = LeafNoise { salt: game, size: 10.0 };
            let mut search = DepthSearch::new(&weights, horizon, noise);
            let oracle = minimax(&search, &mut pos, depth, 0);
            let found = search.search(&mut pos, depth)?;
            assert_eq!(found.value, f64::from(oracle) / f64::from(UNIT), "{pos} {depth}");
            let leaf = found.leaf?;
            let without = f64::from(weights.value(&leaf)) / f64::from(UNIT);
            assert!((without - found.value).abs() <= 10.0, "{pos} {depth}");
            let is_longer = found.line.len() > depth;
            assert!(is_longer || found.line.len() == depth);
            assert!(!is_longer || horizon == Horizon::Quiescence);
            Some(is_longer)
        });
        assert!(lines.filter(|&is_longer| is_longer).count() > 0);
    }

    #[test]
    fn mates_are_found() {
        let mut pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").expect("valid");
        let weights = FeatureWeights::new(TABLE_2);
        for depth in 1..=3 {
            let found = DepthSearch::new(&weights, Horizon::Static, LeafNoise::NONE)
                .search(&mut pos, depth);
            let found = found.expect("a move");
            assert_eq!((found.mates, found.leaf), (Some(true), None));
            assert_eq!(found.line[0].to_string(), "G*5b");
        }
    }

    #[test]
    fn noise_is_small_and_even() {
        let weights = FeatureWeights::new(TABLE_2);
        let search = DepthSearch::new(&weights, Horizon::Static, LeafNoise { salt: 5, size: 10.0 });
        let mut rng = Rng::from_seed(1);
        let numbers: Vec<i32> = (0..10_000).map(|_| search.noise(rng.next_u64())).collect();
        assert!(numbers.iter().all(|number| number.abs() <= 10 * UNIT));
        let mean = numbers.iter().map(|&number| f64::from(number)).sum::<f64>() / 10_000.0;
        assert!(mean.abs() < f64::from(UNIT) / 4.0, "{mean}");
        let none = DepthSearch::new(&weights, Horizon::Static, LeafNoise::NONE);
        assert_eq!(none.noise(rng.next_u64()), 0);
    }
}
