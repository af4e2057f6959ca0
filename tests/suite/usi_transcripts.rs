//! Recorded sessions of clients. Their input is sent again in the same order, and each reply is
//! awaited. Replies must be of the same kind; moves may differ.

use std::fs;
use std::path::Path;

use kankei::shogi::movegen::has_legal_move;
use kankei::shogi::{DeclarationRule, Position};
use kankei::usi::{PositionText, UsiCommand};

use crate::program::Session;
use crate::usi_searchers::expect_answer;

/// Searches must be short; the client's own options are kept.
const SHORT: &str = "setoption name NodesLimit value 1000\nsetoption name NetworkDelay value 0\n\
                     setoption name NetworkDelay2 value 0";

/// The client's side of a recorded session.
struct Replay {
    session: Session,
    /// The last position; `None` if it was refused.
    position: Option<Position>,
    /// The position of the unanswered search, if any.
    searched: Option<Option<Position>>,
}

impl Replay {
    fn begin() -> Replay {
        let mut session = Session::start();
        session.send(SHORT);
        Replay { session, position: Some(Position::startpos()), searched: None }
    }

    fn send(&mut self, line: &str) {
        match UsiCommand::parse(line) {
            Some(UsiCommand::Position(text)) => self.set_position(&text),
            Some(UsiCommand::Go(_)) => {
                assert!(self.searched.is_none(), "{line}: a search is not answered");
                self.searched = Some(self.position.clone());
            }
            // A session may end before the recorded answer; the answer is checked anyway.
            Some(UsiCommand::Quit) => self.answer(),
            _ => {}
        }
        self.session.send(line);
    }

    fn set_position(&mut self, text: &PositionText) {
        self.position = text.to_position().ok();
    }

    /// Waits for the reply of the recorded engine.
    fn wait_for(&mut self, line: &str) {
        match line.split(' ').next() {
            Some("bestmove") => self.answer(),
            Some(word @ ("usiok" | "readyok")) => drop(self.session.ask("", word)),
            _ => {}
        }
    }

    fn answer(&mut self) {
        let Some(searched) = self.searched.take() else { return };
        let lines = self.session.ask("", "bestmove");
        match (lines[lines.len() - 1].as_str(), searched) {
            ("bestmove resign", None) => {}
            ("bestmove resign", Some(pos)) => assert!(!has_legal_move(&pos)),
            ("bestmove win", Some(pos)) => {
                assert!(pos.declaration(DeclarationRule::Csa27).is_some());
            }
            (_, Some(pos)) => expect_answer(&lines, &pos),
            (_, None) => panic!("{lines:?}"),
        }
    }
}

/// Replays one record and returns the number of its answers.
fn replay(text: &str) -> usize {
    let mut replay = Replay::begin();
    let mut answers = 0;
    for line in text.lines() {
        if let Some(line) = line.strip_prefix("recv:") {
            if line == "quit" {
                break;
            }
            replay.send(line);
        } else if let Some(line) = line.strip_prefix("send:") {
            answers += usize::from(line.starts_with("bestmove"));
            replay.wait_for(line);
        }
    }
    replay.answer();
    replay.session.quit();
    answers
}

#[test]
fn an_own_session_can_be_replayed() {
    let answers = replay(
        "recv:usi\nsend:usiok\nrecv:setoption name USI_Hash value 16\n\
         recv:setoption name USI_Ponder value true\nrecv:isready\nsend:readyok\nrecv:usinewgame\n\
         recv:position startpos moves 7g7f\nrecv:go btime 60000 wtime 60000 binc 1000 winc 1000\n\
         send:bestmove 3c3d ponder 2g2f\nrecv:position startpos moves 7g7f 3c3d 2g2f\n\
         recv:go ponder\nrecv:ponderhit btime 60000 wtime 60000 binc 1000 winc 1000\n\
         send:bestmove 8c8d\nrecv:position startpos moves 7g7f 3c3d 2g2f 8c8d 7f7g\n\
         recv:go byoyomi 1000\nsend:bestmove resign\nrecv:position startpos\nrecv:go ponder\n\
         recv:stop\nrecv:gameover win\nrecv:quit\n",
    );
    assert_eq!(answers, 3);
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn recorded_sessions_can_be_replayed() {
    let shared = std::env::var("KANKEI_SHARED").expect("KANKEI_SHARED names the shared folder");
    let folder = Path::new(&shared).join("data/suites/usi_transcripts");
    let (mut sessions, mut answers) = (0, 0);
    for entry in fs::read_dir(folder).expect("recorded sessions") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("text");
        sessions += 1;
        answers += replay(&text);
    }
    assert!(sessions >= 30 && answers >= 150, "{sessions} sessions, {answers} answers");
}
