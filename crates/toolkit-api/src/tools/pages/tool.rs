//! Tool pages: head, form data and related tools.

use maud::{Markup, PreEscaped, html};
use toolkit_catalog::{Category, Entry, find};
use toolkit_core::input::Surface;
use toolkit_core::{DynTool, registry, schema};

use super::cards::{cards, face};
use super::code::{code, quoted};
use super::layout::{self, Page, Paths, Tab, privacy};
use super::schema::{Side, fields};
use super::tool_form;

/// Renders a tool page.
pub(crate) fn render(paths: &Paths<'_>, entry: &Entry) -> Markup {
    let tool = registry::by_slug(entry.slug);
    let module = format!("tools/{}/tool.js", entry.slug);
    let mut modules = vec!["kit/page.js", "kit/tool-page.js", &module];
    modules.extend(tool.map(|_| "kit/calls.js"));
    let own = toolkit_web::asset(&format!("tools/{}/style.css", entry.slug));
    let mut styles = vec!["style/tool.css"];
    styles.extend(own.map(|own| own.path));
    let page = Page {
        title: entry.name,
        summary: entry.description,
        tab: Some((Tab::Tools, false)),
        styles: &styles,
        modules: &modules,
        has_manifest: false,
        main: &main(paths, entry, tool),
        foot: &html! {},
    };
    layout::page(paths, &page)
}

fn main(paths: &Paths<'_>, entry: &Entry, tool: Option<&dyn DynTool>) -> Markup {
    html! {
        main id="main" tabindex="-1" data-page="tool" data-slug=(entry.slug) data-name=(entry.name)
            data-state="loading"
        {
            header.head {
                (face(entry))
                // These pages mostly decode.
                h1 { (entry.name.strip_suffix(" Encoder").filter(|_| entry.category == Category::Encoders).unwrap_or(entry.name)) }
                p.lead title=(entry.description) { (entry.description) }
                div.head-end data-actions { (privacy()) }
            }
            div id="tool-place" {}
            @if let Some(tool) = tool {
                script type="application/json" id="tool" { (PreEscaped(tool_form::json(entry, tool))) }
            }
            noscript {
                @match tool {
                    Some(tool) => { (by_hand(paths, entry, tool)) }
                    None => p.notice-line {
                        "This tool runs in your browser as JavaScript, which is turned off here."
                    }
                }
            }
            @if let Some(tool) = tool { (elsewhere(paths, entry, tool)) }
            section.related aria-labelledby="related" {
                h2 id="related" { "Related tools" }
                (cards(paths, entry.related.iter().filter_map(|slug| find(slug))))
            }
        }
    }
}

/// Content for readers without scripts: the inputs, and a call to copy.
fn by_hand(paths: &Paths<'_>, entry: &Entry, tool: &dyn DynTool) -> Markup {
    let example = tool.spec().examples.first().map_or("{}", |example| example.input);
    let call = format!(
        "curl -s {} \\\n  -H 'Content-Type: application/json' \\\n  -d {}",
        paths.site.urls.base_url.join(&format!("/toolkit/api/tools/{}/run", entry.slug)),
        quoted(example),
    );
    html! {
        p.notice-line { "The form needs JavaScript, which is turned off here. The same call from a shell:" }
        (code("shell", &call))
        (fields(&schema::input(tool, Surface::Rest), Side::Input))
    }
}

/// Links to the tool in the documentation.
fn elsewhere(paths: &Paths<'_>, entry: &Entry, tool: &dyn DynTool) -> Markup {
    html! {
        p.elsewhere {
            a href={ (paths.rest) "#run-" (entry.slug) } { "REST API" }
            @if let Some(mcp) = &tool.spec().mcp {
                " · " a href={ (paths.mcp) "#" (mcp.name) } { "MCP tool " code { (mcp.name) } }
            }
        }
    }
}
