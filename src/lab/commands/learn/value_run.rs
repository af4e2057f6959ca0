//! A run of `kankei learn value`: everything that determines the weights, as one JSON file.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::eval::learned::network::{Network, NetworkShape};
use crate::file;
use crate::lab::learn::LearnError;
use crate::lab::learn::value::{AdamRate, ModelForm, ValueConfig};

/// Values that a file omits are those of the network that ships.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ValueRun {
    /// At least one.
    pub samples: Vec<SampleFile>,
    /// The weights to start from: `internal`, or a weights file.
    pub from: Option<String>,
    pub config: ValueConfig,
}

/// Training samples with the scores of one engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SampleFile {
    /// Relative to the current folder. The held-out samples are in the same folder (samples.bin:
    /// samples.held.bin).
    pub file: PathBuf,
    /// Centipawns of the scores that multiply the odds of winning by e; without it fitted to the
    /// results.
    #[serde(default)]
    pub score_scale: Option<f32>,
    /// Centipawns by which the scores favour the side to move, subtracted from them. Those of
    /// searches do; `learn losses` fits the number to the results.
    #[serde(default)]
    pub score_bias: f32,
}

impl SampleFile {
    pub fn new(file: PathBuf) -> SampleFile {
        SampleFile { file, score_scale: None, score_bias: 0.0 }
    }
}

impl ValueRun {
    /// # Errors
    /// If the file cannot be read, is not a run, or has a value out of its range.
    pub fn read(path: &Path) -> Result<ValueRun, LearnError> {
        let text = file::read_to_string(path);
        let text = text.map_err(|source| LearnError::Read(path.to_owned(), source))?;
        let run: Result<ValueRun, _> = serde_json::from_str(&text);
        let failed = |reason| LearnError::Corrupt(path.to_owned(), "run", reason);
        let run = run.map_err(|error| failed(error.to_string()))?;
        run.check().map_err(failed)?;
        Ok(run)
    }

    /// # Errors
    /// If a path is not UTF-8.
    pub fn to_json(&self) -> Result<String, LearnError> {
        serde_json::to_string_pretty(self)
            .map_err(|error| LearnError::Unprintable(error.to_string()))
    }

    /// The configuration with the scale of the scores.
    pub fn config(&self) -> ValueConfig {
        let score_scale = self.samples.first().and_then(|samples| samples.score_scale);
        ValueConfig { score_scale, ..self.config }
    }

    /// The reason why this run is impossible, if it is.
    fn check(&self) -> Result<(), String> {
        let ValueConfig {
            form,
            epochs,
            batch,
            lambda,
            scale,
            equal_pieces,
            rates,
            patience,
            tempo,
            warm_up,
            averaging,
            initial_deviation,
            ..
        } = self.config;
        for SampleFile { score_scale, score_bias, .. } in &self.samples {
            within("score_scale", *score_scale, score_scale.is_none_or(is_positive))?;
            within("score_bias", score_bias, score_bias.abs() <= 1e4)?;
        }
        if let ModelForm::Factored { rank } = form {
            within("rank", rank, ModelForm::RANKS.contains(&rank))?;
        }
        if let Some(NetworkShape { units, head, .. }) = form.network() {
            within("units", units, Network::is_size(units))?;
            within("width", head.width, [16, 32].contains(&head.width))?;
            if let ModelForm::Standalone(_) = form {
                within("head of a standalone network", head, head.is_classic())?;
                within("tempo of a standalone network", tempo, tempo == 0.0)?;
            }
        }
        let is_value = |value: f32| (0.0..=1e4).contains(&value);
        within("equal_pieces", equal_pieces, equal_pieces.is_none_or(is_value))?;
        within("epochs", epochs, epochs > 0)?;
        within("batch", batch, (1..=1 << 20).contains(&batch))?;
        within("lambda", lambda, (0.0..=1.0).contains(&lambda))?;
        within("scale", scale, is_positive(scale))?;
        within("patience", patience, patience != Some(0))?;
        within("tempo", tempo, tempo.abs() <= 1e3)?;
        within("warm_up", warm_up, (0.0..=1.0).contains(&warm_up))?;
        within("averaging", averaging, (0.0..=1.0).contains(&averaging))?;
        within("initial_deviation", initial_deviation, is_value(initial_deviation))?;
        for AdamRate { learning_rate, weight_decay } in
            [rates.piece_values, rates.threats, rates.relations, rates.factors, rates.network]
        {
            // A part with a rate of zero keeps its initial values.
            within("learning_rate", learning_rate, is_not_negative(learning_rate))?;
            within("weight_decay", weight_decay, is_not_negative(weight_decay))?;
        }
        Ok(())
    }
}

fn is_positive(value: f32) -> bool {
    value > 0.0 && value.is_finite()
}

fn is_not_negative(value: f32) -> bool {
    value >= 0.0 && value.is_finite()
}

fn within(name: &str, value: impl Debug, holds: bool) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{name} is {value:?}, out of its range")) }
}
