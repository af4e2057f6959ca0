//! Costs of mate solver queries.

use std::fmt::Display;
use std::time::Duration;

use super::language::Language;
use super::texts;

/// Costs of several queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct MateCosts {
    times: Vec<Duration>,
    nodes: u64,
    /// Size of the largest table in bytes.
    memory: usize,
}

impl MateCosts {
    /// The costs of one query.
    pub fn of(time: Duration, nodes: u64, memory: usize) -> MateCosts {
        MateCosts { times: vec![time], nodes, memory }
    }

    pub fn add(&mut self, other: &MateCosts) {
        self.times.extend(&other.times);
        self.nodes += other.nodes;
        self.memory = self.memory.max(other.memory);
    }

    /// The time of all queries, seconds.
    pub fn seconds(&self) -> f64 {
        self.times.iter().sum::<Duration>().as_secs_f64()
    }

    /// The time within which this share of the queries, 0 to 1, was answered.
    fn quantile(&self, share: f64) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let last = times.len().saturating_sub(1);
        times.get((share * last as f64).round() as usize).copied().unwrap_or_default()
    }

    /// Formats as `time: median 0.12 ms, 99 % within 3.10 ms, ...`.
    pub fn text(&self, language: Language) -> String {
        let ms = |share| format!("{:.2}", self.quantile(share).as_secs_f64() * 1_000.0);
        let seconds = self.seconds().max(1e-9);
        let rate = format!("{:.0}", self.nodes as f64 / seconds);
        let memory = format!("{:.1}", self.memory as f64 / f64::from(1 << 20));
        let (median, most, longest) = (ms(0.5), ms(0.99), ms(1.0));
        let values: [&dyn Display; 6] = [&median, &most, &longest, &self.nodes, &rate, &memory];
        texts::MATE_COSTS.with(language, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_sums_are_printed() {
        let mut costs = MateCosts::default();
        assert!(costs.text(Language::English).starts_with("time: median 0.00 ms"));
        for ms in (1..=101).rev() {
            costs.add(&MateCosts::of(Duration::from_millis(ms), 10, 1 << 20));
        }
        let text = costs.text(Language::English);
        assert!(
            text.starts_with("time: median 51.00 ms, 99 % within 100.00 ms, longest 101.00 ms")
        );
        assert!(text.contains("1010 nodes") && text.ends_with("1.0 MiB"), "{text}");
    }
}
