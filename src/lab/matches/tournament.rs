//! Several engines that play matches against each other.

use std::fmt;

use super::report::MatchReport;
use super::score::elo;
use crate::record::Game;

/// Which engines play each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Schedule {
    /// Every engine plays every other one.
    #[default]
    RoundRobin,
    /// The first engine plays every other one.
    Gauntlet,
}

impl Schedule {
    /// The engines of each match, by their numbers from 0.
    pub fn matches(self, engines: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Schedule::RoundRobin => 0..engines,
            Schedule::Gauntlet => 0..1.min(engines),
        };
        firsts.flat_map(|first| (first + 1..engines).map(move |second| [first, second])).collect()
    }
}

/// The matches of a tournament, one after the other.
#[derive(Clone, Debug)]
pub struct Tournament {
    names: Vec<String>,
    matches: Vec<[usize; 2]>,
    /// One for each match.
    reports: Vec<MatchReport>,
    /// Games of each match.
    games: u64,
    /// Games added so far.
    played: u64,
}

impl Tournament {
    /// A tournament of two or more engines without games. `games`: games of each match.
    pub fn new(names: Vec<String>, schedule: Schedule, games: u64) -> Tournament {
        let matches = schedule.matches(names.len());
        let report = |pair: &[usize; 2]| MatchReport::new(pair.map(|engine| names[engine].clone()));
        let reports = matches.iter().map(report).collect();
        Tournament { names, matches, reports, games, played: 0 }
    }

    /// Number of games of all matches.
    pub fn games(&self) -> u64 {
        self.games * self.matches.len() as u64
    }

    /// Number of games added so far.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// The match of a game of the tournament, and the number of the game in that match.
    pub fn place(&self, game: u64) -> (usize, u64) {
        ((game / self.games) as usize, game % self.games)
    }

    /// The engines of a match.
    pub fn engines(&self, number: usize) -> [usize; 2] {
        self.matches[number]
    }

    /// The names of the engines of a match.
    pub fn names(&self, number: usize) -> [String; 2] {
        self.matches[number].map(|engine| self.names[engine].clone())
    }

    /// The report of the match to which the last game belongs; without games, of the first match.
    pub fn current(&self) -> &MatchReport {
        let (number, _) = self.place(self.played.saturating_sub(1));
        &self.reports[number]
    }

    /// Adds the next game.
    pub fn add(&mut self, game: &Game) {
        let (number, _) = self.place(self.played);
        if let Some(report) = self.reports.get_mut(number) {
            report.add(game);
            self.played += 1;
        }
    }

    /// Games, points and Elo of each engine. Elo values are the maximum of the likelihood in the
    /// model of Bradley and Terry (1952), with a mean of 0. One drawn game between the engines of
    /// each match is added, so that they are finite.
    pub fn standings(&self) -> Vec<Standing> {
        let results: Vec<([usize; 2], f64, f64)> = (self.matches.iter().zip(&self.reports))
            .map(|(&pair, report)| {
                let [won, drawn, _] = report.score().counts();
                (pair, won as f64 + drawn as f64 / 2.0, report.score().games() as f64)
            })
            .collect();
        let mut strengths = vec![1.0_f64; self.names.len()];
        for _ in 0..1_000 {
            let (mut points, mut weights) =
                (vec![0.0; strengths.len()], vec![0.0; strengths.len()]);
            for &([first, second], won, games) in &results {
                let weight = (games + 1.0) / (strengths[first] + strengths[second]);
                points[first] += won + 0.5;
                points[second] += games - won + 0.5;
                weights[first] += weight;
                weights[second] += weight;
            }
            for (engine, strength) in strengths.iter_mut().enumerate() {
                *strength = points[engine] / weights[engine];
            }
        }
        let elos = strengths.iter().map(|strength| elo(strength / (1.0 + strength)));
        let elos: Vec<f64> = elos.collect();
        let mean = elos.iter().sum::<f64>() / elos.len() as f64;
        let of = |(engine, elo): (usize, f64)| {
            let mut standing =
                Standing { name: self.names[engine].clone(), games: 0.0, points: 0.0, elo };
            for &([first, second], won, games) in &results {
                if engine == first || engine == second {
                    standing.games += games;
                    standing.points += if engine == first { won } else { games - won };
                }
            }
            standing
        };
        let mut standings: Vec<Standing> =
            elos.into_iter().map(|elo| elo - mean).enumerate().map(of).collect();
        standings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        standings
    }
}

/// The result of an engine in all its matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Games played.
    pub games: f64,
    /// Points scored, 1 for a win and 0.5 for a draw.
    pub points: f64,
    /// Elo, relative to the mean of all engines.
    pub elo: f64,
}

impl fmt::Display for Tournament {
    /// The report of each match, and of more than one a table of all engines, best first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_games = |report: &&MatchReport| report.score().games() > 0;
        if self.reports.len() == 1 {
            return write!(f, "{}", self.reports[0]);
        }
        self.reports.iter().filter(has_games).try_for_each(|report| write!(f, "{report}"))?;
        let standings = self.standings();
        let width = standings.iter().map(|standing| standing.name.chars().count()).max();
        let width = width.unwrap_or_default().max("engine".len());
        writeln!(f, "{:<width$} {:>6} {:>8} {:>6}", "engine", "games", "points", "Elo")?;
        for Standing { name, games, points, elo } in standings {
            writeln!(f, "{name:<width$} {games:>6} {points:>8.1} {elo:>+6.0}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameBuilder, GameResult};
    use crate::shogi::Color;

    #[test]
    fn schedules_list_their_matches() {
        assert_eq!(Schedule::RoundRobin.matches(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(Schedule::Gauntlet.matches(3), [[0, 1], [0, 2]]);
        assert_eq!(Schedule::RoundRobin.matches(2), Schedule::Gauntlet.matches(2));
    }

    #[test]
    fn points_and_elo_are_those_of_all_matches() {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let mut tournament = Tournament::new(names, Schedule::RoundRobin, 4);
        assert_eq!((tournament.games(), tournament.place(7)), (12, (1, 3)));
        assert_eq!(tournament.names(2), ["b", "c"]);
        // The first engine is Black in even games. "a" wins three of four and all four, "b" and "c"
        // win by turns.
        let black_wins = [true, false, true, true, true, false, true, false];
        let turns = [true, true, true, true];
        for black_wins in black_wins.into_iter().chain(turns) {
            let mut game = GameBuilder::new().finish();
            let winner = if black_wins { Color::Black } else { Color::White };
            game.result = Some(GameResult::win_of(winner));
            tournament.add(&game);
        }
        // The last game belongs to the last match.
        assert_eq!(tournament.current().score().games(), 4);
        tournament.add(&GameBuilder::new().finish());
        assert_eq!(tournament.played(), 12);
        let standings = tournament.standings();
        let of = |name: &str| standings.iter().find(|other| other.name == name).expect("there");
        assert_eq!(standings[0].name, "a");
        assert_eq!([of("a").points, of("b").points, of("c").points], [7.0, 3.0, 2.0]);
        assert!(standings.iter().map(|standing| standing.elo).sum::<f64>().abs() < 1e-6);
        // With the added draws, the expected points are those scored.
        let strength = |name: &str| 10_f64.powf(of(name).elo / 400.0);
        let share = |a: &str, b: &str| strength(a) / (strength(a) + strength(b));
        let expected = 5.0 * (share("a", "b") + share("a", "c"));
        assert!((expected - 8.0).abs() < 1e-6, "{expected}");
        let text = tournament.to_string();
        assert!(text.contains("b vs c") && text.lines().count() == 3 * 6 + 4, "{text}");
    }
}
