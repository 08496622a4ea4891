//! Comparison of tool results.

use serde_json::Value as Json;

/// Members that depend on the time of a call.
const FLEETING: [&str; 3] = ["relative", "expires_in_seconds", "next_runs"];

/// Returns the result without the members that depend on the time of the call.
#[must_use]
pub fn without_fleeting(mut answer: Json) -> Json {
    if let Some(result) = answer.get_mut("result").and_then(Json::as_object_mut) {
        if result.get("detected") == Some(&"now".into()) {
            result.clear();
        }
        result.retain(|name, _| !FLEETING.contains(&name.as_str()));
    }
    answer
}
