//! The tunables of learning the value.

use super::{AdamRate, Ranking};
use crate::eval::learned::network::NetworkShape;
use crate::eval::learned::{Kpp, Weights};
use crate::lab::learn::AdaGradRate;

/// What one run of learning is made of, data apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueConfig {
    /// What stands above KP, KKP and PP.
    pub form: ModelForm,
    /// Passes over the samples.
    pub epochs: u32,
    /// Samples of a mini-batch.
    pub batch: usize,
    /// Share of the search score in the target, 0 to 1; the rest is the result's.
    pub lambda: f32,
    /// Centipawns of the evaluation that multiply the odds of winning by e.
    pub scale: f32,
    /// The same of the scores in the data; `None` = fitted to the results.
    pub score_scale: Option<f32>,
    /// How the moves of a position are told apart, if the samples have them.
    pub ranking: Ranking,
    /// Order of the samples, mirror images and initial values.
    pub seed: u64,
    /// Standard deviation of the initial values of u, roots of logits.
    pub initial_deviation: f32,
    /// How fast each part moves.
    pub rates: PartRates,
    /// Weight averaging: share of the run, at its end, over which the weights are averaged.
    pub averaging: f32,
    /// Snapshots in the average.
    pub snapshots: u32,
    /// Held-out losses taken each epoch.
    pub evaluations: u32,
    /// Ends the run after so many epochs without a lower held-out loss, 1 or more; `None` = never.
    pub patience: Option<u32>,
    /// In the end every weight is multiplied by n / (n + shrink), where n samples use it: what was
    /// hardly seen hardly speaks. In samples; 0 = the weights stay as they are.
    pub shrink: f32,
}

/// How a model values the relations of a king and several pieces, above KP, KKP and PP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelForm {
    /// Not at all.
    None,
    /// KPP: a weight for each king and pair.
    Table {
        /// Whether it is rounded to 8 bits in the end; learned the same.
        narrow: bool,
    },
    /// KPP in factored form: a row of `rank` factors for each king and piece.
    Factored {
        /// 32, 64, 128 or 256.
        rank: usize,
    },
    /// Hidden units with a top.
    Network(NetworkShape),
    /// The same with a head, alone: without material and all other parts, without the enemy king, and
    /// with one bias for all own kings. `kankei eval export` writes it for other programs.
    Standalone(NetworkShape),
}

impl ModelForm {
    /// The form of these weights; `None` if no model learns it.
    pub fn of(weights: &Weights) -> Option<ModelForm> {
        if let Some(network) = weights.network() {
            let form =
                if weights.is_standalone() { ModelForm::Standalone } else { ModelForm::Network };
            return Some(form(network.shape()));
        }
        match weights.kpp() {
            Kpp::None => Some(ModelForm::None),
            Kpp::Wide(_) => Some(ModelForm::Table { narrow: false }),
            Kpp::Narrow(_) => Some(ModelForm::Table { narrow: true }),
            Kpp::Factored(form) => {
                let rank = form.rank();
                [32, 64, 128, 256].contains(&rank).then_some(ModelForm::Factored { rank })
            }
        }
    }
}

/// The learning rates of the parts, logits (u: roots of logits).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartRates {
    /// Tempo.
    pub tempo: AdaGradRate,
    /// KP and P.
    pub kp: AdaGradRate,
    /// KK and KKP; left out if its learning rate is 0.
    pub kkp: AdaGradRate,
    /// PP; left out if its learning rate is 0.
    pub pp: AdaGradRate,
    /// KPP.
    pub kpp: AdaGradRate,
    /// The factors u of KPP.
    pub factors: AdaGradRate,
    /// Network.
    pub network: AdamRate,
    /// Network: king-relative rows.
    pub relative_rows: AdaGradRate,
}

impl ValueConfig {
    /// Samples of a mini-batch that serve networks best. Of 6 million positions of the search tree,
    /// learned once by 256 units with a head, the held-out excess was .0167 nats with 4,096, .0151
    /// with 2,048, .0130 with 1,024 and .0131 with 512 (and a lower learning rate, half as fast).
    pub const NETWORK_BATCH: usize = 1_024;

    /// Rates and initial deviation: what measured best on the teacher's games by held-out loss. Target and
    /// ranking: by games between the tables (`eval/README.md`).
    pub const DEFAULT: ValueConfig = ValueConfig {
        form: ModelForm::Factored { rank: 64 },
        epochs: 4,
        batch: 8_192,
        lambda: 1.0,
        scale: 900.0,
        score_scale: None,
        ranking: Ranking { weight: 0.02, temperature: 0.11 },
        seed: 1,
        initial_deviation: 0.01,
        rates: PartRates {
            tempo: AdaGradRate::new(0.01, 10.0),
            kp: AdaGradRate::new(0.01, 10.0),
            kkp: AdaGradRate::new(0.001, 10.0),
            pp: AdaGradRate::new(0.003, 10.0),
            kpp: AdaGradRate::new(0.001, 10.0),
            factors: AdaGradRate::new(0.005, 10.0),
            network: AdamRate { learning_rate: 0.001, weight_decay: 0.0 },
            relative_rows: AdaGradRate::new(0.01, 1e-2),
        },
        averaging: 0.2,
        snapshots: 32,
        evaluations: 4,
        patience: None,
        shrink: 0.0,
    };
}
