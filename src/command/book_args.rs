//! Arguments of a command that plays from a book.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, FromArgMatches};

use crate::book::{Book, BookRules};
use crate::command::CliError;
use crate::usi::Options;

/// The book of a command, and the rules for its moves.
#[derive(Debug, clap::Args)]
pub(crate) struct BookArgs {
    /// Opening book of YaneuraOu, text (.db) or binary (.ybb)
    #[arg(long, value_name = "BOOK")]
    book: Option<PathBuf>,
    #[command(flatten)]
    rules: BookRuleArgs,
}

/// The rules for book moves. Each is a USI option with another form of the name: `BookMoves` is
/// `--book-moves`.
#[derive(Debug)]
struct BookRuleArgs(BookRules);

impl BookArgs {
    /// Opens the book, if there is one.
    pub fn open(&self) -> Result<Option<Book>, CliError> {
        Ok(self.book.as_deref().map(Book::open).transpose()?)
    }

    pub fn rules(&self) -> &BookRules {
        &self.rules.0
    }
}

/// The name of a USI option on the command line.
fn long_name(name: &str) -> String {
    let mut long = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !long.is_empty() {
            long.push('-');
        }
        long.push(c.to_ascii_lowercase());
    }
    long
}

/// No searcher: the options of a book do not depend on it.
fn usi_options() -> Options {
    Options::new(&[])
}

impl clap::Args for BookRuleArgs {
    fn augment_args(command: Command) -> Command {
        let options = usi_options();
        let argument = |(name, meaning): (&'static str, &str)| {
            let default = options.show(name).map(|(_, value)| value).unwrap_or_default();
            let check = move |text: &str| match usi_options().set(name, text) {
                Ok(_) => Ok(text.to_owned()),
                Err(error) => Err(error.expectation()),
            };
            Arg::new(name)
                .long(long_name(name))
                .value_name("VALUE")
                .help(format!("USI option {name}: {meaning} [default: {default}]"))
                .requires("book")
                .value_parser(check)
        };
        let arguments: Vec<Arg> = Options::of_book().map(argument).collect();
        command.args(arguments)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for BookRuleArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut options = usi_options();
        for (name, _) in Options::of_book() {
            if let Some(value) = matches.get_one::<String>(name) {
                options.set(name, value).expect("the parser has checked the value");
            }
        }
        Ok(BookRuleArgs(options.book_rules()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        book: BookArgs,
    }

    fn rules(line: &str) -> Result<BookRules, String> {
        let line = Line::try_parse_from(line.split(' ')).map_err(|error| error.to_string())?;
        Ok(line.book.rules().clone())
    }

    #[test]
    fn rules_are_those_of_usi() {
        assert_eq!(rules("kankei"), Ok(BookRules::default()));
        assert_eq!(rules("kankei --book x.db"), Ok(BookRules::default()));
        let all = "kankei --book x.db --book-moves 9 --book-eval-diff 100 --book-depth-limit 8 \
                   --book-eval-black-limit=-100 --book-eval-white-limit=-300 \
                   --ignore-book-ply true --flipped-book false";
        let expected = BookRules {
            last_move: 9,
            score_difference: 100,
            least_score: [-100, -300],
            least_depth: 8,
            any_number: true,
            turned: false,
        };
        assert_eq!(rules(all), Ok(expected));
    }

    #[test]
    fn wrong_values_and_rules_without_a_book_are_refused() {
        for (line, named) in [
            ("kankei --book x.db --book-moves 10001", "from 0 to 10000"),
            ("kankei --book x.db --flipped-book maybe", "true or false"),
            ("kankei --book-moves 9", "--book <BOOK>"),
        ] {
            let error = rules(line).expect_err(line);
            assert!(error.contains(named), "{error}");
        }
    }
}
