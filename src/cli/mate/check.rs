//! Whether a problem is sound: it has exactly one solution, of the expected length.

use std::fmt::Display;

use crate::command::language::Language;
use crate::command::notation::{Notation, Wording, json_moves};
use crate::command::texts;
use crate::engine::{MateOutcome, MateVerdict};
use crate::search::{MateSolver, essential_plies};
use crate::shogi::Move;

use super::problem::Problem;
use super::solutions::{OtherSolution, OtherSolutions, other_solutions};

/// The result of a check. The words in brackets are those of composers.
pub(super) enum Soundness {
    /// The main line is the only solution.
    Sound,
    /// There are other solutions (yozume).
    Others,
    /// A mate is shorter than the expected one of this many plies (hayazume).
    Shorter(usize),
    /// The defender can hold out longer than the expected number of plies.
    Longer(usize),
    /// There is no mate (fuzume).
    NoMate,
    /// The limits do not suffice.
    Open(Doubt),
}

/// What the limits left open.
pub(super) enum Doubt {
    /// Whether a mate exists.
    Mate,
    /// The length of the shortest mate.
    Length,
    /// Whether other solutions exist.
    Others,
}

/// A check and the solutions that it found.
pub(super) struct Check {
    pub soundness: Soundness,
    pub others: OtherSolutions,
}

impl Check {
    /// Checks a problem whose shortest mate was searched. `most`: maximum number of solutions to
    /// find, with the main line.
    pub fn run(
        problem: &Problem,
        found: (&MateOutcome, bool),
        most: usize,
        solver: &mut MateSolver,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Check {
        let (outcome, is_shortest) = found;
        let only = |soundness| Check { soundness, others: OtherSolutions::default() };
        let line = match &outcome.verdict {
            MateVerdict::Mate(line) => line,
            MateVerdict::NoMate => return only(Soundness::NoMate),
            MateVerdict::Unknown => return only(Soundness::Open(Doubt::Mate)),
        };
        let plies = essential_plies(&problem.pos, line);
        match problem.plies {
            Some(given) if given > plies => return only(Soundness::Shorter(given)),
            Some(given) if given < plies && is_shortest => return only(Soundness::Longer(given)),
            _ if !is_shortest => return only(Soundness::Open(Doubt::Length)),
            _ => {}
        }
        let main: &[Move] = if problem.line.is_empty() { line } else { &problem.line };
        let mut pos = problem.pos.clone();
        let limits = (most.saturating_sub(1), nodes);
        let others = other_solutions(solver, &mut pos, main, limits, stop);
        let soundness = match others.is_unique() {
            Some(true) => Soundness::Sound,
            Some(false) => Soundness::Others,
            None => Soundness::Open(Doubt::Others),
        };
        Check { soundness, others }
    }

    /// Whether the problem is sound; `None` if undecided.
    pub fn is_sound(&self) -> Option<bool> {
        match self.soundness {
            Soundness::Sound => Some(true),
            Soundness::Open(_) => None,
            _ => Some(false),
        }
    }

    /// The result in words, one line for each solution, indented.
    pub fn text(&self, wording: Wording, problem: &Problem) -> String {
        let Wording { notation, language } = wording;
        let mut text = format!("\n  {}", self.verdict(language));
        problem.remarks(wording).for_each(|remark| text += &format!("\n  {remark}"));
        for other in &self.others.found {
            let moves = notation.line(&problem.pos, &other.line);
            let values: [&dyn Display; 3] = [&(other.ply + 1), &other.plies, &moves];
            text += &format!("\n    {}", texts::OTHER_SOLUTION.with(language, values));
        }
        let open: Vec<String> = self.others.open.iter().map(|ply| (ply + 1).to_string()).collect();
        if !open.is_empty() {
            text += &format!("\n    {}", texts::OPEN_FROM.with(language, [&open.join(", ")]));
        }
        text
    }

    fn verdict(&self, language: Language) -> String {
        let verdict = match self.soundness {
            Soundness::Sound => texts::SOUND,
            Soundness::Others => {
                let number = self.others.found.len();
                let least = self.others.is_cut.then(|| texts::AT_LEAST.get(language));
                let number = texts::OTHER_SOLUTIONS.count(language, number);
                let all = format!("{}{number}", least.unwrap_or_default());
                return texts::UNSOUND_OTHERS.with(language, [&all]);
            }
            Soundness::Shorter(given) => return texts::UNSOUND_SHORTER.with(language, [&given]),
            Soundness::Longer(given) => return texts::UNSOUND_LONGER.with(language, [&given]),
            Soundness::NoMate => texts::UNSOUND_NO_MATE,
            Soundness::Open(Doubt::Mate) => texts::UNDECIDED_MATE,
            Soundness::Open(Doubt::Length) => texts::UNDECIDED_LENGTH,
            Soundness::Open(Doubt::Others) => texts::UNDECIDED_OTHERS,
        };
        verdict.get(language).to_owned()
    }

    /// Adds the result to a JSON object.
    pub fn add_to(&self, object: &mut serde_json::Value, problem: &Problem) {
        object["sound"] = self.is_sound().into();
        object["check"] = self.verdict(Language::English).into();
        let wording = Wording { notation: Notation::Usi, language: Language::English };
        object["ignored"] = problem.remarks(wording).collect();
        let solution = |other: &OtherSolution| {
            serde_json::json!({
                "from": other.ply + 1,
                "plies": other.plies,
                "moves": json_moves(&other.line),
                "japanese": Notation::Japanese.line(&problem.pos, &other.line),
            })
        };
        object["others"] = self.others.found.iter().map(solution).collect();
    }
}
