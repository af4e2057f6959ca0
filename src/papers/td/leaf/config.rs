//! Configuration of TD-leaf learning.

use std::ops::RangeInclusive;

use crate::command::number_in;
use crate::engine::Settings;
use crate::eval::learned::{Term, Weights};
use crate::lab::commands::learn::run_args::{not_negative, positive};
use crate::lab::commands::selfplay::parse_range;
use crate::lab::learn::value::{AdamRate, ModelForm, PartRates, ValueConfig};
use crate::lab::selfplay::{SearchBudget, SelfplayConfig, Starts};

/// The weights to learn; the others are fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LearnedParts {
    /// Tempo, KK, KKP, and PP and KPP if the weights have them
    Relations,
    /// All of these, and the network
    All,
}

/// Everything that defines a run, except the initial weights. The comments of the fields are also
/// the help of `kankei learn td-leaf`.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct TdLeafConfig {
    /// Games to learn from
    #[arg(long, default_value_t = DEFAULT.games, value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    pub games: u64,
    /// Games per round, all played with the same weights; then the weights take a step
    #[arg(long, value_name = "GAMES", default_value_t = DEFAULT.round, value_parser = clap::value_parser!(u64).range(1..1 << 16))]
    pub round: u64,
    /// Held-out games, played with the initial weights before all others
    #[arg(long, value_name = "GAMES", default_value_t = DEFAULT.held_out, value_parser = clap::value_parser!(u64).range(1..1 << 16))]
    pub held_out: u64,
    /// Nodes per move: random from A to B for each move (`A..B`), or constant (`A`)
    #[arg(long, default_value = "200..600", value_parser = parse_range)]
    pub nodes: RangeInclusive<u64>,
    /// Start positions of the games
    #[arg(long, value_enum, default_value_t = DEFAULT.starts)]
    pub starts: Starts,
    /// lambda: 0 learns from the next search only, 1 from the result
    #[arg(long, default_value_t = DEFAULT.lambda, value_parser = number_in::<f64>(0.0..=1.0))]
    pub lambda: f64,
    /// Centipawns that multiply the odds of winning by e; without it fitted to the held-out games
    #[arg(long, value_name = "CP", value_parser = positive)]
    pub scale: Option<f32>,
    /// The weights to learn; others stay as they are
    #[arg(long, value_enum, default_value_t = DEFAULT.parts)]
    pub parts: LearnedParts,
    /// Learning rate of the relations, logits
    #[arg(long, value_name = "RATE", default_value_t = DEFAULT.relation_rate, value_parser = positive)]
    pub relation_rate: f32,
    /// Learning rate of the network
    #[arg(long, value_name = "RATE", default_value_t = DEFAULT.network_rate, value_parser = not_negative)]
    pub network_rate: f32,
    /// Share of the run, at its start, over which the rates rise from zero
    #[arg(skip = DEFAULT.warm_up)]
    pub warm_up: f64,
    /// Share of the run, at its end, over which the weights are averaged
    #[arg(skip = DEFAULT.averaging)]
    pub averaging: f64,
    /// Seed of the games
    #[arg(long, default_value_t = DEFAULT.seed)]
    pub seed: u64,
}

const DEFAULT: TdLeafConfig = TdLeafConfig::DEFAULT;

impl TdLeafConfig {
    /// The best configuration of `eval/reports/td/leaf.md`, whose relations learned by AdaGrad. The
    /// rate of the relations was not measured again with Adam.
    pub const DEFAULT: TdLeafConfig = TdLeafConfig {
        games: 24_000,
        round: 64,
        held_out: 400,
        nodes: 200..=600,
        starts: Starts::Varied,
        lambda: 0.7,
        scale: None,
        parts: LearnedParts::Relations,
        relation_rate: 0.0003,
        network_rate: 0.0001,
        warm_up: 0.1,
        averaging: 0.2,
        seed: 1,
    };

    /// The configuration of the games.
    pub(super) fn selfplay(&self) -> SelfplayConfig {
        SelfplayConfig {
            seed: self.seed,
            budget: SearchBudget::Nodes(self.nodes.clone()),
            starts: self.starts,
            settings: Settings { hash_mib: 1, ..Settings::default() },
            ..SelfplayConfig::default()
        }
    }

    /// The model that can learn such weights; `None` if there is none. `scale`: centipawns per
    /// logit.
    pub(super) fn model(&self, weights: &Weights, scale: f32) -> Option<ValueConfig> {
        let form = ModelForm::of(weights)?;
        let network = match self.parts {
            LearnedParts::Relations => 0.0,
            LearnedParts::All => self.network_rate,
        };
        let relations = AdamRate::new(self.relation_rate);
        let rates = PartRates { relations, factors: relations, network: AdamRate::new(network) };
        let (seed, has_pairs) = (self.seed, weights.has(Term::Pp));
        Some(ValueConfig { form, rates, scale, seed, has_pairs, ..ValueConfig::FACTORED })
    }

    /// Factor of the learning rates in a round, 0 = first, of `rounds`.
    pub(super) fn rate_factor(&self, round: u64, rounds: u64) -> f32 {
        let done = round as f64 / rounds.max(1) as f64;
        let risen = if self.warm_up > 0.0 { (done / self.warm_up).min(1.0) } else { 1.0 };
        (risen * (1.0 - done)) as f32
    }

    /// Whether the average includes the weights after this round.
    pub(super) fn is_averaged(&self, round: u64, rounds: u64) -> bool {
        (rounds - round) as f64 <= (rounds as f64 * self.averaging).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_rise_and_fall() {
        let config = TdLeafConfig { warm_up: 0.2, averaging: 0.3, ..TdLeafConfig::DEFAULT };
        let factors: Vec<f32> = (0..10).map(|round| config.rate_factor(round, 10)).collect();
        assert_eq!(factors[..4], [0.0, 0.45, 0.8, 0.7]);
        assert!((factors[9] - 0.1).abs() < 1e-6);
        assert_eq!((0..10).filter(|&round| config.is_averaged(round, 10)).min(), Some(7));
        let none = TdLeafConfig { warm_up: 0.0, averaging: 0.0, ..config };
        assert_eq!(none.rate_factor(0, 10), 1.0);
        assert_eq!((0..10).filter(|&round| none.is_averaged(round, 10)).count(), 1);
    }
}
