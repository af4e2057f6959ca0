//! Tests of the parts, of the forms of the model, and of runs.

mod forms;
mod parts;
mod runs;

use super::model_part::ModelPart;
use super::sample_ref::SampleRef;
use super::*;
use crate::eval::learned::network::{HeadChoice, HeadInput, HeadShape, NetworkShape, TopShape};
use crate::lab::learn::{AdaGradRate, Sample};
use crate::rng::Rng;
use crate::shogi::{Position, Scope, movegen};

/// With this rate a step is the negative gradient.
const PLAIN: AdaGradRate = AdaGradRate::new(1e6, 1e12);

/// Positions of random games.
fn positions(seed: u64, count: usize) -> Vec<Position> {
    let mut rng = Rng::from_seed(seed);
    let mut found = Vec::new();
    loop {
        let mut pos = Position::startpos();
        for _ in 0..120 {
            let moves = movegen::legal_moves(&pos, Scope::LEGAL);
            let Some(&mv) = rng.choose(&moves) else { break };
            pos.do_move(mv);
            if rng.below(4) == 0 {
                found.push(pos.clone());
            }
            if found.len() == count {
                return found;
            }
        }
    }
}

fn samples(positions: &[Position]) -> Vec<Sample> {
    let won = |pos| Sample { score: 100, half_points: 2, ..Sample::even(pos) };
    positions.iter().map(won).collect()
}

/// References to the samples, every other one to its mirror image.
fn refs(samples: &[Sample]) -> Vec<SampleRef> {
    (0..samples.len()).map(|number| SampleRef::new(number).mirrored_if(number % 2 == 1)).collect()
}

/// Fills all weights with random numbers.
fn randomize(part: &mut dyn ModelPart, rng: &mut Rng, size: f64) {
    for weight in part.parameters().into_iter().flat_map(|weights| &mut weights.values) {
        *weight = (size * (2.0 * rng.unit() - 1.0)) as f32;
    }
}

fn config(form: ModelForm) -> ValueConfig {
    ValueConfig { form, batch: 64, epochs: 2, snapshots: 4, ..ValueConfig::DEFAULT }
}

const fn network_of(top: TopShape) -> ModelForm {
    ModelForm::Network(NetworkShape { units: 32, top, king_relative: false })
}

const RELATIVE: ModelForm =
    ModelForm::Network(NetworkShape { units: 32, top: TopShape::head(16), king_relative: true });

const STANDALONE: ModelForm =
    ModelForm::Standalone(NetworkShape { units: 32, top: TopShape::head(32), king_relative: true });

const PRODUCTS: TopShape =
    TopShape::Head(HeadShape { width: 16, input: HeadInput::Products, choice: HeadChoice::Kings });

/// Several heads, whose input is all clipped units.
const fn heads(choice: HeadChoice) -> TopShape {
    TopShape::Head(HeadShape { width: 16, input: HeadInput::Clipped, choice })
}

const FORMS: [ModelForm; 11] = [
    ModelForm::None,
    ModelForm::Table { narrow: false },
    ModelForm::Factored { rank: 32 },
    network_of(TopShape::Clipped),
    network_of(TopShape::Squared),
    network_of(TopShape::head(16)),
    network_of(TopShape::head(32)),
    RELATIVE,
    STANDALONE,
    network_of(PRODUCTS),
    network_of(heads(HeadChoice::Hands)),
];
