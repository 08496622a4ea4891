//! Checks `catalog.toml` and turns it into static data.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde::Deserialize;

const FILE: &str = "catalog.toml";
const ENTRIES: usize = 57;
const SERVER_SIDE: usize = 13;
const KEYWORD_BYTES_MAX: usize = 24;
/// Categories: the name in the file and the variant in the source.
const CATEGORIES: [(&str, &str); 8] = [
    ("encoders", "Encoders"),
    ("formatters", "Formatters"),
    ("crypto", "Crypto"),
    ("generators", "Generators"),
    ("network", "Network"),
    ("datetime", "Datetime"),
    ("text", "Text"),
    ("design", "Design"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Catalog {
    tools: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    slug: String,
    name: String,
    category: String,
    description: String,
    keywords: Vec<String>,
    server_side: bool,
}

impl Entry {
    /// Returns the first keyword that is too long, repeated, or equal to the slug or the name.
    fn wrong_keyword(&self) -> Option<&str> {
        let is_wrong = |(index, keyword): (usize, &String)| {
            let is_repeated = self
                .keywords
                .iter()
                .take(index)
                .any(|other| other == keyword);
            let length = keyword.trim().len();
            let is_short = (1..=KEYWORD_BYTES_MAX).contains(&length) && length == keyword.len();
            !is_short || is_repeated || *keyword == self.slug || *keyword == self.name
        };
        let wrong = self
            .keywords
            .iter()
            .enumerate()
            .find(|found| is_wrong(*found));
        wrong.map(|(_, keyword)| keyword.as_str())
    }
}

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed={FILE}");
    let text = fs::read_to_string(FILE).map_err(|error| format!("{FILE}: {error}"))?;
    let catalog: Catalog = toml::from_str(&text).map_err(|error| format!("{FILE}: {error}"))?;
    check(&catalog.tools)?;
    let out = env::var("OUT_DIR").map_err(|error| error.to_string())?;
    let path = Path::new(&out).join("entries.rs");
    fs::write(path, source(&catalog.tools)).map_err(|error| error.to_string())
}

fn check(tools: &[Entry]) -> Result<(), String> {
    let mut seen = HashSet::new();
    for entry in tools {
        let slug = &entry.slug;
        let fault = |what: &str| Err(format!("{FILE}: `{slug}`: {what}"));
        if !is_kebab_case(slug) {
            return fault("the slug is not lower-case words joined by hyphens");
        }
        if !seen.insert(slug) {
            return fault("the slug is there twice");
        }
        if entry.name.trim().is_empty() {
            return fault("the name is empty");
        }
        if variant(&entry.category).is_none() {
            return fault(&format!("no such category: {}", entry.category));
        }
        if !is_sentence(&entry.description) {
            return fault("the description is not one sentence with a full stop");
        }
        if let Some(keyword) = entry.wrong_keyword() {
            return fault(&format!(
                "`{keyword}` is not a keyword: a few words, given once"
            ));
        }
    }
    let server_side = tools.iter().filter(|entry| entry.server_side).count();
    if (tools.len(), server_side) == (ENTRIES, SERVER_SIDE) {
        return Ok(());
    }
    let found = format!("{} entries, {server_side} of them server-side", tools.len());
    Err(format!(
        "{FILE}: {found}; there must be {ENTRIES} and {SERVER_SIDE}"
    ))
}

fn variant(category: &str) -> Option<&'static str> {
    CATEGORIES
        .iter()
        .find(|(name, _)| *name == category)
        .map(|(_, variant)| *variant)
}

fn is_kebab_case(slug: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    slug.split('-').all(word)
}

fn is_sentence(text: &str) -> bool {
    let starts_well = text.starts_with(|first: char| first.is_ascii_uppercase());
    starts_well && text.ends_with('.') && !text.contains(". ") && !text.contains('\n')
}

fn source(tools: &[Entry]) -> String {
    let mut source = "&[\n".to_owned();
    for Entry {
        slug,
        name,
        category,
        description,
        keywords,
        server_side,
    } in tools
    {
        let variant = variant(category).unwrap_or_default();
        let _ = writeln!(
            source,
            "    Entry {{ slug: {slug:?}, name: {name:?}, category: Category::{variant}, \
             description: {description:?}, keywords: &{keywords:?}, server_side: {server_side} }},"
        );
    }
    source + "]"
}
