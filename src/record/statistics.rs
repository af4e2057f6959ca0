//! Statistics of many games.

use std::fmt;
use std::time::Duration;

use super::Game;

/// First plies of the phases that are counted separately; a phase ends where the next one starts.
pub const PHASES: [usize; 4] = [0, 40, 80, 120];

/// Statistics of a set of games.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Length of each game.
    lengths: Vec<u32>,
    /// Games won by Black, by White, drawn, and without a result.
    pub results: [usize; 4],
    /// Moves in each of [`PHASES`], by ply of the game.
    pub phases: [usize; 4],
    /// Moves with a score.
    pub scored: usize,
    /// Moves with a time and the sum of their times, indexed by [`Color`](crate::shogi::Color).
    pub times: [(usize, Duration); 2],
}

impl Statistics {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        let plies = game.moves().len();
        self.lengths.push(plies as u32);
        self.results[game.result.map_or(3, |result| result as usize)] += 1;
        for (phase, &first) in PHASES.iter().enumerate() {
            let end = PHASES.get(phase + 1).copied().unwrap_or(usize::MAX);
            self.phases[phase] += plies.min(end).saturating_sub(first);
        }
        self.scored += (0..plies).filter(|&ply| game.score(ply).is_some()).count();
        for (ply, time) in game.notes.times().filter(|&(ply, _)| ply < plies) {
            let (moves, sum) = &mut self.times[game.mover(ply).index()];
            (*moves, *sum) = (*moves + 1, sum.saturating_add(time));
        }
    }

    /// Games counted.
    pub fn games(&self) -> usize {
        self.lengths.len()
    }

    /// Moves of all games.
    pub fn plies(&self) -> usize {
        self.phases.iter().sum()
    }

    /// Plies of the shortest game, the median (the upper one of an even number) and the longest
    /// game; `None` without games.
    pub fn lengths(&self) -> Option<[u32; 3]> {
        let mut sorted = self.lengths.clone();
        sorted.sort_unstable();
        Some([*sorted.first()?, sorted[sorted.len() / 2], *sorted.last()?])
    }
}

impl fmt::Display for Statistics {
    /// A table of several lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.plies();
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(f, "games    {}\nplies    {plies}", self.games())?;
        let names = ["Black won", "White won", "drawn", "unknown"];
        for (name, count) in names.into_iter().zip(self.results) {
            writeln!(f, "{name:<10} {count:>10}  {:5.1} %", share(count, self.games()))?;
        }
        if let Some([shortest, median, longest]) = self.lengths() {
            writeln!(f, "plies a game: median {median}, shortest {shortest}, longest {longest}")?;
        }
        for (phase, count) in self.phases.into_iter().enumerate() {
            let end = PHASES.get(phase + 1).map_or(String::new(), usize::to_string);
            let name = format!("ply {}-{end}", PHASES[phase]);
            writeln!(f, "{name:<10} {count:>10}  {:5.1} %", share(count, plies))?;
        }
        let share = share(self.scored, plies);
        writeln!(f, "{:<10} {:>10}  {share:5.1} %", "scored", self.scored)?;
        for (name, (moves, sum)) in ["Black", "White"].into_iter().zip(self.times) {
            if moves > 0 {
                let seconds = sum.as_secs_f64() / moves as f64;
                writeln!(f, "{name} timed {moves:>10}  {seconds:5.1} s a move")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{labelled, usi};
    use super::*;

    #[test]
    fn counts() {
        let mut statistics = Statistics::default();
        assert_eq!((statistics.games(), statistics.lengths()), (0, None));
        let shuffle = "5i5h 5a5b 5h5i 5b5a ".repeat(11);
        for game in [
            labelled::read("7g7f 3c3d 2g2f | . -1 m3 | b"),
            usi::read(&format!("startpos moves {shuffle} | winner=d")),
            usi::read("startpos moves 7g7f | times=1.5 20"),
        ] {
            statistics.add(&game.expect("a game").game);
        }
        assert_eq!((statistics.games(), statistics.plies()), (3, 48));
        assert_eq!(statistics.results, [1, 0, 1, 1]);
        assert_eq!(statistics.phases, [44, 4, 0, 0]);
        assert_eq!((statistics.scored, statistics.lengths()), (2, Some([1, 3, 44])));
        assert_eq!(statistics.times, [(1, Duration::from_millis(1_500)), (0, Duration::ZERO)]);
        assert!(statistics.to_string().ends_with("Black timed          1    1.5 s a move\n"));
    }
}
