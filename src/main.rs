//! scratch
fn main() {
    let t = std::time::Instant::now();
    let mut p = kankei::shogi::Position::startpos();
    for d in 1..=5 {
        println!("{} {:?}", kankei::shogi::perft::perft(&mut p, d), t.elapsed());
    }
    let t = std::time::Instant::now();
    println!("{} {:?}", kankei::shogi::perft::perft(&mut p, 5), t.elapsed());
}
