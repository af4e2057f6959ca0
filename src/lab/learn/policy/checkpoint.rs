//! Files that a course is resumed from.
//!
//! A zstd frame with checksum: lines of text (a first line that names the format, `key value`
//! lines, an empty line), then for each table the weights of all pairs as little-endian `f32`,
//! shape `[45][1629 * 1628 / 2]`, pair (i, j < i) at `i * (i - 1) / 2 + j`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::str::FromStr;

use super::boltzmann::Agreement;
use super::course::{History, Pass};
use super::king_half::RELATED;
use super::policy_table::PolicyTable;
use crate::eval::learned::KingView;
use crate::file::AtomicFile;
use crate::lab::learn::LearnError;

const MAGIC: &str = "kankei policy course 1";
/// Mostly zeros: the quickest level halves them already.
const ZSTD_LEVEL: i32 = 1;
const BUFFER_BYTES: usize = 1 << 20;

/// Writes a checkpoint whole or not at all. `settings`: one line that tells courses apart.
///
/// # Errors
/// [`LearnError::Write`].
pub fn save(
    path: &Path,
    settings: &str,
    history: &History,
    tables: &[&PolicyTable],
) -> Result<(), LearnError> {
    let failed = |source| LearnError::Write { path: path.to_owned(), source };
    let write = || -> io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut out = zstd::Encoder::new(AtomicFile::create(path)?, ZSTD_LEVEL)?;
        out.include_checksum(true)?;
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, out);
        write_text(&mut out, settings, history)?;
        for table in tables {
            write_table(&mut out, table)?;
        }
        out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?.finish()
    };
    write().map_err(failed)
}

fn write_text(out: &mut impl Write, settings: &str, history: &History) -> io::Result<()> {
    writeln!(out, "{MAGIC}\nsettings {settings}\nbefore {}", pass_text(&history.before))?;
    for pass in &history.passes {
        writeln!(out, "pass {}", pass_text(pass))?;
    }
    writeln!(out)
}

fn pass_text(pass: &Pass) -> String {
    let Pass { training, held_out, seconds } = pass;
    format!(
        "{} {} {} {} {seconds}",
        training.credit, training.positions, held_out.credit, held_out.positions
    )
}

fn write_table(out: &mut impl Write, table: &PolicyTable) -> io::Result<()> {
    for king in 0..KingView::KINGS {
        for first in 0..RELATED {
            for weight in table.row_before(king, first) {
                out.write_all(&weight.to_le_bytes())?;
            }
        }
    }
    Ok(())
}

/// Reads a checkpoint's history and fills `tables`; with no tables the history alone is read.
///
/// # Errors
/// [`LearnError::Read`], [`LearnError::Broken`], [`LearnError::OtherRun`].
pub fn load(
    path: &Path,
    settings: &str,
    tables: &mut [&mut PolicyTable],
) -> Result<History, LearnError> {
    let failed = |source| LearnError::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    let decoder = zstd::Decoder::new(file).map_err(failed)?;
    let mut input = BufReader::with_capacity(BUFFER_BYTES, decoder);
    let history = read_text(&mut input, path, settings)?;
    for table in tables.iter_mut() {
        read_table(&mut input, table).map_err(failed)?;
    }
    if !tables.is_empty() {
        // The end of the frame is where the checksum is compared.
        io::copy(&mut input, &mut io::sink()).map_err(failed)?;
    }
    Ok(history)
}

fn read_text(input: &mut impl BufRead, path: &Path, settings: &str) -> Result<History, LearnError> {
    let mut history = History::default();
    for number in 0.. {
        let mut line = String::new();
        input
            .read_line(&mut line)
            .map_err(|source| LearnError::Read { path: path.to_owned(), source })?;
        let line = line.trim_end_matches('\n');
        let unexpected = || LearnError::Broken {
            path: path.to_owned(),
            kind: "checkpoint",
            reason: format!("unexpected line {line:?}"),
        };
        match line.split_once(' ') {
            _ if number == 0 && line == MAGIC => {}
            _ if number == 0 => return Err(unexpected()),
            Some(("settings", found)) if found == settings => {}
            Some(("settings", found)) => {
                return Err(LearnError::OtherRun {
                    path: path.to_owned(),
                    reason: format!("{found:?} instead of {settings:?}"),
                });
            }
            Some(("before", text)) => history.before = read_pass(text).ok_or_else(unexpected)?,
            Some(("pass", text)) => history.passes.push(read_pass(text).ok_or_else(unexpected)?),
            None if line.is_empty() => break,
            _ => return Err(unexpected()),
        }
    }
    Ok(history)
}

fn read_pass(text: &str) -> Option<Pass> {
    let mut fields = text.split(' ');
    let mut agreement = || -> Option<Agreement> {
        Some(Agreement { credit: next(&mut fields)?, positions: next(&mut fields)? })
    };
    let (training, held_out) = (agreement()?, agreement()?);
    Some(Pass { training, held_out, seconds: next(&mut fields)? })
}

fn next<'a, T: FromStr>(fields: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    fields.next()?.parse().ok()
}

fn read_table(input: &mut impl Read, table: &mut PolicyTable) -> io::Result<()> {
    let mut bytes = [0; 4];
    for king in 0..KingView::KINGS {
        for first in 0..RELATED {
            for second in 0..first {
                input.read_exact(&mut bytes)?;
                let weight = f32::from_le_bytes(bytes);
                if weight != 0.0 {
                    table.set(king, first, second, weight);
                }
            }
        }
    }
    Ok(())
}
