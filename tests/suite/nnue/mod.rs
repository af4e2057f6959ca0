//! Networks from NNUE files: values, incremental values, broken files, and commands.

mod allocations;
mod commands;
mod export;
mod files;
mod naive;
mod reference;
mod values;

use std::sync::Arc;

use kankei::eval::Evaluation;
use kankei::eval::nnue::{Family, FeatureSet, Nnue, NnueForm, file};
use kankei::lab::nnue_file::synthetic;

/// Small forms of both families and all feature sets. Some sizes are not multiples of any block.
const FORMS: [NnueForm; 8] = [
    classic(FeatureSet::HalfKp, 32, [8, 32]),
    classic(FeatureSet::Kp, 40, [15, 20]),
    classic(FeatureSet::Kp, 256, [32, 32]),
    classic(FeatureSet::HalfKpVm, 32, [16, 64]),
    sfnn(FeatureSet::HalfKaHm2, 64, [15, 32]),
    sfnn(FeatureSet::HalfKa2, 64, [7, 64]),
    sfnn(FeatureSet::HalfKaHm2, 64, [16, 96]),
    sfnn(FeatureSet::Kp, 128, [8, 16]),
];

const fn classic(features: FeatureSet, units: usize, hidden: [usize; 2]) -> NnueForm {
    NnueForm { family: Family::Classic, features, units, hidden }
}

const fn sfnn(features: FeatureSet, units: usize, hidden: [usize; 2]) -> NnueForm {
    NnueForm { family: Family::Sfnn, features, units, hidden }
}

fn network(form: NnueForm, seed: u64) -> Nnue {
    let network = read(&synthetic::file(form, seed)).expect("the file is valid");
    assert_eq!(network.form(), form);
    network
}

fn read(bytes: &[u8]) -> Result<Nnue, String> {
    file::read(std::io::Cursor::new(bytes)).map_err(|error| error.to_string())
}

fn evaluation(form: NnueForm, seed: u64) -> Evaluation {
    Evaluation::Nnue(Arc::new(network(form, seed)))
}
