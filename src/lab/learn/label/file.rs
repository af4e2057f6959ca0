//! Files of networks.
//!
//! | part | content |
//! |---|---|
//! | header | u32 version, u32 hash, u32 n, n bytes of text |
//! | first layer | u32 hash; i16 bias `[256]`; i16 weights `[feature][256]` |
//! | the rest | u32 hash; i32 `[32]`, i8 `[32][512]`; i32 `[32]`, i8 `[32][32]`; i32, i8 `[32]` |
//!
//! All numbers are little-endian. The hashes are not checked: the text and the size tell the shape.

use std::path::Path;

use super::network::{HIDDEN, INPUTS, LabelFeatures, LabelLayer, LabelNetwork, LabelRow, WIDTH};
use crate::lab::learn::LearnError;

const VERSION: u32 = 0x7af3_2f16;
/// Version, hash and length of the text.
const HEADER: usize = 12;
/// Bytes behind the first layer.
const REST: usize = 4 + (4 + INPUTS) * HIDDEN + (4 + HIDDEN) * HIDDEN + 4 + HIDDEN;

impl LabelNetwork {
    /// Reads a network file, K-P or HalfKP with layers 256 x 2, 32, 32.
    ///
    /// # Errors
    /// [`LearnError::Read`]; [`LearnError::Corrupt`] if it is no such file.
    pub fn read(path: &Path) -> Result<LabelNetwork, LearnError> {
        let bytes = std::fs::read(path).map_err(LearnError::read(path))?;
        LabelNetwork::from_bytes(&bytes)
            .map_err(|reason| LearnError::Corrupt(path.to_owned(), "network file", reason))
    }

    /// The network in the bytes of a file, or what is wrong with them.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<LabelNetwork, String> {
        let Some((header, _)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(format!("{} bytes are too few for a header", bytes.len()));
        };
        let mut header = Values(header);
        let [version, _hash, text_len] = [(); 3].map(|()| header.i32() as u32);
        if version != VERSION {
            return Err(format!("version {version:#010x} where {VERSION:#010x} is expected"));
        }
        let layers_at = HEADER + text_len as usize;
        let Some(text) = bytes.get(HEADER..layers_at) else {
            let len = bytes.len();
            return Err(format!("cut short: {len} bytes, and {layers_at} to the end of its text"));
        };
        let text = String::from_utf8_lossy(text);
        let features = named_features(&text)?
            .or_else(|| fitting_features(bytes.len() - layers_at))
            .ok_or_else(|| format!("neither {text:?} nor its size tells its features"))?;
        let (len, expected) = (bytes.len(), layers_at + layers_len(features));
        if len < expected {
            return Err(format!("cut short: {len} bytes where {expected} are expected"));
        }
        if len > expected {
            return Err(format!("{} bytes follow its end at {expected}", len - expected));
        }
        Ok(Values(&bytes[layers_at..]).network(features))
    }
}

/// Bytes behind the header.
const fn layers_len(features: LabelFeatures) -> usize {
    4 + 2 * WIDTH * (1 + features.count()) + REST
}

/// The features that the text names, as in `Features=HalfKP(Friend)[125388->256x2]`; `None` if it
/// does not say.
fn named_features(text: &str) -> Result<Option<LabelFeatures>, String> {
    let Some((_, rest)) = text.split_once("Features=") else { return Ok(None) };
    let Some((shape, _)) = rest.split_once(']') else { return Ok(None) };
    let Some((count, width)) = shape.split_once('[').and_then(|(_, s)| s.split_once("->")) else {
        return Ok(None);
    };
    let known = [LabelFeatures::KP, LabelFeatures::HalfKP];
    let found = known.into_iter().find(|features| count == features.count().to_string());
    if found.is_none() || width != "256x2" {
        return Err(format!("its features {shape}] are not 1710->256x2 or 125388->256x2"));
    }
    Ok(found)
}

/// The features with which the layers have this length.
fn fitting_features(len: usize) -> Option<LabelFeatures> {
    [LabelFeatures::KP, LabelFeatures::HalfKP].into_iter().find(|&f| layers_len(f) == len)
}

/// The bytes not read yet; there must be enough for what is asked.
struct Values<'a>(&'a [u8]);

impl Values<'_> {
    fn network(&mut self, features: LabelFeatures) -> LabelNetwork {
        let _hash = self.i32();
        let bias = self.row();
        let rows = (0..features.count()).map(|_| self.row()).collect();
        let _hash = self.i32();
        LabelNetwork {
            features,
            bias,
            rows,
            first: self.layer(),
            second: self.layer(),
            last_bias: self.i32(),
            last: self.bytes(),
        }
    }

    fn row(&mut self) -> LabelRow {
        LabelRow(std::array::from_fn(|_| i16::from_le_bytes(self.array())))
    }

    fn layer<const N: usize>(&mut self) -> LabelLayer<N> {
        let bias = std::array::from_fn(|_| self.i32());
        LabelLayer { bias, weights: (0..HIDDEN).map(|_| self.bytes()).collect() }
    }

    fn bytes<const N: usize>(&mut self) -> [i16; N] {
        self.array::<N>().map(|byte| i16::from(byte as i8))
    }

    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.array())
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        let (array, rest) = self.0.split_first_chunk().expect("the size of the file was checked");
        self.0 = rest;
        *array
    }
}
