//! Provider chain: providers in order of preference, asked until one replies.
//!
//! One deadline covers the whole call, each provider's silence is limited, and each turn has at
//! most one retry. The table at [`ProviderError`](crate::ProviderError) lists which failures move
//! on to the next provider, which end the call and which make a provider rest. For a stream, the
//! rules apply until its first content. After that there is no retry and no other provider in this
//! round.

mod ask;
mod calls;
mod tool_loop;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use self::tool_loop::ToolLoop;
use crate::breaker::{Breaker, BreakerOptions};
use crate::error::LlmError;
use crate::message::Reply;
use crate::observer::Observer;
use crate::provider::Provider;
use crate::pull::Pull;
use crate::request::ChatRequest;
use crate::status::{ChainStatus, ProviderStatus};
use crate::stream::ChatStream;

/// Default deadline of the whole call. Reasoning models take minutes for a long reply.
const DEADLINE_DEFAULT: Duration = Duration::from_secs(180);

/// Default limit on a reply, in tokens. Reasoning may take most of them.
const MAX_OUTPUT_TOKENS_DEFAULT: u32 = 8_192;

/// Limit on silence within a stream, for a provider without its own.
const SILENCE_DEFAULT: Duration = Duration::from_secs(60);

/// Default limit on the duration of a whole stream.
const STREAM_TOTAL_DEFAULT: Duration = Duration::from_secs(300);

/// Providers in order of preference, asked until one replies.
///
/// Shared by all calls and cheap to clone. The breakers are its only state.
#[derive(Clone, derive_more::Debug)]
#[debug("Chain {{ status: {:?}, .. }}", self.status())]
pub struct Chain {
    links: Arc<[Link]>,
    options: Arc<Options>,
    created: Instant,
}

#[derive(Clone)]
struct Options {
    deadline: Duration,
    context_fallback: bool,
    stream_total: Duration,
    system_prompt: Option<String>,
    max_output_tokens: u32,
    breaker: BreakerOptions,
    observer: Arc<dyn Observer>,
}

struct Link {
    provider: Arc<dyn Provider>,
    breaker: Breaker,
    /// When to offer tools again after the provider refused them, in seconds of the chain's time.
    tools_from: AtomicU64,
    /// The last probe that the chain sent by itself.
    probe: Mutex<Option<JoinHandle<()>>>,
}

impl Link {
    fn new(provider: Arc<dyn Provider>, breaker: Breaker) -> Self {
        Self { provider, breaker, tools_from: AtomicU64::new(0), probe: Mutex::default() }
    }
}

impl Chain {
    /// Creates a chain of `providers`, the preferred one first, with 180 s for a call, 8,192
    /// tokens for a reply and no system prompt.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::time::Duration;
    ///
    /// use toolkit_llm::Chain;
    /// use toolkit_llm::providers::{OpenAi, ProviderConfig};
    ///
    /// let own = ProviderConfig::new("own", "qwen3:8b").base_url("http://127.0.0.1:11434/v1");
    /// let chain = Chain::new(vec![Arc::new(OpenAi::new(toolkit_llm::client()?, own)?)])
    ///     .with_deadline(Duration::from_secs(10))
    ///     .with_system_prompt("Answer in one sentence.");
    /// # let _ = chain;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(providers: Vec<Arc<dyn Provider>>) -> Self {
        let link = |provider| Link::new(provider, Breaker::new());
        let options = Options {
            deadline: DEADLINE_DEFAULT,
            context_fallback: false,
            stream_total: STREAM_TOTAL_DEFAULT,
            system_prompt: None,
            max_output_tokens: MAX_OUTPUT_TOKENS_DEFAULT,
            breaker: BreakerOptions::default(),
            observer: Arc::new(()),
        };
        Self {
            links: providers.into_iter().map(link).collect(),
            options: Arc::new(options),
            created: Instant::now(),
        }
    }

    /// Time since the chain was created.
    fn now(&self) -> Duration {
        self.created.elapsed()
    }

    fn set(mut self, set: impl FnOnce(&mut Options)) -> Self {
        set(Arc::make_mut(&mut self.options));
        self
    }

    /// Sets the time limit of a call across all providers. For a stream, it applies to each round
    /// until its first content.
    #[must_use]
    pub fn with_deadline(self, deadline: Duration) -> Self {
        self.set(|options| options.deadline = deadline)
    }

    /// Sets whether a conversation too long for one model moves on to the next, which may have a
    /// larger context. False by default: such a conversation ends the call.
    #[must_use]
    pub fn with_context_fallback(self, fallback: bool) -> Self {
        self.set(|options| options.context_fallback = fallback)
    }

    /// Sets the maximum duration of a stream, 300 s by default.
    #[must_use]
    pub fn with_stream_total(self, total: Duration) -> Self {
        self.set(|options| options.stream_total = total)
    }

    /// Sets instructions that precede those of any conversation. A blank prompt counts as none.
    #[must_use]
    pub fn with_system_prompt(self, system_prompt: impl Into<String>) -> Self {
        let prompt = Some(system_prompt.into()).filter(|text| !text.trim().is_empty());
        self.set(|options| options.system_prompt = prompt)
    }

    /// Sets the longest reply including its reasoning, in the provider's tokens.
    #[must_use]
    pub fn with_max_output_tokens(self, max_output_tokens: u32) -> Self {
        self.set(|options| options.max_output_tokens = max_output_tokens)
    }

    /// Sets when circuit breakers open, and for how long.
    ///
    /// ```
    /// let mut options = toolkit_llm::BreakerOptions::default();
    /// options.failures = 5;
    /// let chain = toolkit_llm::Chain::new(Vec::new()).with_breaker(options);
    /// # let _ = chain;
    /// ```
    #[must_use]
    pub fn with_breaker(self, breaker: BreakerOptions) -> Self {
        self.set(|options| options.breaker = breaker)
    }

    /// Sets the observer that is notified of each attempt.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn Observer>) -> Self {
        self.set(|options| options.observer = observer)
    }

    /// Returns every provider's state, without calling any.
    pub fn status(&self) -> ChainStatus {
        let now = self.now();
        let line = |link: &Link| ProviderStatus {
            name: link.provider.name().to_owned(),
            status: link.breaker.availability(now),
        };
        ChainStatus::new(self.links.iter().map(line).collect())
    }

    /// Asks the providers in order until one replies, and runs the tools that the model calls.
    ///
    /// Dropping the future cancels the call in progress. That does not count as a failure.
    ///
    /// ```no_run
    /// use toolkit_llm::{Conversation, LlmErrorKind, Message};
    ///
    /// # async fn ask(chain: toolkit_llm::Chain) -> Result<(), Box<dyn std::error::Error>> {
    /// let conversation = Conversation::new(vec![Message::user("What is a ULID?")])?;
    /// match chain.reply(&conversation).await {
    ///     Ok(reply) => println!("{} said: {}", reply.provider, reply.text),
    ///     Err(error) if error.kind() == LlmErrorKind::Refused => println!("shorten it: {error}"),
    ///     Err(error) => println!("{error} Ask again in {:?}.", error.retry_after()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`LlmError::kind`] says who is at fault.
    pub async fn reply(&self, request: impl Into<ChatRequest>) -> Result<Reply, LlmError> {
        self.start(request.into(), false).into_reply().await
    }

    /// Asks like [`reply`](Self::reply), but yields the reply as the model writes it.
    ///
    /// Nothing happens until the stream is polled. Dropping it closes the connection to the
    /// provider.
    ///
    /// ```no_run
    /// use toolkit_llm::{ChatEvent, Conversation, Message};
    ///
    /// # async fn ask(chain: toolkit_llm::Chain) -> Result<(), Box<dyn std::error::Error>> {
    /// let conversation = Conversation::new(vec![Message::user("What is a ULID?")])?;
    /// let mut events = chain.stream(conversation);
    /// while let Some(event) = events.next().await {
    ///     if let ChatEvent::Text(text) = event? {
    ///         print!("{text}");
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn stream(&self, request: impl Into<ChatRequest>) -> ChatStream {
        self.start(request.into(), true)
    }

    fn start(&self, request: ChatRequest, streamed: bool) -> ChatStream {
        let chain = self.clone();
        ChatStream(Pull::new(|sender| async move {
            ToolLoop::new(&chain, &request, streamed, &sender).run().await;
        }))
    }
}
