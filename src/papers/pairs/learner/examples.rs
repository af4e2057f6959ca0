//! Examples from game records: positions with the record's move and its alternatives.

use rayon::prelude::*;

use super::capture_search::CaptureSearch;
use crate::papers::pairs::form::{PairList, PairPiece, RELATIONS, relation_index};
use crate::record::{Game, GameHash};
use crate::shogi::{Change, Color, Move, Position};

/// The positions that are compared with the position after the record's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Comparison {
    /// The position before the record's move.
    Parent,
    /// The positions after the other moves that neither win nor lose material.
    Sibling,
}

/// A change of a piece: its slot in the list, and its new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairChange {
    /// 0..40.
    pub slot: u8,
    /// The piece after the move.
    pub to: PairPiece,
}

/// The changes that a move makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairMove {
    /// The moved or dropped piece.
    pub moved: PairChange,
    /// The captured piece, which goes to the hand.
    pub captured: Option<PairChange>,
}

impl PairMove {
    fn new(pos: &Position, list: &PairList, mv: Move) -> PairMove {
        let delta = pos.delta_of(mv);
        let change = |change: &Change| {
            let slot = list.slot(PairPiece::new(change.before));
            let slot = slot.expect("the list has all pieces") as u8;
            PairChange { slot, to: PairPiece::new(change.after) }
        };
        PairMove { moved: change(&delta.moved), captured: delta.captured.as_ref().map(change) }
    }

    /// The changes, in an order in which they can be applied to a list.
    pub fn changes(&self) -> impl Iterator<Item = PairChange> {
        self.captured.into_iter().chain([self.moved])
    }
}

/// Positions, each with the record's move and optionally the other moves; all of them neither win
/// nor lose material.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExampleSet {
    lists: Vec<PairList>,
    sides: Vec<Color>,
    /// Moves of all positions; the record's move is the first of each position.
    moves: Vec<PairMove>,
    /// End of each position's moves.
    ends: Vec<usize>,
    /// The games from which the positions are.
    games: GameHash,
}

/// A position with its moves.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// The pieces before the move.
    pub list: &'a PairList,
    /// The side to move.
    pub side: Color,
    /// The moves to compare, the record's first.
    pub moves: &'a [PairMove],
}

impl<'a> Example<'a> {
    /// The example without the other moves.
    pub fn record_alone(self) -> Example<'a> {
        Example { moves: &self.moves[..1], ..self }
    }

    /// 1 if Black is to move, -1 if White is: the target of the comparisons.
    pub fn target(&self) -> f64 {
        f64::from(self.side.sign())
    }
}

impl ExampleSet {
    /// The examples of games. Without the other moves they serve [`Comparison::Parent`] only, with
    /// them both comparisons. `go_on` is called now and then with the number of games read since
    /// the last call; once it returns false, the result is `None`. Cost: two capture searches a
    /// move, or one for each legal move.
    pub fn of_games(
        games: &[Game],
        comparison: Comparison,
        go_on: &dyn Fn(usize) -> bool,
    ) -> Option<ExampleSet> {
        let of_game = |game: &Game| {
            let mut set = ExampleSet::default();
            set.add_game(game, comparison);
            set
        };
        // Processes some games at a time, so that only a part of the examples is in memory twice.
        let mut all = ExampleSet::default();
        for games in games.chunks(500) {
            let sets: Vec<ExampleSet> = games.par_iter().map(of_game).collect();
            sets.into_iter().for_each(|set| all.append(set));
            if !go_on(games.len()) {
                return None;
            }
        }
        Some(all)
    }

    /// Hash of the games from which the positions are.
    pub fn games(&self) -> GameHash {
        self.games
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Memory used by the positions, bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.lists[..])
            + size_of_val(&self.sides[..])
            + size_of_val(&self.moves[..])
            + size_of_val(&self.ends[..])
    }

    /// Number of comparisons: rows of X.
    pub fn comparisons(&self, comparison: Comparison) -> usize {
        match comparison {
            Comparison::Parent => self.len(),
            Comparison::Sibling => self.moves.len() - self.len(),
        }
    }

    /// The position with index `at`.
    pub fn get(&self, at: usize) -> Example<'_> {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        let moves = &self.moves[begin..self.ends[at]];
        Example { list: &self.lists[at], side: self.sides[at], moves }
    }

    /// For each relation the number of positions that have it, before and after the moves of the
    /// records. Shape [`RELATIONS`].
    pub fn occurrences(&self) -> Vec<u32> {
        let mut counts = vec![0; RELATIONS];
        for at in 0..self.len() {
            let example = self.get(at);
            count(example.list, &mut counts);
            let mut after = *example.list;
            for PairChange { slot, to } in example.moves[0].changes() {
                after.set(slot.into(), to);
            }
            // If the next example starts with this position, it is counted there.
            if self.lists.get(at + 1) != Some(&after) {
                count(&after, &mut counts);
            }
        }
        counts
    }

    fn append(&mut self, other: ExampleSet) {
        let before = self.moves.len();
        self.lists.extend(other.lists);
        self.sides.extend(other.sides);
        self.moves.extend(other.moves);
        self.ends.extend(other.ends.into_iter().map(|end| before + end));
        self.games = self.games.then(other.games);
    }

    fn add_game(&mut self, game: &Game, comparison: Comparison) {
        let search = CaptureSearch::default();
        self.games = self.games.then(GameHash::of(game));
        each_choice(game, |pos, list, played| {
            let gain = search.gain(pos);
            if !search.is_neutral(pos, played, gain) {
                return;
            }
            self.moves.push(PairMove::new(pos, list, played));
            if comparison == Comparison::Sibling {
                let moves = search.neutral_moves(pos).into_iter().filter(|&mv| mv != played);
                self.moves.extend(moves.map(|mv| PairMove::new(pos, list, mv)));
            }
            self.lists.push(*list);
            self.sides.push(pos.side_to_move());
            self.ends.push(self.moves.len());
        });
    }
}

/// Visits the positions of a game whose moves were [chosen for their strength](Game::is_choice),
/// each with its pieces and that move. The pieces keep their slots from move to move.
pub fn each_choice(game: &Game, mut visit: impl FnMut(&mut Position, &PairList, Move)) {
    let mut pos = game.start_position();
    let mut list = PairList::new(&pos);
    for (ply, &mv) in game.moves().iter().enumerate() {
        if game.is_choice(ply) {
            visit(&mut pos, &list, mv);
        }
        list.apply(&pos.do_move(mv));
    }
}

fn count(list: &PairList, counts: &mut [u32]) {
    let mut pieces = list.pieces().to_vec();
    pieces.retain(|&piece| piece != PairPiece::NONE);
    // Like pieces in a hand share relations; each relation counts once.
    pieces.sort();
    pieces.dedup();
    for (n, &p) in pieces.iter().enumerate() {
        for &q in &pieces[..=n] {
            counts[relation_index(p, q)] += 1;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::record::GameBuilder;
    use crate::rng::Rng;
    use crate::shogi::{Scope, movegen};

    /// Games of random moves with more captures than at random.
    pub fn random_games(seed: u64, count: usize, plies: usize) -> Vec<Game> {
        println!("seed {seed}");
        let mut rng = Rng::from_seed(seed);
        let mut game = || {
            let mut builder = GameBuilder::from_position(Position::startpos());
            for _ in 0..plies {
                let moves = movegen::legal_moves(builder.position(), Scope::LEGAL);
                let captures = movegen::legal_moves(builder.position(), Scope::CAPTURES);
                let capture = if rng.below(3) == 0 { rng.choose(&captures) } else { None };
                let Some(&mv) = capture.or_else(|| rng.choose(&moves)) else { break };
                builder.push(mv).expect("a legal move");
            }
            builder.finish()
        };
        (0..count).map(|_| game()).collect()
    }

    pub fn examples(games: &[Game], comparison: Comparison) -> ExampleSet {
        ExampleSet::of_games(games, comparison, &|_| true).expect("not interrupted")
    }

    fn game(line: &'static str) -> Game {
        let mut games =
            crate::record::GameReader::new("x".as_ref(), line.as_bytes()).expect("a format");
        games.next().expect("a line").expect("a game")
    }

    fn example_plies(game: &Game) -> Vec<usize> {
        let (search, mut plies) = (CaptureSearch::default(), Vec::new());
        each_choice(game, |pos, _, mv| {
            if search.neutral_moves(pos).contains(&mv) {
                plies.push(pos.moves_made());
            }
        });
        plies
    }

    #[test]
    fn only_neutral_moves_are_examples() {
        // The bishops are exchanged; then Black gives away another.
        let game =
            game("startpos moves 7g7f 3c3d 2g2f 8c8d 8h2b+ 3a2b B*5e 2b3c 5e3c+ 2a3c | winner=w\n");
        assert_eq!(example_plies(&game), [0, 1, 2, 3, 4, 5, 6, 7, 9]);
        let set = examples(&[game], Comparison::Sibling);
        assert_eq!(set.len(), 9);
        assert_eq!(set.get(0).moves.len(), 30);
        // Only moves of the silver and of the rook recapture the bishop.
        assert!((1..=2).contains(&set.get(5).moves.len()));
        assert_eq!(set.comparisons(Comparison::Parent), 9);
        let siblings = (0..9).map(|at| set.get(at).moves.len() - 1).sum::<usize>();
        assert_eq!(set.comparisons(Comparison::Sibling), siblings);
        // The position after the eighth move is not the start of an example: eleven positions.
        let occurrences = set.occurrences();
        let kings = PairList::new(&Position::startpos());
        let [black, white] = [kings.pieces()[0], kings.pieces()[1]];
        assert_eq!(occurrences[relation_index(black, white)], 11);
    }

    #[test]
    fn moves_without_a_score_are_no_examples() {
        let game = game("7g7f 3c3d 2g2f 8c8d | . . 12 m5 | b\n");
        assert_eq!(example_plies(&game), [2, 3]);
    }
}
