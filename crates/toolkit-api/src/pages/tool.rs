//! Pages of the tools: head, data for the form, and related tools.

use maud::{Markup, PreEscaped, html};
use toolkit_catalog::{ENTRIES, Entry};
use toolkit_core::{DynTool, registry};
use toolkit_web::{ToolModule, tool_module};

use super::cards::{cards, category_name};
use super::code::{code, quoted};
use super::layout::{self, Page, Paths, Tab};
use super::tool_form;

const RELATED_MAX: usize = 4;
const IN_BROWSER: &str = "Runs in your browser. Nothing you enter leaves this page.";
const ON_SERVER: &str =
    "Runs on this server. What you enter is sent to it, and is neither stored nor logged.";

/// Renders the page of a tool.
pub(crate) fn render(paths: &Paths<'_>, entry: &Entry) -> Markup {
    match registry::by_slug(entry.slug) {
        Some(tool) => of_server(paths, entry, tool),
        None => of_browser(paths, entry),
    }
}

fn of_server(paths: &Paths<'_>, entry: &Entry, tool: &dyn DynTool) -> Markup {
    let form = html! {
        div id="tool-place" {}
        script type="application/json" id="tool" { (PreEscaped(tool_form::json(entry, tool))) }
        noscript { (by_hand(paths, entry, tool)) }
        (elsewhere(paths, entry, tool))
    };
    let main = main(paths, entry, false, &form);
    page(paths, entry, &["kit/page.js", "kit/server.js"], &main)
}

fn of_browser(paths: &Paths<'_>, entry: &Entry) -> Markup {
    let module = tool_module(entry.slug);
    let missing = missing(&module);
    let form = html! {
        div id="tool-place" {
            @if let Some(missing) = &missing { (missing) }
        }
        @if missing.is_none() {
            noscript {
                p.notice-line { "This tool runs in your browser as JavaScript, which is turned off here." }
            }
        }
    };
    let main = main(paths, entry, missing.is_some(), &form);
    match module {
        ToolModule::Ready(module) => {
            page(paths, entry, &["kit/page.js", "kit/run.js", module], &main)
        }
        _ => page(paths, entry, &["kit/page.js"], &main),
    }
}

/// Missing parts of a tool in this build, and how to get them.
fn missing(module: &ToolModule) -> Option<Markup> {
    match module {
        ToolModule::Ready(_) => None,
        ToolModule::Absent => Some(html! {
            p.notice-line data-missing { "This tool is not in this build of the service." }
        }),
        ToolModule::LacksLibraries(names) => Some(html! {
            p.notice-line data-missing {
                "This tool does not run here, since a part of it is missing (" (names.join(", "))
                "): the service was built without Node, or without the npm registry."
            }
            p {
                "The operator of the service can add it: install Node 20 or newer, leave "
                code { "TOOLKIT_WEB_LIBRARIES" } " unset or set it to " code { "required" }
                ", and build again with " code { "cargo build --release" } "."
            }
        }),
    }
}

fn main(paths: &Paths<'_>, entry: &Entry, is_missing: bool, form: &Markup) -> Markup {
    let (kind, privacy) = if entry.server_side {
        ("server", ON_SERVER)
    } else {
        ("browser", IN_BROWSER)
    };
    let category = format!("{}#{}", paths.home, entry.category.name());
    let state = if is_missing { "refused" } else { "loading" };
    html! {
        main id="main" tabindex="-1" data-page="tool" data-slug=(entry.slug) data-name=(entry.name)
            data-kind=(kind) data-state=(state) data-missing[is_missing]
        {
            header.head {
                p.crumb { a href=(category) { (category_name(entry.category)) } }
                div.title {
                    h1 { (entry.name) }
                    div.title-actions data-actions {}
                }
                p.lead { (entry.description) }
                p.privacy { (privacy) }
            }
            (form)
            section.related aria-labelledby="related" {
                h2 id="related" { "Related tools" }
                (cards(paths, related(entry)))
            }
        }
    }
}

/// The following tools of its category, then the preceding ones.
fn related(entry: &Entry) -> Vec<&'static Entry> {
    let own = ENTRIES.iter().position(|other| other.slug == entry.slug);
    let (before, after) = ENTRIES.split_at(own.unwrap_or_default());
    let others = after.iter().skip(1).chain(before);
    let related = others.filter(|other| other.category == entry.category);
    related.take(RELATED_MAX).collect()
}

fn page(paths: &Paths<'_>, entry: &Entry, modules: &[&str], main: &Markup) -> Markup {
    let page = Page {
        title: entry.name,
        summary: entry.description,
        tab: Some((Tab::Tools, false)),
        style: "tool",
        modules,
        has_manifest: entry.server_side,
        main,
        foot: &html! {},
    };
    layout::page(paths, &page)
}

/// Content for readers without scripts: the inputs, and a call to copy.
fn by_hand(paths: &Paths<'_>, entry: &Entry, tool: &dyn DynTool) -> Markup {
    let example = tool
        .spec()
        .examples
        .first()
        .map_or("{}", |example| example.input);
    let call = format!(
        "curl -s {} \\\n  -H 'Content-Type: application/json' \\\n  -d {}",
        paths
            .site
            .urls
            .base_url
            .join(&format!("/toolkit/api/tools/{}/run", entry.slug)),
        quoted(example),
    );
    html! {
        p.notice-line { "The form needs JavaScript, which is turned off here. The same call from a shell:" }
        (code("shell", &call))
        (tool_form::list(tool))
    }
}

/// Link to the tool in the documentation.
fn elsewhere(paths: &Paths<'_>, entry: &Entry, tool: &dyn DynTool) -> Markup {
    html! {
        p.elsewhere {
            "Also available as: "
            a href={ (paths.rest) "#run-" (entry.slug) } { "REST API" }
            @if let Some(mcp) = &tool.spec().mcp {
                ", " a href={ (paths.mcp) "#" (mcp.name) } { "MCP tool " code { (mcp.name) } }
            }
            "."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_lacks_in_this_build_is_named() {
        let notice = |module| missing(&module).map_or_else(String::new, Markup::into_string);
        assert_eq!(notice(ToolModule::Ready("tools/a.js")), "");
        assert!(notice(ToolModule::Absent).contains("is not in this build"));
        let names = ["marked", "dompurify"].map(str::to_owned).to_vec();
        let lacking = notice(ToolModule::LacksLibraries(names));
        assert!(lacking.contains("(marked, dompurify): the service was built without Node"));
    }
}
