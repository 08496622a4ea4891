//! Checks `catalog.toml` and turns it into static data.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde::Deserialize;

use self::category::Category;

#[allow(dead_code, unreachable_pub, reason = "part of the crate, of which only this is needed")]
#[path = "src/category.rs"]
mod category;

const FILE: &str = "catalog.toml";
const ENTRIES: usize = 57;
const SERVER_SIDE: usize = 13;
const KEYWORD_BYTES_MAX: usize = 24;
const RELATED_MAX: usize = 4;
const FACE_CHARS_MAX: usize = 3;

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
    category: Category,
    face: String,
    description: String,
    keywords: Vec<String>,
    server_side: bool,
    related: Vec<String>,
}

impl Entry {
    /// Returns the first keyword that is too long, repeated, or equal to the slug or the name.
    fn wrong_keyword(&self) -> Option<&str> {
        let mut seen = HashSet::from([self.slug.as_str(), self.name.as_str()]);
        let mut keywords = self.keywords.iter().map(String::as_str);
        keywords.find(|keyword| {
            let is_short = (1..=KEYWORD_BYTES_MAX).contains(&keyword.len());
            !is_short || keyword.trim() != *keyword || !seen.insert(keyword)
        })
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
        if !(1..=FACE_CHARS_MAX).contains(&entry.face.chars().count()) {
            return fault("`face` is not one to three characters");
        }
        if !is_sentence(&entry.description) {
            return fault("the description is not one sentence with a full stop");
        }
        let is_other = |other: &String| other != slug && tools.iter().any(|it| it.slug == *other);
        if !(1..=RELATED_MAX).contains(&entry.related.len()) || !entry.related.iter().all(is_other)
        {
            return fault("`related` is not one to four slugs of other tools");
        }
        if let Some(keyword) = entry.wrong_keyword() {
            return fault(&format!("`{keyword}` is not a keyword: a few words, given once"));
        }
    }
    let server_side = tools.iter().filter(|entry| entry.server_side).count();
    if (tools.len(), server_side) == (ENTRIES, SERVER_SIDE) {
        return Ok(());
    }
    let found = format!("{} entries, {server_side} of them server-side", tools.len());
    Err(format!("{FILE}: {found}; there must be {ENTRIES} and {SERVER_SIDE}"))
}

fn is_kebab_case(slug: &str) -> bool {
    let is_kebab = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let mut words = slug.split('-');
    words.all(|word| !word.is_empty() && word.bytes().all(is_kebab))
}

fn is_sentence(text: &str) -> bool {
    let starts_well = text.starts_with(|first: char| first.is_ascii_uppercase());
    starts_well && text.ends_with('.') && !text.contains(". ") && !text.contains('\n')
}

fn source(tools: &[Entry]) -> String {
    let mut source = "&[\n".to_owned();
    for entry in tools {
        let Entry { slug, name, category, face, description, keywords, server_side, related } =
            entry;
        let _ = writeln!(
            source,
            "    Entry {{ slug: {slug:?}, name: {name:?}, category: Category::{category:?}, face: {face:?}, \
             description: {description:?}, keywords: &{keywords:?}, server_side: {server_side}, \
             related: &{related:?} }},"
        );
    }
    source + "]"
}
