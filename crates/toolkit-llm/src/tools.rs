//! Tools for a model: definition, call and result.
//!
//! `Debug` output contains no arguments or results, which are as private as messages.

use std::borrow::Cow;
use std::future::Future;

use async_trait::async_trait;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

mod json;

pub use self::json::ArgumentsError;

/// Maximum characters of a tool name shown. Models can make up longer ones.
const NAME_CHARACTERS_MAX: usize = 64;

/// Definition of a tool for a model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolSpec {
    /// Name: at most 64 letters, digits, `_` and `-`, which all vendors accept.
    pub name: String,
    /// When to use it.
    pub description: String,
    /// JSON Schema of its arguments, an object.
    pub input_schema: serde_json::Value,
}

impl ToolSpec {
    /// Creates the definition of a tool.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: serde_json::Value,
    ) -> Self {
        Self { name: name.into(), description: description.into(), input_schema }
    }

    /// Bytes of its texts.
    pub(crate) fn bytes(&self) -> usize {
        let schema = self.input_schema.to_string();
        self.name.len() + self.description.len() + schema.len()
    }

    /// Creates a tool definition from a type for its arguments, to be read by [`ToolCall::parse`].
    ///
    /// ```
    /// use toolkit_llm::{ToolSpec, schemars};
    ///
    /// #[derive(schemars::JsonSchema)]
    /// struct Arguments {
    ///     /// The text.
    ///     text: String,
    /// }
    ///
    /// let spec = ToolSpec::of::<Arguments>("count_characters", "Counts characters.");
    /// assert_eq!(spec.input_schema["properties"]["text"]["description"], "The text.");
    /// ```
    #[cfg(feature = "schemars")]
    pub fn of<T: schemars::JsonSchema>(
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        // Some vendors do not support references.
        let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
        let schema = settings.into_generator().into_root_schema_for::<T>();
        Self::new(name, description, schema.into())
    }
}

/// A tool call that a model asks for.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, derive_more::Debug)]
#[debug("ToolCall {{ arguments_bytes: {}, .. }}", arguments.len())]
#[non_exhaustive]
pub struct ToolCall {
    /// The provider's call ID, if any.
    pub id: Option<String>,
    /// The tool's name, as the model wrote it.
    pub name: String,
    /// The arguments as JSON text, as the model wrote them.
    pub arguments: String,
}

impl ToolCall {
    /// Creates a call with its arguments as JSON text. Blank arguments become `{}`.
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        let mut arguments = arguments.into();
        if arguments.trim().is_empty() {
            "{}".clone_into(&mut arguments);
        }
        Self { id: None, name: name.into(), arguments }
    }

    /// Sets the provider's call ID. A blank one counts as none.
    #[must_use]
    pub fn with_id(mut self, id: Option<String>) -> Self {
        self.id = id.filter(|id| !id.is_empty());
        self
    }

    /// Returns the arguments as a JSON object without white space between tokens.
    ///
    /// # Errors
    ///
    /// Says, in a sentence for the model, what the arguments are instead, and where.
    pub fn object(&self) -> Result<Box<RawValue>, ArgumentsError> {
        json::object(&self.arguments)
    }

    /// Reads the arguments.
    ///
    /// ```
    /// use toolkit_llm::ToolCall;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Arguments {
    ///     text: String,
    /// }
    ///
    /// let call = ToolCall::new("count", r#"{"text": "abc"}"#);
    /// assert_eq!(call.parse::<Arguments>()?.text, "abc");
    /// # Ok::<(), toolkit_llm::tools::ArgumentsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Says, in a sentence for the model, what is wrong with them, and where.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, ArgumentsError> {
        json::parse(&self.arguments)
    }

    /// The name in displayable form, with control characters escaped, and cut to 64 characters.
    pub fn shown_name(&self) -> String {
        let escaped = self.name.chars().flat_map(|character| {
            let control = character.is_control();
            let escape = control.then(|| character.escape_default());
            let plain = (!control).then_some(character);
            escape.into_iter().flatten().chain(plain)
        });
        escaped.take(NAME_CHARACTERS_MAX).collect()
    }
}

/// Outcome of a call.
#[derive(Clone, derive_more::Debug)]
#[non_exhaustive]
pub enum ToolOutcome {
    /// The result, as JSON.
    Done(#[debug(skip)] Box<RawValue>),
    /// The reason there is no result, in a sentence that lets a model correct its call.
    Refused(#[debug(skip)] String),
    /// The same, if the tool is at fault rather than the call.
    Failed(#[debug(skip)] String),
}

impl ToolOutcome {
    /// Creates a result. A value that cannot be serialized as JSON is a failure.
    pub fn done(result: &impl Serialize) -> Self {
        serde_json::value::to_raw_value(result).map_or_else(
            |_| Self::Failed("The result cannot be written as JSON.".to_owned()),
            Self::Done,
        )
    }

    /// Creates a refusal, worded for a model.
    pub fn refused(detail: impl Into<String>) -> Self {
        Self::Refused(detail.into())
    }

    /// The result, if there is one.
    pub fn result(&self) -> Option<&RawValue> {
        match self {
            Self::Done(result) => Some(result),
            Self::Refused(_) | Self::Failed(_) => None,
        }
    }

    /// Bytes of its text.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Done(result) => result.get().len(),
            Self::Refused(detail) | Self::Failed(detail) => detail.len(),
        }
    }

    /// The reason the call failed.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Done(_) => None,
            Self::Refused(detail) | Self::Failed(detail) => Some(detail),
        }
    }
}

/// A call and its outcome.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolRun {
    /// Call ID within the reply, made by the chain. Other providers get it too.
    pub id: String,
    /// The call.
    pub call: ToolCall,
    /// Outcome.
    pub outcome: ToolOutcome,
}

impl ToolRun {
    /// Creates a call with its outcome, for a [`Round`](crate::Round) to resume from.
    pub fn new(id: impl Into<String>, call: ToolCall, outcome: ToolOutcome) -> Self {
        let id = id.into();
        Self { id, call, outcome }
    }

    /// Text of the outcome for the model: a string without quotes, other JSON as is.
    pub(crate) fn content(&self) -> Cow<'_, str> {
        match &self.outcome {
            ToolOutcome::Done(result) => {
                serde_json::from_str(result.get()).map_or(Cow::Borrowed(result.get()), Cow::Owned)
            }
            ToolOutcome::Refused(detail) | ToolOutcome::Failed(detail) => Cow::Borrowed(detail),
        }
    }

    /// The arguments, if they are a JSON object.
    pub fn arguments(&self) -> Option<Box<RawValue>> {
        self.call.object().ok()
    }
}

/// The JSON of a call: `name`, `arguments`, `ok`, and `result` or `detail`.
impl Serialize for ToolRun {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown<'a> {
            name: String,
            arguments: Option<Box<RawValue>>,
            ok: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            result: Option<&'a RawValue>,
            #[serde(skip_serializing_if = "Option::is_none")]
            detail: Option<&'a str>,
        }
        let result = self.outcome.result();
        Shown {
            name: self.call.shown_name(),
            arguments: self.arguments(),
            ok: result.is_some(),
            result,
            detail: self.outcome.detail(),
        }
        .serialize(serializer)
    }
}

/// All tools that a model may call, as one object.
#[async_trait]
pub trait Tools: Send + Sync {
    /// Definitions of the tools. They must not change.
    fn list(&self) -> &[ToolSpec];

    /// Runs a call. Its name is in the list, and its arguments are a JSON object.
    ///
    /// The calls of a round run concurrently. Dropping the future ends the call.
    async fn call(&self, call: &ToolCall) -> ToolOutcome;
}

/// Creates tools from a list and one function, for small programs.
///
/// ```
/// use toolkit_llm::{ToolOutcome, ToolSpec, tools};
///
/// let schema = serde_json::json!({"type": "object", "properties": {}});
/// let clock = ToolSpec::new("clock", "Tells the time.", schema);
/// let tools = tools::from_fn(vec![clock], async |_call| ToolOutcome::done(&"12:00"));
/// ```
pub fn from_fn<F, R>(specs: Vec<ToolSpec>, call: F) -> impl Tools + 'static
where
    F: Fn(ToolCall) -> R + Send + Sync + 'static,
    R: Future<Output = ToolOutcome> + Send + 'static,
{
    FromFn { specs, call }
}

struct FromFn<F> {
    specs: Vec<ToolSpec>,
    call: F,
}

#[async_trait]
impl<F, R> Tools for FromFn<F>
where
    F: Fn(ToolCall) -> R + Send + Sync + 'static,
    R: Future<Output = ToolOutcome> + Send + 'static,
{
    fn list(&self) -> &[ToolSpec] {
        &self.specs
    }

    async fn call(&self, call: &ToolCall) -> ToolOutcome {
        (self.call)(call.clone()).await
    }
}

/// Generates the ID of a call that has none, or another provider's: nine letters and digits, which
/// every vendor accepts.
pub(crate) fn call_id(round: usize, index: usize) -> String {
    format!("r{:02}c{:05}", round % 100, index % 100_000)
}

/// Formats an integer with thousands separators, as in messages about sizes.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_short_and_without_control_characters() {
        let shown = |name: &str| ToolCall::new(name, "").shown_name();
        assert_eq!(shown("hash_text"), "hash_text");
        assert_eq!(shown("a\nb\u{7}é"), "a\\nb\\u{7}é");
        assert_eq!(shown(&"x".repeat(100)).len(), 64);
    }

    #[test]
    fn the_json_of_a_call_has_a_result_or_a_detail() {
        let call = ToolCall::new("hash_text", "{\"b\": 1.0,\n \"a\": \"x y\"}");
        let done =
            ToolRun { id: call_id(1, 0), call: call.clone(), outcome: ToolOutcome::done(&7) };
        assert_eq!(
            serde_json::to_string(&done).unwrap(),
            r#"{"name":"hash_text","arguments":{"b":1.0,"a":"x y"},"ok":true,"result":7}"#
        );
        let odd = ToolRun {
            id: call_id(1, 0),
            call: ToolCall::new("x", "[]"),
            outcome: ToolOutcome::refused("No."),
        };
        assert_eq!(
            serde_json::to_string(&odd).unwrap(),
            r#"{"name":"x","arguments":null,"ok":false,"detail":"No."}"#
        );
    }

    #[test]
    fn debug_shows_neither_arguments_nor_results() {
        let run = ToolRun {
            id: call_id(1, 0),
            call: ToolCall::new("canary", "{\"canary\":1}"),
            outcome: ToolOutcome::done(&"canary"),
        };
        assert!(!format!("{run:?}").contains("canary"));
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        for (number, text) in [(0, "0"), (999, "999"), (16_384, "16,384"), (1_000_000, "1,000,000")]
        {
            assert_eq!(grouped(number), text);
        }
    }
}
