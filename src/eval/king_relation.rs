//! Relations of the pieces to the kings: a small hand-made term.
//!
//! Each side's king has a half: what its square is worth plus what every piece on the board means
//! to it. Guards near it are good, attackers near it are bad, and the distance in ranks to the
//! enemy king makes pieces come forward. Pieces in hand are near nothing and count 0.
//!
//! A relation depends on the piece (kind; own or enemy as the king sees it), the distance in files
//! and the signed distance in ranks, positive in front of the king. It is the sum of a few shapes of
//! these distances, weighted by the row of [`Weights`] of the piece. Unit: centipawns.

use crate::shogi::{Color, Move, Piece, PieceKind, Place, Position, Square};

/// What a piece means to a king, by shape of the distance, in centipawns at full size. Positive is
/// good for the king's side.
#[derive(Clone, Copy)]
struct Weights {
    /// Closeness in king's steps: full beside the king, nothing from 7 steps on.
    near: i32,
    /// As `near`, counted positive in front of the king, negative behind it, 0 on its rank.
    front: i32,
    /// Full on the king's file, half on the next one.
    line: i32,
    /// Per eight ranks in front of the king.
    rank: i32,
    /// Per eight files of distance.
    file: i32,
}

const fn weights(near: i32, front: i32, line: i32, rank: i32, file: i32) -> Weights {
    Weights { near, front, line, rank, file }
}

/// Own pieces (guards), indexed by [`PieceKind`].
const GUARDS: [Weights; PieceKind::COUNT] = [
    weights(10, 15, 5, 0, 0),  // pawn
    weights(5, -10, 5, 0, 0),  // lance
    weights(20, -20, 0, 0, 0), // knight
    weights(45, 10, 5, 0, 0),  // silver
    weights(60, 0, 10, 0, 0),  // gold
    weights(10, 0, 0, 0, 0),   // bishop
    weights(-40, 0, 0, 0, 30), // rook
    weights(0, 0, 0, 0, 0),    // king
    weights(50, 0, 0, 0, 0),   // tokin
    weights(50, 0, 0, 0, 0),   // promoted lance
    weights(50, 0, 0, 0, 0),   // promoted knight
    weights(50, 0, 0, 0, 0),   // promoted silver
    weights(70, 0, 0, 0, 0),   // horse
    weights(30, 0, 0, 0, 0),   // dragon
];

/// Enemy pieces (attackers), indexed by [`PieceKind`]: mostly negative.
const ATTACKERS: [Weights; PieceKind::COUNT] = [
    weights(-30, 0, -10, 20, 0),  // pawn
    weights(-20, 0, -20, 0, 0),   // lance
    weights(-50, -20, 0, 10, 0),  // knight
    weights(-80, -10, 0, 30, 0),  // silver
    weights(-90, 0, 0, 0, 0),     // gold
    weights(-60, 0, 0, 0, 0),     // bishop
    weights(-60, 0, -20, 10, 0),  // rook
    weights(0, 0, 0, 0, 0),       // king
    weights(-120, 0, 0, 40, 20),  // tokin
    weights(-110, 0, 0, 40, 20),  // promoted lance
    weights(-110, 0, 0, 40, 20),  // promoted knight
    weights(-110, 0, 0, 40, 20),  // promoted silver
    weights(-120, 0, 0, 0, 20),   // horse
    weights(-130, 0, -20, 0, 20), // dragon
];

/// Full size of a shape.
const FULL: i32 = 64;

/// Closeness by distance in king's steps (0 is no distance between two pieces).
const NEAR: [i32; 9] = [0, 64, 46, 30, 17, 8, 3, 0, 0];

/// Closeness by distance in files.
const LINE: [i32; 9] = [64, 32, 0, 0, 0, 0, 0, 0, 0];

/// What a square is worth to the king, seen from its side, in centipawns. Rows: ranks, the far
/// edge first. Columns: files from the edge to the middle.
const KING_SQUARE: [[i32; 5]; 9] = [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [-80, -80, -80, -90, -90],
    [-80, -80, -80, -90, -90],
    [-60, -60, -60, -80, -80],
    [-20, -20, -30, -50, -60],
    [30, 45, 35, 0, -20],
    [35, 40, 20, 0, -15],
];

/// Distances in ranks reach from -8 to 8.
const RANKS: usize = 17;
const FILES: usize = 9;

/// Shape [2][14][153]: own or enemy piece, kind, file distance * 17 + rank distance + 8.
static RELATIONS: [[[i16; FILES * RANKS]; PieceKind::COUNT]; 2] = compute_relations();

/// One side's half: the worth of its king's square and of all relations to it, in its own view.
/// Cost: a walk over the board.
pub fn half(pos: &Position, side: Color, king: Square) -> i32 {
    let square = king.relative(side);
    let from_middle = square.file().abs_diff(4);
    let mut sum = KING_SQUARE[square.rank()][4 - from_middle];
    for sq in pos.occupied() {
        if let Some(piece) = pos.piece_on(sq) {
            sum += of_piece(side, king, piece, sq);
        }
    }
    sum
}

/// What a piece in its place means to `side`'s king, in that side's view. 0 for pieces in hand and
/// kings.
#[inline]
pub fn of_place(side: Color, king: Square, place: Place) -> i32 {
    match place {
        Place::Board(sq, piece) => of_piece(side, king, piece, sq),
        Place::Hand(..) => 0,
    }
}

#[inline]
fn of_piece(side: Color, king: Square, piece: Piece, sq: Square) -> i32 {
    let enemy = usize::from(piece.color != side);
    let files = king.file().abs_diff(sq.file());
    let ahead = side.sign() * (king.rank() as i32 - sq.rank() as i32);
    let ranks = (ahead + RANKS as i32 / 2) as usize;
    i32::from(RELATIONS[enemy][piece.kind.index()][files * RANKS + ranks])
}

/// The change of the relations term by the moved piece alone, from the mover's view, before the
/// move is made: M_piece-king(m) of Hoki (2006), eq. (8). Exact for quiet moves and promotions; what
/// a captured piece meant to the kings is left out. 0 for king moves, whose change is a whole half,
/// and where a king is missing.
#[inline]
pub fn piece_king_change(pos: &Position, mv: Move) -> i32 {
    let us = pos.side_to_move();
    let (Some(own), Some(enemy)) = (pos.king(us), pos.king(!us)) else { return 0 };
    let meaning = |kind, sq| {
        let piece = Piece::new(us, kind);
        of_piece(us, own, piece, sq) - of_piece(!us, enemy, piece, sq)
    };
    let kind = pos.moved_piece(mv);
    if kind == PieceKind::King {
        return 0;
    }
    let before = mv.from().map_or(0, |from| meaning(kind, from));
    meaning(pos.piece_after(mv), mv.to()) - before
}

const fn compute_relations() -> [[[i16; FILES * RANKS]; PieceKind::COUNT]; 2] {
    let mut table = [[[0; FILES * RANKS]; PieceKind::COUNT]; 2];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut files = 0;
        while files < FILES {
            let mut ranks = 0;
            while ranks < RANKS {
                let ahead = ranks as i32 - RANKS as i32 / 2;
                let at = files * RANKS + ranks;
                table[0][kind][at] = relation(&GUARDS[kind], files, ahead) as i16;
                table[1][kind][at] = relation(&ATTACKERS[kind], files, ahead) as i16;
                ranks += 1;
            }
            files += 1;
        }
        kind += 1;
    }
    table
}

/// The formula: the shapes of the distance, weighted.
const fn relation(weights: &Weights, files: usize, ahead: i32) -> i32 {
    let ranks = ahead.unsigned_abs() as usize;
    let near = NEAR[if files > ranks { files } else { ranks }];
    let sum = weights.near * near
        + weights.front * near * ahead.signum()
        + weights.line * LINE[files]
        + weights.rank * FULL / 8 * ahead
        + weights.file * FULL / 8 * files as i32;
    sum / FULL
}
