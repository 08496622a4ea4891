//! Home: all tools of the catalog, by category.

use maud::{Markup, html};
use toolkit_catalog::{Category, ENTRIES};

use super::cards::{cards, category_name};
use super::layout::{self, Page, Paths, Tab, privacy};

/// Renders the page.
pub(crate) fn render(paths: &Paths<'_>) -> Markup {
    let for_programs = ENTRIES.iter().filter(|entry| entry.server_side).count();
    let summary = format!("{} tools for developers, by category.", ENTRIES.len());
    let main = html! {
        main id="main" tabindex="-1" data-page="home" {
            header.head {
                h1 { "Developer tools" }
                p.lead {
                    (ENTRIES.len()) " tools. Nothing you enter leaves your browser. "
                    (for_programs) " are also an API for programs and AI assistants."
                }
                (privacy())
            }
            @if !toolkit_web::is_built() {
                p.notice-line {
                    "This service was built without Node: tools that need a library do not run here, and say so."
                }
            }
            div id="home-place" {}
            @for category in Category::ALL { (section(paths, category)) }
        }
    };
    let page = Page {
        title: "Developer tools",
        summary: &summary,
        tab: Some((Tab::Tools, true)),
        styles: &["style/home.css"],
        modules: &["kit/page.js", "kit/home.js"],
        has_manifest: true,
        main: &main,
        foot: &foot(paths),
    };
    layout::page(paths, &page)
}

fn section(paths: &Paths<'_>, category: Category) -> Markup {
    let entries = ENTRIES.iter().filter(|entry| entry.category == category);
    let heading = format!("{}-tools", category.name());
    html! {
        section.category id=(category.name()) aria-labelledby=(heading) {
            h2 id=(heading) { (category_name(category)) }
            (cards(paths, entries))
        }
    }
}

fn foot(paths: &Paths<'_>) -> Markup {
    let licenses =
        toolkit_web::asset("libraries/licenses.txt").map(|asset| paths.asset(asset.path));
    html! {
        @if let Some(licenses) = licenses {
            p { a href=(licenses) { "Licenses of the libraries" } }
        }
        button type="button" data-offline hidden { "Keep all tools offline" }
        p data-offline-status role="status" {}
    }
}
