//! The time of a game: what the summary settles, and what is left on both clocks.

use std::time::Duration;

use crate::engine::clock::Clock;
use crate::shogi::Color;

/// No game is longer; what servers say beyond is cut to this, so that sums stay small.
const LONGEST: Duration = Duration::from_secs(1_000 * 24 * 3_600);

/// The time settings of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSettings {
    /// What times are counted in; those used are rounded to it.
    pub unit: Duration,
    /// For the whole game; `None` = without limit.
    pub total: Option<Duration>,
    /// For each move once the total is used up.
    pub byoyomi: Duration,
    /// Added for each move.
    pub increment: Duration,
    /// Not counted at the beginning of each move.
    pub delay: Duration,
    /// Counted for each move at the least.
    pub least: Duration,
}

impl Default for TimeSettings {
    /// No limit, counted in seconds.
    fn default() -> TimeSettings {
        TimeSettings {
            unit: Duration::from_secs(1),
            total: None,
            byoyomi: Duration::ZERO,
            increment: Duration::ZERO,
            delay: Duration::ZERO,
            least: Duration::ZERO,
        }
    }
}

impl TimeSettings {
    /// So many units.
    pub fn units(&self, count: u32) -> Duration {
        self.unit.saturating_mul(count).min(LONGEST)
    }

    /// `300+0+10`: total, byoyomi and increment in seconds, as CSA records have them.
    pub fn text(&self) -> String {
        let total = self.total.map_or(0.0, |total| total.as_secs_f64());
        let [byoyomi, increment] = [self.byoyomi, self.increment].map(|span| span.as_secs_f64());
        format!("{total}+{byoyomi}+{increment}")
    }
}

/// Reads `1sec`, `1min` or `100msec`.
pub(super) fn read_unit(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (count, name) = text.split_at(digits);
    let count: u32 = if count.is_empty() { 1 } else { count.parse().ok()? };
    let one = match name.trim() {
        "msec" => Duration::from_millis(1),
        "sec" => Duration::from_secs(1),
        "min" => Duration::from_secs(60),
        _ => return None,
    };
    (count > 0).then(|| one.saturating_mul(count).min(LONGEST))
}

/// Both clocks, as the server's times tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Indexed by [`Color`].
    settings: [TimeSettings; 2],
    /// `None` = without limit. This move's increment is not in it: some servers grant it before the
    /// move, others after.
    remaining: [Option<Duration>; 2],
}

impl GameClock {
    /// Clocks as they stand at the start.
    pub fn new(settings: [TimeSettings; 2]) -> GameClock {
        GameClock { settings, remaining: settings.map(|side| side.total) }
    }

    /// Puts a clock right by what the server says is left.
    pub fn set_remaining(&mut self, side: Color, left: Duration) {
        self.remaining[side.index()] = Some(left);
    }

    /// A move has taken so long.
    pub fn spend(&mut self, side: Color, time: Duration) {
        let increment = self.settings[side.index()].increment;
        if let Some(left) = &mut self.remaining[side.index()] {
            *left = (*left + increment).saturating_sub(time).min(LONGEST);
        }
    }

    /// What is left of a side's total time.
    pub fn remaining(&self, side: Color) -> Option<Duration> {
        self.remaining[side.index()]
    }

    /// The settings of a side.
    pub fn settings(&self, side: Color) -> &TimeSettings {
        &self.settings[side.index()]
    }

    /// As time management wants it for a move of `side`, which may have to play `moves_left`; nothing
    /// at all without a limit. A delay is byoyomi that comes first: either costs nothing of the total.
    /// What moves cost at the least is kept back where nothing refills the clock, up to half of it.
    pub fn to_clock(&self, side: Color, moves_left: u32) -> Clock {
        let own = self.settings(side);
        if own.total.is_none() && own.byoyomi.is_zero() {
            return Clock::default();
        }
        let some = |span: Duration| (!span.is_zero()).then_some(span);
        let free = own.byoyomi + own.delay + own.increment;
        let kept = own.least.saturating_sub(free).saturating_mul(moves_left.saturating_sub(1));
        let mut remaining = self.remaining;
        if let Some(left) = &mut remaining[side.index()] {
            *left -= kept.min(*left / 2);
        }
        Clock {
            remaining,
            increment: self.settings.map(|side| some(side.increment)),
            byoyomi: some(own.byoyomi + own.delay),
            movetime: None,
            rtime: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn units_as_text() {
        assert_eq!(read_unit("1sec"), Some(seconds(1)));
        assert_eq!(read_unit("1min"), Some(seconds(60)));
        assert_eq!(read_unit("100msec"), Some(Duration::from_millis(100)));
        assert_eq!(read_unit("msec"), Some(Duration::from_millis(1)));
        for bad in ["", "1", "0sec", "1hour", "-1sec", "99999999999sec"] {
            assert_eq!(read_unit(bad), None, "{bad}");
        }
    }

    #[test]
    fn clocks_follow_the_servers_times() {
        let fischer = TimeSettings {
            total: Some(seconds(300)),
            increment: seconds(10),
            ..TimeSettings::default()
        };
        let byoyomi = TimeSettings {
            total: Some(seconds(20)),
            byoyomi: seconds(30),
            delay: seconds(2),
            ..TimeSettings::default()
        };
        let mut clock = GameClock::new([fischer, byoyomi]);
        clock.spend(Color::Black, seconds(3));
        clock.spend(Color::White, seconds(25));
        assert_eq!(clock.remaining(Color::Black), Some(seconds(307)));
        assert_eq!(clock.remaining(Color::White), Some(Duration::ZERO));
        let told = clock.to_clock(Color::White, 100);
        assert_eq!(told.remaining, [Some(seconds(307)), Some(Duration::ZERO)]);
        assert_eq!(told.increment, [Some(seconds(10)), None]);
        assert_eq!(told.byoyomi, Some(seconds(32)));
        assert_eq!(fischer.text(), "300+0+10");
        let unlimited = GameClock::new([TimeSettings::default(); 2]);
        assert!(unlimited.to_clock(Color::Black, 100).is_unlimited());
        let sparse = TimeSettings { increment: Duration::ZERO, least: seconds(1), ..fischer };
        let clock = GameClock::new([sparse; 2]);
        let left = |moves| clock.to_clock(Color::Black, moves).remaining;
        assert_eq!(left(1), [Some(seconds(300)); 2]);
        assert_eq!(left(41), [Some(seconds(260)), Some(seconds(300))]);
        assert_eq!(left(999)[0], Some(seconds(150)));
        // Nothing that a server says overflows.
        let vast = TimeSettings::default().units(u32::MAX);
        let total = TimeSettings { total: Some(vast), increment: vast, ..fischer };
        let mut clock = GameClock::new([total; 2]);
        clock.spend(Color::Black, Duration::ZERO);
        assert_eq!(clock.remaining(Color::Black), Some(LONGEST));
    }
}
