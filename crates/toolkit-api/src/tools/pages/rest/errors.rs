//! Table of error statuses.

use maud::{Markup, html};
use serde_json::Value as Json;

use super::operation::{self, Response};
use super::text;
use crate::tools::pages::prose::prose;

/// The table of errors, ordered by status.
pub(super) fn section(openapi: &Json) -> Markup {
    html! {
        section aria-labelledby="errors" {
            h2 id="errors" { "Errors" }
            p { (prose(
                "Every status from 400 up has the body `{\"detail\": string}`: a sentence that says what was wrong and \
                 what is accepted. A path that is not there is 404, and a wrong method 405 with `Allow`. Quote the \
                 header `X-Request-Id` of an answer to the operator."
            )) }
            table {
                thead { tr { th scope="col" { "Status" } th scope="col" { "Meaning, and an example of the sentence" } } }
                tbody { @for response in &shared(openapi) { (row(response)) } }
            }
        }
    }
}

fn row(response: &Response<'_>) -> Markup {
    let headers = response.parts.get("headers").and_then(Json::as_object);
    html! {
        tr id=[response.anchor()] {
            th scope="row" { (response.status) }
            td {
                (prose(text(response.parts, "/description")))
                @for (header, about) in headers.into_iter().flatten() {
                    " " code { (header) } ": " (prose(text(about, "/description")))
                }
                p.soft { (prose(text(response.parts, "/content/application~1json/example/detail"))) }
            }
        }
    }
}

/// The responses that operations share, each once.
fn shared(openapi: &Json) -> Vec<Response<'_>> {
    let operations = operation::all(openapi);
    let responses = operations.iter().flat_map(|operation| &operation.responses);
    let mut shared: Vec<_> =
        responses.filter(|response| response.name.is_some()).copied().collect();
    shared.sort_by_key(|response| (response.status, response.name));
    shared.dedup_by_key(|response| response.name);
    shared
}
