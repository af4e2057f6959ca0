//! scratch
use kankei::engine::*;
use kankei::search::*;
use kankei::shogi::*;
use std::io::BufRead;
use std::time::*;
fn main() {
    let mut params = SearchParams::DEFAULT;
    for a in std::env::args().skip(1) {
        let (k, v) = a.split_once('=').unwrap();
        let v: i32 = v.parse().unwrap();
        match k {
            "off" => params.rules.remove(Rules::from_bits_truncate(v as u32)),
            "vo" => params.change_bound = v,
            "vk" => params.king_change_bound = v,
            "vm" => params.material_bound = v,
            "fm" => params.futility_margin = v,
            "asp" => params.aspiration = v,
            "qs" => params.quiescence_first_stage = v as u32,
            _ => panic!(),
        }
    }
    let mut e = FullWidth::new(params);
    e.configure(&Settings { hash_mib: 64, ..Default::default() });
    let mut pos = Position::startpos();
    for l in std::io::stdin().lock().lines() {
        let l = l.unwrap();
        let w: Vec<&str> = l.split_whitespace().collect();
        match w.first().copied() {
            Some("usi") => println!("id name x\nusiok"),
            Some("isready") => {
                e.new_game();
                println!("readyok")
            }
            Some("quit") => return,
            Some("position") => {
                let m = w.iter().position(|x| *x == "moves").unwrap_or(w.len());
                pos = if w[1] == "startpos" {
                    Position::startpos()
                } else {
                    Position::from_sfen(&w[2..m].join(" ")).unwrap()
                };
                for x in w.iter().skip(m + 1) {
                    pos.do_move(x.parse().unwrap());
                }
            }
            Some("go") => {
                let start = Instant::now();
                let c = Control::new(start);
                let mut limits = Limits::default();
                let mut it = w.iter();
                while let Some(t) = it.next() {
                    match *t {
                        "byoyomi" => {
                            let ms: u64 = it.next().unwrap().parse().unwrap();
                            let d = Duration::from_millis(ms - 5);
                            c.set_deadlines(start, d, d);
                        }
                        "nodes" => limits.nodes = it.next().unwrap().parse().ok(),
                        _ => {}
                    }
                }
                let o = e.search(&pos, &limits, &c, &mut |_| ());
                if let Some(i) = &o.info {
                    println!(
                        "info depth {} seldepth {} score {} nodes {} time {} nps {} pv {}",
                        i.depth,
                        i.seldepth,
                        i.score,
                        i.nodes,
                        i.time.as_millis(),
                        (i.nodes as f64 / i.time.as_secs_f64()) as u64,
                        i.pv[0]
                    );
                }
                match o.best {
                    BestMove::Play(m, _) => println!("bestmove {m}"),
                    _ => println!("bestmove resign"),
                }
            }
            _ => {}
        }
    }
}
