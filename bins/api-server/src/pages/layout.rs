//! What stands around the content of a page.

use maud::{DOCTYPE, Markup, html};

/// Where the pages are, and what they are made of.
#[derive(Debug)]
pub(crate) struct Paths {
    pub(crate) rest: String,
    pub(crate) mcp: String,
    pub(crate) openapi: String,
    pub(crate) style: String,
    pub(crate) script: String,
}

/// A line of the contents list, with those below it.
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
        Self {
            id: id.to_owned(),
            label,
            below,
        }
    }
}

/// A page of the documentation.
pub(crate) struct Document<'a> {
    pub(crate) title: &'a str,
    /// One sentence for whoever finds the page.
    pub(crate) summary: &'a str,
    /// The path of the page itself.
    pub(crate) path: &'a str,
    /// What it is about, below its title.
    pub(crate) head: &'a Markup,
    pub(crate) contents: &'a [Entry],
    pub(crate) text: &'a Markup,
}

/// A page of the documentation: a bar with the others, its contents, its text.
pub(crate) fn document(paths: &Paths, document: &Document<'_>) -> Markup {
    let tabs = [
        (&paths.rest, "REST API"),
        (&paths.mcp, "MCP server"),
        (&paths.openapi, "OpenAPI"),
    ];
    let head = html! {
        meta name="description" content=(document.summary);
        script src=(paths.script) defer {}
    };
    let body = html! {
        a.skip href="#text" { "Skip to the text" }
        header.bar {
            span.brand { "Toolkit" }
            nav aria-label="Documentation" {
                ul {
                    @for (path, label) in tabs {
                        li {
                            a href=(path) aria-current=[(path == document.path).then_some("page")] { (label) }
                        }
                    }
                }
            }
        }
        main {
            div.head {
                h1 { (document.title) }
                (document.head)
            }
            nav.contents aria-label="On this page" { (list(document.contents)) }
            div.text id="text" tabindex="-1" {
                (document.text)
                p.version { "Toolkit " (env!("CARGO_PKG_VERSION")) }
            }
        }
    };
    shell(document.title, &paths.style, &head, &body)
}

/// A page that says or asks one thing. `style` is the path of the stylesheet.
pub(crate) fn notice(title: &str, style: &str, text: &Markup) -> Markup {
    // Its address holds a token.
    let head = html! { meta name="robots" content="noindex"; };
    let body = html! {
        div.notice {
            header { span.brand { "Toolkit" } }
            main { (text) }
        }
    };
    shell(title, style, &head, &body)
}

fn shell(title: &str, style: &str, head: &Markup, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="stylesheet" href=(style);
                link rel="icon" href="data:,";
                (head)
            }
            body { (body) }
        }
    }
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
