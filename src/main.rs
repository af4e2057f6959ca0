//! scratch
use kankei::engine::*;
use kankei::search::*;
use kankei::shogi::*;
fn main() {
    let sfen = std::env::args().nth(2).unwrap_or(STARTPOS.to_string());
    let depth: u32 = std::env::args().nth(1).map_or(8, |d| d.parse().unwrap());
    let off: u32 = std::env::args().nth(3).map_or(0, |d| d.parse().unwrap());
    let pos = Position::from_sfen(&sfen).unwrap();
    let mut e = FullWidth::new(SearchParams::DEFAULT.without(Rules::from_bits_truncate(off)));
    e.configure(&Settings{hash_mib:64, ..Default::default()});
    let c = Control::new(std::time::Instant::now());
    let o = e.search(&pos, &Limits{depth:Some(depth), ..Default::default()}, &c, &mut |r| if let Report::Line(i)=r {
        println!("d{}/{} {} {:?} n{} t{:?} nps {:.0} {:?}", i.depth, i.seldepth, i.score, i.bound, i.nodes, i.time, i.nodes as f64/i.time.as_secs_f64(), i.pv);
    });
    println!("{:?}", o.best);
}
