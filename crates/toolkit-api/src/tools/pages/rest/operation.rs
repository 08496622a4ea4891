//! REST operation: parameters, responses, and examples for the shell.

use maud::{Markup, html};
use serde_json::Value as Json;

use super::{resolved, text};
use crate::tools::pages::code::{code, example, json, quoted};
use crate::tools::pages::layout::Paths;
use crate::tools::pages::prose::prose;
use crate::tools::pages::schema::{Side, field, fields};

/// One method of one path.
#[derive(Clone)]
pub(super) struct Operation<'a> {
    pub(super) id: &'a str,
    pub(super) tag: &'a str,
    pub(super) summary: &'a str,
    pub(super) responses: Vec<Response<'a>>,
    method: String,
    path: &'a str,
    parameters: Vec<&'a Json>,
    parts: &'a Json,
    openapi: &'a Json,
}

/// An operation's response with one status.
#[derive(Clone, Copy)]
pub(super) struct Response<'a> {
    pub(super) status: &'a str,
    /// Its name, if several operations share it.
    pub(super) name: Option<&'a str>,
    pub(super) parts: &'a Json,
}

impl Response<'_> {
    /// The anchor of its row in the error table.
    pub(super) fn anchor(&self) -> Option<String> {
        self.name.map(|name| format!("error-{name}"))
    }
}

/// All operations, in the document's order.
pub(super) fn all(openapi: &Json) -> Vec<Operation<'_>> {
    let paths = openapi.get("paths").and_then(Json::as_object);
    let mut operations = Vec::new();
    for (path, item) in paths.into_iter().flatten() {
        for method in ["get", "post"] {
            if let Some(parts) = item.get(method) {
                operations.push(Operation::new(openapi, path, item, method, parts));
            }
        }
    }
    operations
}

impl<'a> Operation<'a> {
    fn new(
        openapi: &'a Json,
        path: &'a str,
        item: &'a Json,
        method: &str,
        parts: &'a Json,
    ) -> Self {
        let parameters = [item, parts].map(|part| part.get("parameters").and_then(Json::as_array));
        let responses = parts.get("responses").and_then(Json::as_object);
        let responses = responses.into_iter().flatten().map(|(status, response)| Response {
            status,
            name: text(response, "/$ref").rsplit('/').next().filter(|name| !name.is_empty()),
            parts: resolved(response, openapi),
        });
        Self {
            id: text(parts, "/operationId"),
            tag: text(parts, "/tags/0"),
            summary: text(parts, "/summary"),
            responses: responses.collect(),
            method: method.to_uppercase(),
            path,
            parameters: parameters.into_iter().flatten().flatten().collect(),
            parts,
            openapi,
        }
    }

    pub(super) fn render(&self, paths: &Paths<'_>) -> Markup {
        let answer = self.json_of("/responses/200/content");
        html! {
            section.operation aria-labelledby=(self.id) {
                h3 id=(self.id) { (self.summary) }
                p.endpoint {
                    span class={ "method " (self.method.to_lowercase()) } { (self.method) } " " code { (self.path) }
                    @if self.needs_key() { " " span.key { "needs a key" } }
                }
                p {
                    (prose(text(self.parts, "/description")))
                    @if let Some(slug) = self.slug() { " " a href=(paths.tool(slug)) { "Try it" } }
                }
                (self.takes())
                @if let Some(answer) = answer {
                    h4 { "Response" }
                    p { (prose(text(self.parts, "/responses/200/description"))) }
                    (fields(self.schema(answer), Side::Answer))
                }
                (self.examples())
                (self.others())
            }
        }
    }

    /// The tool that it runs, if any.
    fn slug(&self) -> Option<&'a str> {
        let slug = self.id.strip_prefix("run-")?;
        toolkit_catalog::find(slug).map(|entry| entry.slug)
    }

    fn needs_key(&self) -> bool {
        // An empty list means that no key is needed.
        self.parts.get("security").and_then(Json::as_array).is_some_and(|keys| !keys.is_empty())
    }

    /// The parameters and body fields.
    fn takes(&self) -> Markup {
        let body = self.json_of("/requestBody/content").map(|body| self.schema(body));
        let body = body.filter(|schema| schema.get("properties").is_some());
        html! {
            @if body.is_some() || !self.parameters.is_empty() { h4 { "Request" } }
            @if !self.parameters.is_empty() {
                dl.fields { @for parameter in &self.parameters { (described(parameter)) } }
            }
            @if let Some(body) = body { (fields(body, Side::Input)) }
        }
    }

    /// The first call to a tool, with its response.
    pub(super) fn first_example(&self) -> Option<Markup> {
        self.slug()?;
        let requests = self.json_of("/requestBody/content")?.get("examples")?.as_object()?;
        let (key, request) = requests.iter().next()?;
        let answers = self.json_of("/responses/200/content")?.get("examples")?;
        let answer = answers.get(key)?.get("value")?.to_string();
        Some(example(text(request, "/summary"), &self.call(request.get("value")), &answer))
    }

    /// Each call with its response.
    fn examples(&self) -> Markup {
        let request = self.json_of("/requestBody/content");
        let answer = self.json_of("/responses/200/content");
        let named = |content: Option<&'a Json>| {
            content.and_then(|content| content.get("examples")).and_then(Json::as_object)
        };
        let single = |content: Option<&'a Json>| content.and_then(|content| content.get("example"));
        let (requests, answers) = (named(request), named(answer));
        html! {
            @if let (Some(requests), Some(answers)) = (requests, answers) {
                h4 { "Examples" }
                @for (key, request) in requests {
                    @if let Some(answer) = answers.get(key).and_then(|answer| answer.get("value")) {
                        (example(text(request, "/summary"), &self.call(request.get("value")), &answer.to_string()))
                    }
                }
            } @else if let Some(answer) = single(answer) {
                h4 { "Example" }
                (self.call(single(request)))
                (json(&answer.to_string()))
            }
        }
    }

    /// The call as a shell command.
    fn call(&self, body: Option<&Json>) -> Markup {
        let mut command = format!("curl -s {}{}", text(self.openapi, "/servers/0/url"), self.path);
        if self.needs_key() {
            command.push_str(" \\\n  -H 'X-Api-Key: YOUR-KEY'");
        }
        if let Some(body) = body {
            let body = quoted(&body.to_string());
            command.push_str(" \\\n  -H 'Content-Type: application/json' \\\n  -d ");
            command.push_str(&body);
        }
        code("shell", &command)
    }

    /// The other statuses, each with a link to its meaning.
    fn others(&self) -> Markup {
        let others = self.responses.iter().filter(|response| response.status != "200");
        html! {
            h4 { "Other statuses" }
            ul.statuses {
                @for response in others {
                    li {
                        @if let Some(anchor) = response.anchor() {
                            a href={ "#" (anchor) } { (response.status) }
                        } @else { b { (response.status) } }
                        " " (prose(text(response.parts, "/description")))
                    }
                }
            }
        }
    }

    /// The media type object of JSON content, below this operation.
    fn json_of(&self, pointer: &str) -> Option<&'a Json> {
        self.parts.pointer(pointer)?.get("application/json")
    }

    fn schema(&self, content: &'a Json) -> &'a Json {
        content.get("schema").map_or(content, |schema| resolved(schema, self.openapi))
    }
}

/// A path or query parameter.
fn described(parameter: &Json) -> Markup {
    let mut schema = parameter.get("schema").cloned().unwrap_or_default();
    if let (Json::Object(members), Some(about)) = (&mut schema, parameter.get("description")) {
        members.insert("description".to_owned(), about.clone());
    }
    let is_required = parameter.get("required").and_then(Json::as_bool) == Some(true);
    field(text(parameter, "/name"), is_required, &schema, Side::Input)
}
