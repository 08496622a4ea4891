//! 404 page, with similarly named tools.

use std::cmp::Reverse;

use maud::{Markup, html};
use toolkit_catalog::{ENTRIES, Entry};

use super::cards::cards;
use super::layout::{self, Page, Paths};

const SHOWN_MAX: usize = 4;
/// Characters of a path that are compared, more than the longest slug.
const COMPARED_CHARACTERS_MAX: usize = 48;

/// Renders the page for a path.
pub(crate) fn render(paths: &Paths<'_>, path: &str) -> Markup {
    let nearest = nearest(path);
    let main = html! {
        main id="main" tabindex="-1" data-page="not-found" {
            header.head {
                h1 { "Page not found" }
                p.lead {
                    @if nearest.is_empty() {
                        "Search for a tool, or look at " a href=(paths.home) { "all tools" } "."
                    } @else {
                        "Perhaps you meant one of these tools; or look at " a href=(paths.home) { "all tools" } "."
                    }
                }
                p { button type="button" data-search { "Search tools" } }
            }
            @if !nearest.is_empty() { (cards(paths, nearest)) }
        }
    };
    let page = Page {
        title: "Not found",
        summary: "Page not found.",
        tab: None,
        styles: &["style/tool.css"],
        modules: &["kit/page.js"],
        has_manifest: true,
        main: &main,
        foot: &html! {},
    };
    layout::page(paths, &page)
}

/// The tools whose slug or aliases resemble the last path segment, best match first.
fn nearest(path: &str) -> Vec<&'static Entry> {
    let last = path.trim_end_matches('/').rsplit('/').next();
    let last = last.unwrap_or_default().to_lowercase();
    // Scanners ask for `.php` all day.
    let last = last.rsplit_once('.').map_or(&*last, |(stem, _)| stem);
    let last: String = last.chars().take(COMPARED_CHARACTERS_MAX).collect();
    let mut found: Vec<_> =
        ENTRIES.iter().filter_map(|entry| Some((likeness(&last, entry)?, entry))).collect();
    found.sort_by_key(|(likeness, _)| Reverse(*likeness));
    let entries = found.into_iter().map(|(_, entry)| entry);
    entries.take(SHOWN_MAX).collect()
}

/// Similarity of a word and a tool. `None` below a threshold.
fn likeness(word: &str, entry: &Entry) -> Option<usize> {
    let names = entry.slug.split('-').chain(entry.keywords.iter().copied());
    let parts: Vec<&str> = word.split(['-', '_', '.', '+']).filter(|part| part.len() > 1).collect();
    let shared = names.filter(|name| parts.contains(name)).count();
    let near = (entry.slug.len() / 3 + 1).saturating_sub(strsim::levenshtein(word, entry.slug));
    Some(near + 2 * shared).filter(|likeness| *likeness > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_or_an_alias_finds_the_tool() {
        for (path, slug) in [
            ("/toolkit/tools/jsn-formatter", "json-formatter"),
            ("/toolkit/tools/hexencoder", "hex-encoder"),
            // A third of the letters may differ.
            ("/toolkit/tools/hexencod", "hex-encoder"),
            ("/toolkit/tools/base64", "base64-encoder"),
            ("/toolkit/guid", "uuid-generator"),
            ("/toolkit/tools/QR-Code/", "qr-code-generator"),
        ] {
            let first = nearest(path).first().map(|entry| entry.slug);
            assert_eq!(first, Some(slug), "{path}");
        }
    }

    #[test]
    fn a_word_unlike_any_tool_finds_none() {
        for path in ["", "/", "/toolkit/wp-login.php", &"a/".repeat(4_000), &"x".repeat(90_000)] {
            assert!(nearest(path).is_empty(), "{path:.40}");
        }
    }
}
