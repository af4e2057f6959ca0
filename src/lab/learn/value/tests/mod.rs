//! Tests of the parts, of the forms of the model, and of runs.

mod forms;
mod parts;
mod runs;

use super::model_part::ModelPart;
use super::sample_ref::SampleRef;
use super::*;
use crate::eval::learned::network::{HeadActivation, HeadInput, HeadShape, NetworkShape};
use crate::lab::learn::Sample;
use crate::rng::Rng;
use crate::shogi::{Position, Scope, movegen};

/// With this rate the weights stay.
const STILL: AdamRate = AdamRate::new(0.0);

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
    ValueConfig { form, batch: 64, epochs: 2, snapshots: 4, ..ValueConfig::FACTORED }
}

const fn network_of(head: HeadShape) -> ModelForm {
    ModelForm::Network(NetworkShape { units: 32, head, king_relative: false })
}

const RELATIVE: ModelForm = ModelForm::Network(NetworkShape {
    units: 32,
    head: HeadShape::classic(16),
    king_relative: true,
});

const STANDALONE: ModelForm = ModelForm::Standalone(NetworkShape {
    units: 32,
    head: HeadShape::classic(32),
    king_relative: true,
});

const PRODUCTS: HeadShape = HeadShape { input: HeadInput::Products, ..HeadShape::classic(16) };

const DUAL: HeadShape = HeadShape { activation: HeadActivation::Dual, ..HeadShape::classic(32) };

const DUAL_PRODUCTS: HeadShape = HeadShape { activation: HeadActivation::Dual, ..PRODUCTS };

const FORMS: [ModelForm; 9] = [
    ModelForm::None,
    ModelForm::Factored { rank: 32 },
    network_of(HeadShape::classic(16)),
    network_of(HeadShape::classic(32)),
    network_of(PRODUCTS),
    network_of(DUAL),
    network_of(DUAL_PRODUCTS),
    RELATIVE,
    STANDALONE,
];
