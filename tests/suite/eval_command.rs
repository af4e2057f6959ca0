//! `kankei eval depths` and `eval values`.

use kankei::eval::Evaluation;

use crate::command_support::Folder;
use crate::positions::{BEGINNINGS, position};

const BLACK_MATES: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// The mean scores of the table, static evaluation first.
fn means(table: &str) -> Vec<f64> {
    let rows = table.lines().skip(2).map(|row| row.split_whitespace().nth(1).expect("a column"));
    rows.map(|mean| mean.parse().expect("a number")).collect()
}

#[test]
fn mean_scores_by_depth_are_printed() {
    let folder = Folder::new();
    let of_material = |sfen: &str| Evaluation::HandMade.evaluate(&position(sfen)).to_cp();
    let sfens = [BEGINNINGS[0], BEGINNINGS[1], BEGINNINGS[3]];
    folder.write("list.txt", format!("# positions\n{}\n{BLACK_MATES}\n", sfens.join(" | 7\n")));
    let line = "eval depths list.txt --eval material --within 20000 --depth";
    let table = folder.ok(&format!("{line} 4"));
    // The mate is beyond the limit.
    assert!(table.starts_with("3 of 4 positions, within 20000 centipawns\n"), "{table}");
    let found = means(&table);
    assert_eq!(found.len(), 5, "{table}");
    let expected = sfens.map(|sfen| f64::from(of_material(sfen))).iter().sum::<f64>() / 3.0;
    assert!((found[0] - expected).abs() < 0.051, "{table}");
    // Every position is searched alone, so neither threads nor depth change the first rows.
    assert_eq!(means(&folder.ok(&format!("{line} 2 --threads 1"))), found[..3], "{table}");
    folder.write("mate.txt", BLACK_MATES);
    let none = folder.ok("eval depths mate.txt --depth 1");
    assert!(none.starts_with("0 of 1 position, within 1500 centipawns\n"), "{none}");
    assert_eq!(none.lines().count(), 2, "{none}");
}

#[test]
fn positions_after_moves_are_evaluated() {
    let folder = Folder::new();
    let moves = "startpos moves 7g7f 3c3d 8h2b+";
    folder.write("list.txt", format!("{moves}\nsfen {}\n", BEGINNINGS[0]));
    let values = folder.ok("eval values list.txt --eval material");
    let [after, before] = values.lines().collect::<Vec<_>>()[..] else { panic!("{values}") };
    assert_ne!(after, before, "a bishop was captured");
    assert!(folder.ok("eval depths list.txt --depth 1 --within 9999").starts_with("2 of 2"));
    folder.write("list.txt", "startpos moves 7g7e\n");
    folder.fails("eval values list.txt", &["line 1", "7g7e"]);
}

#[test]
fn errors_of_the_table_name_the_value() {
    let folder = Folder::new();
    folder.write("list.txt", format!("{}\nno position\n", BEGINNINGS[0]));
    folder.fails("eval depths list.txt --depth 1", &["list.txt", "line 2", "no position"]);
    folder.fails("eval depths none.txt", &["none.txt"]);
    folder.fails("eval depths list.txt --depth 101", &["101", "1 to 100"]);
    folder.fails("eval depths list.txt --within 0", &["\"0\" is not a whole number from 1"]);
}
