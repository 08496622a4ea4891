//! The documentation of the MCP server, made from the list of its tools.

mod clients;
mod tools;

use maud::{Markup, html};

use self::clients::{Client, Step};
use self::tools::Offered;
use super::code::{Language, code, example, json};
use super::layout::{self, Document, Entry, Paths};
use super::prose::prose;

const TITLE: &str = "Toolkit over MCP";
const SUMMARY: &str =
    "Deterministic developer tools for AI assistants, over the Model Context Protocol.";

/// The revisions of the protocol that the server speaks.
const REVISIONS: [&str; 4] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

/// Makes the page for a server at `url`.
pub(crate) fn render(url: &str, paths: &Paths) -> Markup {
    let (clients, offered) = (clients::all(url), tools::offered());
    let head = html! {
        p.lead {
            "A remote MCP server with " (offered.len()) " deterministic developer tools. It needs no key, stores \
             nothing and fetches nothing."
        }
        dl.facts {
            div { dt { "Address" } dd { (code(Language::Text, url)) } }
            div { dt { "Transport" } dd { "Streamable HTTP, without sessions" } }
            div {
                dt { "Revisions" }
                dd { @for revision in REVISIONS { span.whole { (revision) } " " } }
            }
        }
    };
    let text = html! {
        section aria-labelledby="setup" {
            h2 id="setup" { "Set it up" }
            @for client in &clients { (setup(client)) }
        }
        section aria-labelledby="tools" {
            h2 id="tools" { "Tools" }
            p {
                "The same run over REST: see the " a href=(paths.rest) { "REST API" } ". Each is read-only. The \
                 examples were made at 2023-11-14T22:13:20Z."
            }
            @for tool in &offered { (tool.render()) }
        }
        @if let Some(first) = offered.first() { (answers(first)) }
    };
    let document = Document {
        title: TITLE,
        summary: SUMMARY,
        path: &paths.mcp,
        head: &head,
        contents: &contents(&clients, &offered),
        text: &text,
    };
    layout::document(paths, &document)
}

fn contents(clients: &[Client], offered: &[Offered]) -> Vec<Entry> {
    let clients = clients
        .iter()
        .map(|client| Entry::new(client.id, html! { (client.name) }));
    let tools = offered
        .iter()
        .map(|tool| Entry::new(tool.name(), html! { code { (tool.name()) } }));
    vec![
        Entry::with("setup", html! { "Set it up" }, clients.collect()),
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
        Step::Code(Language::Json, text) => json(text),
        Step::Code(language, text) => code(*language, text),
        Step::Prints(output) => html! {
            p { "It prints:" }
            (code(Language::Text, output))
        },
    }
}

/// What all tools answer alike. A refusal is shown with the first of them, called without arguments.
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
                     model mends its call. An unknown tool is the error -32602."
                )) }
                li { (prose(
                    "A request is at most 1 MiB, and the calls of an address are limited: past the limit it is 429 with \
                     `Retry-After`. An operator can set both otherwise."
                )) }
            }
            @if let Some((call, answer)) = tool.refusal() {
                (example("a call without what it needs", &json(&call), &answer))
            }
        }
    }
}
