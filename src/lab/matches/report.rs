//! The report of a match. It depends only on the records of the games, so that a resumed match
//! gives the same report as an uninterrupted one.

use std::collections::BTreeMap;
use std::fmt;

use super::failure::Failure;
use super::pairing::{PlayedMatchGame, is_first_black};
use super::score::MatchScore;
use super::usage::Usage;
use crate::record::{Ending, Game, GameResult};
use crate::shogi::Color;

/// Header fields with the usage of Black and White.
const USAGE: [&str; 2] = ["black_usage", "white_usage"];
/// Header field with the failure of the loser.
const FAILURE: &str = "failure";

/// The record of a game between these engines, with all data that [`MatchReport`] needs.
pub fn record(played: PlayedMatchGame, names: &[String; 2], number: u64) -> Game {
    let PlayedMatchGame { mut game, usage, failure } = played;
    let header = &mut game.header;
    let [first, second] = names;
    let (black, white) = if is_first_black(number) { (first, second) } else { (second, first) };
    header.set("black", black);
    header.set("white", white);
    for (field, usage) in USAGE.into_iter().zip(usage) {
        header.set(field, &usage.to_string());
    }
    if let Some(failure) = failure {
        header.set(FAILURE, &failure.to_string());
    }
    game
}

/// The report of a match.
#[derive(Clone, Debug)]
pub struct MatchReport {
    names: [String; 2],
    score: MatchScore,
    plies: usize,
    /// Points of Black in halves.
    black_half_points: usize,
    endings: BTreeMap<&'static str, usize>,
    /// Indexed by engine, as the field below.
    usage: [Usage; 2],
    /// Number of games lost by each of [`Failure::NAMES`].
    failures: [[usize; 4]; 2],
}

impl MatchReport {
    /// A report without games.
    pub fn new(names: [String; 2]) -> MatchReport {
        MatchReport {
            names,
            score: MatchScore::default(),
            plies: 0,
            black_half_points: 0,
            endings: BTreeMap::new(),
            usage: [Usage::default(); 2],
            failures: [[0; 4]; 2],
        }
    }

    /// The score so far.
    pub fn score(&self) -> &MatchScore {
        &self.score
    }

    /// Adds the next game, made by [`record`].
    pub fn add(&mut self, game: &Game) {
        let first_is_black = is_first_black(self.score.games() as u64);
        let player = |color: Color| usize::from((color == Color::Black) != first_is_black);
        let winner = game.result.and_then(GameResult::winner);
        self.score.add(winner.map_or(0, |winner| if player(winner) == 0 { 1 } else { -1 }));
        self.plies += game.moves().len();
        let black = game.result.map_or(1, |result| result.half_points(Color::Black));
        self.black_half_points += usize::from(black);
        for color in Color::ALL {
            let usage = game.header.get(USAGE[color.index()]).and_then(|text| text.parse().ok());
            self.usage[player(color)].add(&usage.unwrap_or_default());
        }
        let failure = game.header.get(FAILURE).and_then(|text| text.split(' ').next());
        let failure = Failure::NAMES.iter().position(|&name| Some(name) == failure);
        if let (Some(winner), Some(failure)) = (winner, failure) {
            self.failures[player(!winner)][failure] += 1;
        }
        *self.endings.entry(ending_name(game)).or_default() += 1;
    }

    /// A line about the game that was added last: players, winner, plies, ending and score so far.
    /// For example `B (Black) against A: Black won in 87 plies, resignation; A +1 =0 -2`.
    pub fn line(&self, game: &Game) -> String {
        let name = |field: &str| game.header.get(field).unwrap_or("?");
        let winner = match game.result.and_then(GameResult::winner) {
            Some(Color::Black) => "Black won in",
            Some(Color::White) => "White won in",
            None => "a draw in",
        };
        let [won, drawn, lost] = self.score.counts();
        format!(
            "{} (Black) against {}: {winner} {} plies, {}; {} +{won} ={drawn} -{lost}",
            name("black"),
            name("white"),
            game.moves().len(),
            ending_name(game),
            self.names[0],
        )
    }
}

/// The word for the ending of a game in the report.
fn ending_name(game: &Game) -> &'static str {
    match game.ending {
        // A loss by perpetual check is the only such ending without a failure.
        Some(Ending::IllegalMove) if game.header.get(FAILURE).is_none() => "perpetual_check",
        ending => ending.map_or("none", Ending::name),
    }
}

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.score.games();
        let mean = |sum: usize| sum as f64 / games.max(1) as f64;
        let [first, second] = &self.names;
        writeln!(
            f,
            "{first} vs {second}: {games} games, {:.0} plies a game, Black scored {:.0}%",
            mean(self.plies),
            50.0 * mean(self.black_half_points)
        )?;
        writeln!(f, "    {}", self.score)?;
        let [lost, behind, level, ahead, won] = self.score.pairs();
        write!(f, "    pairs with 0 to 2 points: {lost} {behind} {level} {ahead} {won}")?;
        if let Some([elo, error]) = self.score.normalized_elo() {
            write!(f, "  normalized Elo {elo:+.1} +/- {error:.1}")?;
        }
        writeln!(f)?;
        write!(f, "    ends:")?;
        let mut endings: Vec<_> = self.endings.iter().collect();
        endings.sort_by_key(|&(_, &count)| std::cmp::Reverse(count));
        endings.iter().try_for_each(|(name, count)| write!(f, " {name}={count}"))?;
        writeln!(f)?;
        for ((name, failures), usage) in self.names.iter().zip(self.failures).zip(self.usage) {
            write!(f, "    {name}:")?;
            let failures = Failure::NAMES.iter().zip(failures);
            failures.into_iter().try_for_each(|(name, count)| write!(f, " {name}={count}"))?;
            writeln!(f, " | {}", usage.means())?;
        }
        Ok(())
    }
}
