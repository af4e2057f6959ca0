//! Imitation of recorded moves by a Boltzmann policy.
//!
//! The evaluation is material, which stays, and the relations of each king to pairs of things,
//! which are learned ([`PolicyTable`], [`KingHalf`]). Of all legal moves of a position the policy
//! prefers those of high value ([`probabilities`]), and learning moves the weights so that it prefers
//! the record's: as the paper does it ([`Online`]), and as one would do it ([`Improved`]). A
//! [`PolicyRun`] makes passes over games, tells how far the best-valued moves [agree](Agreement) with
//! the records, and is kept on disk.
//!
//! Comes in: [`Game`](crate::record::Game)s. Goes out: agreement, and
//! [`RealWeights`](crate::eval::learned::RealWeights) for the evaluation.
//!
//! Source: supervised learning by policy gradients (equations (4) to (9)) of the KKP and KPP
//! weights of Bonanza 6.0, an experiment with 55,800 games.

mod boltzmann;
mod export;
mod improved;
mod king_half;
mod learner;
mod method;
mod move_choice;
mod objective;
mod online;
mod policy_table;
mod quiescence;
mod run;

pub use boltzmann::{Agreement, credit, probabilities};
pub use improved::{Improved, ImprovedConfig};
pub use king_half::KingHalf;
pub use learner::Learner;
pub use method::PolicyMethod;
pub use move_choice::{MoveChoice, each_example};
pub use objective::{ImitatedGames, Pass, PassCurve, PolicyObjective, PolicyTrainer};
pub use online::{Online, OnlineConfig};
pub use policy_table::{PolicyTable, SummedHalf};
pub use run::PolicyRun;
