//! Imports inside a folder also have a direction: files and subfolders of a folder never use each
//! other, directly or indirectly. Its `mod.rs` is one of the files, but an export is not a use.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::project_files::{files_below, text};

type ModulePath = Vec<String>;

/// All modules below a folder: their paths and their code.
fn modules(folder: &Path) -> BTreeMap<ModulePath, String> {
    let module = |path: PathBuf| {
        let inside = path.with_extension("");
        let names = inside.strip_prefix(folder).expect("a file of the folder").iter();
        let names = names.map(|name| name.to_string_lossy().into_owned());
        (names.filter(|name| name != "mod" && name != "lib").collect(), code(&text(&path)))
    };
    files_below(folder, "rs").into_iter().map(module).collect()
}

/// The code of a file without comments, unit tests, and the paths of `pub(in ...)`.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut parts = code.split("pub(in ");
    let mut without = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        without += "pub";
        without += part.split_once(')').map_or(part, |(_, rest)| rest);
    }
    without
}

/// Reads the paths in a part of a `use`: `a::{b, c::d}` contains `a::b` and `a::c::d`. Returns the
/// text after the part.
fn read_paths<'a>(mut text: &'a str, from: &ModulePath, out: &mut Vec<ModulePath>) -> &'a str {
    let mut path = from.clone();
    loop {
        text = text.trim_start();
        if let Some(mut group) = text.strip_prefix('{') {
            while !group.trim_start().starts_with('}') {
                group = read_paths(group, &path, out).trim_start();
                group = group.strip_prefix(',').unwrap_or(group);
            }
            return &group.trim_start()[1..];
        }
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        match &text[..end] {
            "super" => drop(path.pop()),
            "self" | "crate" => {}
            name => path.push(name.to_owned()),
        }
        text = &text[end..];
        match text.strip_prefix("::") {
            Some(rest) => text = rest,
            None => {
                out.push(path);
                let behind = text.trim_start().strip_prefix("as ").unwrap_or(text);
                return behind.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            }
        }
    }
}

/// The paths after `use` in the public `use` statements of a module's code.
fn exports(code: &str) -> impl Iterator<Item = &str> {
    code.split("\npub").skip(1).filter_map(|statement| {
        // `pub` may be followed by `(crate)`, for example.
        let (scope, list) = statement.split_once("use ")?;
        scope.trim().chars().all(|c| c.is_alphabetic() || "()".contains(c)).then_some(list)
    })
}

/// All paths of the crate in a module's code, except those that it only exports.
fn named(
    module: &ModulePath,
    code: &str,
    is_module: impl Fn(&ModulePath) -> bool,
) -> Vec<ModulePath> {
    let mut paths = Vec::new();
    let exported: Vec<_> = exports(code)
        .map(|list| {
            let start = list.as_ptr() as usize - code.as_ptr() as usize;
            start..start + list.find(';').unwrap_or(list.len())
        })
        .collect();
    for (start, _) in code.match_indices("::") {
        let before = &code[..start];
        let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
        let word = word.unwrap_or_default();
        let is_first = !before[..start - word.len()].ends_with("::");
        if !is_first || exported.iter().any(|list| list.contains(&start)) {
            continue;
        }
        let below = [module.as_slice(), &[word.to_owned()]].concat();
        let from = match word {
            "crate" => Vec::new(),
            "super" => module.split_last().map(|(_, parent)| parent.to_vec()).unwrap_or_default(),
            "self" => module.clone(),
            _ if is_module(&below) => below,
            _ => continue,
        };
        read_paths(&code[start + 2..], &from, &mut paths);
    }
    paths
}

struct Tree {
    modules: BTreeMap<ModulePath, String>,
    /// Maps re-exported paths of a module to their original paths.
    exported: BTreeMap<ModulePath, ModulePath>,
}

impl Tree {
    fn read(folder: &Path) -> Tree {
        let (code, mut exported) = (modules(folder), BTreeMap::new());
        for (module, text) in &code {
            for list in exports(text) {
                let mut paths = Vec::new();
                let from = if list.starts_with("crate") { &Vec::new() } else { module };
                read_paths(list, from, &mut paths);
                for path in paths {
                    let name = path.last().cloned().into_iter();
                    exported.insert(module.iter().cloned().chain(name).collect(), path);
                }
            }
        }
        Tree { modules: code, exported }
    }

    /// The module that defines the item with this path.
    fn home(&self, path: &ModulePath) -> ModulePath {
        let known = |end: &usize| self.modules.contains_key(&path[..*end]);
        let end = (0..=path.len()).rev().find(known).unwrap_or(0);
        match path.get(..end + 1).and_then(|name| self.exported.get(name)) {
            Some(real) if real != path => self.home(&[real.as_slice(), &path[end + 1..]].concat()),
            _ => path[..end].to_vec(),
        }
    }

    /// The uses among the files and subfolders of each folder.
    fn siblings(&self) -> BTreeMap<ModulePath, BTreeMap<String, BTreeSet<String>>> {
        let mut uses: BTreeMap<_, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (module, code) in &self.modules {
            let paths = named(module, code, |path| self.modules.contains_key(path));
            for used in paths.iter().map(|path| self.home(path)) {
                let shared = module.iter().zip(&used).take_while(|(one, other)| one == other);
                let shared = shared.count();
                let [one, other] = [module, &used]
                    .map(|path| path.get(shared).cloned().unwrap_or_else(|| "mod.rs".to_owned()));
                if one != other {
                    let folder = uses.entry(module[..shared].to_vec()).or_default();
                    folder.entry(one).or_default().insert(other);
                }
            }
        }
        uses
    }
}

/// The files that can be reached from a file of a folder. The file itself is included only if it is
/// in a cycle.
fn reached(uses: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(next) = open.pop() {
        for name in uses.get(&next).into_iter().flatten() {
            if found.insert(name.clone()) {
                open.push(name.clone());
            }
        }
    }
    found
}

fn cycles(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for (place, uses) in Tree::read(folder).siblings() {
        let round = |name: &&String| reached(&uses, name).contains(*name);
        let members: Vec<&str> = uses.keys().filter(round).map(String::as_str).collect();
        if !members.is_empty() {
            found.push(format!("{}: {}", place.join("/"), members.join(", ")));
        }
    }
    found
}

#[test]
fn folders_have_no_import_cycles() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    assert_eq!(cycles(&src), Vec::<String>::new());
}

#[test]
fn cycles_are_found_through_groups_exports_and_subfolders() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("mod.rs", "mod a;\nmod b;\nmod c;\npub use a::{Apple, other::Pear};\n");
    write("a.rs", "//! See [`super::c`].\nuse super::b::{self, Bean as B};\n");
    write("b.rs", "fn f() -> usize { std::mem::size_of::<crate::c::Cherry>() }\n");
    write("c/mod.rs", "mod d;\n");
    write("c/d.rs", "use super::super::Date;\n#[cfg(test)]\nmod tests {\n use crate::Apple;\n}\n");
    assert_eq!(cycles(folder.path()), Vec::<String>::new());
    write("c/d.rs", "use std::fmt;\nuse crate::{Apple, Fig};\n");
    assert_eq!(cycles(folder.path()), [": a, b, c"]);
    // A `mod.rs` that uses the files that use it.
    write("c/d.rs", "pub(in crate::a) use super::super::Date;\n");
    write("mod.rs", "mod a;\nmod b;\nmod c;\npub use a::{Apple, other::Pear};\n");
    assert_eq!(cycles(folder.path()), Vec::<String>::new());
    write("c/d.rs", "use super::super::Date;\n");
    write("mod.rs", "mod a;\nmod b;\nmod c;\nfn f() {\n    b::bean(a::Apple);\n}\n");
    assert_eq!(cycles(folder.path()), [": a, b, c, mod.rs"]);
}
