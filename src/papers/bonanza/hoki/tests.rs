//! Tests of the walk against a slow definition, of values and of files.

use std::sync::Arc;

use super::*;
use crate::eval::learned::file::WeightsError;
use crate::eval::learned::{TRIANGLE, triangle_index};
use crate::eval::{PieceIndex, RegisteredForm, Score};
use crate::rng::Rng;
use crate::shogi::{
    Color, HandPiece, Piece, PieceKind, Place, Position, STARTPOS, Scope, Square, attacks, movegen,
};

/// Positions with entered kings, full hands, pinned pieces, and a mate problem.
const POSITIONS: [&str; 5] = [
    STARTPOS,
    "4k4/9/2+R1+B4/4p4/3nsn3/3NSN3/4P4/+b6+r1/4K4 w GSL8Pgsl8p 1",
    "1GK3+r2/1S2G4/PPPP+p+p3/9/4b4/4B4/3+P+P4/1+R2g2s1/4k2g1 b SNLPsnl9p 1",
    "4k4/4g4/4r4/B8/9/2S1N4/3GP4/l1P1K1G1r/4L4 b 4P 1",
    "9/4k4/4p4/9/9/9/9/9/9 b 2R2B4G4S4N4L17P 1",
];

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("valid")
}

/// Calls `visit` with positions of random games.
fn each_position(seed: u64, mut visit: impl FnMut(&Position)) {
    println!("seed {seed}");
    let mut rng = Rng::from_seed(seed);
    for sfen in POSITIONS {
        for _ in 0..10 {
            let mut pos = position(sfen);
            for _ in 0..60 {
                visit(&pos);
                match rng.choose(&movegen::legal_moves(&pos, Scope::LEGAL)) {
                    Some(&mv) => pos.do_move(mv),
                    None => break,
                };
            }
        }
    }
}

fn random(seed: u64, groups: HokiGroups) -> HokiWeights {
    let mut rng = Rng::from_seed(seed);
    let mut table = |group: HokiGroup| {
        if !groups.contains(group) {
            return Vec::new();
        }
        // Repeats one row in the triangles of KPP, because drawing all weights would take seconds.
        let row: Vec<i16> =
            (0..group.size().min(99_991)).map(|_| rng.below(2_001) as i16 - 1_000).collect();
        row.iter().copied().cycle().take(group.size()).collect()
    };
    HokiWeights::new(HokiGroup::ALL.map(&mut table)).expect("the tables have the right size")
}

type Found = Vec<(&'static str, usize, i32)>;

fn walked(pos: &Position) -> Found {
    let mut found = Vec::new();
    walk(pos, HokiGroups::ALL, |Occurrence { group, index, sign }| {
        assert!(index < group.size(), "{} {index}", group.name());
        found.push((group.name(), index, sign));
    });
    found
}

/// The weights that Black has, written directly from the definitions. The king may be missing.
fn slow_black(pos: &Position) -> Vec<(&'static str, usize)> {
    let mut found = Vec::new();
    let pieces: Vec<(Square, Piece)> =
        Square::all().filter_map(|sq| Some((sq, pos.piece_on(sq)?))).collect();
    let own: Vec<(Square, PieceKind)> = pieces
        .iter()
        .filter(|(_, piece)| piece.color == Color::Black)
        .map(|&(sq, piece)| (sq, piece.kind))
        .collect();
    own.iter().for_each(|(_, kind)| found.push(("material", kind.index())));
    for held in HandPiece::ALL {
        let count = pos.hand(Color::Black).count(held);
        (0..count).for_each(|_| found.push(("material", 14 + held.index())));
    }
    for &(sq, kind) in &own {
        slow_piece(pos, sq, kind, &mut found);
    }
    if let Some(king) = pos.king(Color::Black) {
        // Kings in the left half see the board mirrored.
        let normal = |sq: Square| if king.file() > 4 { sq.mirror() } else { sq };
        slow_kpp(pos, king, &mut found);
        let steps = |sq: Square| {
            let (sq, king) = (normal(sq), normal(king));
            let files = sq.file() as i32 - king.file() as i32;
            (files, sq.rank() as i32 - king.rank() as i32)
        };
        let men = || own.iter().filter(|(_, kind)| *kind != PieceKind::King);
        for (guard, kind) in men() {
            let (files, ranks) = steps(*guard);
            if files.abs().max(ranks.abs()) > 1 {
                continue;
            }
            let first = (3 * (files + 1) + ranks + 1) as usize * 14 + kind.index();
            for (other, kind) in men().filter(|(other, _)| other != guard) {
                let (files, ranks) = steps(*other);
                let at = first * 289 + (17 * (files + 8) + ranks + 8) as usize;
                found.push(("guards", at * 14 + kind.index()));
            }
        }
        for sq in Square::all() {
            let (files, ranks) = steps(sq);
            if files.abs().max(ranks.abs()) > 2 {
                continue;
            }
            let attacks = |color| {
                let attackers = pos.attackers(sq, color, pos.occupied()).into_iter();
                attackers.filter(|&from| Some(from) != pos.king(color)).count().min(3)
            };
            let square = (5 * (files + 2) + ranks + 2) as usize;
            let counts = 4 * attacks(Color::Black) + attacks(Color::White);
            found.push(("king-zone", 16 * square + counts));
        }
        slow_pins(pos, king, &mut found);
    }
    found
}

fn slow_kpp(pos: &Position, king: Square, found: &mut Vec<(&'static str, usize)>) {
    let mut list = Vec::new();
    for sq in Square::all() {
        let piece = pos.piece_on(sq).filter(|piece| piece.kind != PieceKind::King);
        list.extend(piece.map(|piece| Place::Board(sq, piece)));
    }
    for (color, held) in Color::ALL.into_iter().flat_map(|c| HandPiece::ALL.map(|h| (c, h))) {
        let count = pos.hand(color).count(held);
        list.extend((1..=count).map(|n| Place::Hand(color, held, n)));
    }
    let is_mirrored = king.file() > 4;
    let mut list: Vec<PieceIndex> = list
        .into_iter()
        .filter_map(|place| PieceIndex::new(place, Color::Black))
        .map(|index| if is_mirrored { index.mirrored() } else { index })
        .collect();
    list.sort();
    let king = if is_mirrored { king.mirror() } else { king };
    for (n, &j) in list.iter().enumerate() {
        for &i in &list[..n] {
            found.push(("kpp", king.index() * TRIANGLE + triangle_index(i, j)));
        }
    }
}

fn slow_pins(pos: &Position, king: Square, found: &mut Vec<(&'static str, usize)>) {
    let sliders =
        [PieceKind::Dragon, PieceKind::Horse, PieceKind::Rook, PieceKind::Bishop, PieceKind::Lance];
    for (number, kind) in sliders.into_iter().enumerate() {
        for sq in pos.pieces(Color::White, kind) {
            // A piece is pinned if the slider attacks the king without the piece, but not with it.
            let hits = |occupied| attacks::piece(Color::White, kind, sq, occupied).contains(king);
            for pinned in pos.color(Color::Black).into_iter().filter(|&sq| sq != king) {
                let mut without = pos.occupied();
                without.toggle(pinned);
                if hits(without) && !hits(pos.occupied()) {
                    let kind = pos.piece_on(pinned).expect("a piece").kind;
                    found.push(("pins", number * 14 + kind.index()));
                }
            }
        }
    }
}

/// The weights of Black's piece on `sq`, except its relations to the king.
fn slow_piece(pos: &Position, sq: Square, kind: PieceKind, found: &mut Vec<(&'static str, usize)>) {
    use PieceKind::{Bishop, Dragon, Horse, Knight, Lance, Pawn, Rook, Silver};
    let code = |piece: Piece| 14 * usize::from(piece.color == Color::White) + piece.kind.index();
    let is_own = |sq| pos.piece_on(sq).is_some_and(|piece| piece.color == Color::Black);
    let number = |kinds: &[PieceKind]| kinds.iter().position(|&other| other == kind);
    let reached: Vec<Square> =
        attacks::piece(Color::Black, kind, sq, pos.occupied()).into_iter().collect();
    for (files, ranks) in [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)] {
        let neighbour = sq.offset(files, ranks).and_then(|to| pos.piece_on(to));
        if let Some(neighbour) = neighbour {
            let direction = (2 * (ranks + 1) + files.abs()) as usize;
            found.push(("neighbours", (direction * 14 + kind.index()) * 28 + code(neighbour)));
        }
    }
    if let Some(number) = number(&[Dragon, Horse, Rook, Bishop, Knight, Lance]) {
        for piece in reached.iter().filter_map(|&to| pos.piece_on(to)) {
            found.push(("attacked", 28 * number + code(piece)));
        }
    }
    if let Some(number) = number(&[Dragon, Horse, Rook, Bishop, Lance]) {
        let free = reached.iter().filter(|&&to| !is_own(to)).count();
        found.push(("mobility", 21 * number + free));
    }
    let pawns = |color| pos.pieces(color, Pawn).into_iter();
    if kind == Bishop {
        let color = |sq: Square| (sq.file() + sq.rank()) % 2;
        let same = pawns(Color::Black).filter(|&pawn| color(pawn) == color(sq)).count();
        found.push(("bishop-pawns", same));
    }
    if let Some(number) = number(&[Pawn, Knight, Silver]) {
        let is_wanted = |to: &Square| kind != Silver || to.rank() > sq.rank();
        let can = reached.iter().filter(|to| is_wanted(to)).any(|&to| !is_own(to));
        found.push(("steps", 2 * number + usize::from(can)));
    }
    if let Some(number) = number(&[Dragon, Rook, Lance]) {
        for (owner, color) in Color::ALL.into_iter().enumerate() {
            for pawn in pawns(color).filter(|pawn| pawn.file() == sq.file()) {
                let behind = usize::from(pawn.rank() > sq.rank());
                let distance = pawn.rank().abs_diff(sq.rank());
                found.push(("file-pawns", 32 * number + 16 * owner + 8 * behind + distance - 1));
            }
        }
    }
}

#[test]
fn the_walk_matches_the_definition() {
    each_position(3, |pos| {
        let mut slow: Found = Vec::new();
        // White's view is Black's view of the rotated board.
        for (board, sign) in [(pos.clone(), 1), (pos.turned(), -1)] {
            slow.extend(slow_black(&board).into_iter().map(|(group, at)| (group, at, sign)));
        }
        let mut found = walked(pos);
        slow.sort_unstable();
        found.sort_unstable();
        assert!(slow == found, "{pos}");
    });
}

#[test]
fn each_group_occurs_in_these_positions() {
    let mut seen = [0; HokiGroup::COUNT];
    each_position(4, |pos| {
        walk(pos, HokiGroups::ALL, |occurrence| seen[occurrence.group.number()] += 1);
    });
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn a_position_and_its_mirror_image_have_the_same_weights() {
    let pos =
        position("ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1");
    let image = "ln1g1g1nl/3r2sk1/ppb1pppp1/2pps3p/9/PP1PS1P1P/2P1PPSP1/3RG1KB1/LN1G3NL b - 1";
    let sorted = |pos: &Position| {
        let mut found = walked(pos);
        found.sort_unstable();
        found
    };
    assert_eq!(sorted(&pos), sorted(&position(image)));
}

#[test]
fn rotated_positions_negate_the_value_and_parts_add_up() {
    let weights = random(1, HokiGroups::ALL);
    each_position(5, |pos| {
        let value = weights.value(pos);
        assert_eq!(weights.value(&pos.turned()), -value, "{pos}");
        assert_eq!(weights.parts(pos).iter().sum::<i32>(), value, "{pos}");
        let sign = pos.side_to_move().sign();
        assert_eq!(weights.evaluate(pos).to_cp(), Score::cp(sign * value / UNIT).to_cp());
    });
    let explained = weights.explain(&Position::startpos());
    assert_eq!(explained.len(), HokiGroup::COUNT);
    assert!(explained.iter().all(|(_, value)| *value == 0), "{explained:?}");
}

#[test]
fn disabled_groups_do_not_count() {
    let all = random(2, HokiGroups::ALL);
    let off = [HokiGroup::Kpp, HokiGroup::Pins];
    let groups = off.into_iter().fold(HokiGroups::ALL, HokiGroups::without);
    let tables = HokiGroup::ALL.map(|group| match groups.contains(group) {
        true => all.table(group).to_vec(),
        false => Vec::new(),
    });
    let some = HokiWeights::new(tables).expect("the tables have the right size");
    assert_eq!(some.groups(), groups);
    each_position(6, |pos| {
        let parts = all.parts(pos);
        let left = off.iter().map(|group| parts[group.number()]).sum::<i32>();
        assert_eq!(some.value(pos), all.value(pos) - left, "{pos}");
    });
}

#[test]
fn piece_king_change_is_the_change_of_kpp_by_a_quiet_move() {
    let only = HokiGroup::ALL.into_iter().filter(|&group| group != HokiGroup::Kpp);
    let weights = Arc::new(random(7, only.fold(HokiGroups::ALL, HokiGroups::without)));
    let mut quiet = 0;
    each_position(8, |pos| {
        let Some(kings) = pos.kings() else { return };
        let mut next = pos.clone();
        for &mv in &movegen::legal_moves(pos, Scope::LEGAL) {
            if pos.moved_piece(mv) != PieceKind::King && !pos.is_capture(mv) {
                let moved = pos.delta_of(mv).moved;
                next.do_move(mv);
                let gain = weights.value(&next) - weights.value(pos);
                next.undo_move();
                let change = weights.piece_king_change(pos, kings, &moved);
                assert_eq!(change, gain / UNIT, "{mv} in {pos}");
                quiet += 1;
            }
        }
    });
    assert!(quiet > 10_000, "{quiet}");
}

#[test]
fn weights_are_rounded_and_clamped() {
    let mut tables = HokiTables::default();
    tables[HokiGroup::Steps.number()] = vec![1.03, -1.03, 0.0, 5_000.0, -5_000.0, 0.03];
    let (weights, cut) =
        HokiWeights::from_centipawns(&tables).expect("the tables have the right size");
    assert_eq!(weights.table(HokiGroup::Steps), [16, -16, 0, i16::MAX, -i16::MAX, 0]);
    assert_eq!((cut, weights.groups()), (2, HokiGroups::NONE.with(HokiGroup::Steps)));
    tables[HokiGroup::Steps.number()].pop();
    assert_eq!(HokiWeights::from_centipawns(&tables), None);
}

fn written(weights: &HokiWeights) -> Vec<u8> {
    let mut bytes = Vec::new();
    file::write(weights, &mut bytes, 1).expect("writing to a Vec cannot fail");
    bytes.strip_prefix(file::MAGIC).expect("the file starts with the magic").to_vec()
}

#[test]
fn files_are_read_as_written() {
    let groups = HokiGroups::ALL.without(HokiGroup::Kpp).without(HokiGroup::Mobility);
    for groups in [groups, HokiGroups::NONE, HokiGroups::NONE.with(HokiGroup::Kpp)] {
        let weights = random(9, groups);
        let bytes = written(&weights);
        assert!(file::read(&bytes[..]).is_ok_and(|read| read == weights));
        if groups.contains(HokiGroup::Kpp) {
            continue;
        }
        let mut broken = bytes.clone();
        broken[bytes.len() / 2] ^= 1;
        assert!(file::read(&broken[..]).is_err());
        assert!(file::read(&bytes[..bytes.len() - 5]).is_err());
    }
}

/// A modification that breaks a file.
type Change<'a> = &'a dyn Fn(&mut Vec<u8>);

#[test]
fn errors_of_broken_files_name_the_group_and_the_value() {
    let sound = {
        let weights = random(10, HokiGroups::NONE.with(HokiGroup::Steps));
        zstd::decode_all(&written(&weights)[..]).expect("a valid zstd frame")
    };
    let error = |change: Change| -> WeightsError {
        let mut bytes = sound.clone();
        change(&mut bytes);
        let frame = zstd::encode_all(&bytes[..], 1).expect("writing to a Vec cannot fail");
        file::read(&frame[..]).expect_err("broken")
    };
    // Offsets: version, unit, number of groups, length of a name, the name, number of weights.
    let cases: [(&str, Change); 7] = [
        ("version 2", &|bytes| bytes[0] = 2),
        ("unit: 17", &|bytes| bytes[2] = 17),
        ("\"stePs\": unknown group", &|bytes| bytes[11] = b'P'),
        ("\"steps\": expected 6 weights, found 7", &|bytes| bytes[13] = 7),
        ("\"steps\": duplicate group", &|bytes| {
            bytes[4] = 2;
            bytes.extend_from_slice(&sound[6..]);
        }),
        ("data after the end", &|bytes| bytes.push(0)),
        ("it ends early", &|bytes| bytes.truncate(20)),
    ];
    for (named, change) in cases {
        let error = error(change).to_string();
        assert!(error.contains(named), "{named}: {error}");
    }
}
