//! Games of two engines: each side has its own.

use std::fmt;
use std::time::{Duration, Instant};

use super::program::{Allowance, Failure, Program};
use super::usage::Usage;
use crate::engine::clock::{self, Clock, Lateness, TimeOptions};
use crate::engine::{BestMove, Control, Engine, Limits, Outcome, Report, Settings};
use crate::lab::selfplay::{EngineFault, SelfplayConfig, SelfplayError, play_from, play_game};
use crate::record::{Ending, Game, GameBuilder, GameResult};
use crate::shogi::{Color, Position};

/// Who plays one side.
pub enum Contestant {
    /// A searcher of this program.
    Searcher(Box<dyn Engine>),
    /// Another program.
    Program(Program),
}

/// The clock of each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// At first.
    pub base: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// For each move once the base is used up; zero for Fischer clocks.
    pub byoyomi: Duration,
}

impl fmt::Display for TimeControl {
    /// `10000+100` or `0b1000`, milliseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [base, increment, byoyomi] =
            [self.base, self.increment, self.byoyomi].map(|time| time.as_millis());
        if byoyomi > 0 { write!(f, "{base}b{byoyomi}") } else { write!(f, "{base}+{increment}") }
    }
}

/// Two engines and the games between them. As an [`Engine`] it lets the one think for Black and the
/// other for White.
pub struct Pairing {
    /// The first and the second engine.
    contestants: [Contestant; 2],
    /// Without one, moves are limited by the games' budget alone.
    time_control: Option<TimeControl>,
    /// How far the first and the second engine may overstep a limit.
    margins: [Duration; 2],
    first_is_black: bool,
    /// Time left in this game. Indexed by [`Color`], like the others.
    remaining: [Duration; 2],
    usage: [Usage; 2],
    /// Why this game was lost, if something went wrong in the loser.
    failure: Option<Failure>,
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMatchGame {
    /// The game.
    pub game: Game,
    /// What each side used up, indexed by [`Color`].
    pub usage: [Usage; 2],
    /// What went wrong in the loser, if anything did.
    pub failure: Option<Failure>,
}

/// Beyond its limit a program is waited for so long before it is taken to hang.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longest wait for a search that time does not limit.
const LONGEST_SEARCH: Duration = Duration::from_secs(600);

impl PlayedMatchGame {
    /// 1 if the first engine won game number `game`, -1 if the second did, 0 for a draw.
    pub fn result(&self, game: u64) -> i32 {
        match self.game.result.and_then(GameResult::winner) {
            None => 0,
            Some(winner) if (winner == Color::Black) == is_first_black(game) => 1,
            Some(_) => -1,
        }
    }
}

/// The first engine is Black in even games.
pub(super) fn is_first_black(game: u64) -> bool {
    game.is_multiple_of(2)
}

impl Pairing {
    /// Two searchers of this program, without clocks. They stop themselves when their time is up, a
    /// moment late as the machine will have it; that loses no game.
    pub fn of_searchers(searchers: [Box<dyn Engine>; 2]) -> Pairing {
        Pairing::new(searchers.map(Contestant::Searcher), None, [PATIENCE; 2])
    }

    /// Two engines. `margins`: how far each may overstep a limit of time.
    pub fn new(
        contestants: [Contestant; 2],
        time_control: Option<TimeControl>,
        margins: [Duration; 2],
    ) -> Pairing {
        Pairing {
            contestants,
            time_control,
            margins,
            first_is_black: true,
            remaining: [Duration::ZERO; 2],
            usage: [Usage::default(); 2],
            failure: None,
        }
    }

    /// Plays game number `game` from where the opening ends; without one, both engines draw it
    /// while they play, by the number of the pair. `None` if `is_over` said so before the end.
    ///
    /// # Errors
    /// [`SelfplayError`] if a searcher of this program does something wrong but take too long. A
    /// program that does anything wrong loses.
    pub fn play(
        &mut self,
        game: u64,
        opening: Option<&Game>,
        config: &SelfplayConfig,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<PlayedMatchGame>, SelfplayError> {
        self.first_is_black = is_first_black(game);
        match play_from(opening, self, config, game / 2, is_over) {
            Ok(game) => Ok(game.map(|game| self.played(game))),
            Err(error) => self.lost_by(error).map(|game| Some(self.played(game))),
        }
    }

    fn played(&mut self, game: Game) -> PlayedMatchGame {
        PlayedMatchGame { game, usage: self.usage, failure: self.failure.take() }
    }

    /// The game as the side to move lost it.
    fn lost_by(&mut self, error: SelfplayError) -> Result<Game, SelfplayError> {
        let loser = error.played.replay(|_, _| ()).side_to_move();
        if self.failure.is_none()
            && let Contestant::Searcher(_) = self.side(loser)
        {
            return Err(error);
        }
        let wrong = match error.fault {
            EngineFault::Move(illegal) => Some(illegal.to_string()),
            EngineFault::Answer(BestMove::Declare) => Some("win".to_owned()),
            _ => None,
        };
        self.failure = self.failure.take().or(wrong.map(Failure::Illegal));
        let mut game = *error.played;
        game.result = Some(GameResult::win_of(!loser));
        game.ending = Some(match self.failure {
            None => Ending::Resignation,
            Some(Failure::Illegal(_)) => Ending::IllegalMove,
            Some(Failure::Time) => Ending::Time,
            Some(Failure::Crash | Failure::Hang) => Ending::Interruption,
        });
        Ok(game)
    }

    /// Which of the two engines plays `side`.
    fn number(&self, side: Color) -> usize {
        side.index() ^ usize::from(!self.first_is_black)
    }

    fn side(&mut self, side: Color) -> &mut Contestant {
        &mut self.contestants[self.number(side)]
    }

    fn margin(&self, side: Color) -> Duration {
        self.margins[self.number(side)]
    }

    /// The time that `side` has for its move at most, if time limits it.
    fn limit(&self, side: Color, control: &Control) -> Option<Duration> {
        match self.time_control {
            Some(times) => Some(self.remaining[side.index()] + times.byoyomi),
            None => control.hard_limit(),
        }
    }

    /// Plans a searcher's move by its clock, if it has one.
    fn plan(&self, pos: &Position, control: &Control) {
        let Some(times) = self.time_control else { return };
        let some = |time: Duration| (!time.is_zero()).then_some(time);
        let clock = Clock {
            remaining: self.remaining.map(Some),
            increment: [some(times.increment); 2],
            byoyomi: some(times.byoyomi),
            ..Clock::default()
        };
        if let Some(plan) =
            clock::plan(&clock, &LOCAL, pos.side_to_move(), pos.moves_made() as u32 + 1)
        {
            control.set_deadlines(control.started(), plan.soft, plan.hard);
        }
    }

    /// Stops the clock of `side` after a move.
    fn stop_clock(&mut self, side: Color, elapsed: Duration) {
        if let Some(times) = self.time_control {
            let remaining = &mut self.remaining[side.index()];
            *remaining = remaining.saturating_sub(elapsed) + times.increment;
        }
    }

    /// A program's search, or what went wrong, and the time that counts.
    fn ask(
        &mut self,
        pos: &Position,
        limits: &Limits,
        control: &Control,
    ) -> (Result<Outcome, Failure>, Duration) {
        let side = pos.side_to_move();
        let limit = self.limit(side, control);
        let longest = limit.map_or(LONGEST_SEARCH, |limit| limit + PATIENCE.max(self.margin(side)));
        let times = self.time_control;
        let allowed = Allowance {
            nodes: limits.nodes,
            movetime: limit.filter(|_| times.is_none()),
            remaining: self.remaining,
            increment: times.map_or(Duration::ZERO, |times| times.increment),
            byoyomi: times.map_or(Duration::ZERO, |times| times.byoyomi),
        };
        let Contestant::Program(program) = self.side(side) else {
            return (Err(Failure::Crash), Duration::ZERO);
        };
        program.search(pos, &allowed, longest)
    }
}

/// Time management for clocks without a network.
const LOCAL: TimeOptions = TimeOptions {
    network_delay: Duration::ZERO,
    network_delay2: Duration::from_millis(10),
    lateness: Lateness { worst: Duration::ZERO, usual: Duration::ZERO },
    minimum_thinking_time: Duration::from_millis(1),
    slow_mover: 100,
    round_up_to_full_second: false,
    max_moves_to_draw: 0,
    ponder: false,
};

impl Engine for Pairing {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        let mut remarks = Vec::new();
        for contestant in &mut self.contestants {
            // Programs are configured by their options alone.
            if let Contestant::Searcher(engine) = contestant {
                remarks.extend(engine.configure(settings));
            }
        }
        remarks
    }

    fn new_game(&mut self) {
        self.usage = [Usage::default(); 2];
        self.failure = None;
        self.remaining = [self.time_control.map_or(Duration::ZERO, |times| times.base); 2];
        for contestant in &mut self.contestants {
            match contestant {
                Contestant::Searcher(engine) => engine.new_game(),
                // What went wrong shows again at its first search.
                Contestant::Program(program) => drop(program.new_game()),
            }
        }
    }

    fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report<'_>),
    ) -> Outcome {
        let side = pos.side_to_move();
        let (start, limit) = (Instant::now(), self.limit(side, control));
        self.plan(pos, control);
        let (answer, elapsed) = match self.side(side) {
            Contestant::Searcher(engine) => {
                let outcome = engine.search(pos, limits, control, report);
                (Ok(outcome), start.elapsed())
            }
            Contestant::Program(_) => self.ask(pos, limits, control),
        };
        self.stop_clock(side, elapsed);
        let lost = Outcome { best: BestMove::Resign, info: None, nodes: 0 };
        let mut outcome = answer.unwrap_or_else(|failure| {
            self.failure = Some(failure);
            lost.clone()
        });
        if !matches!(self.failure, Some(Failure::Crash | Failure::Hang)) {
            let depth = outcome.info.as_ref().map(|info| info.depth);
            let nodes = Some(outcome.nodes).filter(|&nodes| nodes > 0);
            self.usage[side.index()].add_move(elapsed, depth, nodes);
        }
        if self.failure.is_none() && limit.is_some_and(|limit| elapsed > limit + self.margin(side))
        {
            self.failure = Some(Failure::Time);
            return lost;
        }
        if let Contestant::Program(_) = self.side(side) {
            // Programs may count nodes as they like.
            outcome.nodes = 0;
        }
        outcome
    }
}

/// Draws opening number `number` with games of `engine` against itself: its varied moves, and the
/// others between them.
///
/// # Errors
/// [`SelfplayError`] if the engine does something wrong.
pub fn draw_opening(
    engine: &mut dyn Engine,
    config: &SelfplayConfig,
    number: u64,
) -> Result<Game, SelfplayError> {
    // The first move behind the opening tells whether it is even.
    let config = SelfplayConfig { max_plies: config.opening.plies + 1, ..config.clone() };
    let game = play_game(engine, &config, number)?;
    let plies = game.moves().len();
    let end = (0..plies).rev().find(|&ply| game.score(ply).is_none()).map_or(0, |last| last + 1);
    let mut builder = GameBuilder::from_position(game.start_position());
    for &mv in &game.moves()[..end] {
        builder.push(mv).expect("a game's moves are legal");
    }
    Ok(builder.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::selfplay::SearchBudget;
    use crate::shogi::{Scope, movegen};

    /// Plays the first legal move, a little late.
    struct Late;

    impl Engine for Late {
        fn search(
            &mut self,
            pos: &Position,
            _: &Limits,
            control: &Control,
            _: &mut dyn FnMut(Report<'_>),
        ) -> Outcome {
            let limit = control.hard_limit().unwrap_or_default();
            std::thread::sleep(limit + Duration::from_millis(1));
            let first = movegen::legal_moves(pos, Scope::LEGAL)[0];
            Outcome { best: BestMove::Play(first, None), info: None, nodes: 1 }
        }
    }

    #[test]
    fn searchers_that_stop_a_moment_late_lose_no_game() {
        let mut pairing = Pairing::of_searchers([Box::new(Late), Box::new(Late)]);
        let config = SelfplayConfig {
            budget: SearchBudget::Time(Duration::from_millis(1)),
            max_plies: 6,
            ..SelfplayConfig::default()
        };
        let opening = GameBuilder::from_position(Position::startpos()).finish();
        let played = pairing.play(0, Some(&opening), &config, &|| false).expect("legal moves");
        let game = played.expect("played to its end").game;
        assert_eq!((game.moves().len(), game.ending), (6, Some(Ending::MaxMoves)));
    }
}
