//! The choice between the moves of one position.

use super::boltzmann::credit;
use super::king_half::{KingHalf, NONE, walk};
use super::policy_table::{PolicyTable, SummedHalf};
use super::quiescence::{ExchangeLeaf, ExchangeSearch};
use crate::eval::PieceList;
use crate::eval::material::PieceValues;
use crate::record::Game;
use crate::shogi::{Color, Move, MoveList, Position, Scope, movegen};

/// All legal moves of a position, the halves after them, and their values. Reused from position to
/// position to avoid allocation.
#[derive(Debug, Default)]
pub struct MoveChoice {
    /// The mover's half before the move, and the opponent's.
    parents: Option<[SummedHalf; 2]>,
    /// After each move: the mover's half, and the opponent's.
    children: Vec<[KingHalf; 2]>,
    /// Value after each move minus the value before it, mover's view, centipawns.
    values: Vec<f32>,
    /// Index of the record's move.
    record: usize,
}

impl MoveChoice {
    /// Evaluates all moves of `pos`; `list` is its piece list, `played` the record's move. Returns
    /// false and sets nothing if a king is missing.
    ///
    /// The value of a move is E(s*|a, s) one move deep without quiescence: material and `table`
    /// after the move. The value before the move is subtracted, because only differences between
    /// moves matter. Cost: two rows of 39 weights per king and changed piece.
    pub fn look(
        &mut self,
        pos: &Position,
        list: &PieceList,
        played: Move,
        table: &PolicyTable,
    ) -> bool {
        let us = pos.side_to_move();
        let sides = [us, !us];
        let [Some(ours), Some(theirs)] = sides.map(|side| KingHalf::new(pos, list, side)) else {
            return false;
        };
        let parents = [table.known(ours), table.known(theirs)];
        self.children.clear();
        self.values.clear();
        self.record = usize::MAX;
        let mut moves = MoveList::new();
        movegen::generate(pos, Scope::LEGAL, &mut moves);
        for (n, &mv) in moves.iter().enumerate() {
            if mv == played {
                self.record = n;
            }
            let delta = pos.delta_of(mv);
            let after = |n: usize, side: Color| parents[n].half.after(pos, list, side, &delta);
            let children = [after(0, sides[0]), after(1, sides[1])];
            let gain = PieceValues::ENGINE.of_delta(&delta);
            let relations = table.difference(&parents[0], &children[0])
                - table.difference(&parents[1], &children[1]);
            self.values.push((us.sign() * gain) as f32 + relations);
            self.children.push(children);
        }
        self.parents = Some(parents);
        self.record < moves.len()
    }

    /// Values of the moves, shape `[moves]`; see [`look`](MoveChoice::look).
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Index of the record's move.
    pub fn record(&self) -> usize {
        self.record
    }

    /// Agreement with the record, as [`credit`].
    pub fn credit(&self) -> f64 {
        credit(&self.values, self.record)
    }

    /// Resolves the exchanges after each move: values and gradients are then those of the leaves.
    /// Call [`look`](MoveChoice::look) first, with the same arguments.
    ///
    /// `window`: values further than this from the record move's need not be exact, centipawns.
    /// Cost: a quiescence search for each move.
    pub fn quiesce(&mut self, pos: &Position, list: &PieceList, table: &PolicyTable, window: f32) {
        let (mut pos, mut list) = (pos.clone(), list.clone());
        let mut line = ExchangeSearch { pos: &mut pos, list: &mut list, table };
        let mut moves = MoveList::new();
        movegen::generate(line.pos, Scope::LEGAL, &mut moves);
        let mut quiesce = |n: usize, alpha: f32, beta: f32| {
            let leaf = ExchangeLeaf { value: self.values[n], halves: self.children[n].clone() };
            let leaf = line
                .descend(moves[n], |line| line.quiesce(leaf.turned(), -beta, -alpha, 0).turned());
            self.values[n] = leaf.value;
            self.children[n] = leaf.halves;
            leaf.value
        };
        let value = quiesce(self.record, f32::NEG_INFINITY, f32::INFINITY);
        for n in (0..moves.len()).filter(|&n| n != self.record) {
            quiesce(n, value - window, value + window);
        }
    }

    /// Visits the gradient of the sum over the moves of `amounts` times their values. Calls
    /// `visit(king, i, j, amount)` for the weight of a pair; the visitor adds the amounts up.
    /// `amounts`: shape `[moves]`; zeros cost nothing.
    pub fn each_gradient(&self, amounts: &[f32], mut visit: impl FnMut(usize, u16, u16, f32)) {
        let Some([ours, theirs]) = &self.parents else { return };
        for (children, &amount) in self.children.iter().zip(amounts) {
            if amount == 0.0 {
                continue;
            }
            for (parent, child, sign) in [(ours, &children[0], 1.0), (theirs, &children[1], -1.0)] {
                walk(&parent.half, child, |king, related, others, added| {
                    for &other in others.iter().filter(|&&other| other != NONE) {
                        visit(king, related, other, sign * added * amount);
                    }
                });
            }
        }
    }
}

/// Visits the positions of a game whose moves are to be imitated, each with its move: those that
/// were [chosen for their strength](Game::is_choice).
pub fn each_example(game: &Game, mut visit: impl FnMut(&Position, &PieceList, Move)) {
    let mut pos = game.start_position();
    let mut list = PieceList::new(&pos);
    for (ply, &mv) in game.moves().iter().enumerate() {
        if game.is_choice(ply) {
            visit(&pos, &list, mv);
        }
        list.apply(&pos.do_move(mv));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::policy::learner::{Learner, Online, OnlineConfig};
    use crate::record::GameBuilder;
    use crate::rng::Rng;

    /// Games of random moves, in which kings wander and pieces promote and are dropped.
    fn random_games(seed: u64, count: usize, plies: usize) -> Vec<Game> {
        println!("seed {seed}");
        let mut rng = Rng::from_seed(seed);
        let mut game = || {
            let mut builder = GameBuilder::from_sfen(
                "lr2k2rl/2b1g1b2/p1p1p1p1p/9/9/9/P1P1P1P1P/4G4/LN2K2NL w 2GS2Ps2n6p 1",
            )
            .expect("a position");
            for _ in 0..plies {
                let moves = movegen::legal_moves(builder.position(), Scope::LEGAL);
                let Some(&mv) = rng.choose(&moves) else { break };
                builder.push(mv).expect("a legal move");
            }
            builder.finish()
        };
        (0..count).map(|_| game()).collect()
    }

    /// A table with non-zero weights for positions of the games.
    fn learned(games: &[Game]) -> PolicyTable {
        let config = OnlineConfig { learning_rate: 10.0, temperature: 10.0 };
        let mut learner = Online::new(config, PolicyTable::zero());
        for game in games {
            learner.learn(game);
        }
        learner.table().clone()
    }

    /// Sum over all pairs, one by one.
    fn half(table: &PolicyTable, pos: &Position, side: Color) -> f64 {
        let half = KingHalf::new(pos, &PieceList::new(pos), side).expect("both kings");
        let entries = half.entries.map(usize::from);
        let pair =
            |i: usize, j: usize| f64::from(table.weight(half.king(), entries[i], entries[j]));
        (0..entries.len()).flat_map(|j| (0..j).map(move |i| (i, j))).map(|(i, j)| pair(i, j)).sum()
    }

    #[test]
    fn values_by_changes_are_those_from_scratch() {
        let games = random_games(1, 4, 60);
        let table = learned(&games);
        let mut choice = MoveChoice::default();
        for game in &games {
            each_example(game, |pos, list, mv| {
                assert!(choice.look(pos, list, mv, &table));
                let us = pos.side_to_move();
                let value = |pos: &Position| {
                    let balance = us.sign() * PieceValues::ENGINE.balance(pos);
                    f64::from(balance) + half(&table, pos, us) - half(&table, pos, !us)
                };
                let before = value(pos);
                let moves = movegen::legal_moves(pos, Scope::LEGAL);
                assert_eq!(moves[choice.record()], mv);
                for (&mv, &found) in moves.iter().zip(choice.values()) {
                    let mut child = pos.clone();
                    let delta = pos.delta_of(mv);
                    assert_eq!(child.do_move(mv), delta);
                    let expected = value(&child) - before;
                    let tolerance = 1e-2 + 1e-4 * expected.abs();
                    let error = (f64::from(found) - expected).abs();
                    assert!(error < tolerance, "{pos} {mv}: {found} instead of {expected}");
                }
            });
        }
    }

    #[test]
    fn the_update_is_the_gradient_of_the_log_probability() {
        let (config, step) = (OnlineConfig { learning_rate: 50.0, temperature: 200.0 }, 4.0);
        let table = learned(&random_games(2, 2, 40));
        let (mut checked, mut choice) = (0, MoveChoice::default());
        for game in random_games(3, 4, 9) {
            let mv = game.moves()[8];
            let pos = position_before(&game, 8);
            let list = PieceList::new(&pos);
            let mut example = GameBuilder::from_sfen(&pos.to_sfen()).expect("a position");
            example.push(mv).expect("a legal move");
            let mut learner = Online::new(config, table.clone());
            learner.learn(&example.finish());
            let after = learner.table();

            let mut table = table.clone();
            let mut log_probability = |table: &PolicyTable| {
                assert!(choice.look(&pos, &list, mv, table));
                let exponents = choice.values().iter().map(|&v| f64::from(v / config.temperature));
                let record = exponents.clone().nth(choice.record()).expect("the record's move");
                record - exponents.map(f64::exp).sum::<f64>().ln()
            };
            assert!(log_probability(after) > log_probability(&table), "{pos} {mv}");
            for (king, i, j) in pairs_after_moves(&pos) {
                let weight = table.weight(king, i, j);
                let mut at = |value| {
                    table.set(king, i, j, value);
                    log_probability(&table)
                };
                let numeric = (at(weight + step) - at(weight - step)) / f64::from(2.0 * step);
                at(weight);
                let found = f64::from((after.weight(king, i, j) - weight) / config.learning_rate);
                assert!((found - numeric).abs() < 1e-5, "{pos} {mv}: {found} for {numeric}");
                checked += usize::from(numeric.abs() > 1e-4);
            }
        }
        assert!(checked > 100, "{checked} gradients");
    }

    fn position_before(game: &Game, ply: usize) -> Position {
        let mut pos = game.start_position();
        for &mv in &game.moves()[..ply] {
            pos.do_move(mv);
        }
        pos
    }

    /// Some of the king's pairs that arise after moves.
    fn pairs_after_moves(pos: &Position) -> Vec<(usize, usize, usize)> {
        let mut pairs = Vec::new();
        for mv in movegen::legal_moves(pos, Scope::LEGAL).into_iter().step_by(3) {
            let mut child = pos.clone();
            child.do_move(mv);
            for side in Color::ALL {
                let half =
                    KingHalf::new(&child, &PieceList::new(&child), side).expect("both kings");
                let entries = half.entries.map(usize::from);
                let all = (0..39).flat_map(|n| [(n, (5 * n + 1) % 39), (n, (n + 19) % 39)]);
                let found = all.map(|(n, m)| (half.king(), entries[n], entries[m]));
                pairs.extend(found.filter(|&(_, i, j)| i != 0 && j != 0 && i != j));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().step_by(7).collect()
    }
}
