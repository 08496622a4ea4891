//! The REST API's documentation, made from the `OpenAPI` document.

use maud::{Markup, html};
use serde_json::{Map, Value as Json};

use super::layout::{json, page};
use super::schema::properties;

/// Makes the page. `style` is the stylesheet's path, `openapi` the document's.
pub(crate) fn render(document: &Json, style: &str, openapi: &str, mcp_page: &str) -> Markup {
    let operations = operations(document);
    let content = html! {
        h1 { (text(document, "/info/title")) }
        p { (text(document, "/info/description")) }
        p {
            "The same as " a href=(openapi) { "OpenAPI 3.1 document" } "; the tools for AI assistants: "
            a href=(mcp_page) { "MCP server" } "."
        }
        nav aria-label="Endpoints" {
            ul {
                @for operation in &operations {
                    li { a href={ "#" (operation.id) } { (operation.summary) } }
                }
            }
        }
        (errors(document))
        @for operation in &operations { (operation.render(document)) }
    };
    page("Toolkit API", style, &content)
}

/// One method of one path.
struct Operation<'a> {
    method: String,
    path: &'a str,
    id: &'a str,
    summary: &'a str,
    parts: &'a Json,
}

fn operations(document: &Json) -> Vec<Operation<'_>> {
    let mut operations = Vec::new();
    let paths = document.get("paths").and_then(Json::as_object);
    for (path, item) in paths.into_iter().flatten() {
        for method in ["get", "post"] {
            let Some(parts) = item.get(method) else {
                continue;
            };
            operations.push(Operation {
                method: method.to_uppercase(),
                path,
                id: text(parts, "/operationId"),
                summary: text(parts, "/summary"),
                parts,
            });
        }
    }
    operations
}

impl Operation<'_> {
    fn render(&self, document: &Json) -> Markup {
        let body = self.parts.pointer("/requestBody/content/application~1json");
        let answer = self
            .parts
            .pointer("/responses/200/content/application~1json");
        html! {
            section aria-labelledby=(self.id) {
                h2 id=(self.id) { (self.summary) }
                p { span.method { (self.method) } " " code { (self.path) } }
                p { (text(self.parts, "/description")) }
                @if self.parts.get("security").is_some() { p { "Needs a key in " code { "X-Api-Key" } "." } }
                @if let Some(body) = body { h3 { "Takes" } (content(body, document)) }
                @if let Some(answer) = answer { h3 { "Answers" } (content(answer, document)) }
                (statuses(self.parts))
            }
        }
    }
}

/// A body: its fields, and its examples.
fn content(content: &Json, document: &Json) -> Markup {
    let schema = content
        .get("schema")
        .map(|schema| resolved(schema, document));
    let examples = content.get("examples").and_then(Json::as_object);
    html! {
        @if let Some(schema) = schema { (properties(schema)) }
        @if let Some(example) = content.get("example") { (json(example)) }
        @for (_, example) in examples.into_iter().flatten() {
            p.soft { (text(example, "/summary")) }
            @if let Some(value) = example.get("value") { (json(value)) }
        }
    }
}

/// The statuses other than 200, each with the anchor of its explanation.
fn statuses(operation: &Json) -> Markup {
    let responses = operation.get("responses").and_then(Json::as_object);
    let others = responses
        .into_iter()
        .flatten()
        .filter(|(status, _)| *status != "200");
    html! {
        p.soft {
            "Other statuses:"
            @for (status, response) in others {
                " "
                @match response.get("$ref").and_then(Json::as_str).and_then(|name| name.rsplit('/').next()) {
                    Some(name) => a href={ "#error-" (name) } { (status) },
                    None => (status),
                }
            }
        }
    }
}

fn errors(document: &Json) -> Markup {
    let empty = Map::new();
    let responses = document
        .pointer("/components/responses")
        .and_then(Json::as_object);
    html! {
        section aria-labelledby="errors" {
            h2 id="errors" { "Errors" }
            p { "Every status from 400 up has the body " code { "{\"detail\": string}" } "." }
            div.scroll {
                table {
                    thead { tr { th scope="col" { "Meaning" } th scope="col" { "For example" } } }
                    tbody {
                        @for (name, response) in responses.unwrap_or(&empty) {
                            tr id={ "error-" (name) } {
                                td { (text(response, "/description")) }
                                td { (text(response, "/content/application~1json/example/detail")) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The schema that a reference names.
fn resolved<'a>(schema: &'a Json, document: &'a Json) -> &'a Json {
    let reference = schema.get("$ref").and_then(Json::as_str);
    let target =
        reference.and_then(|reference| document.pointer(reference.trim_start_matches('#')));
    target.unwrap_or(schema)
}

fn text<'a>(value: &'a Json, pointer: &str) -> &'a str {
    value
        .pointer(pointer)
        .and_then(Json::as_str)
        .unwrap_or_default()
}
