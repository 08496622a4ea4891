//! Provider chain: providers in order of preference, asked until one replies.
//!
//! The rules: one deadline for the whole call; a time for each provider's turn, with the whole body
//! and the retry; at most one retry a turn; which failures move on, which end the call and which
//! make a provider rest stand in the table at [`ProviderError`](crate::ProviderError). A stream
//! keeps them until its first content; after that its provider has no second try and no successor
//! in this round.

mod ask;
mod calls;
mod talk;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use self::talk::{Output, Talk};
use crate::breaker::Breaker;
use crate::clock::{Clock, TokioClock};
use crate::error::LlmError;
use crate::message::Reply;
use crate::observer::Observer;
use crate::provider::Provider;
use crate::pull::Pull;
use crate::request::ChatRequest;
use crate::status::{ChainStatus, ProviderStatus};
use crate::stream::ChatStream;

/// The whole call, unless set otherwise: longer, and a person has gone away.
const DEADLINE_DEFAULT: Duration = Duration::from_secs(30);

/// Tokens of a reply, unless set otherwise.
const MAX_OUTPUT_TOKENS_DEFAULT: u32 = 1024;

/// Silence of a provider in the middle of a stream, unless set otherwise.
const STREAM_IDLE_DEFAULT: Duration = Duration::from_secs(30);

/// A whole stream, unless set otherwise.
const STREAM_TOTAL_DEFAULT: Duration = Duration::from_secs(300);

/// Providers in an order of preference, asked until one replies.
///
/// It is shared among all calls, and cheap to clone: the breakers are its only state.
#[derive(Clone)]
pub struct Chain {
    links: Arc<[Link]>,
    options: Arc<Options>,
}

#[derive(Clone)]
struct Options {
    deadline: Duration,
    stream_idle: Duration,
    stream_total: Duration,
    system_prompt: Option<String>,
    max_output_tokens: u32,
    clock: Arc<dyn Clock>,
    observer: Arc<dyn Observer>,
}

struct Link {
    provider: Box<dyn Provider>,
    breaker: Breaker,
    /// Whether it has said that it takes no tools.
    refuses_tools: AtomicBool,
}

impl Chain {
    /// A chain of `providers`, the preferred one first, with 30 s for a call, 1,024 tokens for a
    /// reply and no system prompt.
    pub fn new(providers: Vec<Box<dyn Provider>>) -> Self {
        let link = |provider| Link {
            provider,
            breaker: Breaker::new(),
            refuses_tools: AtomicBool::new(false),
        };
        let options = Options {
            deadline: DEADLINE_DEFAULT,
            stream_idle: STREAM_IDLE_DEFAULT,
            stream_total: STREAM_TOTAL_DEFAULT,
            system_prompt: None,
            max_output_tokens: MAX_OUTPUT_TOKENS_DEFAULT,
            clock: Arc::new(TokioClock::new()),
            observer: Arc::new(()),
        };
        Self {
            links: providers.into_iter().map(link).collect(),
            options: Arc::new(options),
        }
    }

    fn set(mut self, set: impl FnOnce(&mut Options)) -> Self {
        set(Arc::make_mut(&mut self.options));
        self
    }

    /// Sets the time that a call may take, over all providers; for a stream, each round until its
    /// first content.
    #[must_use]
    pub fn with_deadline(self, deadline: Duration) -> Self {
        self.set(|options| options.deadline = deadline)
    }

    /// Sets how long a provider may be silent in the middle of a stream, 30 s by default. The time
    /// in which nobody pulls the stream does not count.
    #[must_use]
    pub fn with_stream_idle(self, idle: Duration) -> Self {
        self.set(|options| options.stream_idle = idle)
    }

    /// Sets how long a stream may take from its start to its end, 300 s by default.
    #[must_use]
    pub fn with_stream_total(self, total: Duration) -> Self {
        self.set(|options| options.stream_total = total)
    }

    /// Sets instructions that stand before those of any conversation; a blank prompt is none.
    #[must_use]
    pub fn with_system_prompt(self, system_prompt: impl Into<String>) -> Self {
        let prompt = Some(system_prompt.into()).filter(|text| !text.trim().is_empty());
        self.set(|options| options.system_prompt = prompt)
    }

    /// Sets the longest reply, in the provider's tokens. Models that reason count that in, so give
    /// them more.
    #[must_use]
    pub fn with_max_output_tokens(self, max_output_tokens: u32) -> Self {
        self.set(|options| options.max_output_tokens = max_output_tokens)
    }

    /// Sets where the time comes from.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        self.set(|options| options.clock = clock)
    }

    /// Sets who is told of each attempt.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn Observer>) -> Self {
        self.set(|options| options.observer = observer)
    }

    /// Tells the state of every provider, without asking any of them.
    pub fn status(&self) -> ChainStatus {
        let now = self.options.clock.elapsed();
        let line = |link: &Link| ProviderStatus {
            name: link.provider.name().to_owned(),
            status: link.breaker.availability(now),
        };
        ChainStatus::new(self.links.iter().map(line).collect())
    }

    /// Asks the providers in their order until one replies, and runs the tools that the model
    /// calls.
    ///
    /// Takes a [`ChatRequest`] or a [`Conversation`](crate::Conversation), or a reference to one.
    /// Dropping the future cancels the call under way and blames nobody.
    ///
    /// # Errors
    ///
    /// Says who is to blame: [`LlmError::kind`].
    pub async fn reply(&self, request: impl Into<ChatRequest>) -> Result<Reply, LlmError> {
        let request = request.into();
        let mut output = Output::gather();
        let end = Talk::new(self, &request, false).run(&mut output).await?;
        Ok(end.into_reply(output.into_gathered()))
    }

    /// Asks the same way, and hands over the reply as the model writes it.
    ///
    /// Nothing happens until the stream is pulled. Dropping it closes the connection to the
    /// provider.
    pub fn stream(&self, request: impl Into<ChatRequest>) -> ChatStream {
        let (chain, request) = (self.clone(), request.into());
        ChatStream::new(Pull::new(|sender| async move {
            let mut output = Output::Send(sender);
            let result = Talk::new(&chain, &request, true).run(&mut output).await;
            if let Err(error) = result {
                output.fail(error).await;
            }
        }))
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain")
            .field("status", &self.status())
            .field("deadline", &self.options.deadline)
            .field("max_output_tokens", &self.options.max_output_tokens)
            .finish_non_exhaustive()
    }
}
