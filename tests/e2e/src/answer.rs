//! Answers of tools, to be compared.

use serde_json::Value as Json;

/// What depends on the moment of a call.
const FLEETING: [&str; 3] = ["relative", "expires_in_seconds", "next_runs"];

/// The same answer without what depends on the moment of the call.
#[must_use]
pub fn without_fleeting(mut answer: Json) -> Json {
    if let Some(result) = answer.get_mut("result").and_then(Json::as_object_mut) {
        result.retain(|name, _| !FLEETING.contains(&name.as_str()));
    }
    answer
}
