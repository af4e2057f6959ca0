//! The weights file: text with one weight per line.
//!
//! ```text
//! KANKEI features 1
//! board.pawn 100
//! board.lance 300
//! ...
//! ```
//!
//! Empty lines and lines that start with `#` are ignored. A file contains all weights of a group or
//! none of them. Without them, the weights of the group are 0.

use std::fmt::Write;
use std::str;
use std::sync::Arc;

use super::group::{FeatureGroup, WEIGHTS, weight_name};
use super::weights::FeatureWeights;
use crate::eval::FormReader;
use crate::eval::learned::file::WeightsError;
use crate::quote::quoted;

/// The first bytes of a file, before the version.
pub(super) const MAGIC: &[u8; 16] = b"KANKEI features ";
const VERSION: u16 = 1;

/// Reads the files.
pub const READER: FormReader = FormReader {
    magic: MAGIC,
    read: |input| {
        let mut text = Vec::new();
        input.read_to_end(&mut text)?;
        Ok(Arc::new(read(&text)?))
    },
};

/// Returns the text of a file.
pub fn write(weights: &FeatureWeights) -> String {
    let mut text = format!("{}{VERSION}\n", String::from_utf8_lossy(MAGIC));
    for (place, weight) in weights.weights().iter().enumerate() {
        let _ = writeln!(text, "{} {weight}", weight_name(place));
    }
    text
}

/// Reads the weights after the [`MAGIC`].
///
/// # Errors
/// Returns [`WeightsError`] for another version, or with the line and the error in it.
pub(super) fn read(bytes: &[u8]) -> Result<FeatureWeights, WeightsError> {
    let fault = |line, reason| WeightsError::Line { line, reason };
    let text = str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        fault(line, "not UTF-8".to_owned())
    })?;
    let mut lines = text.lines().zip(1..);
    let version = lines.next().map_or("", |(version, _)| version.trim());
    match version.parse() {
        Ok(VERSION) => {}
        Ok(found) => return Err(WeightsError::Version { found, latest: VERSION }),
        Err(_) => return Err(fault(1, format!("{} is not a version", quoted(version)))),
    }
    let mut weights: [Option<f64>; WEIGHTS] = [None; WEIGHTS];
    for (text, line) in lines {
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        let (place, weight) = read_line(text).map_err(|reason| fault(line, reason))?;
        if weights[place].replace(weight).is_some() {
            return Err(fault(line, format!("{:?} is given twice", weight_name(place))));
        }
    }
    for group in FeatureGroup::ALL {
        let is_there = group.places().any(|place| weights[place].is_some());
        let missing = group.places().find(|&place| weights[place].is_none());
        if let Some(place) = missing.filter(|_| is_there) {
            let (line, name) = (text.lines().count(), weight_name(place));
            return Err(fault(line, format!("the weight {name:?} is missing")));
        }
    }
    Ok(FeatureWeights::new(weights.map(Option::unwrap_or_default)))
}

/// Parses a line into the index and the value of a weight.
fn read_line(text: &str) -> Result<(usize, f64), String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let &[name, value] = &words[..] else {
        return Err(format!("{} is not a name and a number", quoted(text)));
    };
    let place = (0..WEIGHTS).find(|&place| weight_name(place) == name);
    let place = place.ok_or_else(|| format!("{} is not the name of a weight", quoted(name)))?;
    let largest = FeatureWeights::LARGEST;
    let weight = value.parse().ok().filter(|weight: &f64| weight.abs() <= largest);
    let weight = weight.ok_or_else(|| {
        format!("{} for {name} is not a number from -{largest} to {largest}", quoted(value))
    })?;
    Ok((place, weight))
}
