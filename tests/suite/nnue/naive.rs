//! Computes the value directly from the bytes of a file, one number at a time with wide integers.
//! Shares only the position with the program.

use kankei::eval::nnue::{Family, FeatureSet, NnueForm};
use kankei::shogi::{Color, HandPiece, PieceKind, Position, Square};

/// A file whose bytes are read again for every number.
pub struct Naive<'a> {
    form: NnueForm,
    bytes: &'a [u8],
    /// Bias and rows of the first layer.
    first_layer: Vec<i64>,
    /// Offset of the first head.
    heads: usize,
}

impl Naive<'_> {
    pub fn new(form: NnueForm, bytes: &[u8]) -> Naive<'_> {
        let mut at = 12 + number(bytes, 8, 4) as usize + 4;
        let count = form.units * (1 + form.features.rows());
        let mut first_layer = Vec::with_capacity(count);
        match form.family {
            Family::Classic => {
                first_layer.extend((0..count).map(|n| number(bytes, at + 2 * n, 2)));
                at += 2 * count;
            }
            Family::Sfnn => {
                for _ in 0..2 {
                    assert_eq!(&bytes[at..at + 17], b"COMPRESSED_LEB128");
                    let end = at + 21 + number(bytes, at + 17, 4) as usize;
                    unpack(&bytes[at + 21..end], &mut first_layer);
                    at = end;
                }
                assert_eq!(first_layer.len(), count);
            }
        }
        Naive { form, bytes, first_layer, heads: at }
    }

    /// The raw value of a position with both kings.
    pub fn raw(&self, pos: &Position) -> i64 {
        let (us, units) = (pos.side_to_move(), self.form.units);
        let sides = [us, !us].map(|side| {
            let mut sums = self.first_layer[..units].to_vec();
            for row in rows(self.form.features, pos, side) {
                let row = &self.first_layer[units * (1 + row)..][..units];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            sums.iter().map(|sum| (*sum).clamp(0, 127)).collect::<Vec<i64>>()
        });
        let half = units / 2;
        let input: Vec<i64> = match self.form.family {
            Family::Classic => sides.concat(),
            Family::Sfnn => {
                let products =
                    |side: &Vec<i64>| (0..half).map(|n| (side[n] * side[n + half]) >> 7).collect();
                sides.iter().map(products).collect::<Vec<Vec<i64>>>().concat()
            }
        };
        let thirds = [us, !us].map(|side| {
            let rank = pos.king(side).map_or(8, |king| king.index() % 9);
            (if side == Color::Black { rank } else { 8 - rank }) / 3
        });
        self.head(3 * thirds[0] + thirds[1], &input)
    }

    fn head(&self, stack: usize, input: &[i64]) -> i64 {
        let [first, second] = self.form.hidden;
        let is_sfnn = self.form.family == Family::Sfnn;
        let skip = is_sfnn && first % 8 == 7;
        let outputs = [first + usize::from(skip), second, 1];
        let inputs = [input.len(), if is_sfnn { 2 * first } else { first }, second];
        let bytes = |n: usize| outputs[n] * (4 + inputs[n].div_ceil(32) * 32);
        let size = 4 + bytes(0) + bytes(1) + bytes(2);
        let mut at = self.heads + 4 + if is_sfnn { stack * size } else { 0 };
        let mut layer = |n: usize, input: &[i64]| -> Vec<i64> {
            let (biases, weights) = (at, at + 4 * outputs[n]);
            at += bytes(n);
            let columns = inputs[n].div_ceil(32) * 32;
            let output = |output: usize| {
                let products = input.iter().enumerate();
                let row = weights + output * columns;
                let sum: i64 = products.map(|(i, x)| x * number(self.bytes, row + i, 1)).sum();
                number(self.bytes, biases + 4 * output, 4) + sum
            };
            (0..outputs[n]).map(output).collect()
        };
        let clip = |sum: &i64| (sum >> 6).clamp(0, 127);
        let sums = layer(0, input);
        let clips: Vec<i64> = sums[..first].iter().map(clip).collect();
        let squares = sums[..first].iter().map(|sum| ((sum * sum) >> 19).min(127));
        let hidden = if is_sfnn { squares.chain(clips).collect() } else { clips };
        let hidden: Vec<i64> = layer(1, &hidden).iter().map(clip).collect();
        layer(2, &hidden)[0] + if skip { sums[first] } else { 0 }
    }
}

/// Reads a signed little-endian number of `len` bytes.
fn number(bytes: &[u8], at: usize, len: usize) -> i64 {
    let raw = (0..len).fold(0, |sum, i| sum | i64::from(bytes[at + i]) << (8 * i));
    raw << (64 - 8 * len) >> (64 - 8 * len)
}

fn unpack(bytes: &[u8], numbers: &mut Vec<i64>) {
    let (mut number, mut bits) = (0, 0);
    for &byte in bytes {
        number |= i64::from(byte & 0x7f) << bits;
        bits += 7;
        if byte < 0x80 {
            numbers.push(number << (64 - bits) >> (64 - bits));
            (number, bits) = (0, 0);
        }
    }
}

/// The rows of a side's view.
fn rows(features: FeatureSet, pos: &Position, view: Color) -> Vec<usize> {
    let turn = |sq: Square| if view == Color::Black { sq.index() } else { 80 - sq.index() };
    let kings = [view, !view].map(|side| pos.king(side).map(turn));
    let mut pieces = Vec::new();
    for sq in Square::all() {
        let Some(piece) = pos.piece_on(sq) else { continue };
        let plane = match piece.kind {
            PieceKind::King => continue,
            PieceKind::Pawn => 0,
            PieceKind::Lance => 2,
            PieceKind::Knight => 4,
            PieceKind::Silver => 6,
            PieceKind::Bishop => 10,
            PieceKind::Horse => 12,
            PieceKind::Rook => 14,
            PieceKind::Dragon => 16,
            _ => 8,
        };
        pieces.push(90 + 81 * (plane + usize::from(piece.color != view)) + turn(sq));
    }
    for side in Color::ALL {
        for held in HandPiece::ALL {
            let firsts = [[1, 20], [39, 44], [49, 54], [59, 64], [69, 74], [79, 82], [85, 88]];
            let first = firsts[held.index()][usize::from(side != view)];
            pieces.extend((0..pos.hand(side).count(held) as usize).map(|n| first + n));
        }
    }
    pieces.resize(38, 0);
    if features == FeatureSet::Kp {
        let [own, enemy] = kings;
        pieces.push(own.map_or(0, |own| 1548 + own));
        pieces.push(enemy.map_or(0, |enemy| 1629 + enemy));
        return pieces;
    }
    let [mut own, enemy] = kings.map(|king| king.expect("both kings exist"));
    let has_kings = matches!(features, FeatureSet::HalfKaHm2 | FeatureSet::HalfKa2);
    if has_kings {
        pieces.extend([1548 + own, 1629 + enemy]);
    }
    if matches!(features, FeatureSet::HalfKpVm | FeatureSet::HalfKaHm2) && own >= 45 {
        let mirror = |sq: usize| (8 - sq / 9) * 9 + sq % 9;
        for piece in pieces.iter_mut().filter(|piece| **piece >= 90) {
            *piece = 90 + (*piece - 90) / 81 * 81 + mirror((*piece - 90) % 81);
        }
        own = mirror(own);
    }
    let enemy_joins = |piece: usize| if piece >= 1629 { piece - 81 } else { piece };
    let plane = if has_kings { 1629 } else { 1548 };
    pieces.into_iter().map(|piece| plane * own + enemy_joins(piece)).collect()
}
