//! Relations of the pieces to the kings: a small hand-made term.
//!
//! Each side's king has a half of the term: the value of its square plus the relation of every
//! piece on the board to it. Guards near the king are good, and attackers near it are bad. The
//! distance in ranks to the enemy king rewards advanced pieces. Pieces in hand are near no king and
//! count 0.
//!
//! A relation depends on the piece, the distance in files and the signed distance in ranks,
//! positive in front of the king. The piece is its kind, and own or enemy from the king's view. The
//! relation is a sum of a few shapes of these distances. The piece's row of weights weights the
//! shapes. Unit: centipawns; 1,000 centipawns multiply the odds of winning by e.
//!
//! Source of the numbers: the shapes were chosen by hand. The weights, and the piece values with a
//! pawn held at 100, follow a logistic regression to search scores and results of 200,783 quiet
//! positions, shrunk towards zero. The weights are rounded to 5. The positions are from 16,000
//! self-play games of YaneuraOu 9.70 with the network SuishoPetite. On positions of other games,
//! the value correlates with those scores at 0.76, and material alone at 0.71.
//!
//! Size: in 95 of 100 moves of a non-king piece, the term changes by at most 220 centipawns. In 99
//! of 100, it changes by at most 350. Promotions next to a king reach 600.

use crate::shogi::{Color, Piece, PieceKind, Place, Position, Square};

/// Weights of a piece for a king, by shape of the distance, in centipawns at full size. Positive
/// values are good for the king's side. The shapes, in this order:
///
/// - near: closeness in king's steps, full next to the king, 0 from 7 steps on;
/// - front: as near, but positive in front of the king, negative behind it, 0 on its rank;
/// - line: full on the king's file, half on the adjacent files;
/// - rank: per eight ranks in front of the king;
/// - file: per eight files of distance;
/// - base: a constant for every square. It makes the average relation of the kind 0, so that it
///   does not change the material value. Only guards have it, because each piece is a guard of one
///   king.
type ShapeWeights = [i32; 6];

/// Own pieces (guards), indexed by [`PieceKind`]. Golds and silvers belong near their king; the
/// rook belongs far from it.
const GUARDS: [ShapeWeights; PieceKind::COUNT] = [
    // near, front, line, rank, file, base
    [105, -50, 95, 10, -30, -195],    // pawn
    [110, -15, 30, -115, -150, -125], // lance
    [115, 0, 5, 30, -155, -90],       // knight
    [80, 25, 10, 65, -160, -45],      // silver
    [135, 5, -15, 0, -155, -105],     // gold
    [-10, 75, 0, 105, -75, 5],        // bishop
    [-140, 0, -45, 175, 20, 100],     // rook
    [0, 0, 0, 0, 0, 0],               // king
    [155, 40, 45, -175, -105, 50],    // tokin
    [140, 75, 35, -130, -80, 30],     // promoted lance
    [140, 75, 35, -130, -80, -40],    // promoted knight
    [140, 75, 35, -130, -80, -40],    // promoted silver
    [90, 100, 30, -95, -55, 0],       // horse
    [5, 30, 10, 125, -60, -80],       // dragon
];

/// Enemy pieces (attackers), indexed by [`PieceKind`]. They are most dangerous next to the king and
/// in front of it.
const ATTACKERS: [ShapeWeights; PieceKind::COUNT] = [
    // near, front, line, rank, file, base
    [-70, -200, 30, -150, -85, 0],    // pawn
    [-60, -95, -75, -220, 95, 0],     // lance
    [-45, -120, -55, -135, 135, 0],   // knight
    [-190, -190, 20, -25, 135, 0],    // silver
    [-190, -110, 40, -65, 170, 0],    // gold
    [-90, 0, 45, 0, 100, 0],          // bishop
    [-50, 210, 30, 65, 45, 0],        // rook
    [0, 0, 0, 0, 0, 0],               // king
    [-350, -245, -50, -155, 180, 0],  // tokin
    [-320, -240, -110, -195, 160, 0], // promoted lance
    [-320, -240, -110, -195, 160, 0], // promoted knight
    [-320, -240, -110, -195, 160, 0], // promoted silver
    [-235, -20, 35, -25, 155, 0],     // horse
    [-260, 75, 50, -40, 165, 0],      // dragon
];

/// Full size of a shape.
const FULL: i32 = 64;

/// Closeness by distance in king's steps. Two pieces never have the distance 0.
const NEAR: [i32; 9] = [0, 64, 46, 30, 17, 8, 3, 0, 0];

/// Closeness by distance in files.
const LINE: [i32; 9] = [64, 32, 0, 0, 0, 0, 0, 0, 0];

/// Value of the king's square from its side's view, in centipawns. Rows are ranks, the far edge
/// first. Columns are files from the edge to the middle. Kings seldom reach the six far ranks, so
/// the fit left their values almost as set by hand.
const KING_SQUARE: [[i32; 5]; 9] = [
    [-80, -100, -100, -100, -90],
    [-65, -105, -90, -100, -100],
    [-195, -175, -200, -200, -195],
    [-265, -285, -270, -295, -295],
    [-285, -275, -260, -290, -285],
    [-250, -230, -195, -235, -245],
    [-145, -125, -100, -90, -60],
    [-60, 55, -40, -30, -50],
    [30, 10, -50, -105, -80],
];

/// Number of distances in ranks, from -8 to 8.
const RANKS: usize = 17;
const FILES: usize = 9;

/// Relations with shape `[2][14][153]`: own or enemy piece, kind, file distance * 17 + rank
/// distance + 8.
static RELATIONS: [[[i16; FILES * RANKS]; PieceKind::COUNT]; 2] = compute_relations();

/// One side's half: the value of its king's square plus all relations to the king, from that side's
/// view. Costs a loop over the board.
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

/// Relation of a piece in its place to `side`'s king, from that side's view. 0 for pieces in hand
/// and for kings.
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

/// The formula of a relation: the weighted sum of the shapes of the distance.
const fn relation(weights: &ShapeWeights, files: usize, ahead: i32) -> i32 {
    let [near, front, line, rank, file, base] = *weights;
    let ranks = ahead.unsigned_abs() as usize;
    let closeness = NEAR[if files > ranks { files } else { ranks }];
    let sum = near * closeness
        + front * closeness * ahead.signum()
        + line * LINE[files]
        + rank * FULL / 8 * ahead
        + file * FULL / 8 * files as i32;
    base + sum / FULL
}
