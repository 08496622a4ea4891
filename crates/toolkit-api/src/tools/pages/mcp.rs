//! MCP documentation page, generated from the list of tools.

mod clients;
mod tools;

use maud::{Markup, html};

use self::clients::{Client, Step};
use self::tools::Offered;
use super::code::{code, example, json};
use super::layout::{self, Document, Entry, Paths, Tab};
use super::prose::prose;

const SUMMARY: &str =
    "Deterministic developer tools for AI assistants, over the Model Context Protocol.";

/// Protocol revisions of the server.
const REVISIONS: [&str; 4] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

/// Renders the page.
pub(crate) fn render(paths: &Paths<'_>) -> Markup {
    let url = paths.site.urls.mcp_url.as_str();
    let (local, remote) = (clients::local(), clients::remote(url));
    let offered = tools::offered();
    let head = html! {
        p.lead {
            "A remote MCP server with " (offered.len()) " deterministic developer tools. It stores nothing, \
             fetches nothing, and needs no key unless its operator asks for one."
        }
        dl.facts {
            div { dt { "Address" } dd { (code("text", url)) } }
            div { dt { "Transport" } dd { "Streamable HTTP, without sessions" } }
            div {
                dt { "Revisions" }
                dd { @for revision in REVISIONS { span.whole { (revision) } " " } }
            }
        }
    };
    let text = html! {
        section aria-labelledby="setup" {
            h2 id="setup" { "Over the network" }
            p { "The client connects to the address above, and nothing needs to be installed." }
            @for client in &remote { (setup(client)) }
        }
        section aria-labelledby="local" {
            h2 id="local" { "On this machine" }
            p {
                "The client starts the server as a process of its own and talks to it over standard input and \
                 output, without a network. Build it with " code { "cargo build --release --bin mcp-server" }
                ", copy it to a folder of your choice, and adapt the path."
            }
            @for client in &local { (setup(client)) }
        }
        section aria-labelledby="tools" {
            h2 id="tools" { "Tools" }
            p {
                "The same run over REST: see the " a href=(paths.rest) { "REST API" } ". Each is read-only. The \
                 examples were made at 2023-11-14T22:13:20Z."
            }
            @for tool in &offered { (tool.render(paths)) }
        }
        @if let Some(first) = offered.first() { (answers(first)) }
    };
    let document = Document {
        title: "MCP server",
        summary: SUMMARY,
        tab: Tab::Mcp,
        head: &head,
        contents: &contents(&remote, &local, &offered),
        text: &text,
    };
    layout::document(paths, &document)
}

fn contents(remote: &[Client], local: &[Client], offered: &[Offered]) -> Vec<Entry> {
    let entry = |client: &Client| Entry::new(client.id, html! { (client.name) });
    let (remote, local) = (remote.iter().map(entry), local.iter().map(entry));
    let tools =
        offered.iter().map(|tool| Entry::new(tool.name(), html! { code { (tool.name()) } }));
    vec![
        Entry::with("setup", html! { "Over the network" }, remote.collect()),
        Entry::with("local", html! { "On this machine" }, local.collect()),
        Entry::with("tools", html! { "Tools" }, tools.collect()),
        Entry::new("answers", html! { "Answers and refusals" }),
    ]
}

fn setup(client: &Client) -> Markup {
    html! {
        section aria-labelledby=(client.id) {
            h3 id=(client.id) { (client.name) }
            @for step in &client.steps { (show(step)) }
        }
    }
}

fn show(step: &Step) -> Markup {
    match step {
        Step::Say(sentence) => html! { p { (prose(sentence)) } },
        Step::Install(label, link) => html! { p { a.button href=(link) { (label) } } },
        Step::Code("json", text) => json(text),
        Step::Code(language, text) => code(language, text),
    }
}

/// Responses common to all tools. The error is shown for the first of them, called without
/// arguments.
fn answers(tool: &Offered) -> Markup {
    html! {
        section aria-labelledby="answers" {
            h2 id="answers" { "Answers and refusals" }
            ul {
                li { (prose(
                    "An answer is `structuredContent` with `result`, `type`, `count` beside arrays, and `warnings` \
                     where something was assumed. The same JSON is there as text."
                )) }
                li { (prose(
                    "An input that a tool refuses is a result with `isError`: its text says what to change, so that a \
                     model fixes its call. An unknown tool is the error -32602."
                )) }
                li { (prose(
                    "A request is at most 1 MiB, and the calls of an address are limited: past the limit it is 429 with \
                     `Retry-After`. An operator can set both otherwise."
                )) }
            }
            @if let Some((call, answer)) = tool.refusal() {
                (example("A call without what it needs", &json(&call), &answer))
            }
        }
    }
}
