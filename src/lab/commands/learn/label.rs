//! `kankei learn label`: labels the positions of sample files with new scores.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::samples::report_skipped;
use crate::command::output::ForceArg;
use crate::command::searcher::SearcherArgs;
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::{Control, Engine, Limits, Query, Settings};
use crate::eval::nnue::{self, FvScale, Nnue};
use crate::eval::{Evaluation, Kernel};
use crate::file;
use crate::lab::QuiescenceLeaf;
use crate::lab::description::identity;
use crate::lab::learn::{GrowingSplit, LearnError, Sample, SampleReader, SampleView};
use crate::record::{Bound, GameHash, MoveScore, SearchedScore};

/// Number of samples labelled at a time.
const BLOCK: usize = 1 << 16;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of samples
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    samples: Vec<PathBuf>,
    /// File of the labelled samples; those held out go to the same folder (samples.bin:
    /// samples.held.bin)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue from FILE.checkpoint, with the same options
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    force: ForceArg,
    #[command(flatten)]
    labels: Labels,
    /// Leave out positions whose best move in the search captures or promotes. The others get the
    /// score themselves, not the leaf of quiescence search
    #[arg(long, conflicts_with_all = ["network", "keep"])]
    quiet: bool,
    /// Percentage of the groups of samples (games, in files of selfplay) to hold out, by their
    /// content
    #[arg(long, value_name = "PERCENT", default_value_t = 2.5, value_parser = crate::command::percent)]
    held_out: f64,
    /// Largest number of samples to take
    #[arg(long, value_name = "SAMPLES", value_parser = crate::command::whole_number::<usize>)]
    limit: Option<usize>,
    #[command(flatten)]
    searcher: SearcherArgs,
    /// Threads; 0 = all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
}

/// Source of the scores.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Labels {
    /// The value of a network in an NNUE file, in its own unit at an FV_SCALE of 16
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// The score of a search of this many nodes. The leaf of quiescence search gets it, as in
    /// `resolve`. Too few nodes for the first iteration give no label
    #[arg(long, value_name = "NODES", value_parser = crate::command::at_least_one::<u64>)]
    search_nodes: Option<u64>,
    /// The score of a search that ends after the iteration in which it reaches this many nodes
    #[arg(long, value_name = "NODES", value_parser = crate::command::at_least_one::<u64>)]
    soft_nodes: Option<u64>,
    /// The existing scores of the samples
    #[arg(long)]
    keep: bool,
}

impl Args {
    /// Starts the output, or continues that of an interrupted run.
    fn output(&self, labeller: &Labeller) -> Result<GrowingSplit, LearnError> {
        let Labels { network, search_nodes, soft_nodes, .. } = &self.labels;
        let quiet = if self.quiet { " --quiet" } else { "" };
        let labels = match (network, search_nodes, soft_nodes) {
            (Some(path), ..) => format!("--network {}", path.display()),
            (_, Some(nodes), _) => format!("--search-nodes {nodes}{quiet} {}", self.searcher),
            (.., Some(nodes)) => format!("--soft-nodes {nodes}{quiet} {}", self.searcher),
            (None, None, None) => "--keep".to_owned(),
        };
        let job = format!(
            "label {labels} --held-out {} {:?}, {}",
            self.held_out,
            self.samples,
            labeller.identity()
        );
        let start = if self.resume { GrowingSplit::resume } else { GrowingSplit::create };
        start(&self.out, self.held_out, job)
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let inputs: Vec<PathBuf> = args.samples.iter().chain(&args.labels.network).cloned().collect();
    let force = ForceArg { force: args.force.force || args.resume };
    let [outputs @ .., checkpoint] = GrowingSplit::files_of(&args.out);
    force.check_run(&checkpoint, &outputs, &inputs)?;
    interrupt::watch();
    let pool = thread_pool(args.threads)?;
    let labeller = Labeller::new(args)?;
    let start = Instant::now();
    // A missing file is reported before there is any output.
    let open = |path: &PathBuf| SampleReader::open(path);
    let readers: Vec<SampleReader> = args.samples.iter().map(open).collect::<Result<_, _>>()?;
    let mut output = args.output(&labeller)?;
    let bytes: u64 =
        args.samples.iter().filter_map(|path| path.metadata().ok()).map(|m| m.len()).sum();
    let limit = args.limit.unwrap_or(usize::MAX);
    let bar = progress_bar((bytes as usize / Sample::BYTES).min(limit));
    let mut block = Block::default();
    let (mut skipped, mut labelled) = (0, 0);
    for mut reader in readers {
        while skipped + labelled + block.samples.len() < limit
            && !interrupt::is_interrupted()
            && let Some(checksum) = reader.read_group(&mut block.samples)?
        {
            if output.skips(GameHash::from_u64(checksum))? {
                skipped += block.samples.len();
                block.samples.clear();
                bar.set_position(skipped as u64);
                bar.reset_eta();
                continue;
            }
            block.ends.push((block.samples.len(), checksum));
            if block.samples.len() >= BLOCK {
                labelled += block.write(&mut output, &labeller, &pool)?;
                bar.set_position((skipped + labelled) as u64);
            }
        }
        bar.suspend(|| report_skipped(reader.skipped()));
    }
    labelled += block.write(&mut output, &labeller, &pool)?;
    bar.finish_and_clear();
    if interrupt::is_interrupted() {
        interrupt::print_interrupted(&args.out);
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{labelled} samples in {seconds:.1} s, {:.0} samples/s", labelled as f64 / seconds);
    for (path, count) in output.finish()? {
        println!("{count} samples written to {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Complete groups of samples.
#[derive(Default)]
struct Block {
    samples: Vec<Sample>,
    /// The end of each group and its checksum.
    ends: Vec<(usize, u64)>,
}

impl Block {
    /// Labels the samples, writes the groups with a checkpoint, and leaves the block empty. Returns
    /// the number of samples labelled. If the user interrupts it, it writes nothing and returns 0.
    fn write(
        &mut self,
        output: &mut GrowingSplit,
        labeller: &Labeller,
        pool: &ThreadPool,
    ) -> Result<usize, LearnError> {
        let labels = pool.install(|| labeller.label(&self.samples));
        if interrupt::is_interrupted() {
            return Ok(0);
        }
        let mut start = 0;
        for (end, checksum) in self.ends.drain(..) {
            let group: Vec<Sample> = labels[start..end].iter().copied().flatten().collect();
            output.write(GameHash::from_u64(checksum), &group)?;
            start = end;
        }
        output.save()?;
        self.samples.clear();
        Ok(start)
    }
}

/// The mean of a network's values of a position and its mirror image. Both have the same true
/// value; without the mean, learning would copy the network's asymmetry.
fn symmetric_value(network: &Nnue, view: SampleView) -> i32 {
    let kernel = Kernel::detect();
    let value = |view: &SampleView| {
        let SampleView { pieces, own_king, enemy_king, .. } = view;
        let raw = nnue::full::raw_of_pieces(network, kernel, pieces, *own_king, *enemy_king);
        network.own_value(raw, FvScale::DEFAULT)
    };
    (value(&view) + value(&view.mirrored())) / 2
}

fn read_network(path: &Path) -> Result<Nnue, CliError> {
    let file = file::open(path).map_err(|source| CliError::Read { path: path.into(), source })?;
    nnue::file::read(file).map_err(|source| CliError::Weights { path: path.into(), source })
}

enum Labeller {
    Network(Arc<Nnue>),
    Search {
        build: Box<dyn Fn() -> Box<dyn Engine> + Sync>,
        limits: Limits,
        evaluation: Evaluation,
        /// Label only quiet positions, without quiescence search.
        quiet: bool,
    },
    Keep,
}

/// Transposition table of a labelling search, MiB.
const HASH_MIB: usize = 1;
/// Number of samples that an engine searches before it clears its state. Clearing takes longer than
/// a short search. Runs are fixed, so that the scores do not depend on the number of threads.
const RUN: usize = 256;

impl Labeller {
    fn new(args: &Args) -> Result<Labeller, CliError> {
        let &Labels { ref network, search_nodes: nodes, soft_nodes, keep } = &args.labels;
        Ok(match network {
            Some(path) => Labeller::Network(Arc::new(read_network(path)?)),
            None if keep => Labeller::Keep,
            None => {
                let evaluation = args.searcher.evaluation()?;
                let build = args.searcher.factory_with(evaluation.clone())?;
                let build = move || {
                    let mut engine = build();
                    engine.configure(&Settings { hash_mib: HASH_MIB, ..Settings::default() });
                    engine
                };
                let limits = Limits { nodes, soft_nodes, ..Limits::default() };
                Labeller::Search { build: Box::new(build), limits, evaluation, quiet: args.quiet }
            }
        })
    }

    /// The evaluation, for the name of the job.
    fn identity(&self) -> String {
        match self {
            Labeller::Network(network) => identity(&Evaluation::Nnue(Arc::clone(network))),
            Labeller::Search { evaluation, .. } => identity(evaluation),
            Labeller::Keep => String::new(),
        }
    }

    /// The labelled samples, by the threads of the current pool; `None` for those to skip.
    fn label(&self, samples: &[Sample]) -> Vec<Option<Sample>> {
        match self {
            Labeller::Network(network) => {
                let label = |sample: &Sample| {
                    Some(relabelled(sample, symmetric_value(network, sample.view()?), 0))
                };
                samples.par_iter().with_min_len(64).map(label).collect()
            }
            Labeller::Search { build, limits, evaluation, quiet } => {
                let new = || (build(), (!quiet).then(|| QuiescenceLeaf::new(evaluation)));
                let runs = samples.par_chunks(RUN).map_init(new, |(engine, leaf), run| {
                    engine.new_game();
                    let label = |sample| search(&mut **engine, leaf.as_mut(), sample, limits);
                    run.iter().map(label).collect()
                });
                runs.collect::<Vec<Vec<_>>>().concat()
            }
            Labeller::Keep => samples.iter().map(|sample| Some(*sample)).collect(),
        }
    }
}

/// The sample with an exact score in centipawns. `depth`: plies of the search, 0 = unknown.
fn relabelled(sample: &Sample, score: i32, depth: u8) -> Sample {
    Sample { score: Sample::clamp_score(score), bound: Bound::Exact, depth, ..*sample }
}

/// The leaf of the sample with the score of a search; without `leaf`, the sample itself, if its
/// best move neither captures nor promotes. `None` in check, for mates and bounds, or if the search
/// ends before its first iteration.
fn search(
    engine: &mut dyn Engine,
    leaf: Option<&mut QuiescenceLeaf>,
    sample: &Sample,
    limits: &Limits,
) -> Option<Sample> {
    let pos = sample.position.unpack().ok()?;
    if pos.in_check() || interrupt::is_interrupted() {
        return None;
    }
    let outcome =
        engine.search(Query::new(&pos, limits, &Control::new(Instant::now())), &mut |_| ());
    let info = outcome.info?;
    let SearchedScore { score: MoveScore::Centipawns(score), bound: Bound::Exact, depth } =
        SearchedScore::from(&info)
    else {
        return None;
    };
    let labelled = relabelled(sample, score, depth);
    match leaf {
        Some(leaf) => labelled.at_leaf(&pos, leaf),
        None => pos.is_quiet(*info.pv.first()?).then_some(labelled),
    }
}
