//! `docs/ARCHITECTURE.md` names files and folders that exist.

use std::path::{Path, PathBuf};

/// File name extensions in prose.
const EXTENSIONS: [&str; 5] = [".rs", ".mjs", ".toml", ".json", ".md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files and folders of the project, by path from its root.
fn paths() -> Vec<String> {
    let mut paths = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if ["target", "node_modules", ".git"].contains(&name.as_str()) {
                continue;
            }
            let path = format!("{folder}{name}");
            if entry.file_type().unwrap().is_dir() {
                paths.push(format!("{path}/"));
                folders.push(format!("{path}/"));
            } else {
                paths.push(path);
            }
        }
    }
    paths
}

/// Texts between backticks.
fn names(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Expands `a/{b,c}` to `a/b` and `a/c`; an ellipsis stands for more of the kind.
fn alternatives(name: &str) -> Vec<String> {
    let Some((before, rest)) = name.split_once('{') else {
        return vec![name.to_owned()];
    };
    let (inner, after) = rest.split_once('}').unwrap();
    let inner = inner.split(',').filter(|part| *part != "…");
    inner.map(|part| format!("{before}{part}{after}")).collect()
}

fn folder(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rfind('/').map_or("", |slash| path.get(..=slash).unwrap())
}

/// The code map gives paths from the root. The second and later paths of a row are in the folder of
/// the first, or in its crate.
fn missing_in_row(paths: &[String], row: &str) -> Vec<String> {
    let exists = |path: &str| root().join(path).exists();
    let mut missing = Vec::new();
    let mut first = String::new();
    for name in names(row).into_iter().flat_map(alternatives) {
        if first.is_empty() {
            first.clone_from(&name);
        }
        let package = paths.iter().filter(|path| path.ends_with("Cargo.toml"));
        let package = package
            .map(|path| folder(path))
            .find(|package| !package.is_empty() && first.starts_with(package));
        let places = [
            name.clone(),
            format!("{}{name}", folder(&first)),
            format!("{}{name}", package.unwrap_or_default()),
        ];
        if !places.iter().any(|path| exists(path)) {
            missing.push(name);
        }
    }
    missing
}

/// Prose names files by the end of their path.
fn missing_in_prose(paths: &[String], line: &str) -> Vec<String> {
    let is_file = |name: &&str| {
        EXTENSIONS.iter().any(|end| name.ends_with(end))
            && !name.contains([' ', '*'])
            && !name.starts_with('.')
    };
    let exists =
        |name: &str| paths.iter().any(|path| path == name || path.ends_with(&format!("/{name}")));
    names(line)
        .into_iter()
        .filter(is_file)
        .filter(|name| !exists(name))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_file_and_folder_that_the_architecture_names_exists() {
    let text = std::fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap();
    let paths = paths();
    let mut missing = Vec::new();
    let mut rows = 0;
    for line in text.lines() {
        let row = line.strip_prefix("| `").and_then(|_| line.split('|').nth(1));
        missing.extend(match row {
            Some(row) => {
                rows += 1;
                missing_in_row(&paths, row)
            }
            None => missing_in_prose(&paths, line),
        });
        // The diagram names folders.
        let words = line.split_whitespace();
        let folders =
            words.filter(|word| ["bins/", "crates/"].iter().any(|it| word.starts_with(it)));
        missing.extend(folders.filter(|folder| !root().join(folder).exists()).map(str::to_owned));
    }
    assert!(rows > 20, "the code map has {rows} rows");
    assert!(missing.is_empty(), "no such file or folder: {missing:?}");
}

#[test]
fn a_wrong_name_is_detected() {
    let paths = paths();
    let row = " `crates/toolkit-server/src/settings.rs`, `middleware.rs`, `no_such.rs`, `src/{body,gone}.rs` ";
    assert_eq!(missing_in_row(&paths, row), ["no_such.rs", "src/gone.rs"]);
    let prose = "`tools/list` goes to `middleware/record.rs`, then to `middleware/no_such.rs`";
    assert_eq!(missing_in_prose(&paths, prose), ["middleware/no_such.rs"]);
}

#[test]
fn the_gates_of_the_manual_are_those_of_the_module() {
    let gates = |path: &str| -> Vec<String> {
        let text = std::fs::read_to_string(root().join(path)).unwrap();
        let rows = text.lines().map(|line| line.trim_start_matches("//! "));
        rows.skip_while(|row| !row.starts_with("| What | Limit "))
            .take_while(|row| row.starts_with('|'))
            .map(str::to_owned)
            .collect()
    };
    let manual = gates("docs/operating/sizing.md");
    assert!(manual.len() > 12, "{manual:?}");
    assert_eq!(manual, gates("crates/toolkit-server/src/accounts.rs"));
}
