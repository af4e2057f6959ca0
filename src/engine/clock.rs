//! Time management: computes the thinking time from clock, increment and byoyomi. Pure functions
//! without I/O.
//!
//! Input: the [`Clock`] of a `go`, [`TimeOptions`], the side to move and the move number. Output: a
//! [`TimePlan`] with two durations from the start of the time. After `soft`, no new iteration
//! starts; at `hard`, the search ends.

use std::time::Duration;

use crate::shogi::Color;

/// Values of the clock; `None` if not given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Remaining time, indexed by [`Color`].
    pub remaining: [Option<Duration>; 2],
    /// Fischer increments, indexed by [`Color`].
    pub increment: [Option<Duration>; 2],
    /// Time per move after `remaining` is used up, the same for both sides.
    pub byoyomi: Option<Duration>,
    /// Exact thinking time, but never longer than the clock allows.
    pub movetime: Option<Duration>,
    /// Like `movetime`; already randomized by the caller.
    pub rtime: Option<Duration>,
}

impl Clock {
    /// Whether no limit is given, so that the search runs until stopped.
    pub fn is_unlimited(&self) -> bool {
        !self.is_ticking() && self.fixed().is_none()
    }

    /// Whether a game clock is running.
    fn is_ticking(&self) -> bool {
        self.byoyomi.is_some() || self.remaining.iter().chain(&self.increment).any(Option::is_some)
    }

    fn fixed(&self) -> Option<Duration> {
        self.movetime.into_iter().chain(self.rtime).min()
    }
}

/// Lateness of answers: from the planned end of the search to the time the answer was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// Exceeded by two in a hundred recent answers.
    pub often: Duration,
    /// Recent maximum.
    pub worst: Duration,
    /// Median.
    pub usual: Duration,
}

/// User options of time management.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOptions {
    /// Average delay between engine and server.
    pub network_delay: Duration,
    /// Worst delay between engine and server.
    pub network_delay2: Duration,
    /// Lateness of earlier answers.
    pub lateness: Lateness,
    /// Minimum time per move where the clock allows it.
    pub minimum_thinking_time: Duration,
    /// Percentage of the planned time.
    pub slow_mover: u32,
    /// Whether the server counts whole seconds, rounded down. The rest of a started second is then
    /// used.
    pub round_up_to_full_second: bool,
    /// The position before move N + 1 is a draw; 0: no such rule.
    pub max_moves_to_draw: u32,
    /// Whether the client lets the engine think on the opponent's time.
    pub ponder: bool,
}

impl Default for TimeOptions {
    fn default() -> TimeOptions {
        TimeOptions {
            network_delay: Duration::from_millis(120),
            network_delay2: Duration::from_millis(1120),
            lateness: Lateness::default(),
            minimum_thinking_time: Duration::from_millis(2000),
            slow_mover: 100,
            round_up_to_full_second: true,
            max_moves_to_draw: 0,
            ponder: false,
        }
    }
}

/// Thinking time, measured from the start of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePlan {
    /// No new iteration starts after this.
    pub soft: Duration,
    /// The search ends here.
    pub hard: Duration,
}

impl TimePlan {
    /// A plan in which new iterations may start until the end.
    fn whole(span: Duration) -> TimePlan {
        TimePlan { soft: span, hard: span }
    }
}

/// Number of own moves among which the clock is divided at the start of the game, its decrease in a
/// hundred moves of both sides, and its minimum. A game between programs lasts about 70 moves per
/// side, moves take about 1.4 times their planned time, and the clock must last for longer games.
const MOVES_LEFT: u32 = 80;
const FEWER_IN_HUNDRED: u32 = 42;
const FEWEST_MOVES_LEFT: u32 = 26;
/// Share of later increments that is planned for this move.
const INCREMENT_SHARE: f64 = 0.8;
/// Maximum factor by which a difficult iteration may exceed the planned time.
const HARD_FACTOR: f64 = 5.0;
/// Maximum share of the clock for one move without byoyomi.
const LARGEST_SHARE: f64 = 0.5;
/// In sudden death, free^2 / (free + RESERVE) of the free time is spendable. The share decreases as
/// the clock runs low.
const RESERVE: Duration = Duration::from_millis(350);
/// A clock with less than this has only its increment.
const EMPTY: Duration = Duration::from_millis(1);
/// Share of the increment that such a clock may spend, including delays.
const EMPTY_SHARE: f64 = 1.0 / 3.0;
/// Minimum cost of a move in sudden death in addition to its search, on the client's clock.
const LEAST_COST: Duration = Duration::from_millis(2);
/// The clock must have these costs for as many further moves as were made, up to this number of moves
/// of both sides, but not more than half of it: a long game can become longer still.
const LONGEST_GAME: u32 = 512;
/// Minimum planned time of a move.
const LEAST_TIME: Duration = Duration::from_millis(1);
/// Maximum share of the clock to which `minimum_thinking_time` and rounding may extend a move.
const COMFORTABLE_SHARE: f64 = 1.0 / 60.0;
/// Rounding may always extend a move by this factor.
const ROUNDING_FACTOR: f64 = 1.5;
/// Maximum share of the clock to which rounding may extend a difficult iteration.
const LARGEST_ROUNDED_SHARE: f64 = 1.0 / 6.0;
/// Factor for games with pondering, which saves own time for later moves.
const PONDER_FACTOR: f64 = 1.25;
/// The reserve for delays may always reach this value, if the total is at least twice as large.
const LEAST_DELAY: Duration = Duration::from_millis(20);
/// Number of delays that are not measured: a `go` that is read late, and an answer that the client
/// reads late. Each is assumed to equal the usual lateness. Worst cases of several delays are not
/// expected in the same move.
const UNSEEN_DELAYS: u32 = 2;
const SECOND: Duration = Duration::from_secs(1);

/// Plans the move with number `move_number` (1 is the first of the game) of `side`. `None` if the
/// clock has no limit.
///
/// The whole time is used (soft = hard) with a fixed time, with a nearly empty clock and byoyomi or
/// increment, and in the last move of the game.
pub fn plan(
    clock: &Clock,
    options: &TimeOptions,
    side: Color,
    move_number: u32,
) -> Option<TimePlan> {
    let ticking = clock.is_ticking().then(|| plan_clock(clock, options, side, move_number));
    let fixed = clock.fixed().map(TimePlan::whole);
    let limits = ticking.into_iter().chain(fixed);
    limits.reduce(|a, b| TimePlan { soft: a.soft.min(b.soft), hard: a.hard.min(b.hard) })
}

fn plan_clock(clock: &Clock, options: &TimeOptions, side: Color, move_number: u32) -> TimePlan {
    let remaining = clock.remaining[side.index()].unwrap_or_default();
    let increment = clock.increment[side.index()].unwrap_or_default();
    let byoyomi = clock.byoyomi.unwrap_or_default();
    // Some servers add the increment before the move, others after it, so it is not counted here.
    let total = remaining + byoyomi;
    if total < EMPTY {
        // A clock that is filled after the move would be over. A part of the increment refills it.
        return TimePlan::whole(budget(increment.mul_f64(EMPTY_SHARE).max(total), options));
    }
    let budget = budget(total, options);
    let moves_left = moves_left(options.max_moves_to_draw, move_number);
    if moves_left == 1 || (!byoyomi.is_zero() && remaining < byoyomi) {
        return TimePlan::whole(budget);
    }

    let refills = !byoyomi.is_zero() || !increment.is_zero();
    let spendable = if refills {
        remaining
    } else {
        let cost = (options.lateness.usual * (1 + UNSEEN_DELAYS)).max(LEAST_COST);
        let longest = (LONGEST_GAME.saturating_sub(move_number)).min(move_number) / 2;
        let longest = longest.max(moves_left);
        let costs = (cost * longest).min(remaining / 2).max(cost * moves_left);
        let free = remaining.saturating_sub(costs);
        free.mul_f64(free.as_secs_f64() / (free + RESERVE).as_secs_f64())
    };
    let ceiling = if byoyomi.is_zero() { budget.min(total.mul_f64(LARGEST_SHARE)) } else { budget };
    let wish =
        f64::from(options.slow_mover) / 100.0 * if options.ponder { PONDER_FACTOR } else { 1.0 };
    let planned =
        (spendable / moves_left + byoyomi + increment.mul_f64(INCREMENT_SHARE)).mul_f64(wish);
    let comfortable = spendable.mul_f64(COMFORTABLE_SHARE) + byoyomi;
    let least = options.minimum_thinking_time.min(comfortable).max(LEAST_TIME);
    let mut soft = planned.max(least);
    let mut hard = soft.mul_f64(HARD_FACTOR);
    if options.round_up_to_full_second {
        let rounded = round_up(soft, options.network_delay);
        if rounded <= comfortable.max(soft.mul_f64(ROUNDING_FACTOR)) {
            soft = rounded;
        }
        let affordable = spendable.mul_f64(LARGEST_ROUNDED_SHARE) + byoyomi;
        hard = round_up(hard, options.network_delay).min(hard.max(affordable)).max(soft);
    }
    TimePlan { soft: soft.min(ceiling), hard: hard.min(ceiling) }
}

/// The usable part of `total`. The worst delay is reserved, limited to a quarter, or to 20 ms and
/// half of a small total. The lateness of answers is reserved as well, limited to a quarter. A
/// single late answer counts only as far as it exceeds the worst delay: they hardly ever coincide.
fn budget(total: Duration, options: &TimeOptions) -> Duration {
    let delay = options.network_delay2.min((total / 4).max(LEAST_DELAY.min(total / 2)));
    let Lateness { often, worst, usual } = options.lateness;
    let late = (often + usual * UNSEEN_DELAYS).max(worst.saturating_sub(delay));
    total - delay - late.min(total / 4)
}

/// Number of own moves among which the clock is divided, including this one; 1 if the game ends
/// before the next.
fn moves_left(max_moves_to_draw: u32, move_number: u32) -> u32 {
    let fewer = move_number.saturating_mul(FEWER_IN_HUNDRED) / 100;
    let expected = MOVES_LEFT.saturating_sub(fewer).max(FEWEST_MOVES_LEFT);
    // A game that continues after the limit is played under another rule.
    if max_moves_to_draw == 0 || move_number > max_moves_to_draw {
        return expected;
    }
    expected.min(max_moves_to_draw.saturating_sub(move_number) / 2 + 1)
}

/// The earliest time at or after `span` that is `delay` before a full second.
fn round_up(span: Duration, delay: Duration) -> Duration {
    let seconds = (span + delay).as_nanos().div_ceil(SECOND.as_nanos());
    let seconds = u64::try_from(seconds).unwrap_or(u64::MAX / 2);
    Duration::from_secs(seconds).saturating_sub(delay).max(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    fn clock(remaining: u64, increment: u64, byoyomi: u64) -> Clock {
        let some = |value| (value > 0).then(|| ms(value));
        Clock {
            remaining: [Some(ms(remaining)); 2],
            increment: [some(increment); 2],
            byoyomi: some(byoyomi),
            ..Clock::default()
        }
    }

    fn near_zero_delay() -> TimeOptions {
        TimeOptions {
            network_delay: ms(0),
            network_delay2: ms(0),
            minimum_thinking_time: ms(1),
            round_up_to_full_second: false,
            ..TimeOptions::default()
        }
    }

    fn plan_of(clock: Clock, options: &TimeOptions) -> TimePlan {
        plan(&clock, options, Color::Black, 1).expect("a clock runs")
    }

    #[test]
    fn without_a_clock_there_is_no_plan() {
        assert_eq!(plan(&Clock::default(), &TimeOptions::default(), Color::Black, 1), None);
        assert!(Clock::default().is_unlimited());
        assert!(!clock(0, 0, 0).is_unlimited());
    }

    #[test]
    fn the_budget_reserves_the_delay() {
        let budget = |total, delay, often| {
            let lateness = Lateness { often: ms(often), worst: ms(often), usual: ms(often) / 4 };
            let network_delay2 = ms(delay);
            budget(ms(total), &TimeOptions { network_delay2, lateness, ..near_zero_delay() })
        };
        assert_eq!(budget(100, 1120, 0), ms(75));
        assert_eq!(budget(10_000, 1120, 0), ms(8_880));
        assert_eq!(budget(400, 1120, 0), ms(300));
        assert_eq!(budget(60, 1120, 0), ms(40));
        assert_eq!(budget(100, 10, 0), ms(90));
        assert_eq!(budget(100, 10, 4), ms(84));
        assert_eq!(budget(100, 10, 400), ms(65));
        assert_eq!(budget(100, 1120, 400), ms(50));
        assert_eq!(budget(10_000, 10, 400), ms(9_390));
        assert_eq!(budget(24, 1120, 0), ms(12));
        assert_eq!(budget(2, 1120, 0), ms(1));
        assert_eq!(budget(1000, 0, 0), ms(1000));
        assert_eq!(budget(20, 1120, 50), ms(5));
        assert_eq!(budget(0, 1120, 50), ms(0));
    }

    #[test]
    fn a_single_late_answer_counts_beyond_the_delay() {
        let usable = |worst, delay| {
            let lateness = Lateness { often: ms(2), worst: ms(worst), usual: ms(1) };
            let network_delay2 = ms(delay);
            budget(ms(200), &TimeOptions { network_delay2, lateness, ..near_zero_delay() })
        };
        assert_eq!([2, 14, 30].map(|worst| usable(worst, 10)), [ms(186), ms(186), ms(170)]);
        assert_eq!([2, 14, 30].map(|worst| usable(worst, 0)), [ms(196), ms(186), ms(170)]);
    }

    #[test]
    fn fixed_times_and_pure_byoyomi_are_used_completely() {
        let fixed = |ms| Clock { movetime: Some(ms), ..Clock::default() };
        let short = Duration::from_micros(900);
        for (clock, expected) in [
            (fixed(short), short),
            (clock(0, 0, 100), ms(75)),
            (clock(0, 0, 1_000), ms(750)),
            (clock(0, 0, 10_000), ms(8_880)),
            // Nearly empty clock: byoyomi and the rest of the clock are used.
            (clock(500, 0, 10_000), ms(9_380)),
            // The smaller limit counts.
            (Clock { movetime: Some(ms(40)), ..clock(60_000, 0, 0) }, ms(40)),
            (Clock { movetime: Some(ms(5_000)), ..clock(0, 0, 100) }, ms(75)),
        ] {
            assert_eq!(plan_of(clock, &TimeOptions::default()), TimePlan::whole(expected));
        }
    }

    #[test]
    fn u_16_empty_clocks_leave_no_time_but_no_panic() {
        for options in [TimeOptions::default(), near_zero_delay()] {
            assert_eq!(plan_of(clock(0, 0, 0), &options), TimePlan::whole(Duration::ZERO));
            let plan = plan_of(clock(1, 0, 0), &options);
            assert!(plan.soft <= plan.hard && plan.hard <= ms(1), "{plan:?}");
        }
    }

    #[test]
    fn u_26_this_moves_increment_is_spent_only_from_an_empty_clock() {
        for options in [TimeOptions::default(), near_zero_delay()] {
            for remaining in [1, 10, 100, 1_000, 5_000, 60_000] {
                for increment in [100, 1_000, 10_000] {
                    let plan = plan_of(clock(remaining, increment, 0), &options);
                    assert!(plan.soft <= plan.hard && plan.hard <= ms(remaining));
                }
            }
        }
        // An empty clock can only be that of a client which adds the increment before the move.
        let empty = plan_of(clock(0, 10_000, 0), &TimeOptions::default());
        assert!(empty.soft > ms(2_000) && empty.hard < ms(3_000), "{empty:?}");
        // One quick move refills the clock, so later increments are planned.
        let plain = plan_of(clock(60_000, 0, 0), &near_zero_delay());
        let fischer = plan_of(clock(60_000, 5_000, 0), &near_zero_delay());
        assert!(fischer.soft >= plain.soft + ms(3_500));
    }

    #[test]
    fn every_plan_stays_within_the_budget() {
        for options in [TimeOptions::default(), near_zero_delay()] {
            for remaining in [0, 3, 50, 700, 10_000, 600_000, 86_400_000] {
                for byoyomi in [0, 100, 1_000, 30_000] {
                    for move_number in [1, 50, 150, 3_000] {
                        let clock = clock(remaining, 0, byoyomi);
                        let plan = plan(&clock, &options, Color::White, move_number)
                            .expect("a clock runs");
                        let limit = budget(ms(remaining + byoyomi), &options);
                        assert!(plan.soft <= plan.hard && plan.hard <= limit, "{clock:?} {plan:?}");
                        assert!(limit.is_zero() || !plan.soft.is_zero());
                    }
                }
            }
        }
    }

    #[test]
    fn started_seconds_are_used_to_their_end() {
        assert_eq!(round_up(ms(1), ms(120)), ms(880));
        assert_eq!(round_up(ms(880), ms(120)), ms(880));
        assert_eq!(round_up(ms(881), ms(120)), ms(1_880));
        assert_eq!(round_up(ms(10), ms(9_990)), ms(10));
        let plan = plan_of(clock(600_000, 0, 0), &TimeOptions::default());
        for span in [plan.soft, plan.hard] {
            assert_eq!((span + ms(120)).as_millis() % 1_000, 0, "{plan:?}");
        }
        // A clock of one second is not spent to complete a second.
        let plan = plan_of(clock(1_000, 100, 0), &TimeOptions::default());
        assert!(plan.soft < ms(200) && plan.hard <= ms(500), "{plan:?}");
    }

    #[test]
    fn the_last_move_uses_the_whole_clock() {
        let options = TimeOptions { max_moves_to_draw: 320, ..near_zero_delay() };
        let at = |number| {
            plan(&clock(60_000, 0, 0), &options, Color::White, number).expect("a clock runs")
        };
        assert_eq!(at(320), TimePlan::whole(ms(60_000)));
        assert_eq!(at(319), TimePlan::whole(ms(60_000)));
        assert!(at(318).soft < ms(31_000) && at(318).soft > ms(25_000));
        assert!(at(1).soft < ms(2_000));
    }

    #[test]
    fn options_scale_the_plan() {
        let base = near_zero_delay();
        let soft = |options| plan_of(clock(100_000, 0, 0), &options).soft;
        assert!(soft(TimeOptions { slow_mover: 50, ..base }) < soft(base));
        assert!(soft(TimeOptions { ponder: true, ..base }) > soft(base));
        let minimum = TimeOptions { minimum_thinking_time: ms(1_500), ..base };
        assert_eq!(soft(minimum), ms(1_500));
    }

    #[test]
    fn the_clock_lasts_for_a_whole_game() {
        // With the default options, a move lasts longer than planned.
        for options in [near_zero_delay(), TimeOptions::default()] {
            let mut left = ms(30_000);
            for number in 1..=80 {
                let clock = clock(left.as_millis() as u64, 0, 0);
                let plan = plan(&clock, &options, Color::Black, 2 * number - 1);
                left -= plan.expect("a clock runs").soft.mul_f64(1.4);
                let percent = left.as_millis() / 300;
                match number {
                    20 => assert!((55..75).contains(&percent), "{percent}"),
                    40 => assert!((30..50).contains(&percent), "{percent}"),
                    80 => assert!((2..15).contains(&percent), "{percent}"),
                    _ => {}
                }
            }
        }
    }

    /// Plays a game of `moves` own moves, some of them up to the hard limit, with a delay for each
    /// move. Returns the minimum time left at any moment, or `None` after a time loss.
    fn play(
        options: &TimeOptions,
        (mut left, increment, byoyomi): (i64, i64, i64),
        delay: i64,
        moves: u32,
    ) -> Option<i64> {
        let mut least = left;
        for number in 0..moves {
            let clock = clock(left as u64, increment as u64, byoyomi as u64);
            let plan = plan(&clock, options, Color::Black, 2 * number + 1)?;
            // Every fifth iteration is difficult; the others end slightly after the soft limit.
            let used = if number % 5 == 0 { plan.hard } else { plan.hard.min(plan.soft * 3 / 2) };
            let used = used.as_millis() as i64 + delay;
            let rest = left - used;
            if rest + byoyomi < 0 {
                return None;
            }
            least = least.min(rest.max(0));
            left = rest.max(0) + increment;
        }
        Some(least)
    }

    #[test]
    fn u_27_no_time_is_lost_in_long_games() {
        let near = near_zero_delay();
        assert!(play(&near, (1_000, 100, 0), 15, 300).is_some_and(|least| least > 30));
        assert!(play(&near, (10_000, 0, 0), 0, 160).is_some_and(|least| least > 20));
        assert!(play(&near, (10_000, 0, 0), 1, 120).is_some_and(|least| least > 20));
        for (clock, moves) in [(10_000, 200), (30_000, 215), (300_000, 250)] {
            assert!(play(&near, (clock, 0, 0), 1, moves).is_some(), "{clock}");
        }
        assert!(play(&near, (60_000, 0, 1_000), 0, 300).is_some());
        // On a busy machine, a move costs some milliseconds more.
        let lateness = Lateness { often: ms(5), worst: ms(5), usual: ms(5) };
        let usual = TimeOptions { lateness, ..TimeOptions::default() };
        assert!(play(&usual, (3_000, 0, 0), 5, 130).is_some());
        assert!(play(&usual, (600_000, 0, 0), 5, 200).is_some());
        assert!(play(&usual, (1_000, 100, 0), 15, 300).is_some_and(|least| least > 30));
    }
}
