//! The values of another program that plays these files, for 1,000 positions of each form.

use std::path::PathBuf;
use std::process::Command;

use kankei::eval::Evaluation;

use crate::command_support::Folder;

fn shared(name: &str) -> PathBuf {
    let shared = std::env::var("KANKEI_SHARED").expect("KANKEI_SHARED names the shared folder");
    PathBuf::from(shared).join("data").join(name)
}

/// Compares the values of a file with a list of `sfen | value`.
fn check(folder: &Folder, network: &str, list: &str) {
    let list = shared(&format!("nnue/reference/{list}.txt.zst"));
    let packed = std::fs::read(&list).expect("the list exists");
    let text = String::from_utf8(zstd::decode_all(&packed[..]).expect("the list is compressed"))
        .expect("text");
    let expected: Vec<&str> =
        text.lines().filter_map(|line| Some(line.split_once(" | ")?.1.trim())).collect();
    let list = list.display();
    let printed = folder.ok(&format!("eval values '{list}' --eval {network} --raw --fv-scale 16"));
    let printed: Vec<&str> = printed.lines().collect();
    assert_eq!(printed.len(), expected.len());
    let equal =
        printed.iter().zip(&expected).filter(|(printed, expected)| printed == expected).count();
    println!("{network}: {equal} of {} equal", expected.len());
    assert_eq!((equal, expected.len()), (1_000, 1_000), "{network}");
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data, and numpy; makes files of 1.6 GB in turn: cargo test --release -- --ignored"]
fn all_reference_lists_are_equal() {
    let folder = Folder::new();
    let petite = shared("teacher/network_kp256.bin");
    std::fs::copy(petite, folder.at("petite.bin")).expect("the file can be copied");
    check(&folder, "petite.bin", "kp_256x2-32-32.real_suishopetite");
    for form in [
        "halfkp_256x2-32-32",
        "kp_256x2-32-32",
        "sfnn_halfkahm2_1536_15_32",
        "halfkp_512x2-16-32",
        "halfkp_1024x2-8-32",
        "halfkp_1024x2-8-64",
        "halfkpvm_256x2-32-32",
        "halfkp_768x2-16-64",
        "halfkp_512x2-8-64",
        "sfnn_halfka2_1024_7_64",
    ] {
        let made = Command::new("python3")
            .arg(shared("nnue/make_nnue.py"))
            .args([form, "1"])
            .arg(folder.at("nn.bin"))
            .status();
        assert!(made.expect("python3 starts").success(), "{form}");
        check(&folder, "nn.bin", &format!("{form}.seed1"));
    }
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn a_trained_network_is_calibrated() {
    let network = Evaluation::from_file(&shared("teacher/network_kp256.bin")).expect("a network");
    let positions =
        std::fs::read_to_string(shared("suites/eval_positions.txt")).expect("positions");
    let (mut network_sum, mut kankei_sum) = (0, 0);
    for sfen in positions.lines().filter_map(|line| line.split(';').next()) {
        let Ok(pos) = kankei::shogi::Position::from_sfen(sfen.trim()) else { continue };
        let values = [&network, &Evaluation::embedded()].map(|e| e.evaluate(&pos).to_cp());
        if values.iter().all(|value| value.abs() < 1_500) {
            network_sum += i64::from(values[0].abs());
            kankei_sum += i64::from(values[1].abs());
        }
    }
    let ratio = network_sum as f64 / kankei_sum as f64;
    println!("mean size of the values against Kankei's: {ratio:.3}");
    assert!((0.85..1.15).contains(&ratio), "{ratio}");
}
