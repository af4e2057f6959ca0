//! Games between two engines, one for each side.

use std::fmt;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::program::{Allowance, Program};
use super::usage::Usage;
use crate::engine::clock::{self, Clock, Lateness, TimeOptions};
use crate::engine::{BestMove, Control, Engine, Outcome, Query, Report, Settings};
use crate::lab::selfplay::{EngineFault, SelfplayConfig, SelfplayError, play_from, play_game};
use crate::record::{Ending, Game, GameBuilder, GameResult};
use crate::shogi::{Color, Declaration, DeclarationRule, Position};

/// The player of one side.
pub enum Contestant {
    /// A searcher of this program.
    Searcher(Box<dyn Engine>),
    /// Another program.
    Program(Program),
}

/// The clock of each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Initial time.
    pub base: Duration,
    /// Time added after every move.
    pub increment: Duration,
    /// Time per move after the base is used up; zero for Fischer clocks.
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

/// Two engines and the games between them. As an [`Engine`], it lets one engine play Black and the
/// other White.
pub struct Pairing {
    /// The first and the second engine.
    contestants: [Contestant; 2],
    /// `None`: only the budget of the games limits the moves.
    time_control: Option<TimeControl>,
    /// Tolerance of each engine beyond a time limit.
    margins: [Duration; 2],
    first_is_black: bool,
    /// The rule by which searchers of this program declare.
    declaration: DeclarationRule,
    /// Remaining time in this game, indexed by [`Color`] like the fields below.
    remaining: [Duration; 2],
    usage: [Usage; 2],
    /// The failure by which this game was lost, if any.
    failure: Option<Failure>,
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMatchGame {
    /// The game.
    pub game: Game,
    /// Resources used by each side, indexed by [`Color`].
    pub usage: [Usage; 2],
    /// The failure of the loser, if any.
    pub failure: Option<Failure>,
}

/// Time beyond its limit after which a program counts as hanging.
const PATIENCE: Duration = Duration::from_secs(30);
/// Maximum duration of a search without a time limit.
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
    /// Two searchers of this program, without clocks. They stop by themselves. They may stop
    /// slightly late, depending on the machine, without losing the game.
    pub fn of_searchers(searchers: [Box<dyn Engine>; 2]) -> Pairing {
        Pairing::new(searchers.map(Contestant::Searcher), None, [PATIENCE; 2])
    }

    /// Two engines. `margins`: tolerance of each beyond a time limit.
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
            declaration: DeclarationRule::None,
            remaining: [Duration::ZERO; 2],
            usage: [Usage::default(); 2],
            failure: None,
        }
    }

    /// Plays game number `game` from the end of the opening. Without an opening, both engines draw
    /// it while they play, depending on the number of the pair. `None` if `is_over` returned true
    /// before the end.
    ///
    /// # Errors
    /// [`SelfplayError`] for any fault of a searcher of this program except a time overrun. A
    /// program with a fault loses the game.
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
            // The program did not fail: the wait for it was ended.
            Err(_) if is_over() && self.has_lost_a_program() => Ok(None),
            Err(error) => self.lost_by(error).map(|game| Some(self.played(game))),
        }
    }

    /// Whether a program crashed or did not answer.
    fn has_lost_a_program(&self) -> bool {
        matches!(self.failure, Some(Failure::Crash | Failure::Hang))
    }

    fn played(&mut self, game: Game) -> PlayedMatchGame {
        PlayedMatchGame { game, usage: self.usage, failure: self.failure.take() }
    }

    /// The game, lost by the side to move.
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

    /// The index of the engine that plays `side`.
    fn number(&self, side: Color) -> usize {
        side.index() ^ usize::from(!self.first_is_black)
    }

    fn side(&mut self, side: Color) -> &mut Contestant {
        &mut self.contestants[self.number(side)]
    }

    fn margin(&self, side: Color) -> Duration {
        self.margins[self.number(side)]
    }

    /// The maximum time of `side` for its move, if time is limited.
    fn limit(&self, side: Color, control: &Control) -> Option<Duration> {
        match self.time_control {
            Some(times) => Some(self.remaining[side.index()] + times.byoyomi),
            None => control.hard_limit(),
        }
    }

    /// Sets the deadlines of a searcher's move by its clock, if any.
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

    /// Runs a search of a program. Returns its result or failure, and the time that counts.
    fn ask(&mut self, query: Query<'_>) -> (Result<Outcome, Failure>, Duration) {
        let Query { pos, limits, control } = query;
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

/// Time management for local clocks without a network.
const LOCAL: TimeOptions = TimeOptions {
    network_delay: Duration::ZERO,
    network_delay2: Duration::from_millis(10),
    lateness: Lateness { often: Duration::ZERO, worst: Duration::ZERO, usual: Duration::ZERO },
    minimum_thinking_time: Duration::from_millis(1),
    slow_mover: 100,
    round_up_to_full_second: false,
    max_moves_to_draw: 0,
    ponder: false,
};

impl Engine for Pairing {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        self.declaration = settings.declaration;
        let mut remarks = Vec::new();
        for contestant in &mut self.contestants {
            // Programs are configured only by their options.
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
                // A failure here ends the first search as a crash.
                Contestant::Program(program) => drop(program.new_game()),
            }
        }
    }

    fn search(&mut self, query: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome {
        let Query { pos, control, .. } = query;
        let side = pos.side_to_move();
        let (start, limit) = (Instant::now(), self.limit(side, control));
        self.plan(pos, control);
        let may_declare = pos.declaration(self.declaration) == Some(Declaration::Declare);
        let (answer, elapsed) = match self.side(side) {
            // The searchers leave this to their caller, as in a USI session.
            Contestant::Searcher(_) if may_declare => {
                (Ok(Outcome { best: BestMove::Declare, info: None, nodes: 0 }), start.elapsed())
            }
            Contestant::Searcher(engine) => {
                let outcome = engine.search(query, report);
                (Ok(outcome), start.elapsed())
            }
            Contestant::Program(_) => self.ask(query),
        };
        self.stop_clock(side, elapsed);
        let lost = Outcome { best: BestMove::Resign, info: None, nodes: 0 };
        let mut outcome = answer.unwrap_or_else(|failure| {
            self.failure = Some(failure);
            lost.clone()
        });
        if !self.has_lost_a_program() {
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
            // Programs may count nodes differently.
            outcome.nodes = 0;
        }
        outcome
    }
}

/// Draws opening number `number` by playing games of `engine` against itself: its varied moves and
/// the moves between them.
///
/// # Errors
/// [`SelfplayError`] for a fault of the engine.
pub fn draw_opening(
    engine: &mut dyn Engine,
    config: &SelfplayConfig,
    number: u64,
) -> Result<Game, SelfplayError> {
    // The score of the first move after the opening decides whether the opening is balanced.
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

    /// Plays the first legal move, slightly late.
    struct Late;

    impl Engine for Late {
        fn search(&mut self, query: Query<'_>, _: &mut dyn FnMut(Report)) -> Outcome {
            let limit = query.control.hard_limit().unwrap_or_default();
            std::thread::sleep(limit + Duration::from_millis(1));
            let first = movegen::legal_moves(query.pos, Scope::LEGAL)[0];
            Outcome { best: BestMove::Play(first, None), info: None, nodes: 1 }
        }
    }

    #[test]
    fn searchers_that_stop_slightly_late_do_not_lose() {
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

    #[test]
    fn searchers_declare_by_the_rule_of_the_games() {
        let entered = "1+R+R+N+NG+L+L1/3K1+P+P+P1/2+P+P5/9/9/9/9/4k4/9 b 2B3G3P 1";
        let pos = Position::from_sfen(entered).expect("valid");
        let opening = GameBuilder::from_position(pos).finish();
        let ending = |declaration| {
            let config = SelfplayConfig {
                budget: SearchBudget::Time(Duration::from_millis(1)),
                declares: false,
                max_plies: 2,
                settings: Settings { declaration, ..Settings::default() },
                ..SelfplayConfig::default()
            };
            let mut pairing = Pairing::of_searchers([Box::new(Late), Box::new(Late)]);
            let played = pairing.play(0, Some(&opening), &config, &|| false).expect("no fault");
            let game = played.expect("played to its end").game;
            (game.moves().len(), game.ending)
        };
        assert_eq!(ending(DeclarationRule::Csa27), (0, Some(Ending::Declaration)));
        assert_eq!(ending(DeclarationRule::None), (2, Some(Ending::MaxMoves)));
    }
}
