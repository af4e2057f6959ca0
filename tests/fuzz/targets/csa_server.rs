//! Input of a CSA server: any lines in any order, with an engine that answers every search.

#![no_main]

use std::time::{Duration, Instant};

use kankei::csa::{
    Account, Action, Event, Found, GameSummary, Password, PlayOptions, ServerLine, Session,
    SessionOptions, Tally,
};
use kankei::engine::BestMove;
use kankei::shogi::{Scope, movegen};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let _ = GameSummary::parse(&lines);
    lines.iter().for_each(|line| drop(ServerLine::parse(line)));

    let options = SessionOptions {
        account: Account {
            name: "fuzz".to_owned(),
            password: Password::new("fuzz").expect("a word"),
            game: None,
        },
        play: PlayOptions {
            ponder: true,
            comments: true,
            resign_value: 3_000,
            nodes: None,
            margin: Duration::from_millis(100),
            event: None,
            site: "here".to_owned(),
        },
        games: 3,
        relogin: true,
    };
    let mut now = Instant::now();
    let (mut session, mut actions) = Session::begin(&options, Tally::default(), now);
    let mut lines = lines.into_iter();
    loop {
        // Requested actions are done immediately, before the next line.
        let event = match actions.pop() {
            Some(Action::Prepare(..)) => Event::Ready,
            Some(Action::Search(task)) => {
                let best = movegen::legal_moves(&task.root, Scope::LEGAL).first().copied();
                let best = Some(best.map_or(BestMove::Resign, |mv| BestMove::Play(mv, None)));
                Event::Found(Found { control: task.control, best, info: None })
            }
            Some(_) => continue,
            None => match lines.next() {
                Some(line) => Event::Line(line, now),
                None => break,
            },
        };
        now += Duration::from_millis(700);
        let more = session.handle(event, now);
        actions.splice(0..0, more.into_iter().rev());
    }
    session.handle(Event::Closed, now);
});
