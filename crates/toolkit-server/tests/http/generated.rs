//! The generated documents match the settings. `BLESS=1` rewrites them.

use std::path::Path;

use crate::reference;

#[track_caller]
fn compare(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "{} is stale; run `just bless`", path.display());
}

#[test]
fn the_configuration_page_matches_the_settings() {
    compare("docs/configuration.md", &reference::page());
}

#[test]
fn the_example_file_matches_the_settings() {
    compare("toolkit.example.toml", &reference::example());
}
