//! Imitation of recorded moves by a Boltzmann policy.
//!
//! The evaluation is material, which is fixed, plus learned weights of the relations of each king
//! to pairs of pieces ([`PolicyTable`], [`KingHalf`]). The policy prefers the legal moves with the
//! highest values ([`probabilities`]). Learning changes the weights so that it prefers the record's
//! move, by the method of the paper ([`Online`]) or an improved one ([`Improved`]). A [`PolicyRun`]
//! makes passes over games, measures how often the best-valued moves [agree](Agreement) with the
//! records, and is saved after each pass.
//!
//! Input: [`Game`](crate::record::Game)s. Output: agreement, and
//! [`RealWeights`](crate::lab::learn::RealWeights) for the evaluation.
//!
//! Source: supervised learning by policy gradients (equations (4) to (9)) of the KKP and KPP
//! weights of Bonanza 6.0, an experiment with 55,800 games.

mod boltzmann;
mod export;
mod improved;
mod king_half;
mod method;
mod move_choice;
mod objective;
mod online;
mod policy_learner;
mod policy_table;
mod quiescence;
mod run;

pub use boltzmann::{Agreement, credit, probabilities};
pub use improved::{Improved, ImprovedConfig};
pub use king_half::KingHalf;
pub use method::PolicyMethod;
pub use move_choice::{MoveChoice, each_example};
pub use objective::{ImitatedGames, Pass, PassCurve, PolicyObjective, PolicyTrainer};
pub use online::{Online, OnlineConfig};
pub use policy_learner::Learner;
pub use policy_table::{PolicyTable, SummedHalf};
pub use run::PolicyRun;
