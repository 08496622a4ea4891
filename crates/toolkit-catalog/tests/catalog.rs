//! The build script's checks, repeated on the data that a program sees.

use std::collections::HashSet;

use toolkit_catalog::{Category, ENTRIES, find};

#[path = "../examples/catalog_table.rs"]
#[expect(dead_code, reason = "a test calls what its main function calls")]
mod catalog_table;

#[test]
fn the_example_prints_a_line_for_every_tool() {
    let mut out = Vec::new();
    catalog_table::print(&mut out).expect("memory takes everything");
    let table = String::from_utf8(out).expect("a table is text");
    assert_eq!(table.lines().count(), ENTRIES.len());
    let cidr = "network    server  cidr-calculator              CIDR Calculator";
    assert!(table.lines().any(|line| line == cidr), "{table}");
}

#[test]
fn fifty_seven_tools_of_which_the_service_runs_thirteen() {
    assert_eq!(ENTRIES.len(), 57);
    assert_eq!(ENTRIES.iter().filter(|entry| entry.server_side).count(), 13);
}

#[test]
fn every_slug_is_unique_and_found() {
    let slugs: HashSet<_> = ENTRIES.iter().map(|entry| entry.slug).collect();
    assert_eq!(slugs.len(), ENTRIES.len());
    for entry in ENTRIES {
        assert_eq!(find(entry.slug), Some(entry));
    }
    assert_eq!(find("no-such-tool"), None);
}

#[test]
fn every_category_has_tools_and_tools_are_grouped_by_category() {
    let mut categories: Vec<_> = ENTRIES.iter().map(|entry| entry.category).collect();
    categories.dedup();
    assert_eq!(categories, Category::ALL);
}

#[test]
fn the_slugs_match_the_specification() {
    let uuid = find("uuid-generator").unwrap();
    assert_eq!(
        (uuid.server_side, uuid.category),
        (true, Category::Generators)
    );
    let color = find("color-picker").unwrap();
    assert_eq!(
        (color.server_side, color.category),
        (false, Category::Design)
    );
}
