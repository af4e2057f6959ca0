//! Time of a game: the settings of the summary and the remaining time of both clocks.

use std::time::Duration;

use crate::engine::clock::Clock;
use crate::shogi::Color;

/// Upper limit of all durations. Larger values from a server are cut to it, so that sums do not
/// overflow.
const LONGEST: Duration = Duration::from_secs(1_000 * 24 * 3_600);

/// The time settings of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSettings {
    /// Unit of all times; used times are rounded to it.
    pub unit: Duration,
    /// Time for the whole game; `None`: no limit.
    pub total: Option<Duration>,
    /// Time per move after the total is used up.
    pub byoyomi: Duration,
    /// Time added for each move.
    pub increment: Duration,
    /// Free time at the start of each move.
    pub delay: Duration,
    /// Minimum time counted for each move.
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
    /// The duration of `count` units.
    pub fn units(&self, count: u32) -> Duration {
        self.unit.saturating_mul(count).min(LONGEST)
    }

    fn is_unlimited(&self) -> bool {
        self.total.is_none() && self.byoyomi.is_zero()
    }

    /// `300+0+10`: total, byoyomi and increment in seconds, in the format of CSA records. Empty
    /// without a limit.
    pub fn text(&self) -> String {
        if self.is_unlimited() {
            return String::new();
        }
        let total = self.total.map_or(0.0, |total| total.as_secs_f64());
        let [byoyomi, increment] = [self.byoyomi, self.increment].map(|span| span.as_secs_f64());
        format!("{total}+{byoyomi}+{increment}")
    }
}

/// Parses `1sec`, `1min` or `100msec`.
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

/// Both clocks, computed from the times of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Indexed by [`Color`].
    settings: [TimeSettings; 2],
    /// Remaining time; `None`: no limit. The increment of the current move is not included, because
    /// some servers add it before the move and others after it.
    remaining: [Option<Duration>; 2],
}

impl GameClock {
    /// The clocks at the start of the game.
    pub fn new(settings: [TimeSettings; 2]) -> GameClock {
        GameClock { settings, remaining: settings.map(|side| side.total) }
    }

    /// Sets a clock to the remaining time that the server reports.
    pub fn set_remaining(&mut self, side: Color, left: Duration) {
        self.remaining[side.index()] = Some(left);
    }

    /// Subtracts the time of a move and adds the increment.
    pub fn spend(&mut self, side: Color, time: Duration) {
        let increment = self.settings[side.index()].increment;
        if let Some(left) = &mut self.remaining[side.index()] {
            *left = (*left + increment).saturating_sub(time).min(LONGEST);
        }
    }

    /// Remaining total time of a side; `None`: no limit.
    pub fn remaining(&self, side: Color) -> Option<Duration> {
        self.remaining[side.index()]
    }

    /// The settings of a side.
    pub fn settings(&self, side: Color) -> &TimeSettings {
        &self.settings[side.index()]
    }

    /// The [`Clock`] for time management of a move of `side` with up to `moves_left` moves to play;
    /// empty without a limit. A delay counts as additional byoyomi, since neither uses the total.
    /// If nothing refills the clock, the minimum cost of later moves is reserved, up to half of the
    /// clock.
    pub fn to_clock(&self, side: Color, moves_left: u32) -> Clock {
        let own = self.settings(side);
        if own.is_unlimited() {
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
    fn units_are_parsed() {
        assert_eq!(read_unit("1sec"), Some(seconds(1)));
        assert_eq!(read_unit("1min"), Some(seconds(60)));
        assert_eq!(read_unit("100msec"), Some(Duration::from_millis(100)));
        assert_eq!(read_unit("msec"), Some(Duration::from_millis(1)));
        for bad in ["", "1", "0sec", "1hour", "-1sec", "99999999999sec"] {
            assert_eq!(read_unit(bad), None, "{bad}");
        }
    }

    #[test]
    fn clocks_follow_the_times_of_the_server() {
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
        let sent = clock.to_clock(Color::White, 100);
        assert_eq!(sent.remaining, [Some(seconds(307)), Some(Duration::ZERO)]);
        assert_eq!(sent.increment, [Some(seconds(10)), None]);
        assert_eq!(sent.byoyomi, Some(seconds(32)));
        assert_eq!(fischer.text(), "300+0+10");
        assert_eq!(TimeSettings::default().text(), "");
        let unlimited = GameClock::new([TimeSettings::default(); 2]);
        assert!(unlimited.to_clock(Color::Black, 100).is_unlimited());
        let sparse = TimeSettings { increment: Duration::ZERO, least: seconds(1), ..fischer };
        let clock = GameClock::new([sparse; 2]);
        let left = |moves| clock.to_clock(Color::Black, moves).remaining;
        assert_eq!(left(1), [Some(seconds(300)); 2]);
        assert_eq!(left(41), [Some(seconds(260)), Some(seconds(300))]);
        assert_eq!(left(999)[0], Some(seconds(150)));
        // No value from a server causes an overflow.
        let vast = TimeSettings::default().units(u32::MAX);
        let total = TimeSettings { total: Some(vast), increment: vast, ..fischer };
        let mut clock = GameClock::new([total; 2]);
        clock.spend(Color::Black, Duration::ZERO);
        assert_eq!(clock.remaining(Color::Black), Some(LONGEST));
    }
}
