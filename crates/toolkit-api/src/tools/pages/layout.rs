//! Page layout: head, bar and footer of all pages.

use maud::{DOCTYPE, Markup, html};

use crate::site::Site;
use crate::tools::pages::data_url::data_url;

/// Locations of pages and files, for one rendering.
pub(crate) struct Paths<'a> {
    pub(crate) site: &'a Site,
    pub(crate) home: String,
    pub(crate) rest: String,
    pub(crate) mcp: String,
    pub(crate) openapi: String,
    /// The path of this version's files, except libraries.
    assets: String,
}

impl<'a> Paths<'a> {
    pub(crate) fn new(site: &'a Site) -> Self {
        Self {
            site,
            home: site.path("/"),
            rest: site.path("/docs"),
            mcp: site.path("/docs/mcp"),
            openapi: site.path("/openapi.json"),
            assets: site.path(&format!("/assets/{}", toolkit_web::version())),
        }
    }

    /// The path of a file.
    pub(crate) fn asset(&self, path: &str) -> String {
        let version = toolkit_web::version_of(path);
        self.site.path(&format!("/assets/{version}/{path}"))
    }

    /// The path of a tool's page.
    pub(crate) fn tool(&self, slug: &str) -> String {
        self.site.path(&format!("/tools/{slug}"))
    }
}

/// The section that a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    Tools,
    Rest,
    Mcp,
}

/// The style sheet of the documentation and of notices.
const DOCS: &str = "style/docs.css";

/// The parts in which pages differ.
pub(crate) struct Page<'a> {
    /// The document title, without the service's name.
    pub(crate) title: &'a str,
    /// One sentence for search engines.
    pub(crate) summary: &'a str,
    /// Its section, and whether it is the section's first page.
    pub(crate) tab: Option<(Tab, bool)>,
    /// Its own style sheets, besides the common one.
    pub(crate) styles: &'a [&'a str],
    /// Its entry modules.
    pub(crate) modules: &'a [&'a str],
    /// Whether its policy allows the manifest.
    pub(crate) has_manifest: bool,
    /// Its `main`.
    pub(crate) main: &'a Markup,
    /// Footer text after the version.
    pub(crate) foot: &'a Markup,
}

/// A page with bar, content and footer.
pub(crate) fn page(paths: &Paths<'_>, page: &Page<'_>) -> Markup {
    let site = paths.site;
    let more = html! {
        // Before the style sheets, since the theme must be known at first paint.
        script src=(paths.asset("kit/theme.js")) {}
        meta name="description" content=(page.summary);
        @if page.has_manifest {
            link rel="manifest" href=(site.path("/manifest.webmanifest"));
        }
        script type="module" src=(paths.asset("kit/page.js")) {}
        @for module in toolkit_web::preloads(page.modules) {
            link rel="modulepreload" href=(paths.asset(module));
        }
    };
    let title = format!("{} · {}", page.title, site.name);
    html! {
        (DOCTYPE)
        html lang="en" data-base=(site.base) data-assets=(paths.assets) data-api=(site.api())
            data-offline=[(!site.offline).then_some("off")]
            data-unbuilt[!toolkit_web::is_built()]
        {
            (head(paths, &title, page.styles, &more))
            body {
                a.skip href="#main" { "Skip to content" }
                (bar(paths, page.tab))
                (page.main)
                footer.foot {
                    p { (site.name) " " (env!("CARGO_PKG_VERSION")) }
                    (page.foot)
                    (links(site))
                }
            }
        }
    }
}

/// The chip that shows the page's requests. Its name must not begin like the button "Run", which
/// scripts and voice control find by name.
pub(crate) fn privacy() -> Markup {
    html! {
        p.privacy {
            button type="button" data-wire aria-expanded="false"
                aria-label="Requests. Runs in your browser. Nothing you enter leaves this page."
                title="Nothing you enter leaves this page."
            {
                span { "Runs in your browser" }
            }
        }
    }
}

fn brand(site: &Site) -> Markup {
    html! {
        @if let Some(logo) = &site.logo { img src=(logo) alt=""; " " } @else {
            svg.mark viewBox="0 0 16 16" aria-hidden="true" {
                @for (at, hue) in [("M1 1h6v6H1z", "encoders"), ("M9 1h6v6H9z", "formatters"), ("M1 9h6v6H1z", "crypto"), ("M9 9h6v6H9z", "generators")] {
                    path d=(at) data-category=(hue) {}
                }
            }
        }
        (site.name)
    }
}

fn links(site: &Site) -> Markup {
    html! {
        @if !site.links.is_empty() {
            p { @for link in &site.links { a href=(link.url.as_str()) { (link.text.as_str()) } " " } }
        }
    }
}

fn bar(paths: &Paths<'_>, tab: Option<(Tab, bool)>) -> Markup {
    let tabs = [
        (Tab::Tools, &paths.home, "Tools"),
        (Tab::Rest, &paths.rest, "REST API"),
        (Tab::Mcp, &paths.mcp, "MCP server"),
    ];
    let current = |of: Tab| match tab {
        Some((tab, is_first)) if tab == of => Some(if is_first { "page" } else { "true" }),
        _ => None,
    };
    html! {
        header.bar {
            a.brand href=(paths.home) { (brand(paths.site)) }
            nav aria-label="Main" {
                ul {
                    @for (of, path, label) in tabs {
                        li { a href=(path) aria-current=[current(of)] { (label) } }
                    }
                }
            }
            div.bar-end {
                // On home, its own field is the search.
                @if tab != Some((Tab::Tools, true)) {
                    button.search type="button" data-search {
                        svg.icon-image viewBox="0 0 16 16" aria-hidden="true" {
                            path d="M7 2a5 5 0 1 1 0 10A5 5 0 0 1 7 2M10.600 10.600L14 14" {}
                        }
                        span { "Search tools" }
                        kbd { "Ctrl K" }
                    }
                }
                button.icon type="button" data-theme-button aria-label="Theme: system" {}
            }
        }
    }
}

/// A line in the table of contents, with its children.
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) label: Markup,
    pub(crate) below: Vec<Self>,
}

impl Entry {
    pub(crate) fn new(id: &str, label: Markup) -> Self {
        Self::with(id, label, Vec::new())
    }

    pub(crate) fn with(id: &str, label: Markup, below: Vec<Self>) -> Self {
        Self { id: id.to_owned(), label, below }
    }
}

/// A page of the documentation.
pub(crate) struct Document<'a> {
    pub(crate) title: &'a str,
    /// One sentence for search engines.
    pub(crate) summary: &'a str,
    pub(crate) tab: Tab,
    /// Introduction below the title.
    pub(crate) head: &'a Markup,
    pub(crate) contents: &'a [Entry],
    pub(crate) text: &'a Markup,
}

/// A documentation page: table of contents and text.
pub(crate) fn document(paths: &Paths<'_>, document: &Document<'_>) -> Markup {
    let main = html! {
        main data-page="docs" data-address=[&paths.site.unnamed] {
            div.head {
                h1 { (document.title) }
                (document.head)
            }
            nav.contents aria-label="On this page" { (list(document.contents)) }
            div.text id="main" tabindex="-1" { (document.text) }
        }
    };
    let page = Page {
        title: document.title,
        summary: document.summary,
        tab: Some((document.tab, true)),
        styles: &[DOCS],
        modules: &["kit/page.js"],
        has_manifest: true,
        main: &main,
        foot: &html! {},
    };
    self::page(paths, &page)
}

/// A page with one message or question.
pub(crate) fn notice(site: &Site, language: &str, title: &str, text: &Markup) -> Markup {
    // The page's address contains a token.
    let more = html! { meta name="robots" content="noindex"; };
    html! {
        (DOCTYPE)
        html lang=(language) {
            (head(&Paths::new(site), title, &[DOCS], &more))
            body {
                div.notice {
                    header { span.brand { (brand(site)) } }
                    main { (text) }
                    (links(site))
                }
            }
        }
    }
}

fn head(paths: &Paths<'_>, title: &str, styles: &[&str], more: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            (more)
            link rel="stylesheet" href=(paths.asset("style/base.css"));
            @for style in styles { link rel="stylesheet" href=(paths.asset(style)); }
            link rel="icon" href=(icon());
        }
    }
}

fn icon() -> String {
    let svg = toolkit_web::asset("icons/icon.svg").map(|asset| asset.bytes);
    data_url(&String::from_utf8_lossy(&svg.unwrap_or_default()))
}

fn list(entries: &[Entry]) -> Markup {
    html! {
        ul {
            @for entry in entries {
                li {
                    a href={ "#" (entry.id) } { (entry.label) }
                    @if !entry.below.is_empty() { (list(&entry.below)) }
                }
            }
        }
    }
}
