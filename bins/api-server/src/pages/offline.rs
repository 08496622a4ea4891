//! Offline page: what a browser shows when the server is out of reach and the page was not kept.

use maud::{Markup, html};

use super::layout::{self, Page, Paths};

/// Makes the page.
pub(crate) fn render(paths: &Paths<'_>) -> Markup {
    let main = html! {
        main id="main" tabindex="-1" data-page="offline" {
            header.head {
                h1 { "You are offline" }
                p.lead {
                    "This page was not kept on this device. Tools that you opened before work without a \
                     network; those that run on the server do not."
                }
                p { a href=(paths.home) { "All tools" } }
            }
        }
    };
    let page = Page {
        title: "Offline",
        summary: "The server cannot be reached.",
        tab: None,
        style: "tool",
        modules: &["kit/page.js"],
        has_manifest: false,
        main: &main,
        foot: &html! {},
    };
    layout::page(paths, &page)
}
