//! `kankei analyze`: reads game records and evaluates every move.
//!
//! Every position of a game is searched ([`reading`](crate::cli::reading)), and every move is
//! judged by its loss ([`review`]). The output is a table ([`mod@table`]), the record with comments
//! ([`annotation`]), a picture with board and curve ([`picture`]), and pages for a browser ([`page`]).
//!
//! A game is searched from its end to its start. The transposition table then already contains the
//! continuation of each position. A mistake therefore shows at the move itself, not some moves
//! later. With `--variations`, the variations follow; a variation starts with the reading of its
//! parent.

mod annotation;
mod files;
mod json;
mod page;
mod picture;
mod review;
mod table;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::ProgressBar;

use self::annotation::annotated;
use self::files::{ENGINE, PageFiles, numbered};
use self::page::Place;
use self::review::Review;
use self::table::table;
use super::output::{FormatArg, OutputArgs, OutputFile};
use crate::cli::reading::{Budget, Reader, Reading};
use crate::cli::web_engine::{WasmArg, WebEngine};
use crate::command::games::each_game;
use crate::command::notation::{NotationArg, Wording};
use crate::command::output::{ForceArg, check_distinct};
use crate::command::run_log::{self, Earlier, RunLog};
use crate::command::searcher::SearcherArgs;
use crate::command::{CliError, interrupt, progress_bar, texts, thread_pool};
use crate::engine::Settings;
use crate::file::with_suffix;
use crate::record::{Game, GameHash};
use crate::shogi::Position;

#[derive(Debug, clap::Args)]
#[command(mut_arg("wasm", |arg| arg.requires("engine")))]
#[command(mut_arg("to", |arg| arg.requires("out")))]
#[command(group = clap::ArgGroup::new("written").args(["out", "svg", "html"]).multiple(true))]
pub(super) struct Args {
    /// Files or folders of records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    budget: Budget,
    /// Record with scores, lines and comments. In CSA, KIF, KI2 and JKF, the score after a move is
    /// that of the position after it; in labelled games and USI lines, that of the position before
    /// it, for learning. KIF, KI2 and JKF have one game a file: for several, name a folder, as in
    /// --out notes/ --to kif
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    to: FormatArg,
    /// Picture: the board before the largest mistake with the best and the played move, and Black's
    /// winning probability with the mistakes and blunders; further games are written to
    /// FILE-2.svg, ...
    #[arg(long, value_name = "FILE", value_parser = crate::command::output::svg_path)]
    svg: Option<PathBuf>,
    /// Page for a browser: the board at each move with the best line, the curve, the mistakes, and a
    /// quiz of them. Further games are written to FILE-2.html, ...; with a folder, as in --html
    /// pages/, every game has a page there, and index.html lists them
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the engine into the page, which then analyses any position of the game, and variations
    /// that the reader plays. The pages of a folder share it in kankei-engine.js
    #[arg(long, requires = "html")]
    engine: bool,
    #[command(flatten)]
    wasm: WasmArg,
    #[command(flatten)]
    force: ForceArg,
    /// Continue an interrupted analysis. Until it is complete, its positions are stored next to the
    /// file of --out, --svg or --html
    #[arg(long, requires = "written")]
    resume: bool,
    /// Search the variations of a record as well
    #[arg(long)]
    variations: bool,
    /// Number of candidate moves of each position, which --out, --html and --json show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::command::number_in::<usize>(1..=100))]
    multipv: usize,
    /// Threads of a search
    #[arg(long, default_value_t = 1, value_parser = crate::command::number_in::<usize>(1..=512))]
    threads: usize,
    /// Transposition table, MiB
    #[arg(long, default_value_t = 64, value_parser = crate::command::hash_mib::<usize>)]
    hash: usize,
    #[command(flatten)]
    notation: NotationArg,
    /// Print JSON instead of tables, one object per line: games, moves and sides
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    searcher: SearcherArgs,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut games = Vec::new();
    let tally = each_game(&args.files, |game| {
        games.push(game);
        Ok(())
    })?;
    if games.is_empty() {
        return Err(CliError::NoGames(args.files.clone()));
    }
    // Report unwritable output before any search.
    let drawings = numbered(args.svg.as_deref(), games.len());
    let pages = PageFiles::of(args.html.as_deref(), games.len(), args.engine);
    pages.create_folder()?;
    let force = args.force();
    args.check(games.len(), force, drawings.iter().chain(pages.all()))?;
    let engine = args.engine.then(|| args.wasm.engine()).transpose()?;
    let mut analysis = Analysis::new(args, &games)?;
    interrupt::watch();
    let language = args.wording().language;
    let (read, budget) = (tally.text(language), args.budget.text(language));
    args.report(&texts::STARTED.with(language, [&read, &budget, &args.searcher]));
    // A search needs more stack than the main thread may have.
    let reviews = thread_pool(1)?.install(|| analysis.reviews(args, &games))?;
    if reviews.len() < games.len() {
        if args.written().is_some() {
            return Ok(interrupt::exit_code(false));
        }
        eprintln!("{}", texts::INTERRUPTED.get(language));
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    args.write(&reviews, force)?;
    for (path, review) in drawings.iter().zip(&reviews) {
        run_log::write(path, &picture::draw(review, args.wording()))?;
        args.report(&texts::PICTURE_WRITTEN.with(language, [&path.display()]));
    }
    args.write_pages(&pages, &reviews, engine.as_ref())?;
    if let Some(path) = args.checkpoint() {
        // All output is written, so the checkpoint is no longer needed. A failure to remove it is
        // harmless.
        let _ = fs::remove_file(path);
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn wording(&self) -> Wording {
        self.notation.wording()
    }

    /// Prints a line about the run. Standard output has only objects with `--json`.
    fn report(&self, text: &str) {
        if self.json { eprintln!("{text}") } else { println!("{text}") }
    }

    /// The analysis of a game as it is printed.
    fn shown(&self, review: &Review<'_>, number: usize) -> String {
        if self.json {
            let objects = json::objects(review, number);
            objects.iter().map(|object| format!("{object}\n")).collect()
        } else {
            format!("\n{}", table(review, self.wording()))
        }
    }

    /// The first output file, if any. The checkpoint is stored next to it.
    fn written(&self) -> Option<&Path> {
        self.out.as_deref().or(self.svg.as_deref()).or(self.html.as_deref())
    }

    fn checkpoint(&self) -> Option<PathBuf> {
        // The checkpoint of a folder is next to it.
        let path: PathBuf = self.written()?.components().collect();
        Some(with_suffix(&path, ".checkpoint"))
    }

    /// Whether existing files are overwritten: also those of the run that is resumed.
    fn force(&self) -> ForceArg {
        self.force.or_resumed(self.checkpoint().as_deref().filter(|_| self.resume))
    }

    fn output(&self, force: ForceArg) -> Option<OutputArgs> {
        self.out.as_ref().map(|out| OutputArgs::new(out.clone(), self.to, force))
    }

    /// Checks whether all output of this number of games can be written.
    fn check<'a>(
        &'a self,
        games: usize,
        force: ForceArg,
        drawings: impl Iterator<Item = &'a PathBuf>,
    ) -> Result<(), CliError> {
        let drawings: Vec<PathBuf> = drawings.cloned().collect();
        let mut inputs = self.files.clone();
        inputs.extend(self.engine.then(|| self.wasm.path()));
        if let Some(output) = self.output(force) {
            output.check(games, &self.files)?;
        }
        if let Some(checkpoint) = self.checkpoint() {
            force.check_run(&checkpoint, &drawings, &inputs)?;
        }
        check_distinct(&self.out.iter().chain(&drawings).collect::<Vec<_>>())
    }

    /// Writes the annotated record.
    fn write(&self, reviews: &[Review<'_>], force: ForceArg) -> Result<(), CliError> {
        let Some(output) = self.output(force) else { return Ok(()) };
        let format = output.format()?;
        let mut out = OutputFile::create(&output, &self.files)?;
        let (version, language) = (env!("CARGO_PKG_VERSION"), self.wording().language);
        let budget = self.budget.text(language);
        let summary = texts::ANALYZED.with(language, [&version, &budget, &self.searcher]);
        for review in reviews {
            out.write(&annotated(review, &summary, format, language))?;
        }
        out.finish()?;
        self.report(&texts::RECORD_WRITTEN.with(language, [&output.out.display()]));
        Ok(())
    }

    /// Writes the pages; in a folder also the list of them, and the engine.
    fn write_pages(
        &self,
        pages: &PageFiles,
        reviews: &[Review<'_>],
        engine: Option<&WebEngine>,
    ) -> Result<(), CliError> {
        let wording = self.wording();
        let report = |path: &Path| {
            self.report(&texts::PAGE_WRITTEN.with(wording.language, [&path.display()]));
        };
        let elements = engine.map(|engine| match &pages.engine {
            Some(_) => page::script_element(ENGINE),
            None => engine.elements(),
        });
        let place = Place { has_index: pages.index.is_some(), engine: elements.as_deref() };
        for (path, review) in pages.games.iter().zip(reviews) {
            run_log::write(path, &page::page(review, wording, place))?;
            if pages.index.is_none() {
                report(path);
            }
        }
        if let Some(path) = &pages.index {
            run_log::write(path, &page::index(reviews, &pages.games, wording.language))?;
            report(path);
        }
        if let (Some(path), Some(engine)) = (&pages.engine, engine) {
            run_log::write(path, &engine.file())?;
        }
        Ok(())
    }

    /// The first line of the checkpoint: everything that determines the results.
    fn header(&self) -> String {
        let Args { budget, threads, hash, searcher, .. } = self;
        let lines =
            if self.multipv > 1 { format!(" --multipv {}", self.multipv) } else { String::new() };
        let variations = if self.variations { " --variations" } else { "" };
        format!(
            "# kankei analyze, {budget}, --threads {threads} --hash {hash}{lines}{variations} {searcher}"
        )
    }
}

/// The search of games.
struct Analysis {
    reader: Reader,
    bar: ProgressBar,
    /// Earlier results, by game and number of the position, which is the ply in the main line.
    known: HashMap<(u64, usize), Reading>,
    checkpoint: Option<RunLog>,
}

impl Analysis {
    fn new(args: &Args, games: &[Game]) -> Result<Analysis, CliError> {
        let settings = Settings {
            hash_mib: args.hash,
            threads: args.threads,
            multi_pv: args.multipv,
            ..Settings::default()
        };
        let engine = (args.searcher.factory()?)();
        let (checkpoint, known) = match args.checkpoint() {
            Some(path) => {
                let earlier = Earlier::of(args.resume, args.force);
                let (log, steps) =
                    RunLog::open_steps(&path, &args.header(), earlier, "reading", parse_step)?;
                (Some(log), steps.into_iter().collect())
            }
            None => (None, HashMap::new()),
        };
        let lines = |game: &Game| match args.variations {
            true => game.lines().map(|(_, line)| line.moves().len()).sum(),
            false => game.moves().len(),
        };
        let positions: usize = games.iter().map(|game| lines(game) + 1).sum();
        Ok(Analysis {
            reader: Reader::new(engine, args.budget.clone(), &settings),
            bar: progress_bar(positions),
            known,
            checkpoint,
        })
    }

    /// Searches the games and prints the reviews. Returns fewer games if the user interrupts.
    fn reviews<'a>(&mut self, args: &Args, games: &'a [Game]) -> Result<Vec<Review<'a>>, CliError> {
        let mut reviews = Vec::new();
        for (number, game) in (1..).zip(games) {
            self.bar.set_message(format!("game {number}"));
            let Some(review) = self.review(game, args.variations)? else { break };
            self.bar.suspend(|| print!("{}", args.shown(&review, number)));
            reviews.push(review);
        }
        self.bar.finish_and_clear();
        Ok(reviews)
    }

    /// Searches the positions of a game, and those of its variations; `None` if the user
    /// interrupts.
    fn review<'a>(
        &mut self,
        game: &'a Game,
        has_variations: bool,
    ) -> Result<Option<Review<'a>>, CliError> {
        let variations = if has_variations { game.variations() } else { &[] };
        let hashes = variations.iter().map(|variation| GameHash::of(variation.line()).to_u64());
        let hash = hashes.fold(GameHash::of(game).to_u64(), |hash, of| hash.rotate_left(1) ^ of);
        self.reader.new_game();
        let Some(readings) = self.readings(hash, 0, &positions(game, game.start_position()))?
        else {
            return Ok(None);
        };
        let mut searched = readings.len();
        let mut review = Review::of(game, readings);
        for variation in variations {
            let (parent, first) = (variation.parent(), variation.ply());
            let before = parent.map_or(&review, |parent| &review.variations[parent]);
            // The first position is one of the parent.
            let known = before.readings[first - before.first].clone();
            let line = variation.line();
            let line_positions = positions(line, game.position_before(parent, first));
            let Some(readings) = self.readings(hash, searched, &line_positions[1..])? else {
                return Ok(None);
            };
            searched += readings.len();
            let readings = std::iter::once(known).chain(readings).collect();
            review.variations.push(Review { first, ..Review::of(line, readings) });
        }
        Ok(Some(review))
    }

    /// Searches positions from the last to the first; `None` if the user interrupts. The checkpoint
    /// counts those of a game from `number` on.
    fn readings(
        &mut self,
        hash: u64,
        number: usize,
        positions: &[Position],
    ) -> Result<Option<Vec<Reading>>, CliError> {
        let mut readings = Vec::with_capacity(positions.len());
        for (at, pos) in positions.iter().enumerate().rev() {
            let number = number + at;
            let reading = match self.known.get(&(hash, number)) {
                Some(reading) => reading.clone(),
                None => {
                    let Some(reading) = self.reader.read(pos) else { return Ok(None) };
                    if let Some(log) = &mut self.checkpoint {
                        log.add(format!("{hash:016x} {number} {reading}\n").as_bytes())?;
                    }
                    reading
                }
            };
            self.bar.inc(1);
            readings.push(reading);
        }
        readings.reverse();
        Ok(Some(readings))
    }
}

/// The positions of a line that starts at `pos`, with the last one.
fn positions(line: &Game, mut pos: Position) -> Vec<Position> {
    let mut positions = vec![pos.clone()];
    for &mv in line.moves() {
        pos.do_move(mv);
        positions.push(pos.clone());
    }
    positions
}

/// A line of the checkpoint: game, number of the position, and reading.
fn parse_step(line: &str) -> Option<((u64, usize), Reading)> {
    let (hash, rest) = line.split_once(' ')?;
    let (ply, reading) = rest.split_once(' ')?;
    let key = (u64::from_str_radix(hash, 16).ok()?, ply.parse().ok()?);
    Some((key, reading.parse().ok()?))
}
