//! REST documentation page, generated from the `OpenAPI` document.

mod errors;
mod operation;

use maud::{Markup, html};
use serde_json::Value as Json;

use self::operation::Operation;
use super::code::code;
use super::layout::{self, Document, Entry, Paths, Tab};
use super::prose::{capitalized, prose};

/// Renders the page from the `OpenAPI` document.
pub(crate) fn render(openapi: &Json, paths: &Paths<'_>) -> Markup {
    let (title, groups) = (text(openapi, "/info/title"), groups(openapi));
    let summary = text(openapi, "/info/summary");
    let head = html! {
        p.lead { (summary) }
        p { (intro(text(openapi, "/info/description"), paths)) }
        p {
            "For those who run this server: the source and every release have the operating manual, "
            code { "docs/operating/README.md" } ". It covers deployment, keys, mail, models, backups and upgrades."
        }
        dl.facts {
            div { dt { "Address" } dd { (code("text", text(openapi, "/servers/0/url"))) } }
            div { dt { "OpenAPI" } dd { a href=(paths.openapi) { "openapi.json" } } }
            div { dt { "Format" } dd { "JSON in UTF-8, both ways" } }
            div {
                dt { "Key" }
                dd {
                    (prose("In the header `X-Api-Key`, where an endpoint asks for one. "))
                    (prose(text(openapi, "/components/securitySchemes/ApiKey/description")))
                }
            }
        }
    };
    let content = html! {
        (first_call(&groups))
        @for group in &groups { (group.render(paths)) }
        (errors::section(openapi))
    };
    let document = Document {
        title,
        summary,
        tab: Tab::Rest,
        head: &head,
        contents: &contents(&groups),
        text: &content,
    };
    layout::document(paths, &document)
}

/// A call that works when copied, with its answer.
fn first_call(groups: &[Group<'_>]) -> Markup {
    let mut operations = groups.iter().flat_map(|group| &group.operations);
    let call = operations.find_map(Operation::first_example);
    html! {
        section aria-labelledby="first-call" {
            h2 id="first-call" { "First call" }
            p { "Tools need no key. Copy this call into a terminal:" }
            @if let Some(call) = call { (call) }
        }
    }
}

/// The description of the API, with the address of the MCP page as a link.
fn intro(description: &str, paths: &Paths<'_>) -> Markup {
    let address = format!("{}/docs/mcp", paths.site.urls.web_base_url);
    let Some((before, after)) = description.split_once(&address) else {
        return prose(description);
    };
    html! { (prose(before)) a href=(paths.mcp) { (address) } (prose(after)) }
}

/// The operations with one tag.
struct Group<'a> {
    tag: &'a str,
    about: &'a str,
    operations: Vec<Operation<'a>>,
}

fn groups(openapi: &Json) -> Vec<Group<'_>> {
    let operations = operation::all(openapi);
    let tags = openapi.get("tags").and_then(Json::as_array);
    let tags = tags.into_iter().flatten();
    let groups = tags.map(|tag| {
        let (name, about) = (text(tag, "/name"), text(tag, "/description"));
        let under = operations.iter().filter(|operation| operation.tag == name);
        Group { tag: name, about, operations: under.cloned().collect() }
    });
    groups.collect()
}

impl Group<'_> {
    fn render(&self, paths: &Paths<'_>) -> Markup {
        html! {
            section aria-labelledby=(self.tag) {
                h2 id=(self.tag) { (capitalized(self.tag)) }
                p { (self.about) }
                @for operation in &self.operations { (operation.render(paths)) }
            }
        }
    }
}

fn contents(groups: &[Group<'_>]) -> Vec<Entry> {
    let [first, errors] = [("first-call", "First call"), ("errors", "Errors")]
        .map(|(id, label)| Entry::new(id, html! { (label) }));
    let groups = groups.iter().map(|group| {
        let operations = group.operations.iter();
        let below =
            operations.map(|operation| Entry::new(operation.id, html! { (operation.summary) }));
        Entry::with(group.tag, html! { (capitalized(group.tag)) }, below.collect())
    });
    std::iter::once(first).chain(groups).chain([errors]).collect()
}

/// Resolves a reference, or returns the part itself.
fn resolved<'a>(part: &'a Json, openapi: &'a Json) -> &'a Json {
    let reference = part.get("$ref").and_then(Json::as_str);
    let target = reference.and_then(|reference| openapi.pointer(reference.trim_start_matches('#')));
    target.unwrap_or(part)
}

fn text<'a>(value: &'a Json, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Json::as_str).unwrap_or_default()
}
