//! Costs of an evaluation: after a move, after a king move, and from scratch.

mod positions;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kankei::eval::learned::network::{HeadActivation, HeadInput, HeadShape, NetworkShape};
use kankei::eval::learned::{KingView, TRIANGLE};
use kankei::eval::nnue::{Family, FeatureSet, NnueForm};
use kankei::eval::{Evaluation, Evaluator, PieceIndex};
use kankei::lab::learn::{RealKpp, RealNetwork, RealUpper, RealWeights};
use kankei::lab::nnue_file::synthetic;
use kankei::papers::pairs::form::{PairWeights, RELATIONS};
use kankei::papers::td::features::{FeatureWeights, TABLE_2};
use kankei::rng::Rng;
use kankei::shogi::{PieceKind, Position, Scope, movegen};

use positions::POSITIONS;

fn all() -> Vec<Position> {
    POSITIONS.iter().map(|sfen| Position::from_sfen(sfen).expect(sfen)).collect()
}

/// The networks whose costs are compared.
fn networks() -> Vec<NetworkShape> {
    let free = |units, head| NetworkShape { units, king_relative: false, head };
    let mut networks: Vec<NetworkShape> =
        [16, 32].map(|width| free(256, HeadShape::classic(width))).into();
    networks.push(NetworkShape { king_relative: true, ..networks[1] });
    let (input, activation) = (HeadInput::Products, HeadActivation::Dual);
    networks
        .extend([256, 512].map(|units| free(units, HeadShape { input, ..HeadShape::classic(32) })));
    networks.extend([16, 32].map(|width| free(512, HeadShape { width, input, activation })));
    networks
}

/// The forms of NNUE files that players use most often.
fn nnue_forms() -> [NnueForm; 5] {
    let classic =
        |features, units, hidden| NnueForm { family: Family::Classic, features, units, hidden };
    [
        classic(FeatureSet::Kp, 256, [32, 32]),
        classic(FeatureSet::HalfKp, 256, [32, 32]),
        classic(FeatureSet::HalfKp, 1024, [8, 32]),
        classic(FeatureSet::HalfKpVm, 256, [32, 32]),
        NnueForm {
            family: Family::Sfnn,
            features: FeatureSet::HalfKaHm2,
            units: 1536,
            hidden: [15, 32],
        },
    ]
}

/// The hand-made evaluation and every form of the learned one, with random weights. The cost does
/// not depend on the weights.
fn evaluations() -> Vec<(String, Evaluation)> {
    let mut rng = Rng::from_seed(1);
    let mut numbers = |count: usize, size: f64| -> Vec<f32> {
        (0..count).map(|_| (size * (2.0 * rng.unit() - 1.0)) as f32).collect()
    };
    let mut forms = vec![("no KPP".to_owned(), RealUpper::None)];
    for rank in [32, 64, 128, 256] {
        let rows = numbers(KingView::KINGS * PieceIndex::COUNT * rank, 1.0);
        let factored = RealUpper::Kpp(RealKpp::Factored { rank, rows });
        forms.push((format!("{rank} factors"), factored));
    }
    let table = RealKpp::Table(numbers(KingView::KINGS * TRIANGLE, 20.0));
    forms.push(("table".to_owned(), RealUpper::Kpp(table)));
    for shape in networks() {
        let network = RealNetwork::draw(shape, &mut numbers);
        forms.push((shape.to_string(), RealUpper::Network(network)));
    }
    let mut evaluations = vec![("hand-made".to_owned(), Evaluation::HandMade)];
    for (name, upper) in forms {
        let real = RealWeights::draw(upper, &mut numbers);
        evaluations.push((name, Evaluation::Learned(Arc::new(real.quantize().weights))));
    }
    let pairs: Vec<i8> = numbers(RELATIONS, 100.0).into_iter().map(|weight| weight as i8).collect();
    let pairs = PairWeights::new(&pairs).expect("one weight per relation");
    evaluations.push(("pairs of pieces".to_owned(), Evaluation::Registered(Arc::new(pairs))));
    for form in nnue_forms() {
        let file = synthetic::file(form, 1);
        let evaluation = Evaluation::from_bytes(&file).expect("the file is valid");
        evaluations.push((form.to_string(), evaluation));
    }
    evaluations.push(("internal".to_owned(), Evaluation::embedded()));
    let features = FeatureWeights::new(TABLE_2);
    evaluations.push(("features".to_owned(), Evaluation::Registered(Arc::new(features))));
    evaluations
}

/// Makes and takes back every legal move of 11 positions, and evaluates each move if `evaluates` is
/// set. With `kings`, uses only king moves; otherwise, only other moves.
fn follow(games: &mut [(Evaluator, Position)], kings: bool, evaluates: bool) {
    for (evaluator, pos) in games {
        for mv in movegen::legal_moves(pos, Scope::USEFUL) {
            if (pos.moved_piece(mv) == PieceKind::King) != kings {
                continue;
            }
            let delta = pos.do_move(mv);
            evaluator.push(&delta);
            if evaluates {
                black_box(evaluator.evaluate(pos));
            }
            evaluator.pop();
            pos.undo_move();
        }
    }
}

fn incremental(criterion: &mut Criterion) {
    let evaluations = evaluations();
    for (kings, moves) in [(false, "other moves"), (true, "king moves")] {
        let mut group = criterion.benchmark_group(format!("{moves} of 11 positions"));
        let count = |pos: &Position| {
            let moves = movegen::legal_moves(pos, Scope::USEFUL);
            moves.iter().filter(|&&mv| (pos.moved_piece(mv) == PieceKind::King) == kings).count()
        };
        group.throughput(Throughput::Elements(all().iter().map(count).sum::<usize>() as u64));
        for (name, evaluation) in &evaluations {
            let start = |pos: Position| {
                let mut evaluator = Evaluator::new(evaluation, &pos);
                evaluator.evaluate(&pos);
                (evaluator, pos)
            };
            let mut games: Vec<_> = all().into_iter().map(start).collect();
            for (evaluates, what) in [(false, "followed"), (true, "followed and evaluated")] {
                group.bench_function(format!("{name}, {what}"), |bencher| {
                    bencher.iter(|| follow(&mut games, kings, evaluates));
                });
            }
        }
        group.finish();
    }
}

fn from_scratch(criterion: &mut Criterion) {
    let positions = all();
    let mut group = criterion.benchmark_group("from scratch, 11 positions");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for (name, evaluation) in evaluations() {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for pos in &positions {
                    black_box(evaluation.evaluate(pos));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, incremental, from_scratch);
criterion_main!(benches);
