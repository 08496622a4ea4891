//! The build script's checks, repeated on the data that a program sees.

use std::collections::HashSet;

use toolkit_catalog::{Category, ENTRIES, by_category, find};

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
    assert_eq!((uuid.server_side, uuid.category), (true, Category::Generators));
    let color = find("color-picker").unwrap();
    assert_eq!((color.server_side, color.category), (false, Category::Design));
}

#[test]
fn a_category_has_one_name_everywhere_and_no_other_is_accepted() {
    let names = Category::ALL.map(Category::name);
    let expected = "encoders formatters crypto generators network datetime text design";
    assert_eq!(names.join(" "), expected);
    for category in Category::ALL {
        assert_eq!(category.to_string(), category.name());
        assert_eq!(category.as_ref(), category.name());
        assert_eq!(category.name().parse(), Ok(category));
        assert!(by_category(category).all(|entry| entry.category == category));
    }
    assert_eq!(by_category(Category::Datetime).count(), 5);
    let error = "time".parse::<Category>().unwrap_err().to_string();
    let expected = "There is no such category; use one of encoders, formatters, crypto, \
                    generators, network, datetime, text, design.";
    assert_eq!(error, expected);
}

#[cfg(feature = "schema")]
#[test]
fn the_schema_of_a_category_is_a_list_of_names() {
    let schema = schemars::schema_for!(toolkit_catalog::Entry);
    let names = Category::ALL.map(Category::name);
    let expected = schemars::json_schema!({"type": "string", "enum": names});
    assert_eq!(schema.as_value()["$defs"]["Category"], *expected.as_value());
}
