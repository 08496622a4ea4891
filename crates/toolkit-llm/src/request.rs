//! Chat request: a conversation and its options.

use std::sync::Arc;

use crate::conversation::Conversation;
use crate::observer::Observer;
use crate::round::Round;
use crate::tools::{ToolSpec, Tools};

/// Default number of tool rounds: look something up, correct a call, and two to spare.
const TOOL_ROUNDS_DEFAULT: u32 = 4;

/// Request to a chain: a conversation and options. Cheap to clone.
#[derive(Clone, derive_more::Debug)]
#[debug(
    "ChatRequest {{ conversation: {conversation:?}, max_output_tokens: {max_output_tokens:?}, tool_rounds: {tool_rounds}, .. }}"
)]
pub struct ChatRequest {
    pub(crate) conversation: Conversation,
    pub(crate) system_prompt: Option<String>,
    pub(crate) max_output_tokens: Option<u32>,
    pub(crate) sampling: Sampling,
    pub(crate) models: Vec<(String, String)>,
    pub(crate) show_reasoning: bool,
    pub(crate) tools: Option<Arc<dyn Tools>>,
    pub(crate) caller_tools: Arc<[ToolSpec]>,
    pub(crate) tool_rounds: u32,
    pub(crate) tool_limits: ToolLimits,
    pub(crate) rounds: Vec<Round>,
    pub(crate) caller: Option<u128>,
    pub(crate) observer: Arc<dyn Observer>,
}

/// Limits on a request's tools, besides the rounds. A call that exceeds one is refused, and the
/// model is told why.
///
/// ```
/// let mut limits = toolkit_llm::ToolLimits::default();
/// limits.result_bytes = 64 << 10;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolLimits {
    /// Maximum number of calls in a round, 8 by default.
    pub round_calls: usize,
    /// Maximum number of calls, 16 by default.
    pub calls: usize,
    /// Maximum length of a call's arguments, in bytes; 16 KiB by default.
    pub arguments_bytes: usize,
    /// Maximum length of a result, in bytes; 16 KiB by default.
    pub result_bytes: usize,
    /// Maximum length of all results, in bytes; 64 KiB by default.
    pub results_bytes: usize,
}

impl Default for ToolLimits {
    fn default() -> Self {
        Self {
            round_calls: 8,
            calls: 16,
            arguments_bytes: 16 << 10,
            result_bytes: 16 << 10,
            results_bytes: 64 << 10,
        }
    }
}

/// Sampling options. Absent ones are left to the vendor.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Sampling {
    /// Sampling temperature.
    pub temperature: Option<f64>,
    /// Nucleus sampling: the share of probability mass that tokens are chosen from.
    pub top_p: Option<f64>,
    /// Stop sequences.
    pub stop: Vec<String>,
    /// Seed that makes replies repeatable, as far as the vendor supports it.
    pub seed: Option<u64>,
    /// Format of the reply. Free text if absent.
    pub response_format: Option<ResponseFormat>,
}

/// Option names for warnings.
pub(crate) const SEED: &str = "`seed`";
pub(crate) const STOP: &str = "`stop`";
pub(crate) const RESPONSE_FORMAT: &str = "a response format";

impl Sampling {
    /// Names of the options that are set.
    pub(crate) fn options(&self) -> Vec<&'static str> {
        let set = [
            (self.temperature.is_some(), "`temperature`"),
            (self.top_p.is_some(), "`top_p`"),
            (!self.stop.is_empty(), STOP),
            (self.seed.is_some(), SEED),
            (self.response_format.is_some(), RESPONSE_FORMAT),
        ];
        let set = set.into_iter().filter(|(is_set, _)| *is_set);
        set.map(|(_, name)| name).collect()
    }
}

/// No sampling options.
pub(crate) static UNSET: Sampling = Sampling {
    temperature: None,
    top_p: None,
    stop: Vec::new(),
    seed: None,
    response_format: None,
};

/// Format that a reply should have. The chain does not check the reply against it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ResponseFormat {
    /// A JSON object of any shape. Vendors require the conversation to ask for JSON in words too.
    JsonObject,
    /// JSON that matches a JSON Schema. Vendors can enforce a closed schema: each object has
    /// `additionalProperties: false` and requires all its properties.
    #[non_exhaustive]
    JsonSchema {
        /// Name of the schema for the vendor: at most 64 letters, digits, `_` and `-`.
        name: String,
        /// The schema. Vendors support different parts of the standard.
        schema: serde_json::Value,
    },
}

/// Whether vendors can enforce a schema: each of its objects is closed and requires all its
/// properties.
pub(crate) fn is_closed(schema: &serde_json::Value) -> bool {
    use serde_json::Value;

    let closed = match schema.get("properties").and_then(Value::as_object) {
        None => schema.get("type").and_then(Value::as_str) != Some("object"),
        Some(properties) => {
            let required = schema.get("required").and_then(Value::as_array);
            let is_required = |name: &String| {
                required.is_some_and(|names| names.iter().any(|required| required == name))
            };
            schema.get("additionalProperties") == Some(&Value::Bool(false))
                && properties.keys().all(is_required)
        }
    };
    closed
        && match schema {
            Value::Object(members) => members.values().all(is_closed),
            Value::Array(elements) => elements.iter().all(is_closed),
            _ => true,
        }
}

impl ResponseFormat {
    /// Creates a format for JSON that matches a JSON Schema.
    pub fn json_schema(name: impl Into<String>, schema: serde_json::Value) -> Self {
        let name = name.into();
        Self::JsonSchema { name, schema }
    }
}

impl ChatRequest {
    /// Creates a request with the chain's options and without tools.
    ///
    /// ```
    /// use toolkit_llm::{ChatRequest, Conversation, Message};
    ///
    /// let conversation = Conversation::new(vec![Message::user("What is a ULID?")])?;
    /// let request = ChatRequest::new(conversation)
    ///     .system_prompt("Answer in one sentence.")
    ///     .max_output_tokens(256)
    ///     .temperature(0.2)
    ///     .stop(["END"])
    ///     .seed(7);
    /// # let _ = request;
    /// # Ok::<(), toolkit_llm::ConversationError>(())
    /// ```
    pub fn new(conversation: Conversation) -> Self {
        Self {
            conversation,
            system_prompt: None,
            max_output_tokens: None,
            sampling: Sampling::default(),
            models: Vec::new(),
            show_reasoning: false,
            tools: None,
            caller_tools: Arc::new([]),
            tool_rounds: TOOL_ROUNDS_DEFAULT,
            tool_limits: ToolLimits::default(),
            rounds: Vec::new(),
            caller: None,
            observer: Arc::new(()),
        }
    }

    /// Sets instructions that replace the chain's. A blank prompt counts as none.
    #[must_use]
    pub fn system_prompt(mut self, system_prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(system_prompt.into());
        self
    }

    /// Sets the maximum length of a reply instead of the chain's, for each tool round.
    #[must_use]
    pub fn max_output_tokens(mut self, max_output_tokens: u32) -> Self {
        self.max_output_tokens = Some(max_output_tokens);
        self
    }

    /// Sets the temperature.
    #[must_use]
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.sampling.temperature = Some(temperature);
        self
    }

    /// Sets `top_p`, the share of probability mass that tokens are chosen from.
    #[must_use]
    pub fn top_p(mut self, top_p: f64) -> Self {
        self.sampling.top_p = Some(top_p);
        self
    }

    /// Sets the stop sequences.
    #[must_use]
    pub fn stop<S: Into<String>>(mut self, stop: impl IntoIterator<Item = S>) -> Self {
        self.sampling.stop = stop.into_iter().map(Into::into).collect();
        self
    }

    /// Sets a seed. A provider that doesn't support one is asked without, and the reply says so.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.sampling.seed = Some(seed);
        self
    }

    /// Sets the reply's format. A provider that doesn't support it is asked without, and the reply
    /// says so.
    ///
    /// ```
    /// use toolkit_llm::{ChatRequest, Conversation, Message, ResponseFormat};
    ///
    /// let question = Message::user("Name a city as JSON with its `name`.");
    /// let request = ChatRequest::new(Conversation::new(vec![question])?)
    ///     .response_format(ResponseFormat::JsonObject);
    /// # let _ = request;
    /// # Ok::<(), toolkit_llm::ConversationError>(())
    /// ```
    #[must_use]
    pub fn response_format(mut self, format: ResponseFormat) -> Self {
        self.sampling.response_format = Some(format);
        self
    }

    /// Sets the model for the provider with this name, instead of its configured one.
    #[must_use]
    pub fn model(mut self, provider: impl Into<String>, model: impl Into<String>) -> Self {
        self.models.push((provider.into(), model.into()));
        self
    }

    /// Sets whether the reply includes the model's reasoning, false by default. If so, reasoning
    /// can begin a stream as text does.
    #[must_use]
    pub fn show_reasoning(mut self, show: bool) -> Self {
        self.show_reasoning = show;
        self
    }

    /// Offers tools that the caller runs. An answer that calls one of them ends the reply, with
    /// [`Reply::pending`](crate::Reply::pending).
    ///
    /// ```no_run
    /// use toolkit_llm::{ChatRequest, ToolOutcome, ToolSpec};
    ///
    /// # async fn ask(chain: toolkit_llm::Chain, request: ChatRequest) -> Result<(), toolkit_llm::LlmError> {
    /// let schema = serde_json::json!({"type": "object", "properties": {}});
    /// let request = request.caller_tools(vec![ToolSpec::new("door", "Opens the door.", schema)]);
    /// let mut reply = chain.reply(&request).await?;
    /// if let Some(pending) = reply.pending.take() {
    ///     let done = pending.answered([ToolOutcome::done(&"open")]);
    ///     let rounds = reply.tool_rounds.into_iter().chain([done]).collect();
    ///     reply = chain.reply(request.rounds(rounds)).await?;
    /// }
    /// # let _ = reply;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn caller_tools(mut self, specs: Vec<ToolSpec>) -> Self {
        self.caller_tools = specs.into();
        self
    }

    /// Lets the model call tools.
    ///
    /// ```
    /// use toolkit_llm::{ChatRequest, Conversation, Message, ToolOutcome, ToolSpec, tools};
    ///
    /// let schema = serde_json::json!({"type": "object", "properties": {}});
    /// let clock = ToolSpec::new("clock", "Tells the time.", schema);
    /// let conversation = Conversation::new(vec![Message::user("What time is it?")])?;
    /// let request = ChatRequest::new(conversation)
    ///     .tools(tools::from_fn(vec![clock], async |_call| ToolOutcome::done(&"12:00")))
    ///     .tool_rounds(1);
    /// # let _ = request;
    /// # Ok::<(), toolkit_llm::ConversationError>(())
    /// ```
    #[must_use]
    pub fn tools(mut self, tools: impl Tools + 'static) -> Self {
        self.tools = Some(Arc::new(tools));
        self
    }

    /// Sets the maximum number of tool rounds, 4 by default. One more call follows with tools
    /// forbidden.
    #[must_use]
    pub fn tool_rounds(mut self, rounds: u32) -> Self {
        self.tool_rounds = rounds;
        self
    }

    /// Sets the limits on calls, arguments and results.
    #[must_use]
    pub fn tool_limits(mut self, limits: ToolLimits) -> Self {
        self.tool_limits = limits;
        self
    }

    /// Identifies the caller that the request is made for, by any number. A conversation can make a
    /// model silent, so silence met by one caller alone makes no provider rest. Another caller must
    /// meet it too, or a small question that the chain then sends as a tokio task. Silence met by a
    /// request without a caller always counts.
    #[must_use]
    pub fn caller(mut self, caller: u128) -> Self {
        self.caller = Some(caller);
        self
    }

    /// Sets an observer for this request, in addition to the chain's.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = observer;
        self
    }

    /// Resumes after completed tool rounds, as returned in a reply or an error. They do not count
    /// towards the limits.
    #[must_use]
    pub fn rounds(mut self, rounds: Vec<Round>) -> Self {
        self.rounds = rounds;
        self
    }
}

impl From<Conversation> for ChatRequest {
    fn from(conversation: Conversation) -> Self {
        Self::new(conversation)
    }
}

impl From<&Conversation> for ChatRequest {
    fn from(conversation: &Conversation) -> Self {
        Self::new(conversation.clone())
    }
}

impl From<&Self> for ChatRequest {
    fn from(request: &Self) -> Self {
        request.clone()
    }
}
