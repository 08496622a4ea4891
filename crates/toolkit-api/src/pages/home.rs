//! Home: every tool of the catalog by category.

use maud::{Markup, html};
use toolkit_catalog::{Category, ENTRIES, Entry};
use toolkit_web::{ToolModule, tool_module};

use super::cards::{cards, category_name};
use super::layout::{self, Page, Paths, Tab};

/// Renders the page.
pub(crate) fn render(paths: &Paths<'_>) -> Markup {
    let count =
        |is_meant: fn(&Entry) -> bool| ENTRIES.iter().filter(|entry| is_meant(entry)).count();
    let on_server = count(toolkit_web::asks_server);
    let for_programs = count(|entry| entry.server_side);
    let missing = missing();
    let summary = format!("{} tools for developers, by category.", ENTRIES.len());
    let main = html! {
        main id="main" tabindex="-1" data-page="home" {
            header.head {
                h1 { "Developer tools" }
                p.lead {
                    (ENTRIES.len()) " tools. " (ENTRIES.len() - on_server)
                    " run in your browser and send nothing, " (on_server) " run on this server; "
                    (for_programs) " are an API for programs and AI assistants too."
                }
            }
            @if missing > 0 {
                p.notice-line {
                    (missing) " of them do not run here: the service was built without Node. Their \
                     pages say what is missing."
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
        styles: &["style/tool.css"],
        modules: &["kit/page.js", "kit/home.js"],
        has_manifest: true,
        main: &main,
        foot: &foot(paths),
    };
    layout::page(paths, &page)
}

/// How many browser tools lack a part in this build.
fn missing() -> usize {
    ENTRIES
        .iter()
        .filter(|entry| !entry.server_side)
        .filter(|entry| !matches!(tool_module(entry.slug), ToolModule::Ready(_)))
        .count()
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
