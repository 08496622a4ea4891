//! Providers in an order of preference, asked until one replies.
//!
//! The rules: one deadline for the whole call; a time for each provider's turn, with the whole body
//! and the retry; at most one retry a turn; which failures move on, which end the call and which
//! make a provider rest stand in the table at [`ProviderError`].

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::breaker::{Breaker, Permit};
use crate::clock::{Clock, TokioClock};
use crate::conversation::Conversation;
use crate::error::{LlmError, ProviderError};
use crate::message::Reply;
use crate::observer::Observer;
use crate::provider::{Provider, Request};
use crate::report::Report;
use crate::status::{ChainStatus, ProviderStatus};

/// The whole call, unless set otherwise: longer, and a person has gone away.
const DEADLINE_DEFAULT: Duration = Duration::from_secs(30);

/// Tokens of a reply, unless set otherwise.
const MAX_OUTPUT_TOKENS_DEFAULT: u32 = 1024;

/// Pause before the retry: a connection cut by a restart finds the new process.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

/// Rest after a 429 that says no time: the usual quotas count by the minute.
const RATE_LIMITED_REST: Duration = Duration::from_secs(30);

/// Rest after a refused key or account: only the operator can mend it, and may do so at the
/// vendor's, without a restart here.
const DENIED_REST: Duration = Duration::from_mins(10);

/// Providers in an order of preference, asked until one replies.
///
/// It is shared by reference among all calls: the breakers are its only state.
pub struct Chain {
    links: Vec<Link>,
    deadline: Duration,
    system_prompt: Option<String>,
    max_output_tokens: u32,
    clock: Arc<dyn Clock>,
    observer: Arc<dyn Observer>,
}

struct Link {
    provider: Box<dyn Provider>,
    breaker: Breaker,
}

/// What a provider's turn may take.
#[derive(Debug, Clone, Copy)]
struct Turn {
    /// When it is over, on the chain's clock.
    ends: Duration,
    /// Whether silence until then is the provider's own failure, and not that of a slow one before.
    fair: bool,
}

impl Chain {
    /// A chain of `providers`, the preferred one first, with 30 s for a call, 1,024 tokens for a
    /// reply and no system prompt.
    pub fn new(providers: Vec<Box<dyn Provider>>) -> Self {
        let link = |provider| Link {
            provider,
            breaker: Breaker::new(),
        };
        Self {
            links: providers.into_iter().map(link).collect(),
            deadline: DEADLINE_DEFAULT,
            system_prompt: None,
            max_output_tokens: MAX_OUTPUT_TOKENS_DEFAULT,
            clock: Arc::new(TokioClock::new()),
            observer: Arc::new(()),
        }
    }

    /// Sets the time that a call may take, over all providers.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets instructions that stand before those of any conversation; a blank prompt is none.
    #[must_use]
    pub fn with_system_prompt(mut self, system_prompt: impl Into<String>) -> Self {
        self.system_prompt = Some(system_prompt.into()).filter(|text| !text.trim().is_empty());
        self
    }

    /// Sets the longest reply, in the provider's tokens. Models that reason count that in, so give
    /// them more.
    #[must_use]
    pub fn with_max_output_tokens(mut self, max_output_tokens: u32) -> Self {
        self.max_output_tokens = max_output_tokens;
        self
    }

    /// Sets where the time comes from.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets who is told of each attempt.
    #[must_use]
    pub fn with_observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = observer;
        self
    }

    /// Tells the state of every provider, without asking any of them.
    pub fn status(&self) -> ChainStatus {
        let now = self.clock.elapsed();
        let line = |link: &Link| ProviderStatus {
            name: link.provider.name().to_owned(),
            status: link.breaker.availability(now),
        };
        ChainStatus::new(self.links.iter().map(line).collect())
    }

    /// Asks the providers in their order until one replies.
    ///
    /// Dropping the future cancels the call under way and blames nobody.
    ///
    /// # Errors
    ///
    /// Who is to blame: the operator ([`LlmError::Unconfigured`]), the providers
    /// ([`LlmError::CoolingDown`], [`LlmError::Failed`], [`LlmError::DeadlineExceeded`]) or the
    /// caller ([`LlmError::Refused`]).
    pub async fn reply(&self, conversation: &Conversation) -> Result<Reply, LlmError> {
        if self.links.is_empty() {
            return Err(LlmError::Unconfigured);
        }
        let request = Request {
            conversation,
            system_prompt: self.system_prompt.as_deref(),
            max_output_tokens: self.max_output_tokens,
        };
        let deadline = self.clock.elapsed().saturating_add(self.deadline);
        let mut asked = false;
        for (index, link) in self.links.iter().enumerate() {
            let now = self.clock.elapsed();
            if now >= deadline {
                return Err(LlmError::DeadlineExceeded);
            }
            let Some(permit) = link.breaker.admit(now) else {
                continue;
            };
            asked = true;
            let turn = self.turn(index, now, deadline);
            match self.take_turn(link, permit, turn, request).await {
                Ok(reply) => return Ok(reply),
                Err(ProviderError::Refused { .. }) => return Err(LlmError::Refused),
                Err(_) => {}
            }
        }
        Err(match asked {
            false => LlmError::CoolingDown {
                retry_after: self.wait(),
            },
            true if self.clock.elapsed() >= deadline => LlmError::DeadlineExceeded,
            true => LlmError::Failed,
        })
    }

    /// Measures the turn of one provider: its own timeout, or an equal share of what is left.
    fn turn(&self, index: usize, now: Duration, deadline: Duration) -> Turn {
        let left = deadline.saturating_sub(now);
        let still_to_ask = self.links.iter().skip(index + 1);
        let ready = still_to_ask
            .filter(|link| link.breaker.wait(now).is_none())
            .count();
        let own = self
            .links
            .get(index)
            .and_then(|link| link.provider.timeout());
        let time = own.unwrap_or_else(|| split(left, ready + 1)).min(left);
        let due = split(self.deadline, self.links.len()).min(own.unwrap_or(Duration::MAX));
        // Half of its due is enough to blame it, so that rounding never decides.
        Turn {
            ends: now.saturating_add(time),
            fair: time >= due / 2,
        }
    }

    /// Asks one provider, once more if a retry may help, and tells its breaker what it learned.
    async fn take_turn(
        &self,
        link: &Link,
        permit: Permit<'_>,
        turn: Turn,
        request: Request<'_>,
    ) -> Result<Reply, ProviderError> {
        let mut result = self.attempt(link, turn, request).await;
        let retry_at = self.clock.elapsed().saturating_add(RETRY_PAUSE);
        if result.as_ref().is_err_and(ProviderError::is_transient) && retry_at < turn.ends {
            self.clock.sleep(RETRY_PAUSE).await;
            result = self.attempt(link, turn, request).await;
        }
        self.settle(link, permit, turn, &result);
        result
    }

    /// Makes one attempt, until the turn is over.
    async fn attempt(
        &self,
        link: &Link,
        turn: Turn,
        request: Request<'_>,
    ) -> Result<Reply, ProviderError> {
        let report = Report::start(&*self.clock, &*self.observer, link.provider.name());
        let left = turn.ends.saturating_sub(self.clock.elapsed());
        let result = tokio::select! {
            biased;
            result = link.provider.reply(request) => result,
            () = self.clock.sleep(left) => Err(ProviderError::Timeout),
        };
        report.ended(&result);
        result
    }

    /// Tells the breaker what a turn has shown, and whoever watches if the provider rests now.
    fn settle(
        &self,
        link: &Link,
        permit: Permit<'_>,
        turn: Turn,
        result: &Result<Reply, ProviderError>,
    ) {
        let now = self.clock.elapsed();
        let rest = match result {
            Ok(_) | Err(ProviderError::Refused { .. } | ProviderError::Declined { .. }) => {
                permit.succeeded();
                None
            }
            Err(ProviderError::Timeout) if !turn.fair => None,
            Err(ProviderError::RateLimited { retry_after }) => {
                let asked_for = retry_after.map(|wanted| wanted.rest(self.clock.wall()));
                let rest = asked_for.unwrap_or(RATE_LIMITED_REST);
                permit.rest(now, rest);
                Some(rest)
            }
            Err(ProviderError::Denied { .. }) => {
                permit.rest(now, DENIED_REST);
                Some(DENIED_REST)
            }
            Err(_) => permit.failed(now),
        };
        if let Some(rest) = rest {
            let name = link.provider.name();
            tracing::warn!(
                llm.provider = name,
                llm.rest_seconds = rest.as_secs(),
                "an LLM provider rests"
            );
            self.observer.rested(name, rest);
        }
    }

    /// How long until the first provider can be asked again.
    fn wait(&self) -> Duration {
        let now = self.clock.elapsed();
        let waits = self
            .links
            .iter()
            .map(|link| link.breaker.wait(now).unwrap_or_default());
        waits.min().unwrap_or_default()
    }
}

fn split(time: Duration, parts: usize) -> Duration {
    time / u32::try_from(parts).unwrap_or(u32::MAX).max(1)
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain")
            .field("status", &self.status())
            .field("deadline", &self.deadline)
            .field("max_output_tokens", &self.max_output_tokens)
            .finish_non_exhaustive()
    }
}
