//! One game: start position, moves, result and players.

use super::{DRAW, Ending, GameResult, MoveScore, Notes, SearchedScore};
use crate::shogi::{Color, IllegalMove, Move, Position, STARTPOS, SfenError};

/// A finished or interrupted game. All moves are legal, because only [`GameBuilder`] creates games.
///
/// ```
/// use kankei::record::GameBuilder;
/// let mut builder = GameBuilder::new();
/// for text in ["7g7f", "3c3d", "8h2b+"] {
///     builder.push(text.parse().expect("a move")).expect("legal");
/// }
/// assert!(builder.push("9g9f".parse().expect("a move")).is_err(), "it is White's turn");
/// let game = builder.finish();
/// let mut captures = 0;
/// game.replay(|pos, mv| captures += usize::from(pos.is_capture(mv)));
/// assert_eq!((game.moves().len(), captures), (3, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// SFEN; `None` for the standard start position.
    start: Option<Box<str>>,
    pub(super) moves: Vec<Move>,
    /// One per move; empty if no move has one.
    scores: Vec<Option<SearchedScore>>,
    /// In the order of [`Game::variations`]. A variation has none of its own.
    pub(super) variations: Vec<Variation>,
    /// Who won; `None` if the record does not say.
    pub result: Option<GameResult>,
    /// How the game ended; `None` if the record does not say.
    pub ending: Option<Ending>,
    /// Players, event, date and other fields.
    pub header: Header,
    /// Times, comments and expected lines, if the record has any.
    pub notes: Notes,
}

impl Game {
    /// The start position as SFEN.
    pub fn start_sfen(&self) -> &str {
        self.start.as_deref().unwrap_or(STARTPOS)
    }

    /// Whether the game started from the standard start position.
    pub fn is_from_usual_start(&self) -> bool {
        self.start.is_none()
    }

    /// The side that makes move `ply` (0 = first).
    pub fn mover(&self, ply: usize) -> Color {
        let side = self.start_sfen().split(' ').nth(1);
        let first = if side == Some("w") { Color::White } else { Color::Black };
        if ply.is_multiple_of(2) { first } else { !first }
    }

    /// The start position.
    pub fn start_position(&self) -> Position {
        Position::from_sfen(self.start_sfen()).expect("the builder has read this start")
    }

    /// The winner of a game without a known ending.
    pub(super) fn bare_winner(&self) -> Option<Color> {
        self.result.and_then(GameResult::winner).filter(|_| self.ending.is_none())
    }

    /// The word for the end of the game in JSON: that of its ending, or [`DRAW`] if it is drawn and
    /// its ending does not say so.
    pub fn end_name(&self) -> Option<&'static str> {
        let is_drawn = self.result == Some(GameResult::Draw);
        let ending = self.ending.filter(|ending| !is_drawn || ending.is_draw());
        ending.map(Ending::name).or(is_drawn.then_some(DRAW))
    }

    /// The moves of the main line, first to last.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The variations, in the order of KIF: behind each line its own, those of later moves first. A
    /// walk through the list therefore only takes back moves and plays others.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// The same, to be annotated.
    pub fn variations_mut(&mut self) -> &mut [Variation] {
        &mut self.variations
    }

    /// The search score before move `ply` (0 = first); `None` if that move was not searched for
    /// its strength.
    pub fn score(&self, ply: usize) -> Option<MoveScore> {
        self.searched_score(ply).map(|searched| searched.score)
    }

    /// The same with the bound and the depth of the search.
    pub fn searched_score(&self, ply: usize) -> Option<SearchedScore> {
        self.scores.get(ply).copied().flatten()
    }

    /// Sets an exact search score before move `ply`. Panics if there is no such move.
    pub fn set_score(&mut self, ply: usize, score: MoveScore) {
        self.scores.resize(self.moves.len(), None);
        self.scores[ply] = Some(score.into());
    }

    /// Whether the player chose move `ply` (0 = first) for its strength: the move has a score, no
    /// move of the game has a score, or time was spent on the move. In games against other
    /// programs, often only one player's scores are known.
    pub fn is_choice(&self, ply: usize) -> bool {
        let is_scored = self.scores.is_empty() || self.score(ply).is_some();
        is_scored || self.notes.time(ply).is_some()
    }

    /// Calls `visit` with each move and the position before it. Returns the last position.
    pub fn replay(&self, mut visit: impl FnMut(&Position, Move)) -> Position {
        let mut pos = self.start_position();
        for &mv in &self.moves {
            visit(&pos, mv);
            pos.do_move(mv);
        }
        pos
    }
}

/// A line that replaces the moves of another line from one ply on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Index of the variation that it leaves; `None` for the main line.
    pub(super) parent: Option<usize>,
    pub(super) ply: usize,
    pub(super) line: Game,
}

impl Variation {
    /// Index of the variation that this one leaves; `None` for the main line. It is a smaller index
    /// than that of this variation.
    pub fn parent(&self) -> Option<usize> {
        self.parent
    }

    /// The ply that its first move replaces, 0 = first of the game. Larger than the ply of its
    /// parent.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// Moves, scores, notes and ending, from the position before its first move. Plies are counted
    /// from there.
    pub fn line(&self) -> &Game {
        &self.line
    }

    /// The same, to be annotated.
    pub fn line_mut(&mut self) -> &mut Game {
        &mut self.line
    }
}

impl Game {
    /// The main line and the variations, each with the ply of its first move. The moves before it
    /// are those of the previous line, up to that ply.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &Game)> {
        let variations = self.variations.iter().map(|variation| (variation.ply, &variation.line));
        std::iter::once((0, self)).chain(variations)
    }

    /// The line with this index, and its first ply.
    fn line(&self, index: Option<usize>) -> (usize, &Game) {
        let variation = index.map(|index| &self.variations[index]);
        variation.map_or((0, self), |variation| (variation.ply, &variation.line))
    }

    /// Whether a line has something to replace at this ply: a move, or its end.
    pub(super) fn has_entry(&self, index: Option<usize>, ply: usize) -> bool {
        let (first, line) = self.line(index);
        ply - first < line.moves.len() + usize::from(line.is_closed())
    }

    /// Whether the end is known. A variation can then replace it.
    fn is_closed(&self) -> bool {
        self.result.is_some() || self.ending.is_some()
    }

    /// Whether the game has neither moves nor an end.
    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty() && !self.is_closed()
    }

    /// Adds a variation that replaces move `ply` of the main line or of another variation, behind
    /// those that do so already. The header of `line` is dropped; its comments before the first
    /// move go to the parent.
    ///
    /// Returns the index of the variation, which changes those behind it. `None` if the parent has
    /// neither such a move nor an end there, or if `line` is empty or does not start in that
    /// position. Cost: the moves before it, and the variations of the game.
    pub fn add_variation(
        &mut self,
        parent: Option<usize>,
        ply: usize,
        mut line: Game,
    ) -> Option<usize> {
        let first = self.line(parent).0;
        let is_inside = ply >= first + usize::from(parent.is_some());
        if !is_inside || !self.has_entry(parent, ply) || line.is_empty() {
            return None;
        }
        if self.position_before(parent, ply).to_sfen() != line.start_sfen() {
            return None;
        }
        (line.header, line.variations) = (Header::default(), Vec::new());
        let from = parent.map_or(0, |parent| parent + 1);
        let is_before = |other: &Variation| {
            parent.is_none_or(|_| other.ply > first) && (other.parent != parent || other.ply >= ply)
        };
        let behind = self.variations[from..].iter().position(|other| !is_before(other));
        let at = behind.map_or(self.variations.len(), |behind| from + behind);
        for later in &mut self.variations[at..] {
            later.parent = later.parent.map(|parent| parent + usize::from(parent >= at));
        }
        self.insert_variation(at, Variation { parent, ply, line });
        Some(at)
    }

    pub(super) fn insert_variation(&mut self, at: usize, mut variation: Variation) {
        let Variation { parent, ply, line } = &mut variation;
        if let Some(comment) = line.notes.take_comment(0) {
            let before = *ply - self.line(*parent).0;
            let parent = parent.map_or(&mut self.notes, |at| &mut self.variations[at].line.notes);
            parent.add_comment(before, &comment);
        }
        self.variations.insert(at, variation);
    }

    /// The position before move `ply` of the main line or of a variation. Panics if that line
    /// starts later or is shorter. Cost: the moves before it.
    pub fn position_before(&self, mut index: Option<usize>, ply: usize) -> Position {
        let (mut parts, mut end) = (Vec::new(), ply);
        loop {
            let (first, line) = self.line(index);
            parts.push(&line.moves()[..end - first]);
            end = first;
            match index {
                Some(at) => index = self.variations[at].parent,
                None => break,
            }
        }
        let mut pos = self.start_position();
        for &mv in parts.into_iter().rev().flatten() {
            pos.do_move(mv);
        }
        pos
    }
}

/// The header of a record. Texts are kept unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Names, Black first.
    pub players: [Option<String>; 2],
    /// Tournament or match.
    pub event: Option<String>,
    /// When it was played.
    pub date: Option<String>,
    /// Other fields: keys and values in the order of the record. Equivalent keys of CSA and KIF
    /// share one key here (`site`, `end_time`, `time_limit`, `opening`, `note`).
    pub fields: Vec<(String, String)>,
}

impl Header {
    /// The value of the first field with this key; `black`, `white`, `event` and `date` included.
    pub fn get(&self, key: &str) -> Option<&str> {
        match key {
            "black" => self.players[0].as_deref(),
            "white" => self.players[1].as_deref(),
            "event" => self.event.as_deref(),
            "date" => self.date.as_deref(),
            _ => self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str()),
        }
    }

    /// Number of keys with a value.
    pub fn len(&self) -> usize {
        let named = [&self.players[0], &self.players[1], &self.event, &self.date];
        named.into_iter().flatten().count() + self.fields.len()
    }

    /// Whether no key has a value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets the value of a key. Other fields are appended. Empty values are ignored.
    pub fn set(&mut self, key: &str, value: &str) {
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        let place = match key {
            "black" => &mut self.players[0],
            "white" => &mut self.players[1],
            "event" => &mut self.event,
            "date" => &mut self.date,
            _ => {
                self.fields.push((key.to_owned(), value.to_owned()));
                return;
            }
        };
        *place = Some(value.to_owned());
    }
}

/// Builds a game and checks each added move.
#[derive(Clone, Debug)]
pub struct GameBuilder {
    pos: Position,
    game: Game,
}

impl GameBuilder {
    /// A game from the standard start position.
    pub fn new() -> GameBuilder {
        GameBuilder::from_position(Position::startpos())
    }

    /// A game from another position.
    ///
    /// # Errors
    /// [`SfenError`] as [`Position::from_sfen`].
    pub fn from_sfen(sfen: &str) -> Result<GameBuilder, SfenError> {
        Position::from_sfen(sfen).map(GameBuilder::from_position)
    }

    /// A game from a position without history. Panics if moves were made on `pos`.
    pub fn from_position(pos: Position) -> GameBuilder {
        assert_eq!(pos.moves_made(), 0, "a game starts before its first move");
        GameBuilder::of_variation(pos)
    }

    /// A variation from a position with its history.
    pub(super) fn of_variation(pos: Position) -> GameBuilder {
        let sfen = pos.to_sfen();
        let game = Game {
            start: (sfen != STARTPOS).then(|| sfen.into_boxed_str()),
            moves: Vec::new(),
            scores: Vec::new(),
            variations: Vec::new(),
            result: None,
            ending: None,
            header: Header::default(),
            notes: Notes::default(),
        };
        GameBuilder { pos, game }
    }

    /// The position after the moves added so far.
    pub fn position(&self) -> &Position {
        &self.pos
    }

    /// Number of moves added so far.
    pub(super) fn len(&self) -> usize {
        self.game.moves.len()
    }

    /// Adds a move without a score.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is illegal; the game is unchanged.
    pub fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.push_scored(mv, None)
    }

    /// Adds a move with the search score of the position before it.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is illegal; the game is unchanged.
    pub fn push_scored(
        &mut self,
        mv: Move,
        score: Option<SearchedScore>,
    ) -> Result<(), IllegalMove> {
        self.pos.check_legal(mv)?;
        self.pos.do_move(mv);
        if score.is_some() && self.game.scores.is_empty() {
            self.game.scores.resize(self.game.moves.len(), None);
        }
        if score.is_some() || !self.game.scores.is_empty() {
            self.game.scores.push(score);
        }
        self.game.moves.push(mv);
        Ok(())
    }

    /// The search score before move `ply`, as [`Game::score`].
    pub fn score(&self, ply: usize) -> Option<MoveScore> {
        self.game.score(ply)
    }

    /// Sets an exact search score before move `ply`, which has been added. Panics if it has not.
    pub fn set_score(&mut self, ply: usize, score: MoveScore) {
        self.game.set_score(ply, score);
    }

    /// Times, comments and expected lines.
    pub fn notes(&mut self) -> &mut Notes {
        &mut self.game.notes
    }

    /// Returns the game without result, ending and header.
    pub fn finish(self) -> Game {
        self.into_parts().0
    }

    /// The game as of [`finish`](GameBuilder::finish), and its last position.
    pub(super) fn into_parts(mut self) -> (Game, Position) {
        self.game.moves.shrink_to_fit();
        self.game.scores.shrink_to_fit();
        (self.game, self.pos)
    }
}

impl From<&Game> for GameBuilder {
    /// Continues a game. Its header, notes, variations, result and ending are dropped.
    fn from(game: &Game) -> GameBuilder {
        let mut builder = GameBuilder::from_position(game.start_position());
        for (ply, &mv) in game.moves().iter().enumerate() {
            builder.push_scored(mv, game.searched_score(ply)).expect("a game's moves are legal");
        }
        builder
    }
}

impl Default for GameBuilder {
    fn default() -> GameBuilder {
        GameBuilder::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_round_trip() {
        for text in ["0", "-43", "3000", "m1", "m17", "-m2"] {
            assert_eq!(text.parse::<MoveScore>().map(|s| s.to_string()), Ok(text.to_owned()));
        }
        for bad in ["", ".", "m", "-m", "m-3", "5m", "1.5", "--3"] {
            assert!(bad.parse::<MoveScore>().is_err(), "{bad}");
        }
    }

    #[test]
    fn unscored_games_are_equal_however_they_were_built() {
        let mv = |text: &str| text.parse::<Move>().expect("a move");
        let mut builder = GameBuilder::new();
        builder.push_scored(mv("7g7f"), None).expect("legal");
        assert!(builder.clone().finish().scores.is_empty());
        builder.push_scored(mv("3c3d"), Some(MoveScore::MatesIn(3).into())).expect("legal");
        builder.push(mv("2g2f")).expect("legal");
        let illegal = builder.push(mv("2c2e")).expect_err("a pawn's leap");
        assert_eq!(illegal, IllegalMove::NotAMove(mv("2c2e")));
        let game = builder.finish();
        let scores: Vec<_> = (0..4).map(|ply| game.score(ply)).collect();
        assert_eq!(scores, [None, Some(MoveScore::MatesIn(3)), None, None]);
        assert!(game.is_from_usual_start());
        assert_eq!(game.replay(|_, _| {}).moves_made(), 3);
    }

    #[test]
    fn moves_with_a_score_or_a_time_are_choices() {
        let mv = |text: &str| text.parse::<Move>().expect("a move");
        let mut builder = GameBuilder::new();
        for text in ["7g7f", "3c3d", "2g2f"] {
            builder.push(mv(text)).expect("legal");
        }
        let choices = |builder: &GameBuilder| {
            let game = builder.clone().finish();
            [0, 1, 2].map(|ply| game.is_choice(ply))
        };
        assert_eq!(choices(&builder), [true; 3]);
        builder.set_score(0, MoveScore::Centipawns(30));
        assert_eq!(choices(&builder), [true, false, false]);
        builder.notes().set_time(1, std::time::Duration::ZERO);
        assert_eq!(choices(&builder), [true, true, false]);
    }

    #[test]
    fn header_fields() {
        let mut header = Header::default();
        for (key, value) in [("black", " A "), ("class", "pro"), ("class", "second"), ("date", "")]
        {
            header.set(key, value);
        }
        assert_eq!(header.get("black"), Some("A"));
        assert_eq!(header.get("class"), Some("pro"));
        assert_eq!((header.get("date"), header.get("site")), (None, None));
    }
}
