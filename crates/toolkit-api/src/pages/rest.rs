//! Documentation page of the REST API, generated from the `OpenAPI` document.

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
        (errors::section(openapi))
        @for group in &groups { (group.render(paths)) }
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

/// The description of the interface, in which the address of the MCP page is a link.
fn intro(description: &str, paths: &Paths<'_>) -> Markup {
    let address = format!("{}/docs/mcp", paths.site.urls.web_base_url);
    let Some((before, after)) = description.split_once(&address) else {
        return prose(description);
    };
    html! { (prose(before)) a href=(paths.mcp) { (address) } (prose(after)) }
}

/// The operations under one tag.
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
    let errors = Entry::new("errors", html! { "Errors" });
    let groups = groups.iter().map(|group| {
        let operations = group.operations.iter();
        let below =
            operations.map(|operation| Entry::new(operation.id, html! { (operation.summary) }));
        Entry::with(group.tag, html! { (capitalized(group.tag)) }, below.collect())
    });
    std::iter::once(errors).chain(groups).collect()
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
