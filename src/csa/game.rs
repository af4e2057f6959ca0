//! A game from `START` to its result.
//!
//! The server is the referee. A move counts when the server repeats it, times are those of the
//! server, and the game ends when the server sends the result. This side keeps the board and both
//! clocks, requests moves from the engine, and writes the record.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::event::{Action, FinishedGame, Found, Task};
use super::message::{ClientLine, Reason, Verdict};
use super::summary::GameSummary;
use super::time::GameClock;
use crate::engine::clock::{self, TimeOptions, TimePlan};
use crate::engine::{AnswerTimes, Control, Info, Limits, answer_move, overdue_at};
use crate::record::{
    Ending, GameBuilder, GameResult, Header, MoveScore, csa_move_text, csa_sign, read_csa_move,
    score_comment,
};
use crate::shogi::movegen::has_legal_move;
use crate::shogi::{Color, Declaration, DeclarationRule, Move, Position};

/// Thinking time per move in a game without time limits.
const UNLIMITED_MOVE: Duration = Duration::from_secs(10);
/// The clock must last for this many moves. Few games are longer.
const LONG_GAME: u32 = 256;
/// Expected average delay; the worst delay if that is smaller.
const AVERAGE_DELAY: Duration = Duration::from_millis(120);

/// Options of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayOptions {
    /// Think on the opponent's time.
    pub ponder: bool,
    /// Send score and principal variation with each move.
    pub comments: bool,
    /// Resign if the score is at most minus this, centipawns.
    pub resign_value: i32,
    /// Maximum nodes per search.
    pub nodes: Option<u64>,
    /// Time reserved for network delay.
    pub margin: Duration,
    /// Tournament or kind of game, for records.
    pub event: Option<String>,
    /// The server, for records.
    pub site: String,
}

/// A running search, or a finished search whose result is not used yet.
struct Thought {
    control: Arc<Control>,
    /// The predicted opponent's move while pondering.
    expected: Option<Move>,
    /// The best reported line.
    best: Option<Info>,
    found: Option<Found>,
}

/// A move sent to the server but not yet confirmed.
struct SentMove {
    mv: Move,
    text: String,
    score: Option<MoveScore>,
    /// The principal variation after the move.
    line: Vec<Move>,
}

/// A running game.
pub(super) struct Play {
    id: String,
    us: Color,
    rule: DeclarationRule,
    options: PlayOptions,
    time: TimeOptions,
    answer_times: AnswerTimes,
    clock: GameClock,
    builder: GameBuilder,
    thought: Option<Thought>,
    sent: Option<SentMove>,
    /// Whether a side has ended the game, so that no moves are sent.
    closed: bool,
    reason: Option<Reason>,
    rematch_on_draw: bool,
    began: Instant,
    header: Header,
}

impl Play {
    /// Starts a game. If the engine is to move, requests a search.
    pub fn begin(
        summary: GameSummary,
        options: &PlayOptions,
        now: Instant,
        out: &mut Vec<Action>,
    ) -> Play {
        let mut builder = GameBuilder::from(&summary.opening);
        for (ply, time) in summary.times.iter().enumerate() {
            if let Some(time) = time {
                builder.notes().set_time(ply, *time);
            }
        }
        let mut play = Play {
            header: header(&summary, options),
            time: time_options(&summary, options),
            answer_times: AnswerTimes::default(),
            id: summary.id,
            us: summary.us,
            rule: summary.declaration,
            options: options.clone(),
            clock: summary.clock,
            builder,
            thought: None,
            sent: None,
            closed: false,
            reason: None,
            rematch_on_draw: summary.rematch_on_draw,
            began: now,
        };
        play.think(now, out);
        play
    }

    /// Handles a move line read at `at`: our move confirmed, or the opponent's move.
    pub fn moved(&mut self, text: &str, time: Option<u32>, at: Instant, out: &mut Vec<Action>) {
        if self.sent.as_ref().is_some_and(|sent| sent.text == text) {
            self.confirm(time);
            return;
        }
        // For servers that do not repeat moves.
        if text.starts_with(csa_sign(!self.us)) {
            self.confirm(None);
        }
        let pos = self.builder.position();
        let mv = read_csa_move(pos, text).ok().filter(|&mv| pos.is_legal(mv));
        let Some(mv) = mv else {
            // The server judges an illegal move of the opponent. Other lines without a legal move
            // are ignored.
            if pos.side_to_move() != self.us {
                self.stop();
                self.note(&format!("illegal: {text}"));
                if let Some(time) = time {
                    self.note_time(!self.us, time);
                }
            }
            return;
        };
        self.record(mv, None, &[], time);
        let hit = self.thought.as_mut().filter(|thought| thought.expected == Some(mv));
        match hit {
            Some(thought) => {
                thought.expected = None;
                self.ponder_hit(at, out);
            }
            None => self.think(at, out),
        }
    }

    /// A side ends the game without a move.
    pub fn closing(&mut self, time: Option<u32>) {
        self.stop();
        self.closed = true;
        if let Some(time) = time {
            let side = self.builder.position().side_to_move();
            self.note_time(side, time);
        }
    }

    /// The server sends the reason for the end.
    pub fn ended_by(&mut self, reason: Reason) {
        self.stop();
        self.closed = true;
        self.reason = Some(reason);
    }

    /// A search has reported a better line.
    pub fn heard(&mut self, control: &Arc<Control>, better: Info) {
        if let Some(thought) = self.thought_of(control) {
            thought.best = Some(better);
        }
    }

    /// A search has finished. If it did not finish normally, its best reported line is used.
    pub fn found(&mut self, mut found: Found, now: Instant, out: &mut Vec<Action>) {
        let Some(thought) = self.thought_of(&found.control) else { return };
        if found.best.is_none() {
            found.info = found.info.or(thought.best.take());
        }
        if thought.expected.is_some() {
            thought.found = Some(found);
        } else {
            self.thought = None;
            self.decide(&found, now, out);
        }
    }

    /// The search with this control, unless its result is no longer wanted.
    fn thought_of(&mut self, control: &Arc<Control>) -> Option<&mut Thought> {
        self.thought.as_mut().filter(|thought| Arc::ptr_eq(&thought.control, control))
    }

    /// When to answer without waiting for the search to end; `None` to wait.
    pub fn overdue_at(&self, now: Instant) -> Option<Instant> {
        let thought = self.thought.as_ref().filter(|thought| thought.expected.is_none())?;
        overdue_at(&thought.control, None, thought.best.is_some(), now)
    }

    /// If the search is overdue, stops it and answers with its best reported line. Its result is
    /// ignored.
    pub fn answer_if_overdue(&mut self, now: Instant, out: &mut Vec<Action>) {
        if self.overdue_at(now).is_none_or(|moment| now < moment) {
            return;
        }
        let Some(Thought { control, best, .. }) = self.thought.take() else { return };
        control.stop();
        self.decide(&Found { control, best: None, info: best }, now, out);
    }

    /// Interrupts the game.
    pub fn interrupt(&mut self, out: &mut Vec<Action>) {
        self.stop();
        self.closed = true;
        out.push(Action::Send(ClientLine::Interrupt));
    }

    /// The record of the game. Without a verdict, the game was interrupted.
    pub fn finish(mut self, verdict: Option<Verdict>, now: Instant) -> FinishedGame {
        self.stop();
        let words = [self.reason.map(|reason| reason.word), verdict.map(Verdict::word)];
        let words: Vec<String> = words.iter().flatten().map(|word| format!("#{word}")).collect();
        if words.is_empty() {
            self.note("the connection was lost");
        } else {
            self.note(&words.join(" "));
        }
        let mut game = self.builder.finish();
        game.result = verdict.map(|verdict| match verdict {
            Verdict::Win => GameResult::win_of(self.us),
            Verdict::Lose => GameResult::win_of(!self.us),
            Verdict::Draw | Verdict::Censored => GameResult::Draw,
        });
        game.ending = self.reason.map(|reason| reason.ending);
        if verdict.is_none() {
            game.ending = Some(Ending::Interruption);
        }
        game.header = self.header;
        let lasted = now.saturating_duration_since(self.began);
        FinishedGame { id: self.id, game, lasted }
    }

    /// Whether a draw is followed by another game immediately.
    pub fn rematch_on_draw(&self) -> bool {
        self.rematch_on_draw
    }

    /// Stops the search and discards its result.
    fn stop(&mut self) {
        if let Some(thought) = self.thought.take() {
            thought.control.stop();
        }
    }

    /// Starts a search for our move if it is our turn. The time counts from `at`.
    fn think(&mut self, at: Instant, out: &mut Vec<Action>) {
        self.stop();
        let pos = self.builder.position();
        if self.closed || pos.side_to_move() != self.us {
            return;
        }
        if !self.answer_at_once(out) {
            let control = Control::new(at);
            self.set_deadlines(&control, at);
            self.search(self.builder.position().clone(), control, None, out);
        }
    }

    /// Declares or resigns if that needs no search.
    fn answer_at_once(&mut self, out: &mut Vec<Action>) -> bool {
        let pos = self.builder.position();
        let line = if pos.declaration(self.rule) == Some(Declaration::Declare) {
            ClientLine::Declare
        } else if !has_legal_move(pos) {
            ClientLine::Resign
        } else {
            return false;
        };
        self.stop();
        self.closed = true;
        out.push(Action::Send(line));
        true
    }

    fn search(
        &mut self,
        root: Position,
        control: Control,
        expected: Option<Move>,
        out: &mut Vec<Action>,
    ) {
        let control = Arc::new(control);
        let limits = Limits { nodes: self.options.nodes, ..Limits::default() };
        let task = Task { root, limits, control: Arc::clone(&control) };
        self.thought = Some(Thought { control, expected, best: None, found: None });
        out.push(Action::Search(Box::new(task)));
    }

    /// The opponent played the predicted move at `at`; the time counts from now on.
    fn ponder_hit(&mut self, at: Instant, out: &mut Vec<Action>) {
        if self.answer_at_once(out) {
            return;
        }
        let Some(thought) = &mut self.thought else { return };
        match thought.found.take() {
            Some(found) => {
                self.thought = None;
                self.decide(&found, at, out);
            }
            None => {
                let control = Arc::clone(&thought.control);
                self.set_deadlines(&control, at);
            }
        }
    }

    /// Plays the move that was found, or resigns.
    fn decide(&mut self, found: &Found, now: Instant, out: &mut Vec<Action>) {
        self.answer_times.note(found.control.lateness(now));
        let pos = self.builder.position();
        let info = found.info.as_ref();
        let line = info.map_or(&[][..], |info| &info.pv);
        let answer = answer_move(&mut pos.clone(), found.best, line, &[]);
        let Some((mv, reply)) = answer else { return };
        let score = info.map(|info| info.score);
        if score.is_some_and(|score| score.to_cp() <= -self.options.resign_value) {
            self.closed = true;
            out.push(Action::Send(ClientLine::Resign));
            return;
        }
        let line = info.and_then(|info| info.pv.strip_prefix(&[mv])).unwrap_or_default().to_vec();
        let text = csa_move_text(pos, mv);
        let number = pos.move_number();
        let mut after = pos.clone();
        after.do_move(mv);
        let score = score.map(MoveScore::from);
        let comment = score.map(|score| score_comment(&after, score, &line));
        out.push(Action::Report(match info {
            Some(info) => format!("{number:>3} {text} depth {} score {}", info.depth, info.score),
            None => format!("{number:>3} {text}"),
        }));
        let comment = comment.filter(|_| self.options.comments);
        out.push(Action::Send(ClientLine::Move { text: text.clone(), comment }));
        self.sent = Some(SentMove { mv, text, score, line });
        if let Some(reply) = reply.filter(|_| self.options.ponder) {
            after.do_move(reply);
            if has_legal_move(&after) {
                let control = Control::new(now);
                if let Some(plan) = self.plan(after.move_number()) {
                    control.ponder(plan.soft);
                }
                self.search(after, control, Some(reply), out);
            }
        }
    }

    fn set_deadlines(&self, control: &Control, at: Instant) {
        if let Some(plan) = self.plan(self.builder.position().move_number()) {
            control.set_deadlines(at, plan.soft, plan.hard);
        }
    }

    /// The plan of our move with this number, by the current clock.
    fn plan(&self, number: u32) -> Option<TimePlan> {
        let longest =
            if self.time.max_moves_to_draw == 0 { LONG_GAME } else { self.time.max_moves_to_draw };
        let mut clock = self.clock.to_clock(self.us, longest.saturating_sub(number) / 2 + 1);
        if clock.is_unlimited() && self.options.nodes.is_none() {
            clock.movetime = Some(UNLIMITED_MOVE);
        }
        let time = TimeOptions { lateness: self.answer_times.expected(), ..self.time };
        clock::plan(&clock, &time, self.us, number)
    }

    /// Confirms the move that was sent.
    fn confirm(&mut self, time: Option<u32>) {
        if let Some(SentMove { mv, score, line, .. }) = self.sent.take() {
            self.record(mv, score, &line, time);
        }
    }

    /// Plays a legal move. `time`: the time used, in units of the server.
    fn record(&mut self, mv: Move, score: Option<MoveScore>, line: &[Move], time: Option<u32>) {
        let side = self.builder.position().side_to_move();
        let ply = self.builder.position().moves_made();
        self.sent = None;
        self.note_time(side, time.unwrap_or_default());
        self.builder.notes().set_line(ply, line);
        self.builder.push_scored(mv, score.map(Into::into)).expect("the move was found legal");
    }

    /// Records the time of the next move, or of the line that ends the game.
    fn note_time(&mut self, side: Color, time: u32) {
        let time = self.clock.settings(side).units(time);
        self.clock.spend(side, time);
        let ply = self.builder.position().moves_made();
        self.builder.notes().set_time(ply, time);
    }

    fn note(&mut self, text: &str) {
        let moves = self.builder.position().moves_made();
        self.builder.notes().add_comment(moves, text);
    }
}

fn header(summary: &GameSummary, options: &PlayOptions) -> Header {
    let mut header = Header::default();
    let [black, white] = &summary.names;
    let time = summary.clock.settings(summary.us).text();
    for (key, value) in [
        ("black", black.as_str()),
        ("white", white),
        ("event", options.event.as_deref().unwrap_or_default()),
        ("site", &options.site),
        ("game_id", &summary.id),
        ("time", &time),
    ] {
        header.set(key, value);
    }
    if summary.max_moves > 0 {
        header.set("max_moves", &summary.max_moves.to_string());
    }
    header
}

fn time_options(summary: &GameSummary, options: &PlayOptions) -> TimeOptions {
    let own = summary.clock.settings(summary.us);
    let plain = TimeOptions::default();
    TimeOptions {
        network_delay: options.margin.min(AVERAGE_DELAY),
        network_delay2: options.margin,
        minimum_thinking_time: plain.minimum_thinking_time.max(own.least),
        round_up_to_full_second: own.unit >= Duration::from_secs(1),
        max_moves_to_draw: summary.max_moves,
        ponder: options.ponder,
        ..plain
    }
}
