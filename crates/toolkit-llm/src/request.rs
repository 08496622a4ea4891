//! Chat request: a conversation and its options.

use std::fmt;
use std::sync::Arc;

use crate::conversation::Conversation;
use crate::tools::Tools;

/// Rounds of tools, unless set otherwise: look something up, correct a call, and two to spare.
const TOOL_ROUNDS_DEFAULT: u32 = 4;

/// What a chain is asked: a conversation, and options. It is cheap to clone.
#[derive(Clone)]
pub struct ChatRequest {
    pub(crate) conversation: Conversation,
    pub(crate) system_prompt: Option<String>,
    pub(crate) max_output_tokens: Option<u32>,
    pub(crate) sampling: Sampling,
    pub(crate) tools: Option<Arc<dyn Tools>>,
    pub(crate) tool_rounds: u32,
}

/// What influences which tokens a model takes; what is absent is the vendor's choice.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Sampling {
    /// How far from the likeliest tokens it goes.
    pub temperature: Option<f64>,
    /// The share of likely tokens that it chooses from.
    pub top_p: Option<f64>,
    /// Texts that end the reply.
    pub stop: Vec<String>,
    /// Makes replies repeatable, as far as the vendor goes.
    pub seed: Option<u64>,
    /// The form of the reply; free text when absent.
    pub response_format: Option<ResponseFormat>,
}

/// The form that a reply should have. The chain does not check whether the reply has it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ResponseFormat {
    /// A JSON object of any shape. Vendors want the conversation to ask for JSON in words, too.
    JsonObject,
    /// JSON that a JSON Schema describes.
    #[non_exhaustive]
    JsonSchema {
        /// What the vendor calls it: letters, digits, `_` and `-`, at most 64 of them.
        name: String,
        /// The schema. Vendors support different parts of the standard.
        schema: serde_json::Value,
    },
}

impl ResponseFormat {
    /// JSON that a JSON Schema describes.
    pub fn json_schema(name: impl Into<String>, schema: serde_json::Value) -> Self {
        let name = name.into();
        Self::JsonSchema { name, schema }
    }
}

impl ChatRequest {
    /// A request with the options of the chain and without tools.
    pub fn new(conversation: Conversation) -> Self {
        Self {
            conversation,
            system_prompt: None,
            max_output_tokens: None,
            sampling: Sampling::default(),
            tools: None,
            tool_rounds: TOOL_ROUNDS_DEFAULT,
        }
    }

    /// Sets instructions in the place of the chain's; a blank prompt is none.
    #[must_use]
    pub fn system_prompt(mut self, system_prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(system_prompt.into());
        self
    }

    /// Sets the longest reply in the place of the chain's, for each round of tools.
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

    /// Sets the share of likely tokens that the model chooses from.
    #[must_use]
    pub fn top_p(mut self, top_p: f64) -> Self {
        self.sampling.top_p = Some(top_p);
        self
    }

    /// Sets texts that end the reply.
    #[must_use]
    pub fn stop<S: Into<String>>(mut self, stop: impl IntoIterator<Item = S>) -> Self {
        self.sampling.stop = stop.into_iter().map(Into::into).collect();
        self
    }

    /// Sets a seed. A provider that takes none is asked without, and the reply says so.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.sampling.seed = Some(seed);
        self
    }

    /// Sets the form of the reply. A provider that takes none is asked without, and the reply says so.
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

    /// Lets the model call tools.
    #[must_use]
    pub fn tools(mut self, tools: impl Tools + 'static) -> Self {
        self.tools = Some(Arc::new(tools));
        self
    }

    /// Sets how many rounds of tools there may be, 4 by default; one more call follows with tools forbidden.
    #[must_use]
    pub fn tool_rounds(mut self, rounds: u32) -> Self {
        self.tool_rounds = rounds;
        self
    }
}

impl fmt::Debug for ChatRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatRequest")
            .field("conversation", &self.conversation)
            .field("max_output_tokens", &self.max_output_tokens)
            .field("tools", &self.tools.is_some())
            .field("tool_rounds", &self.tool_rounds)
            .finish_non_exhaustive()
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
