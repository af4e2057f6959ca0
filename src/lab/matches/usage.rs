//! Resources used by an engine in its games.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Resources used by an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Number of moves requested.
    pub moves: u64,
    /// Total time.
    pub time: Duration,
    /// Time of the longest move.
    pub longest: Duration,
    /// Sum of the reported depths.
    pub depth: u64,
    /// Number of moves with a reported depth.
    pub moves_with_depth: u64,
    /// Sum of the reported nodes.
    pub nodes: u64,
    /// Time of the moves with reported nodes.
    pub time_with_nodes: Duration,
}

impl Usage {
    /// Adds a move with its time and the last reported depth and nodes.
    pub fn add_move(&mut self, time: Duration, depth: Option<u32>, nodes: Option<u64>) {
        self.add(&Usage {
            moves: 1,
            time,
            longest: time,
            depth: depth.unwrap_or_default().into(),
            moves_with_depth: depth.is_some().into(),
            nodes: nodes.unwrap_or_default(),
            time_with_nodes: nodes.map_or(Duration::ZERO, |_| time),
        });
    }

    /// Adds another usage.
    pub fn add(&mut self, other: &Usage) {
        self.moves += other.moves;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
        self.depth += other.depth;
        self.moves_with_depth += other.moves_with_depth;
        self.nodes += other.nodes;
        self.time_with_nodes += other.time_with_nodes;
    }

    /// Means as a line of text.
    pub fn means(&self) -> String {
        let per_move = |sum: f64, moves: u64| sum / moves.max(1) as f64;
        let (time, seconds) = (self.time.as_secs_f64(), self.time_with_nodes.as_secs_f64());
        let speed = if seconds > 0.0 { self.nodes as f64 / seconds } else { 0.0 };
        format!(
            "{} moves, {:.0} ms a move (max {:.0}), depth {:.1}, nodes {:.0}, nps {speed:.0}",
            self.moves,
            per_move(1000.0 * time, self.moves),
            1000.0 * self.longest.as_secs_f64(),
            per_move(self.depth as f64, self.moves_with_depth),
            per_move(self.nodes as f64, self.moves),
        )
    }
}

impl fmt::Display for Usage {
    /// All numbers in the order of the fields; times in microseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [time, longest, with_nodes] =
            [self.time, self.longest, self.time_with_nodes].map(|time| time.as_micros());
        let Usage { moves, depth, moves_with_depth, nodes, .. } = self;
        write!(f, "{moves} {time} {longest} {depth} {moves_with_depth} {nodes} {with_nodes}")
    }
}

impl FromStr for Usage {
    type Err = ();

    fn from_str(text: &str) -> Result<Usage, ()> {
        let numbers: Result<Vec<u64>, _> = text.split(' ').map(str::parse).collect();
        let numbers: [u64; 7] = numbers.map_err(|_| ())?.try_into().map_err(|_| ())?;
        let [moves, time, longest, depth, moves_with_depth, nodes, with_nodes] = numbers;
        let [time, longest, time_with_nodes] =
            [time, longest, with_nodes].map(Duration::from_micros);
        Ok(Usage { moves, time, longest, depth, moves_with_depth, nodes, time_with_nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_adds_up_and_round_trips() {
        let mut usage = Usage::default();
        usage.add_move(Duration::from_millis(100), Some(10), Some(2_000));
        usage.add_move(Duration::from_millis(300), None, None);
        assert_eq!(
            usage.means(),
            "2 moves, 200 ms a move (max 300), depth 10.0, nodes 1000, nps 20000"
        );
        assert_eq!(usage.to_string(), "2 400000 300000 10 1 2000 100000");
        assert_eq!(usage.to_string().parse(), Ok(usage));
        assert_eq!("1 2 3".parse::<Usage>(), Err(()));
        assert!(Usage::default().means().starts_with("0 moves, 0 ms"));
    }
}
