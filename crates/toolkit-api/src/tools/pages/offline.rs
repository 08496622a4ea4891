//! Offline page, shown when the server is unreachable and the requested page is not cached.

use maud::{Markup, html};

use super::layout::{self, Page, Paths};

/// Renders the page.
pub(crate) fn render(paths: &Paths<'_>) -> Markup {
    let main = html! {
        main id="main" tabindex="-1" data-page="offline" {
            header.head {
                h1 { "The server cannot be reached" }
                p.lead {
                    "This page was not kept on this device. Tools that you opened before work without a \
                     network. Reload to try again, or look at "
                    a href=(paths.home) { "all tools" } "."
                }
            }
        }
    };
    let page = Page {
        title: "Offline",
        summary: "The server cannot be reached.",
        tab: None,
        styles: &["style/tool.css"],
        modules: &["kit/page.js"],
        has_manifest: false,
        main: &main,
        foot: &html! {},
    };
    layout::page(paths, &page)
}
