//! Configuration of value learning.

use serde::{Deserialize, Serialize};

use super::AdamRate;
use crate::eval::learned::network::{HeadActivation, HeadInput, HeadShape, NetworkShape};

/// Everything that defines a run, except the data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ValueConfig {
    /// The form of the weights above KP, KKP and PP.
    pub form: ModelForm,
    /// Passes over the samples.
    pub epochs: u32,
    /// Samples of a mini-batch.
    pub batch: usize,
    /// Weight of the search score in the target, 0 to 1; the result has the rest.
    pub lambda: f32,
    /// Centipawns of the evaluation that multiply the odds of winning by e.
    pub scale: f32,
    /// Centipawns of the scores in the data that multiply the odds of winning by e; `None` = fitted
    /// to the results. Not part of a file, where every file of samples has its own.
    #[serde(skip)]
    pub score_scale: Option<f32>,
    /// Seed of the order of the samples, mirror images and initial values.
    pub seed: u64,
    /// Standard deviation of the initial values of u, roots of logits.
    pub initial_deviation: f32,
    /// Whether there are weights of pairs of pieces, PP.
    pub has_pairs: bool,
    /// The value of every piece at the start, centipawns; `None` = the values of the engine.
    pub equal_pieces: Option<f32>,
    /// Learning rates of the parts.
    pub rates: PartRates,
    /// Share of the run, at its start, over which the rates rise from zero.
    pub warm_up: f32,
    /// Weight averaging: share of the run, at its end, over which the weights are averaged.
    pub averaging: f32,
    /// Number of snapshots in the average.
    pub snapshots: u32,
    /// Measurements of the held-out loss per epoch.
    pub evaluations: u32,
    /// Ends the run after this many epochs without a lower held-out loss, 1 or more; `None` =
    /// never.
    pub patience: Option<u32>,
    /// Added to the value of having the move at the end, centipawns.
    pub tempo: f32,
}

/// How a model evaluates the relations of a king and several pieces, in addition to KP, KKP and PP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelForm {
    /// No such relations.
    None,
    /// KPP in factored form: a row of `rank` factors for each king and piece.
    Factored {
        /// One of [`ModelForm::RANKS`].
        rank: usize,
    },
    /// Hidden units with output layers.
    Network(NetworkShape),
    /// The same with a head, alone: without material and all other parts, without the enemy king,
    /// and with one bias for all own kings. `kankei eval export` writes it for other programs.
    Standalone(NetworkShape),
}

impl ModelForm {
    /// Possible ranks of the factored form.
    pub const RANKS: [usize; 4] = [32, 64, 128, 256];

    /// The shape of the network, if there is one.
    pub fn network(self) -> Option<NetworkShape> {
        match self {
            ModelForm::Network(shape) | ModelForm::Standalone(shape) => Some(shape),
            ModelForm::None | ModelForm::Factored { .. } => None,
        }
    }
}

/// The learning rates of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PartRates {
    /// Piece values, logits. 0 = they keep their first values.
    pub piece_values: AdamRate,
    /// Threats, logits. 0 = they keep their first weights, which are 0 in a run from nothing.
    pub threats: AdamRate,
    /// Tempo, KP, KKP and PP, logits.
    pub relations: AdamRate,
    /// The factors u of KPP, roots of logits.
    pub factors: AdamRate,
    /// Network.
    pub network: AdamRate,
}

impl Default for PartRates {
    fn default() -> PartRates {
        ValueConfig::SHIPPED.rates
    }
}

impl Default for ValueConfig {
    fn default() -> ValueConfig {
        ValueConfig::SHIPPED
    }
}

impl ValueConfig {
    /// Best size of a mini-batch for networks, measured with 256 units and a head, one pass over 6
    /// million positions of search trees. The held-out excess was .0167 nats with 4,096, .0151 with
    /// 2,048, .0130 with 1,024 and .0131 with 512. The last one had a lower learning rate and half
    /// the speed.
    const NETWORK_BATCH: usize = 1_024;

    /// Rate of the relations in addition to a network, for few positions. 512 units with products
    /// and dual activations learned 2 million positions of search trees in one pass: the held-out
    /// excess was .0294, .0293 and .0290 nats with .0003, .0001 and this rate. With 9.6 million
    /// samples .0003 was better, .0149 and .0152 (`eval/reports/network/base.md`).
    const NETWORK_RELATION_RATE: f32 = 0.00003;

    /// The network that ships. PP costs nodes in networks and gains nothing there
    /// (`eval/reports/network`).
    pub const SHIPPED: ValueConfig = ValueConfig {
        form: ModelForm::Network(NetworkShape {
            units: 512,
            king_relative: false,
            head: HeadShape {
                width: 32,
                input: HeadInput::Products,
                activation: HeadActivation::Dual,
            },
        }),
        batch: ValueConfig::NETWORK_BATCH,
        has_pairs: false,
        rates: PartRates {
            relations: AdamRate::new(ValueConfig::NETWORK_RELATION_RATE),
            ..ValueConfig::FACTORED.rates
        },
        ..ValueConfig::FACTORED
    };

    /// A network as in other programs.
    pub const STANDALONE: ValueConfig = ValueConfig {
        form: ModelForm::Standalone(NetworkShape {
            units: 256,
            king_relative: true,
            head: HeadShape::classic(32),
        }),
        ..ValueConfig::SHIPPED
    };

    /// The factored form. The target was selected by games between tables (`eval/README.md`). The
    /// rates of relations and factors: the factored form learned 2 million positions of search
    /// trees in one pass, with a held-out excess of .0281 nats. With rates of .001 and .003 it was
    /// .0306, with AdaGrad at its tuned rates .0372.
    pub const FACTORED: ValueConfig = ValueConfig {
        form: ModelForm::Factored { rank: 64 },
        epochs: 4,
        batch: 8_192,
        lambda: 1.0,
        scale: 900.0,
        score_scale: None,
        seed: 1,
        initial_deviation: 0.01,
        has_pairs: true,
        equal_pieces: None,
        rates: PartRates {
            piece_values: AdamRate::new(0.0),
            threats: AdamRate::new(0.0),
            relations: AdamRate::new(0.0003),
            factors: AdamRate::new(0.001),
            network: AdamRate::new(0.001),
        },
        warm_up: 0.01,
        averaging: 0.2,
        snapshots: 32,
        evaluations: 4,
        patience: None,
        tempo: 0.0,
    };
}
