//! Everything a run needs to go on after it was broken off.
//!
//! A zstd frame with checksum: magic, what run it is, progress, curve, then the weights of the
//! parts in order, five runs of numbers each (values, squares, moments, sums, those of the best epoch).
//! Little-endian; every run has its length before it.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use super::model::Model;
use super::trainer::RunProgress;
use super::{CurvePoint, Losses};
use crate::file::AtomicFile;
use crate::lab::learn::LearnError;

const MAGIC: [u8; 8] = *b"KNKCHKP3";
const KIND: &str = "checkpoint";
/// Hardly slower than the disk; untouched weights shrink all the same.
const ZSTD_LEVEL: i32 = 1;
/// Longer descriptions of a run are damaged ones.
const MAX_RUN: u64 = 1 << 16;
/// Numbers converted at a time.
const BLOCK: usize = 1 << 14;

/// What a run remembers beside its weights.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RunState {
    pub progress: RunProgress,
    pub curve: Vec<CurvePoint>,
}

/// Writes a checkpoint of the `run`.
pub(super) fn write(
    path: &Path,
    run: &str,
    state: &RunState,
    model: &mut Model,
) -> Result<(), LearnError> {
    let mut write = || -> io::Result<()> {
        let mut out = zstd::Encoder::new(AtomicFile::create(path)?, ZSTD_LEVEL)?;
        out.include_checksum(true)?;
        out.write_all(&MAGIC)?;
        write_number(&mut out, run.len() as u64)?;
        out.write_all(run.as_bytes())?;
        write_state(&mut out, state)?;
        for weights in model.parameters() {
            let (state, kept) =
                ([&weights.squares, &weights.moments], [&weights.sums, &weights.best]);
            for floats in [&weights.values].into_iter().chain(state).chain(kept) {
                write_floats(&mut out, floats)?;
            }
        }
        out.finish()?.finish()
    };
    write().map_err(|source| LearnError::Write { path: path.to_owned(), source })
}

/// Reads a checkpoint of the `run` into the model.
pub(super) fn read(path: &Path, run: &str, model: &mut Model) -> Result<RunState, LearnError> {
    let file =
        File::open(path).map_err(|source| LearnError::Read { path: path.to_owned(), source })?;
    let broken = |reason: String| LearnError::Broken { path: path.to_owned(), kind: KIND, reason };
    let damaged = |source: io::Error| broken(source.to_string());
    let mut input = BufReader::new(zstd::Decoder::new(file).map_err(damaged)?);
    let mut magic = [0; 8];
    input.read_exact(&mut magic).map_err(damaged)?;
    if magic != MAGIC {
        return Err(broken("it does not begin like one".to_owned()));
    }
    let len = read_number(&mut input).map_err(damaged)?;
    if len > MAX_RUN {
        return Err(broken(format!("a description of {len} bytes")));
    }
    let mut found = vec![0; len as usize];
    input.read_exact(&mut found).map_err(damaged)?;
    if found != run.as_bytes() {
        let found = String::from_utf8_lossy(&found);
        return Err(LearnError::OtherRun {
            path: path.to_owned(),
            reason: format!("its own is {found}, this one is {run}"),
        });
    }
    let mut read = || -> io::Result<RunState> {
        let state = read_state(&mut input)?;
        for weights in model.parameters() {
            let len = weights.values.len();
            weights.values = read_floats(&mut input, len)?;
            weights.squares = read_floats(&mut input, len)?;
            weights.moments = read_floats(&mut input, len)?;
            weights.sums = read_floats(&mut input, len)?;
            weights.best = read_floats(&mut input, len)?;
        }
        // The checksum comes last: reading to the end checks it.
        match input.read(&mut [0])? {
            0 => Ok(state),
            _ => Err(io::Error::other("there is more in it than expected")),
        }
    };
    read().map_err(damaged)
}

fn write_state(out: &mut impl Write, state: &RunState) -> io::Result<()> {
    let RunProgress { batches, loss, samples, snapshots } = state.progress;
    let curve = state.curve.iter().flat_map(|point| {
        let Losses { mixed, excess, result, score, agreement } = point.held_out;
        [point.epochs, point.training, mixed, excess, result, score, agreement].map(f64::to_bits)
    });
    [batches, loss.to_bits(), samples, u64::from(snapshots), state.curve.len() as u64]
        .into_iter()
        .chain(curve)
        .try_for_each(|number| write_number(out, number))
}

fn read_state(input: &mut impl Read) -> io::Result<RunState> {
    let mut number = || read_number(input);
    let progress = RunProgress {
        batches: number()?,
        loss: f64::from_bits(number()?),
        samples: number()?,
        snapshots: u32::try_from(number()?).map_err(io::Error::other)?,
    };
    let points = number()?;
    let mut float = || number().map(f64::from_bits);
    let mut point = || -> io::Result<CurvePoint> {
        Ok(CurvePoint {
            epochs: float()?,
            training: float()?,
            held_out: Losses {
                mixed: float()?,
                excess: float()?,
                result: float()?,
                score: float()?,
                agreement: float()?,
            },
        })
    };
    let curve = (0..points).map(|_| point()).collect::<io::Result<_>>()?;
    Ok(RunState { progress, curve })
}

fn write_number(out: &mut impl Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

fn read_number(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn write_floats(out: &mut impl Write, floats: &[f32]) -> io::Result<()> {
    write_number(out, floats.len() as u64)?;
    let mut bytes = Vec::with_capacity(4 * BLOCK);
    for block in floats.chunks(BLOCK) {
        bytes.clear();
        bytes.extend(block.iter().flat_map(|float| float.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// `len` numbers, or none.
fn read_floats(input: &mut impl Read, len: usize) -> io::Result<Vec<f32>> {
    let found = read_number(input)?;
    if found == 0 {
        return Ok(Vec::new());
    }
    if found != len as u64 {
        return Err(io::Error::other(format!("{found} weights instead of {len}")));
    }
    let mut floats = Vec::with_capacity(len);
    let mut bytes = vec![0; 4 * BLOCK];
    while floats.len() < len {
        let block = &mut bytes[..4 * BLOCK.min(len - floats.len())];
        input.read_exact(block)?;
        floats.extend(block.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)));
    }
    Ok(floats)
}
