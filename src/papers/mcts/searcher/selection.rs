//! Selection of the move of a node to visit next.
//!
//! * UCT with progressive bias and first-play urgency (the paper, section 4.1): Q + C sqrt(ln N /
//!   n) + bias P / (n + 1). For an unvisited move, the urgency replaces the first two terms. The
//!   paper gives the bias and the urgency but not C.
//! * PUCT (Rosin 2011, as in Silver et al. 2017): Q + C P sqrt(N) / (n + 1). The value of an
//!   unvisited move is its parent's value.
//!
//! Q is the mean result for the side to move, P the prior from the move's rating. Moves that are
//! proved to lose are excluded while another move exists. Of the unvisited moves only the one with
//! the highest prior is considered, because the others differ only by a smaller P.

use super::arena::NodeId;
use super::params::{MctsParams, MctsTechniques};
use super::tree::Tree;
use super::tree_node::{Proof, TreeNode};

/// The child to visit; `None` to add the next unvisited move as a child.
pub(super) fn select(tree: &Tree, node: &TreeNode, params: &MctsParams) -> Option<NodeId> {
    let formula = Formula::new(node, params);
    let mut best: Option<(NodeId, f32)> = None;
    for id in tree.children(node) {
        let child = tree.node(id);
        let value = match child.proof() {
            Some(Proof::Loss(_)) => return Some(id),
            Some(Proof::Win(_)) => f32::NEG_INFINITY,
            None => formula.of_child(child),
        };
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((id, value));
        }
    }
    let new = tree.next_edge(node).map(|edge| formula.of_new(edge.prior));
    match (best, new) {
        (Some((id, value)), Some(new)) => (value >= new).then_some(id),
        (Some((id, _)), None) => Some(id),
        (None, _) => None,
    }
}

/// The terms that all moves of a node share.
enum Formula {
    /// C sqrt(ln N), the bias weight, and the first-play urgency.
    Uct { exploration: f32, bias: f32, first_play: f32 },
    /// C sqrt(N), and the value of an unvisited move.
    Puct { exploration: f32, first_play: f32 },
}

impl Formula {
    fn new(node: &TreeNode, params: &MctsParams) -> Formula {
        let visits = node.all_visits().max(1) as f32;
        let hundredths = |number: i32| number as f32 / 100.0;
        if !params.uses(MctsTechniques::PUCT) {
            return Formula::Uct {
                exploration: hundredths(params.exploration) * visits.ln().sqrt(),
                bias: params.bias as f32,
                first_play: hundredths(params.first_play),
            };
        }
        Formula::Puct {
            exploration: hundredths(params.puct) * visits.sqrt(),
            first_play: 1.0 - node.mean().unwrap_or(0.5),
        }
    }

    fn of_child(&self, child: &TreeNode) -> f32 {
        let (visits, prior) = (child.all_visits() as f32, child.prior());
        let Some(mean) = child.mean() else { return self.of_new(prior) };
        match *self {
            Formula::Uct { exploration, bias, .. } => {
                mean + exploration / visits.sqrt() + bias * prior / (visits + 1.0)
            }
            Formula::Puct { exploration, .. } => mean + exploration * prior / (visits + 1.0),
        }
    }

    fn of_new(&self, prior: f32) -> f32 {
        match *self {
            Formula::Uct { bias, first_play, .. } => first_play + bias * prior,
            Formula::Puct { exploration, first_play } => first_play + exploration * prior,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arena::Edge;
    use super::super::params::Method;
    use super::super::tree::NewChild;
    use super::*;

    const PUCT: MctsParams = MctsParams::DEFAULT;

    fn uct() -> MctsParams {
        PUCT.with("playout".parse::<Method>().expect("a method"))
    }

    fn tree() -> Tree {
        let tree = Tree::new(1 << 20);
        let moves = ["7g7f", "2g2f", "5g5f"].map(|mv| mv.parse().expect("a move"));
        let edges: Vec<Edge> =
            moves.into_iter().zip([0.6, 0.3, 0.1]).map(|(mv, prior)| Edge { mv, prior }).collect();
        tree.expand(tree.root(), &edges);
        tree
    }

    /// Visits the tree `count` times with a fixed result for each move. Returns the visits of each
    /// move.
    fn visits(params: &MctsParams, means: [f32; 3], count: usize) -> [u32; 3] {
        let tree = tree();
        let mut visits = [0; 3];
        for _ in 0..count {
            let id = select(&tree, tree.root(), params).unwrap_or_else(|| {
                match tree.add_child(tree.root()) {
                    NewChild::At(id) => id,
                    other => panic!("{other:?}"),
                }
            });
            let child = tree.node(id);
            let number = ["7g7f", "2g2f", "5g5f"]
                .into_iter()
                .position(|text| child.mv().is_some_and(|mv| mv.to_string() == text))
                .expect("one of the moves");
            tree.root().enter();
            child.enter();
            child.note(means[number]);
            tree.root().note(1.0 - means[number]);
            visits[number] += 1;
        }
        visits
    }

    #[test]
    fn the_best_move_is_visited_most_despite_a_low_prior() {
        for params in [PUCT, uct()] {
            let [first, second, third] = visits(&params, [0.4, 0.4, 0.8], 2_000);
            assert!(third > 1_200 && first > 0 && second > 0, "{first} {second} {third}");
        }
    }

    #[test]
    fn equal_moves_are_visited_in_proportion_to_their_priors() {
        let [first, second, third] = visits(&PUCT, [0.5; 3], 2_000);
        assert!((1_100..1_300).contains(&first), "{first}");
        assert!((500..700).contains(&second) && (100..300).contains(&third), "{second} {third}");
    }

    #[test]
    fn first_play_urgency_controls_whether_other_moves_are_tried() {
        let with = |first_play| MctsParams { first_play, bias: 0, exploration: 0, ..uct() };
        assert_eq!(visits(&with(90), [0.95, 0.5, 0.5], 50), [50, 0, 0]);
        assert_eq!(visits(&with(97), [0.95, 0.5, 0.5], 50), [48, 1, 1]);
    }

    #[test]
    fn proofs_override_the_formula() {
        let tree = tree();
        let add = || match tree.add_child(tree.root()) {
            NewChild::At(id) => id,
            other => panic!("{other:?}"),
        };
        let [first, second, third] = [add(), add(), add()];
        for id in [first, second, third] {
            tree.node(id).enter();
            tree.node(id).note(0.5);
        }
        tree.node(first).prove(Proof::Win(3));
        assert_eq!(select(&tree, tree.root(), &PUCT), Some(second), "the first loses");
        tree.node(third).prove(Proof::Loss(2));
        assert_eq!(select(&tree, tree.root(), &PUCT), Some(third));
    }
}
