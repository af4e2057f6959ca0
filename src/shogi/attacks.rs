//! Attack sets: step tables, and rays for sliding pieces.
//!
//! Sliders use "o xor (o - 1)" on the occupied squares `o` of a ray: the subtraction flips all bits
//! up to the first blocker. Rays towards lower indices are byte-swapped first. A ray with steps of
//! 8, 9 or 10 bits has at most one bit per byte. A byte swap therefore reverses its order (the
//! Qugiy program, 2021). The ray up a file consists of consecutive bits, which a byte swap does not
//! reverse. There, the leading zeros give the first blocker.
//!
//! All tables are computed at compile time.

use super::table::table;
use super::{Bitboard, Color, PieceKind, Square};

/// The eight directions of sliders, from Black's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Direction {
    Up,
    Down,
    Right,
    Left,
    UpRight,
    DownRight,
    UpLeft,
    DownLeft,
}

/// (files, ranks) of one step; files count to Black's left, ranks downwards.
const STEPS: [(i32, i32); 8] =
    [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];
const NO_DIRECTION: u8 = 8;

/// Squares beyond a square in one direction, shape `[8 directions][81]`.
static RAYS: [[Bitboard; 81]; 8] =
    table![direction in 8 => table![from in 81 => beyond(square(from), direction)]];
/// The four rays of a rook.
static ROOK_RAYS: [Bitboard; 81] = united_rays(0);
/// The four rays of a bishop.
static BISHOP_RAYS: [Bitboard; 81] = united_rays(4);
/// [`RAYS`] with bytes swapped (16-byte words, not valid squares), for directions towards lower
/// indices.
static SWAPPED_RAYS: [[u128; 81]; 8] =
    table![direction in 8 => table![from in 81 => RAYS[direction][from].to_bits().swap_bytes()]];
/// Direction from one square to another on a common line, else [`NO_DIRECTION`]. Shape `[81][81]`.
static DIRECTIONS: [[u8; 81]; 81] =
    table![from in 81 => table![to in 81 => direction(square(from), square(to))]];
/// One-step attacks, shape `[color][pawn, knight, silver, gold][81]`.
static STEP_ATTACKS: [[[Bitboard; 81]; 4]; 2] =
    [step_attacks(Color::Black), step_attacks(Color::White)];
static KING_ATTACKS: [Bitboard; 81] =
    table![from in 81 => steps(square(from), Color::Black, &STEPS)];

/// Squares from which a non-sliding piece may attack `sq` or one of its neighbors: two files to
/// each side, three ranks up and down (knights).
static NEAR: [Bitboard; 81] = table![sq in 81 => near_squares(square(sq))];
/// Squares from which a piece of one step may check a king on a square after one move, shape
/// `[color of the piece][pawn, knight, silver, gold][81]`.
static CHECK_ORIGINS: [[[Bitboard; 81]; 4]; 2] =
    [check_origins(Color::Black), check_origins(Color::White)];
/// Squares from which a rook may attack a neighbor of `sq` along a line.
static ROOK_NEAR: [Bitboard; 81] = table![sq in 81 => sliders_near(square(sq), &ROOK_RAYS)];
/// The same for a bishop.
static BISHOP_NEAR: [Bitboard; 81] = table![sq in 81 => sliders_near(square(sq), &BISHOP_RAYS)];

const fn square(index: usize) -> Square {
    match Square::from_index(index) {
        Some(sq) => sq,
        None => unreachable!(),
    }
}

/// Squares beyond `from` in one direction.
const fn beyond(from: Square, direction: usize) -> Bitboard {
    let (mut set, mut sq) = (Bitboard::EMPTY, from);
    while let Some(next) = sq.offset(STEPS[direction].0, STEPS[direction].1) {
        set.insert(next);
        sq = next;
    }
    set
}

/// The union of the rays of four directions, starting with `first`.
const fn united_rays(first: usize) -> [Bitboard; 81] {
    table![from in 81 => {
        let straight = RAYS[first][from].to_bits() | RAYS[first + 1][from].to_bits();
        let other = RAYS[first + 2][from].to_bits() | RAYS[first + 3][from].to_bits();
        Bitboard::from_bits(straight | other)
    }]
}

const fn direction(from: Square, to: Square) -> u8 {
    let mut direction = 0;
    while direction < NO_DIRECTION && !RAYS[direction as usize][from.index()].contains(to) {
        direction += 1;
    }
    direction
}

/// The destinations of these steps of a piece of `color`.
const fn steps(from: Square, color: Color, steps: &[(i32, i32)]) -> Bitboard {
    let sign = color.sign();
    let (mut set, mut i) = (Bitboard::EMPTY, 0);
    while i < steps.len() {
        if let Some(to) = from.offset(sign * steps[i].0, sign * steps[i].1) {
            set.insert(to);
        }
        i += 1;
    }
    set
}

const fn step_attacks(color: Color) -> [[Bitboard; 81]; 4] {
    const SILVER: [(i32, i32); 5] = [(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
    const GOLD: [(i32, i32); 6] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
    [
        table![from in 81 => steps(square(from), color, &[(0, -1)])],
        table![from in 81 => steps(square(from), color, &[(-1, -2), (1, -2)])],
        table![from in 81 => steps(square(from), color, &SILVER)],
        table![from in 81 => steps(square(from), color, &GOLD)],
    ]
}

const fn check_origins(color: Color) -> [[Bitboard; 81]; 4] {
    table![kind in 4 => table![king in 81 => {
        let plain = STEP_ATTACKS[color.flip().index()][kind][king].to_bits();
        let promoted = if kind < 3 { STEP_ATTACKS[color.flip().index()][3][king].to_bits() } else { 0 };
        let zone = Bitboard::far_ranks(color, 3);
        let (mut set, mut from) = (Bitboard::EMPTY, 0);
        while from < 81 {
            let promoting = if zone.contains(square(from)) { promoted } else { promoted & zone.to_bits() };
            if STEP_ATTACKS[color.index()][kind][from].to_bits() & (plain | promoting) != 0 {
                set.insert(square(from));
            }
            from += 1;
        }
        set
    }]]
}

const fn near_squares(sq: Square) -> Bitboard {
    let (mut set, mut step) = (Bitboard::EMPTY, 0);
    while step < 5 * 7 {
        if let Some(sq) = sq.offset(step % 5 - 2, step / 5 - 3) {
            set.insert(sq);
        }
        step += 1;
    }
    set
}

/// The union of the rays of all neighbors of a square.
const fn sliders_near(sq: Square, rays: &[Bitboard; 81]) -> Bitboard {
    let (mut bits, mut step) = (0, 0);
    while step < 8 {
        if let Some(sq) = sq.offset(STEPS[step].0, STEPS[step].1) {
            bits |= rays[sq.index()].to_bits();
        }
        step += 1;
    }
    Bitboard::from_bits(bits)
}

fn ray(direction: Direction, from: Square) -> Bitboard {
    RAYS[direction as usize][from.index()]
}

/// Bits of the ray up to and including the first occupied one, counted from bit 0 upwards.
#[inline]
fn slide(occupied: u128, ray: u128) -> u128 {
    let blockers = occupied & ray;
    (blockers ^ blockers.wrapping_sub(1)) & ray
}

fn slide_up(direction: Direction, from: Square, occupied: u128) -> u128 {
    slide(occupied, RAYS[direction as usize][from.index()].to_bits())
}

fn slide_down(direction: Direction, from: Square, swapped: u128) -> u128 {
    slide(swapped, SWAPPED_RAYS[direction as usize][from.index()])
}

/// The ray towards rank a, up to and including the first occupied square.
#[inline]
fn slide_file_up(from: Square, occupied: u128) -> u128 {
    let ray = ray(Direction::Up, from).to_bits();
    // Bit 0 serves as a sentinel: without a blocker, the whole ray remains.
    let first_blocker = 127 - (occupied & ray | 1).leading_zeros();
    ray & u128::MAX << first_blocker
}

/// Squares a pawn of `color` on `from` attacks.
pub fn pawn(color: Color, from: Square) -> Bitboard {
    STEP_ATTACKS[color.index()][0][from.index()]
}

/// Squares a knight attacks.
pub fn knight(color: Color, from: Square) -> Bitboard {
    STEP_ATTACKS[color.index()][1][from.index()]
}

/// Squares a silver attacks.
pub fn silver(color: Color, from: Square) -> Bitboard {
    STEP_ATTACKS[color.index()][2][from.index()]
}

/// Squares a gold (or a promoted pawn, lance, knight or silver) attacks.
pub fn gold(color: Color, from: Square) -> Bitboard {
    STEP_ATTACKS[color.index()][3][from.index()]
}

/// Squares a king attacks.
pub fn king(from: Square) -> Bitboard {
    KING_ATTACKS[from.index()]
}

/// Squares from which a non-sliding piece may attack a neighbor of `sq`; a superset.
pub fn near(sq: Square) -> Bitboard {
    NEAR[sq.index()]
}

/// Squares from which a pawn of `color` may check a king on `king` after one move, then those of a
/// knight, a silver, and a gold (or a piece that moves like one).
pub fn check_origins_of(color: Color, king: Square) -> [Bitboard; 4] {
    CHECK_ORIGINS[color.index()].each_ref().map(|origins| origins[king.index()])
}

/// Squares from which a rook or lance may attack a neighbor of `sq` along a line.
pub fn rook_near(sq: Square) -> Bitboard {
    ROOK_NEAR[sq.index()]
}

/// Squares from which a bishop may attack a neighbor of `sq` along a line.
pub fn bishop_near(sq: Square) -> Bitboard {
    BISHOP_NEAR[sq.index()]
}

/// Squares a lance attacks, including the first blocker.
#[inline]
pub fn lance(color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let bits = occupied.to_bits();
    Bitboard::from_board_bits(match color {
        Color::Black => slide_file_up(from, bits),
        Color::White => slide_up(Direction::Down, from, bits),
    })
}

/// Squares a lance would attack on an empty board.
#[inline]
pub fn lance_ray(color: Color, from: Square) -> Bitboard {
    match color {
        Color::Black => ray(Direction::Up, from),
        Color::White => ray(Direction::Down, from),
    }
}

/// Squares a bishop attacks, including the first blockers.
#[inline]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    let bits = occupied.to_bits();
    let swapped = bits.swap_bytes();
    let up = slide_up(Direction::UpLeft, from, bits) | slide_up(Direction::DownLeft, from, bits);
    let down = slide_down(Direction::UpRight, from, swapped)
        | slide_down(Direction::DownRight, from, swapped);
    Bitboard::from_board_bits(up | down.swap_bytes())
}

/// Squares a rook attacks, including the first blockers.
#[inline]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    let bits = occupied.to_bits();
    let file = slide_file_up(from, bits) | slide_up(Direction::Down, from, bits);
    let left = slide_up(Direction::Left, from, bits);
    let right = slide_down(Direction::Right, from, bits.swap_bytes());
    Bitboard::from_board_bits(file | left | right.swap_bytes())
}

/// Squares a bishop would attack on an empty board.
pub fn bishop_rays(from: Square) -> Bitboard {
    BISHOP_RAYS[from.index()]
}

/// Squares a rook would attack on an empty board.
pub fn rook_rays(from: Square) -> Bitboard {
    ROOK_RAYS[from.index()]
}

/// Squares a piece attacks, including the first blockers.
#[inline]
pub fn piece(color: Color, kind: PieceKind, from: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn(color, from),
        PieceKind::Lance => lance(color, from, occupied),
        PieceKind::Knight => knight(color, from),
        PieceKind::Silver => silver(color, from),
        PieceKind::Bishop => bishop(from, occupied),
        PieceKind::Rook => rook(from, occupied),
        PieceKind::King => king(from),
        PieceKind::Horse => bishop(from, occupied) | king(from),
        PieceKind::Dragon => rook(from, occupied) | king(from),
        // Golds and pieces that move like a gold.
        _ => gold(color, from),
    }
}

/// Squares strictly between two squares on a common rank, file or diagonal; else empty.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    match DIRECTIONS[a.index()][b.index()] {
        NO_DIRECTION => Bitboard::EMPTY,
        there => {
            let back = DIRECTIONS[b.index()][a.index()];
            RAYS[there as usize & 7][a.index()] & RAYS[back as usize & 7][b.index()]
        }
    }
}

/// All squares on a common rank, file or diagonal with `sq`.
pub fn queen_rays(sq: Square) -> Bitboard {
    rook_rays(sq) | bishop_rays(sq)
}

/// All squares from which any piece of either side can attack `sq` on an empty board.
pub fn all_directions(sq: Square) -> Bitboard {
    queen_rays(sq) | knight(Color::Black, sq) | knight(Color::White, sq)
}

/// The part of the line through `a` and `b` on `b`'s side of `a`, including `b` but not `a`. A
/// piece on `b` may move only there while it shields `a`. Empty if the squares share no line.
#[inline]
pub fn line_from(a: Square, b: Square) -> Bitboard {
    match DIRECTIONS[a.index()][b.index()] {
        NO_DIRECTION => Bitboard::EMPTY,
        there => RAYS[there as usize & 7][a.index()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Oracle: follows each ray square by square.
    fn walk(from: Square, occupied: Bitboard, steps: &[(i32, i32)]) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for &(files, ranks) in steps {
            let mut sq = from;
            while let Some(next) = sq.offset(files, ranks) {
                set.insert(next);
                if occupied.contains(next) {
                    break;
                }
                sq = next;
            }
        }
        set
    }

    #[test]
    fn sliders_equal_the_walk() {
        let mut rng = Rng::from_seed(1);
        for _ in 0..500 {
            let occupied = Bitboard::from_bits(
                u128::from(rng.next_u64() & rng.next_u64())
                    | u128::from(rng.next_u64() & rng.next_u64()) << 64,
            );
            for sq in Square::all() {
                assert_eq!(rook(sq, occupied), walk(sq, occupied, &STEPS[..4]));
                assert_eq!(bishop(sq, occupied), walk(sq, occupied, &STEPS[4..]));
                assert_eq!(lance(Color::Black, sq, occupied), walk(sq, occupied, &[(0, -1)]));
                assert_eq!(lance(Color::White, sq, occupied), walk(sq, occupied, &[(0, 1)]));
            }
        }
        for sq in Square::all() {
            assert_eq!(rook_rays(sq), rook(sq, Bitboard::EMPTY));
            assert_eq!(bishop_rays(sq), bishop(sq, Bitboard::EMPTY));
        }
    }

    #[test]
    fn between_is_the_intersection_of_two_slider_attacks() {
        for a in Square::all() {
            for b in Square::all().filter(|&b| b != a) {
                let ends = Bitboard::square(a) | Bitboard::square(b);
                let straight = rook(a, ends) & rook(b, ends);
                let slanted = bishop(a, ends) & bishop(b, ends);
                let expected = if rook_rays(a).contains(b) {
                    straight
                } else if bishop_rays(a).contains(b) {
                    slanted
                } else {
                    Bitboard::EMPTY
                };
                assert_eq!(between(a, b), expected & between_box(a, b), "{a} {b}");
            }
        }
    }

    fn between_box(a: Square, b: Square) -> Bitboard {
        let inside = |x: usize, p: usize, q: usize| x >= p.min(q) && x <= p.max(q);
        Square::all()
            .filter(|s| {
                inside(s.file(), a.file(), b.file()) && inside(s.rank(), a.rank(), b.rank())
            })
            .collect()
    }

    #[test]
    fn attacks_are_symmetric_under_rotation() {
        let turn = |set: Bitboard| set.iter().map(Square::flip).collect::<Bitboard>();
        for kind in PieceKind::ALL {
            for sq in Square::all() {
                let black = piece(Color::Black, kind, sq, Bitboard::EMPTY);
                let white = piece(Color::White, kind, sq.flip(), Bitboard::EMPTY);
                assert_eq!(turn(black), white);
            }
        }
    }
}
