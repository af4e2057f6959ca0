//! The tunables of learning the value.

use super::{AdamRate, Ranking, Rate};

/// What one run of learning is made of, data apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueConfig {
    /// King-relative pairs.
    pub pairs: PairForm,
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
    /// Order of the samples, mirror images and first values.
    pub seed: u64,
    /// Standard deviation of the first values of u, roots of logits.
    pub spread: f32,
    /// How fast each part moves.
    pub rates: Rates,
    /// Of the run, over whose end the weights are averaged, 0 to 1.
    pub averaged: f32,
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

/// The form of the king-relative pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairForm {
    /// None.
    None,
    /// A weight a king and pair.
    Table {
        /// Whether it is rounded to 8 bits in the end; learned the same.
        narrow: bool,
    },
    /// A row of lanes a king and piece.
    Factored {
        /// 32, 64, 128 or 256.
        lanes: usize,
    },
    /// Hidden units with a top.
    Network(NetworkForm),
}

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkForm {
    /// Hidden units of a side, a multiple of 32.
    pub units: usize,
    /// What stands above them.
    pub top: TopForm,
    /// Whether a piece's row depends on the own king's square.
    pub king_relative: bool,
}

impl NetworkForm {
    /// Samples of a mini-batch that serve networks best. Of 6 million positions of the search tree,
    /// learned once by 256 units with a head, the held-out excess was .0167 nats with 4,096, .0151
    /// with 2,048, .0130 with 1,024 and .0131 with 512 (and a lower learning rate, half as fast).
    pub const BATCH: usize = 1_024;
}

/// What stands above the hidden units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopForm {
    /// A weight for each unit, clipped.
    Clipped,
    /// A weight for each unit's rectified square.
    Squared,
    /// Two hidden layers of 16 and 32 clipped units.
    Head16,
    /// Two hidden layers of 32 and 32 clipped units.
    Head32,
}

/// The rates of the parts, logits (u: roots of logits).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Turn.
    pub turn: Rate,
    /// KP and P.
    pub king_piece: Rate,
    /// KK and KKP; left out if its step is 0.
    pub king_king_piece: Rate,
    /// PP; left out if its step is 0.
    pub pair: Rate,
    /// KPP.
    pub king_table: Rate,
    /// u.
    pub king_rows: Rate,
    /// Network.
    pub network: AdamRate,
    /// Network: king-relative rows.
    pub relative_rows: Rate,
}

impl ValueConfig {
    /// Rates and spread: what measured best on the teacher's games by held-out loss. Target and
    /// ranking: by games between the tables (`eval/README.md`).
    pub const DEFAULT: ValueConfig = ValueConfig {
        pairs: PairForm::Factored { lanes: 64 },
        epochs: 4,
        batch: 8_192,
        lambda: 1.0,
        scale: 900.0,
        score_scale: None,
        ranking: Ranking { weight: 0.02, temperature: 0.11 },
        seed: 1,
        spread: 0.01,
        rates: Rates {
            turn: Rate::new(0.01, 10.0),
            king_piece: Rate::new(0.01, 10.0),
            king_king_piece: Rate::new(0.001, 10.0),
            pair: Rate::new(0.003, 10.0),
            king_table: Rate::new(0.001, 10.0),
            king_rows: Rate::new(0.005, 10.0),
            network: AdamRate { learning_rate: 0.001, weight_decay: 0.0 },
            relative_rows: Rate::new(0.01, 1e-2),
        },
        averaged: 0.2,
        snapshots: 32,
        evaluations: 4,
        patience: None,
        shrink: 0.0,
    };
}

impl Default for ValueConfig {
    fn default() -> ValueConfig {
        ValueConfig::DEFAULT
    }
}
