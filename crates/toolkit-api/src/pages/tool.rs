//! Pages of the tools: head, data for the form, and related tools.

use maud::{Markup, PreEscaped, html};
use toolkit_catalog::{Entry, find};
use toolkit_core::{DynTool, registry};
use toolkit_web::{ToolModule, tool_module};

use super::cards::{cards, category_name};
use super::code::{code, quoted};
use super::layout::{self, Page, Paths, Tab};
use super::tool_form;

const IN_BROWSER: &str = "Runs in your browser. Nothing you enter leaves this page.";

/// Renders the page of a tool.
pub(crate) fn render(paths: &Paths<'_>, entry: &Entry) -> Markup {
    let tool = registry::by_slug(entry.slug);
    match (tool_module(entry.slug), tool) {
        (ToolModule::Ready(module), _) => {
            let mut modules = vec!["kit/page.js", "kit/run.js", module];
            modules.extend(tool.map(|_| "kit/calls.js"));
            let no_script = tool.map_or_else(
                || html! {
                    p.notice-line { "This tool runs in your browser as JavaScript, which is turned off here." }
                },
                |tool| by_hand(paths, entry, tool),
            );
            let main = main(paths, entry, IN_BROWSER, &html! {}, &no_script);
            page(paths, entry, &modules, &main)
        }
        (module, Some(tool)) => {
            let mut modules = vec!["kit/page.js", "kit/server.js"];
            if module == ToolModule::Absent {
                let layout = toolkit_web::asset(&format!("tools/{}/view.js", entry.slug));
                modules.extend(layout.map(|layout| layout.path));
            }
            let main = main(
                paths,
                entry,
                &on_server(entry.slug, &module),
                &html! {},
                &by_hand(paths, entry, tool),
            );
            page(paths, entry, &modules, &main)
        }
        (module, None) => {
            let main = main(paths, entry, IN_BROWSER, &missing(&module), &html! {});
            page(paths, entry, &["kit/page.js"], &main)
        }
    }
}

/// What a page sends that answers partly by itself: those with a layout.
const SENT: [(&str, &str); 4] = [
    (
        "cidr-calculator",
        "Runs on this server: a block is sent to it, and neither stored nor logged. Ranges, parts, \
         neighbors and what a block contains are worked out in your browser.",
    ),
    (
        "cron-explainer",
        "Runs on this server: the expression is sent to it, and neither stored nor logged. Time zones \
         and Quartz are worked out in your browser.",
    ),
    (
        "data-converter",
        "Runs on this server where YAML or XML is read or written, or JSON formatted: what you enter is \
         then sent to it, and neither stored nor logged. JSON, TOML, CSV and .env become each other in \
         your browser, and so do TOML and YAML.",
    ),
    (
        "regex-tester",
        "Runs on this server: pattern, text and replacement are sent to it, and neither stored nor \
         logged. The list, and the pattern in words, are made in your browser.",
    ),
];

/// Where a tool of the server runs, and why if this build lacks a part that others have.
fn on_server(slug: &str, module: &ToolModule) -> String {
    if let Some((_, sentence)) = SENT.iter().find(|(own, _)| *own == slug) {
        return (*sentence).to_owned();
    }
    let reason = match module {
        ToolModule::LacksLibraries(names) => format!(
            ", since this build lacks what would run in your browser ({})",
            names.join(", ")
        ),
        _ => String::new(),
    };
    format!(
        "Runs on this server{reason}. What you enter is sent to it, and is neither stored nor logged."
    )
}

/// Missing parts of a tool in this build, and how to get them.
fn missing(module: &ToolModule) -> Markup {
    let ToolModule::LacksLibraries(names) = module else {
        return html! {
            p.notice-line data-missing { "This tool is not in this build of the service." }
        };
    };
    html! {
        p.notice-line data-missing {
            "This tool does not run here, since a part of it is missing (" (names.join(", "))
            "): the service was built without Node, or without the npm registry."
        }
        p {
            "The operator of the service can add it: install Node 20 or newer, leave "
            code { "TOOLKIT_WEB_LIBRARIES" } " unset or set it to " code { "required" }
            ", and build again with " code { "cargo build --release" } "."
        }
    }
}

fn main(
    paths: &Paths<'_>,
    entry: &Entry,
    privacy: &str,
    missing: &Markup,
    no_script: &Markup,
) -> Markup {
    let is_missing = !missing.0.is_empty();
    let kind = if toolkit_web::asks_server(entry) {
        "server"
    } else {
        "browser"
    };
    let tool = registry::by_slug(entry.slug);
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
            div id="tool-place" { (missing) }
            @if let Some(tool) = tool {
                script type="application/json" id="tool" { (PreEscaped(tool_form::json(entry, tool))) }
            }
            @if !is_missing { noscript { (no_script) } }
            @if let Some(tool) = tool { (elsewhere(paths, entry, tool)) }
            section.related aria-labelledby="related" {
                h2 id="related" { "Related tools" }
                (cards(paths, entry.related.iter().filter_map(|slug| find(slug))))
            }
        }
    }
}

fn page(paths: &Paths<'_>, entry: &Entry, modules: &[&str], main: &Markup) -> Markup {
    let own = toolkit_web::asset(&format!("tools/{}/style.css", entry.slug));
    let mut styles = vec!["style/tool.css"];
    styles.extend(own.map(|own| own.path));
    let page = Page {
        title: entry.name,
        summary: entry.description,
        tab: Some((Tab::Tools, false)),
        styles: &styles,
        modules,
        has_manifest: toolkit_web::asks_server(entry),
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
        let notice = |module: &ToolModule| missing(module).into_string();
        assert!(notice(&ToolModule::Absent).contains("is not in this build"));
        let names = ["marked", "dompurify"].map(str::to_owned).to_vec();
        let module = ToolModule::LacksLibraries(names);
        let lacking = notice(&module);
        assert!(lacking.contains("(marked, dompurify): the service was built without Node"));
        let line = on_server("hash-generator", &module);
        assert!(line.contains("since this build lacks what would run in your browser (marked,"));
        let whole = on_server("hash-generator", &ToolModule::Absent);
        assert!(whole.starts_with("Runs on this server. What you enter"));
    }

    #[test]
    fn each_page_with_a_layout_says_what_it_sends_and_what_stays() {
        for entry in toolkit_catalog::ENTRIES {
            let has_layout = tool_module(entry.slug) == ToolModule::Absent;
            let line = on_server(entry.slug, &ToolModule::Absent);
            assert_eq!(
                has_layout,
                line.contains("in your browser"),
                "{}",
                entry.slug
            );
            assert_eq!(
                has_layout,
                line.contains("sent to it, and neither"),
                "{}",
                entry.slug
            );
        }
    }
}
