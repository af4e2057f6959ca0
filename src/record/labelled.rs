//! Labelled games: `m1 m2 m3 ... | s1 s2 s3 ... | result`.
//!
//! One game per line: USI moves from the standard start position (or after `sfen ... moves`), one
//! search score per move, and `b`, `w`, `d` or `?`. A score is that of the position before the move
//! from the view of the side to move: centipawns, `mN` mate in N plies, `-mN` mated in N plies, `.`
//! not searched. `>` before a score means at least, `<` at most; `/N` after it means depth N. The
//! format has no names.

use std::io::{self, Write};

use super::usi::{Play, play_text, read_play, read_result, read_scores, result_text, scores_text};
use super::{Fault, Game};

pub(super) fn read(line: &str) -> Result<Play, Fault> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let [play, scores, result] = parts.as_slice() else {
        return Err(Fault::unexpected("moves | scores | result", line));
    };
    let result = read_result(result)?;
    let mut play = read_play(play, Some(&read_scores(scores)?))?;
    play.game.result = result;
    Ok(play)
}

pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let play = play_text(game);
    let play = play.strip_prefix("startpos moves ").unwrap_or(&play);
    let scores = scores_text(game, |ply| game.searched_score(ply));
    writeln!(out, "{play} | {scores} | {}", result_text(game.result))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameResult, MoveScore, testing};

    fn read(line: &str) -> Result<Game, Fault> {
        super::read(line).map(|play| play.game)
    }

    #[test]
    fn lines_round_trip() {
        for line in [
            "7g7f 3c3d 2g2f | . -12 m15 | b\n",
            "sfen 4k4/9/9/9/9/9/9/9/4K4 w G 1 moves 5a5b | 7 | d\n",
            "7g7f 3c3d 2g2f 8c8d | -35/9 >120/8 <-7 -m4/12 | w\n",
            "startpos |  | ?\n",
        ] {
            let game = read(line.trim_end()).expect(line);
            assert_eq!(testing::written(write, &game), line);
        }
        let game = read("7g7f 3c3d 2g2f | . -12 m15 | b").expect("a game");
        assert_eq!(game.result, Some(GameResult::BlackWins));
        assert_eq!((game.score(0), game.score(2)), (None, Some(MoveScore::MatesIn(15))));
    }

    #[test]
    fn faults_name_the_culprit() {
        let message = |line: &str| read(line).expect_err(line).to_string();
        assert!(message("7g7f | 1").contains("7g7f | 1"));
        assert!(message("7g7f | 1 | b | w").contains("| w"));
        assert!(message("7g7f | 1 2 | b").contains("2 scores for 1 move"));
        for score in ["1e3", "35/", "35/0", ">.", "=35/9"] {
            assert!(message(&format!("7g7f | {score} | b")).contains(&format!("{score:?}")));
        }
        assert!(message("7g7f | 1 | x").contains("\"x\""));
        assert!(message("7g7e | 1 | b").contains("7g7e"));
    }
}
