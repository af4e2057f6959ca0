//! Filters of games.

use crate::record::Game;

#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct FilterArgs {
    /// Minimum number of moves
    #[arg(long, value_name = "PLIES", value_parser = crate::command::whole_number::<usize>)]
    min_plies: Option<usize>,
    /// Maximum number of moves
    #[arg(long, value_name = "PLIES", value_parser = crate::command::whole_number::<usize>)]
    max_plies: Option<usize>,
    /// Only games with a known result
    #[arg(long)]
    result_known: bool,
    /// Only games with this text in a field: player (either one), black, white, event, date, or any
    /// other field of the record (class=pro); if repeated, all must match
    #[arg(long = "match", value_name = "KEY=TEXT", value_parser = key_and_text)]
    matches: Vec<(String, String)>,
    /// Only games in which both players have at least this rating (fields black_rate and
    /// white_rate)
    #[arg(long, value_name = "RATING", value_parser = crate::command::number_in::<f64>(-1e6..=1e6))]
    min_rating: Option<f64>,
}

fn key_and_text(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or_else(|| format!("{text:?} is not KEY=TEXT"))?;
    Ok((key.to_owned(), value.to_owned()))
}

impl FilterArgs {
    pub fn accepts(&self, game: &Game) -> bool {
        let plies = game.moves().len();
        self.min_plies.is_none_or(|least| plies >= least)
            && self.max_plies.is_none_or(|most| plies <= most)
            && (!self.result_known || game.result.is_some())
            && self.matches.iter().all(|(key, text)| contains(game, key, text))
            && self.min_rating.is_none_or(|least| {
                ["black_rate", "white_rate"]
                    .into_iter()
                    .all(|key| rating(game, key).is_some_and(|value| value >= least))
            })
    }
}

fn contains(game: &Game, key: &str, text: &str) -> bool {
    let has = |key| game.header.get(key).is_some_and(|value| value.contains(text));
    if key == "player" { has("black") || has("white") } else { has(key) }
}

fn rating(game: &Game, key: &str) -> Option<f64> {
    game.header.get(key)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameReader;

    #[test]
    fn each_condition_alone() {
        let line = "startpos moves 7g7f 3c3d | winner=? | class=pro | black=Habu A | white=Oyama | \
                    black_rate=2100 | white_rate=1900.5\n";
        let mut games = GameReader::new("x.usi".as_ref(), line.as_bytes()).expect("a format");
        let game = games.next().expect("a line").expect("a game");
        let matching = |text: &str| FilterArgs {
            matches: vec![key_and_text(text).expect(text)],
            ..FilterArgs::default()
        };
        let least = |rating| FilterArgs { min_rating: Some(rating), ..FilterArgs::default() };
        for filter in [
            FilterArgs::default(),
            FilterArgs { min_plies: Some(2), max_plies: Some(2), ..FilterArgs::default() },
            matching("class=pro"),
            matching("player=Oya"),
            matching("player=Habu"),
            matching("black=A"),
            least(1900.0),
        ] {
            assert!(filter.accepts(&game), "{filter:?}");
        }
        for filter in [
            FilterArgs { min_plies: Some(3), ..FilterArgs::default() },
            FilterArgs { max_plies: Some(1), ..FilterArgs::default() },
            FilterArgs { result_known: true, ..FilterArgs::default() },
            matching("class=ama"),
            matching("white=Habu"),
            matching("event=x"),
            least(2000.0),
        ] {
            assert!(!filter.accepts(&game), "{filter:?}");
        }
        assert!(key_and_text("class").is_err());
    }
}
