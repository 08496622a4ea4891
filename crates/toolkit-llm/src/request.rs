//! Chat request: a conversation and its options.

use std::sync::Arc;

use crate::conversation::Conversation;
use crate::round::Round;
use crate::tools::{ToolSpec, Tools};

/// Default number of rounds of tools: look something up, correct a call, and two to spare.
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
}

/// Limits on the tools of a request, besides its rounds. A call that goes over one is refused, and
/// the model told so.
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

/// Sampling options; absent ones are left to the vendor.
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
    /// Form of the reply; free text when absent.
    pub response_format: Option<ResponseFormat>,
}

/// Names of options, as warnings have them.
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

/// Form that a reply should have. The chain does not check the reply against it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ResponseFormat {
    /// A JSON object of any shape. Vendors require the conversation to ask for JSON in words, too.
    JsonObject,
    /// JSON that matches a JSON Schema. Vendors enforce a schema that is closed: each object has
    /// `additionalProperties: false` and requires all its properties.
    #[non_exhaustive]
    JsonSchema {
        /// Name of the schema for the vendor: letters, digits, `_` and `-`, at most 64 of them.
        name: String,
        /// The schema. Vendors support different parts of the standard.
        schema: serde_json::Value,
    },
}

/// Whether vendors can enforce a schema: each object in it is closed, and requires what it has.
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
    /// Creates a request with the options of the chain and without tools.
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
        }
    }

    /// Sets instructions that replace the chain's; a blank prompt counts as none.
    #[must_use]
    pub fn system_prompt(mut self, system_prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(system_prompt.into());
        self
    }

    /// Sets the maximum length of a reply instead of the chain's, for each round of tools.
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

    /// Sets a seed. A provider that supports none is asked without, and the reply says so.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.sampling.seed = Some(seed);
        self
    }

    /// Sets the form of the reply. A provider that does not support it is asked without, and the
    /// reply says so.
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

    /// Sets the model that the provider of this name is asked for, instead of its configured one.
    #[must_use]
    pub fn model(mut self, provider: impl Into<String>, model: impl Into<String>) -> Self {
        self.models.push((provider.into(), model.into()));
        self
    }

    /// Sets whether the model's reasoning is part of the reply, false by default. If it is, it
    /// begins a stream as text does.
    #[must_use]
    pub fn show_reasoning(mut self, show: bool) -> Self {
        self.show_reasoning = show;
        self
    }

    /// Offers tools that the caller runs: an answer that calls one of them ends the reply, with
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

    /// Sets the maximum number of rounds of tools, 4 by default; one more call follows with tools
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

    /// Resumes after rounds of tools that are done, as a reply or an error has them; they do not
    /// count towards the limits.
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
