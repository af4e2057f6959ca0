//! NNUE files in commands and in a USI session.

use kankei::eval::nnue::{FeatureSet, FvScale, full};
use kankei::eval::{Evaluation, Kernel};
use kankei::lab::nnue_file::synthetic;

use super::{classic, read};
use crate::command_support::Folder;
use crate::positions::{BEGINNINGS, position};
use crate::program::Session;

/// A folder with a small file `nn.bin`.
fn with_file() -> Folder {
    let folder = Folder::new();
    folder.write("nn.bin", synthetic::file(classic(FeatureSet::Kp, 32, [8, 16]), 1));
    folder
}

#[test]
fn values_are_printed_one_per_line() {
    let folder = with_file();
    let network = read(&folder.bytes("nn.bin")).expect("the file is valid");
    let lines: String = BEGINNINGS.iter().map(|sfen| format!("{sfen} | 7\n")).collect();
    let text = format!("# positions\n\n{lines}");
    folder.write("list.txt", &text);
    folder.write(
        "list.zst",
        zstd::encode_all(text.as_bytes(), 1).expect("writing to a Vec cannot fail"),
    );
    let raws = BEGINNINGS.map(|sfen| {
        full::raw(&network, Kernel::Portable, &position(sfen)).expect("K-P needs no king")
    });
    let printed = |line: &str| -> Vec<i32> {
        let printed = folder.ok(&format!("eval values {line}"));
        printed.lines().map(|line| line.parse().expect("an integer")).collect()
    };
    let own = |scale: u8| {
        let scale = FvScale::new(scale).expect("in range");
        raws.map(|raw| network.own_value(raw, scale)).to_vec()
    };
    assert_eq!(printed("list.txt --eval nn.bin --raw"), own(16));
    assert_eq!(printed("list.zst --eval nn.bin --raw --fv-scale 1"), own(1));
    assert_eq!(printed("list.txt --eval nn.bin --raw --fv-scale 40"), own(40));
    let evaluation = Evaluation::from_bytes(&folder.bytes("nn.bin")).expect("the file is valid");
    let values = BEGINNINGS.map(|sfen| evaluation.evaluate(&position(sfen)).to_cp());
    assert_eq!(printed("list.txt --eval nn.bin"), values);
    assert_eq!(printed("list.txt").len(), BEGINNINGS.len());

    folder.write("bad.txt", format!("{}\nno position\n", BEGINNINGS[0]));
    folder.fails("eval values bad.txt --eval nn.bin", &["bad.txt", "line 2", "no position"]);
    folder.fails("eval values list.txt --raw", &["line 3", "--raw"]);
    folder.fails("eval values none.txt --eval nn.bin", &["none.txt"]);
    folder.fails("eval values list.txt --eval none.bin", &["none.bin"]);
    folder.fails("eval values list.txt --eval nn.bin --raw --fv-scale 129", &["129", "1 to 128"]);
    let form = classic(FeatureSet::HalfKp, 32, [8, 8]);
    folder.write("half.bin", synthetic::file(form, 1));
    folder.fails("eval values list.txt --eval half.bin --raw", &["line 8", "a king is missing"]);
}

#[test]
fn networks_are_described_and_explained() {
    let folder = with_file();
    let printed = folder.ok("eval info nn.bin");
    for part in ["form: NNUE, K-P 32x2-8-16", "rows: 1710 of 32 values", "FV_SCALE: 16", "K+P[1710"]
    {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let printed = folder.ok("eval show --eval nn.bin startpos moves 7g7f");
    for part in ["at an FV_SCALE of 16", "without each piece", "|  P   |", "for White, to move"] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

#[test]
fn commands_accept_nnue_files() {
    let folder = with_file();
    folder.ok("bench --eval nn.bin --nodes 100 --hash 1");
    folder.ok("match 'self eval=nn.bin' self --nodes 50 --games 2 --hash 1");
    folder.ok("selfplay --games 2 --nodes 50 --hash 1 --eval nn.bin --out games.txt");
    folder.ok("learn resolve --games games.txt --eval nn.bin --held-out 0 --out samples.bin");
    let label = "learn label --samples samples.bin --held-out 0";
    folder.ok(&format!("{label} --network nn.bin --out labelled.bin"));
    assert!(folder.bytes("labelled.bin") != folder.bytes("samples.bin"));
    for search in ["FullWidth", "MCTS"] {
        folder.ok(&format!("bench --search {search} --eval nn.bin --nodes 50 --hash 1"));
    }
    folder.write("broken.bin", &folder.bytes("nn.bin")[..50_000]);
    folder.fails("bench --eval broken.bin", &["broken.bin", "size: truncated"]);
}

#[test]
fn eval_dir_and_eval_file_take_effect_in_a_session() {
    let folder = with_file();
    let sizes = [classic(FeatureSet::Kp, 64, [8, 16]), classic(FeatureSet::Kp, 96, [8, 16])];
    for (name, form) in ["one", "two"].into_iter().zip(sizes) {
        std::fs::create_dir(folder.at(name)).expect("a folder");
        folder.write(&format!("{name}/nn.bin"), synthetic::file(form, 1));
    }
    std::fs::create_dir(folder.at("bad")).expect("a folder");
    folder.write("bad/nn.bin", &folder.bytes("nn.bin")[..50_000]);
    let set = |name: &str, value: &str| format!("setoption name {name} value {value}\n");
    let at = |name: &str| folder.at(name).display().to_string();

    let mut session = Session::start();
    session.send(&set("USI_Hash", "16"));
    let mut ready = |settings: String| {
        let lines = session.ask(&format!("{settings}isready"), "readyok");
        let printed = lines.into_iter().filter(|line| line.contains("nn.bin"));
        printed.collect::<Vec<String>>()
    };
    // A GUI sends all options back after the user has selected a folder.
    let printed = ready(set("EvalDir", &at("one")) + &set("EvalFile", "<internal>"));
    assert_eq!(printed.len(), 1, "{printed:?}");
    assert!(printed[0].contains("K-P 64x2-8-16, 0.2 MiB, FV_SCALE 16, 100 of its"), "{printed:?}");
    assert_eq!(ready(String::new()), Vec::<String>::new());
    assert!(ready(set("EvalDir", &at("two")))[0].contains("K-P 96x2-8-16"));
    assert!(ready(set("FV_SCALE", "24"))[0].contains("FV_SCALE 24"));
    assert!(ready(set("EvalFile", &at("nn.bin")))[0].contains("K-P 32x2-8-16"));
    assert!(ready(set("EvalDir", &at("two")))[0].contains("K-P 96x2-8-16"));
    // A broken file, and a folder without an NNUE file.
    let printed = ready(set("EvalDir", &at("bad")));
    assert!(
        printed[0].contains("size: truncated") && printed[0].contains("using <internal> instead"),
        "{printed:?}"
    );
    let printed = ready(set("EvalDir", &at("none")));
    assert!(printed[0].contains("EvalDir") && printed[0].contains("does not exist"), "{printed:?}");
    // After a reset, the file of the other option is used again.
    assert!(ready(set("EvalDir", "<empty>"))[0].contains("K-P 32x2-8-16"));
    assert_eq!(ready(set("EvalFile", "<internal>")), Vec::<String>::new());
    session.ask("go nodes 500", "bestmove");
    session.quit();
}
