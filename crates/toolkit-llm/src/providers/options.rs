//! Refused options: which ones a server's error names, and what it is sent from then on.
//!
//! Compatible servers and gateways know different options, and new models refuse old ones. So an
//! option that a 400 or 422 names is left out or renamed, and the request is sent once more. If it
//! succeeds, the change is remembered for the provider. Fields that the operator configured are not
//! changed.

use serde_json::Value;

use super::{Members, raw};
use crate::request::{RESPONSE_FORMAT, SEED, STOP};

/// An option that may be left out: its path in the body, and the words by which errors name it.
pub(super) type Droppable = (&'static str, &'static [&'static str]);

/// The mark that makes Anthropic cache everything before it. It is not one field of the body.
pub(super) const CACHE_CONTROL: &str = "cache_control";

const OLD_LIMIT: &str = "max_tokens";
const NEW_LIMIT: &str = "max_completion_tokens";

/// Words of an error about an option, as opposed to one that mentions it.
const REFUSING: [&str; 12] = [
    "unsupported",
    "not supported",
    "support",
    "unrecognized",
    "unknown",
    "unexpected",
    "extra",
    "not permitted",
    "not allowed",
    "deprecated",
    "cannot find field",
    "invalid",
];

/// A change to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, derive_more::Display)]
pub(super) enum Change {
    /// The option at this path is left out.
    #[display("`{_0}` is left out")]
    Drop(&'static str),
    /// The output limit gets its other name.
    #[display("`{to}` is sent for `{from}`")]
    Limit { from: &'static str, to: &'static str },
    /// With tools, the model is asked not to reason, since OpenAI's newer models combine tools and
    /// reasoning only in the Responses API.
    #[display("`reasoning_effort` is `none` with tools")]
    NoReasoning,
}

/// Changes to requests for one server.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes(Vec<Change>);

impl Changes {
    pub(super) fn new(known: impl IntoIterator<Item = Change>) -> Self {
        Self(known.into_iter().collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn push(&mut self, change: Change) {
        self.0.push(change);
    }

    /// The changes after the first `known`.
    pub(super) fn since(&self, known: usize) -> &[Change] {
        self.0.get(known..).unwrap_or_default()
    }

    pub(super) fn has(&self, change: Change) -> bool {
        self.0.contains(&change)
    }

    /// Whether this option of a caller is left out.
    pub(super) fn drops(&self, option: &str) -> bool {
        self.0.iter().any(|change| match change {
            Change::Drop(path) => label(path) == option,
            _ => false,
        })
    }

    /// Changes a body.
    pub(super) fn apply(&self, body: &mut Members) {
        for change in &self.0 {
            match *change {
                Change::Drop(path) => {
                    remove(body, path);
                }
                Change::Limit { from, to } => {
                    if let Some(limit) = body.remove(from) {
                        body.insert(to.to_owned(), limit);
                    }
                }
                Change::NoReasoning if body.contains_key("tools") => {
                    body.insert("reasoning_effort".to_owned(), raw("none"));
                }
                Change::NoReasoning => {}
            }
        }
    }

    /// The change that an error asks for, if it names an option of this body.
    pub(super) fn next(
        &self,
        error: &str,
        body: &Members,
        droppable: &[Droppable],
    ) -> Option<Change> {
        let text = error.to_ascii_lowercase();
        let named: Value = serde_json::from_str(error).unwrap_or_default();
        let param = named.pointer("/error/param").and_then(Value::as_str);
        let asks_for_none = text.contains("reasoning_effort") && text.contains("to 'none'");
        if asks_for_none && body.contains_key("tools") && !self.has(Change::NoReasoning) {
            return Some(Change::NoReasoning);
        }
        self.limit(&text, body).or_else(|| {
            let sent = droppable.iter().filter(|(path, _)| holds(body, path));
            let by_param = sent.clone().find(|(path, words)| {
                param.is_some_and(|param| words.contains(&param) || param == *path)
            });
            let by_text =
                || sent.clone().find(|(_, words)| words.iter().any(|word| names(&text, word)));
            let (path, _) = by_param.or_else(by_text)?;
            Some(Change::Drop(path))
        })
    }

    /// What an error about the output limit asks for: its other name, or none.
    fn limit(&self, text: &str, body: &Members) -> Option<Change> {
        let pairs = [(OLD_LIMIT, NEW_LIMIT), (NEW_LIMIT, OLD_LIMIT)];
        let sent =
            pairs.into_iter().find(|(name, _)| body.contains_key(*name) && names(text, name));
        let (from, to) = sent?;
        let renamed = self.0.iter().any(|change| matches!(change, Change::Limit { .. }));
        Some(if renamed || is_too_large(text) {
            Change::Drop(from)
        } else {
            Change::Limit { from, to }
        })
    }
}

/// Whether an error about the output limit is about its size.
fn is_too_large(text: &str) -> bool {
    ["too large", "at most", "less than", "maximum", "exceed"]
        .iter()
        .any(|words| text.contains(words))
}

/// The caller's option at a path of a body.
fn label(path: &str) -> &'static str {
    match path {
        "temperature" | "generationConfig.temperature" => "`temperature`",
        "top_p" | "generationConfig.topP" => "`top_p`",
        "stop" | "stop_sequences" | "generationConfig.stopSequences" => STOP,
        "seed" | "generationConfig.seed" => SEED,
        "response_format"
        | "text.format"
        | "output_config.format"
        | "generationConfig.responseJsonSchema" => RESPONSE_FORMAT,
        _ => "",
    }
}

/// Whether a body has an option.
fn holds(body: &Members, path: &str) -> bool {
    if path == CACHE_CONTROL {
        return body.values().any(|value| value.get().contains("\"cache_control\":"));
    }
    remove(&mut body.clone(), path)
}

/// Removes the member at a path. Returns whether there was one.
fn remove(body: &mut Members, path: &str) -> bool {
    let Some((first, rest)) = path.split_once('.') else {
        return body.remove(path).is_some();
    };
    let inner = body.get(first);
    let inner = inner.and_then(|value| serde_json::from_str::<Members>(value.get()).ok());
    let Some(mut inner) = inner else {
        return false;
    };
    let removed = remove(&mut inner, rest);
    if inner.is_empty() {
        body.remove(first);
    } else {
        body.insert(first.to_owned(), raw(&inner));
    }
    removed
}

/// Whether a lower-case error is about the option of this name.
fn names(text: &str, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.match_indices(&name).any(|(start, found)| {
        let before = text.get(..start).and_then(|text| text.chars().next_back());
        let after = text.get(start + found.len()..).and_then(|text| text.chars().next());
        let is_quoted =
            |side: Option<char>| side.is_some_and(|side| matches!(side, '\'' | '"' | '`'));
        let is_whole = !before.is_some_and(is_word) && !after.is_some_and(is_word);
        is_whole
            && (name.contains('_')
                || is_quoted(before)
                || is_quoted(after)
                || REFUSING.iter().any(|word| text.contains(word)))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const DROPPABLE: &[Droppable] = &[
        ("stream_options", &["stream_options"]),
        ("temperature", &["temperature"]),
        ("stop", &["stop"]),
        ("generationConfig.thinkingConfig", &["thinkingConfig", "thinking level"]),
    ];

    fn body() -> Members {
        let body = json!({
            "max_tokens": 1, "stream_options": {}, "temperature": 1, "stop": [], "tools": [],
            "generationConfig": {"thinkingConfig": {}},
        });
        serde_json::from_value(body).unwrap()
    }

    fn change(error: &str) -> Option<Change> {
        Changes::default().next(error, &body(), DROPPABLE)
    }

    #[test]
    fn the_option_that_an_error_names_is_found() {
        let (old, new) = (OLD_LIMIT, NEW_LIMIT);
        for (error, expected) in [
            (
                r#"{"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "param": "max_tokens"}}"#,
                Some(Change::Limit { from: old, to: new }),
            ),
            (
                "max_tokens is too large: 8192. This model supports at most 4096 completion tokens",
                Some(Change::Drop(old)),
            ),
            (
                "Unsupported value: 'temperature' does not support 0.2 with this model.",
                Some(Change::Drop("temperature")),
            ),
            ("`temperature` is deprecated for this model.", Some(Change::Drop("temperature"))),
            (
                "Extra inputs are not permitted: body.stream_options",
                Some(Change::Drop("stream_options")),
            ),
            (
                r#"{"error": {"message": "Bad value.", "param": "stop"}}"#,
                Some(Change::Drop("stop")),
            ),
            (
                "Thinking level is not supported for this model.",
                Some(Change::Drop("generationConfig.thinkingConfig")),
            ),
            (
                "Please use /v1/responses or set reasoning_effort to 'none'.",
                Some(Change::NoReasoning),
            ),
            ("Please stop sending so much.", None),
            ("The request is wrong.", None),
        ] {
            assert_eq!(change(error), expected, "{error}");
        }
    }

    #[test]
    fn a_limit_that_is_refused_under_both_names_is_left_out() {
        let renamed = Change::Limit { from: OLD_LIMIT, to: NEW_LIMIT };
        let changes = Changes::new([renamed]);
        let mut body = body();
        changes.apply(&mut body);
        let next = changes.next("unknown field `max_completion_tokens`", &body, DROPPABLE);
        assert_eq!(next, Some(Change::Drop(NEW_LIMIT)));
    }

    #[test]
    fn a_nested_option_is_removed_and_its_empty_parent_too() {
        let mut body = body();
        Changes::new([Change::Drop("generationConfig.thinkingConfig")]).apply(&mut body);
        assert!(!body.contains_key("generationConfig"));
    }
}
