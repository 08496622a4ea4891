//! One round of a chat: asks the providers in turn until one produces content.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use futures_util::StreamExt as _;
use tokio::time::{sleep, timeout};

use super::{Chain, Link};
use crate::breaker::Permit;
use crate::error::{FailedAttempt, LlmError, LlmErrorKind, ProviderError};
use crate::provider::{Answer, AnswerEnd, Piece, Request};
use crate::report::Report;

/// Time for which a provider that does not support tools is asked without.
const WITHOUT_TOOLS: Duration = Duration::from_secs(600);

/// Pause before the retry: a connection cut by a restart finds the new process.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

/// Rest after a 429 without a time: the usual quotas are per minute.
const RATE_LIMITED_REST: Duration = Duration::from_secs(30);

/// Rest after a refused key or account: only the operator can fix it, possibly at the vendor's end
/// and without a restart here.
const DENIED_REST: Duration = Duration::from_secs(600);

/// Parameters of a round.
pub(super) struct Question<'a> {
    pub(super) request: Request<'a>,
    /// System prompt for calls without tools.
    pub(super) bare_prompt: Option<&'a str>,
    /// Provider of the previous round.
    pub(super) preferred: Option<&'a Link>,
    /// Time by which the round must be answered, in the chain's time.
    pub(super) deadline: Duration,
}

/// An answer that has begun.
pub(super) struct Opened<'a> {
    pub(super) link: &'a Link,
    pub(super) permit: Permit,
    pub(super) report: Report<'a>,
    pub(super) begun: Begun,
    /// Whether tools were offered.
    pub(super) with_tools: bool,
}

/// An answer, read up to its first content or to its end.
pub(super) struct Begun {
    pub(super) answer: Answer,
    /// Empty if the provider has not named it.
    pub(super) model: String,
    /// Text so far.
    pub(super) text: String,
    /// End of the answer, if it has arrived.
    pub(super) end: Option<AnswerEnd>,
}

/// Result of an attempt, not yet reported to its breaker.
type Attempted<'a> = Result<(Report<'a>, Begun), Arc<ProviderError>>;

/// Time limit of a provider's turn.
#[derive(Debug, Clone, Copy)]
struct Turn {
    /// End of the turn, in the chain's time.
    ends: Duration,
    /// Whether silence until then is the provider's own failure, not that of a slow predecessor.
    fair: bool,
}

/// A provider's turn in progress.
struct Taking<'a, 'q> {
    chain: &'a Chain,
    link: &'a Link,
    turn: Turn,
    question: &'q Question<'q>,
    failures: &'q mut Vec<FailedAttempt>,
}

impl Link {
    /// Whether the provider may be asked with tools.
    fn takes_tools(&self, now: Duration) -> bool {
        self.provider.takes_tools() && now.as_secs() >= self.tools_from.load(Ordering::Relaxed)
    }
}

impl Chain {
    /// Asks the providers in order until one produces content: the whole answer, or its beginning
    /// if the request is streamed.
    pub(super) async fn ask<'a>(
        &'a self,
        question: Question<'_>,
        failures: &mut Vec<FailedAttempt>,
    ) -> Result<Opened<'a>, LlmError> {
        let deadline = question.deadline;
        let is_first = question.request.rounds.is_empty();
        let (mut bad_requests, mut failed) = (0, false);
        let order = self.order(&question);
        for (index, &link) in order.iter().enumerate() {
            let now = self.now();
            if now >= deadline {
                return Err(LlmErrorKind::DeadlineExceeded.into());
            }
            let Some(permit) = link.breaker.admit(now) else {
                continue;
            };
            let later = order.get(index + 1..).unwrap_or_default();
            let taking = Taking {
                chain: self,
                link,
                turn: self.turn(link, later, now, deadline),
                question: &question,
                failures,
            };
            match taking.run(permit).await {
                Ok(opened) => return Ok(opened),
                Err(error) => match *error {
                    ProviderError::Refused { .. } if is_first => {
                        return Err(LlmErrorKind::Refused.into());
                    }
                    ProviderError::RateLimited { .. } => {}
                    ref error => {
                        failed = true;
                        bad_requests += usize::from(matches!(error, ProviderError::BadRequest));
                    }
                },
            }
        }
        Err(if !failed {
            LlmError::from(LlmErrorKind::CoolingDown).with_retry_after(self.wait())
        } else if is_first && bad_requests == self.links.len() {
            LlmErrorKind::Refused.into()
        } else if self.now() >= deadline {
            LlmErrorKind::DeadlineExceeded.into()
        } else {
            LlmErrorKind::Failed.into()
        })
    }

    /// Providers that can be asked, in the order in which they will be.
    fn order(&self, question: &Question<'_>) -> Vec<&Link> {
        let is_first = question.request.rounds.is_empty();
        let now = self.now();
        let able = |link: &&Link| is_first || link.takes_tools(now);
        let mut order: Vec<_> = self.links.iter().filter(able).collect();
        order.sort_by_key(|&link| !question.preferred.is_some_and(|own| ptr::eq(own, link)));
        order
    }

    /// Computes the time limit of one provider's turn: its own timeout, or an equal share of the
    /// remaining time.
    fn turn(&self, link: &Link, later: &[&Link], now: Duration, deadline: Duration) -> Turn {
        let left = deadline.saturating_sub(now);
        let is_ready = |link: &&&Link| link.breaker.wait(now).is_none();
        let ready = later.iter().filter(is_ready).count();
        let own = link.provider.timeout();
        let time = own.unwrap_or_else(|| split(left, ready + 1)).min(left);
        let due = split(self.options.deadline, self.links.len()).min(own.unwrap_or(Duration::MAX));
        // Half of its share is enough to count silence as its failure, so rounding never decides.
        Turn {
            ends: now.saturating_add(time),
            fair: time >= due / 2,
        }
    }

    /// Reports a failure to a breaker, and to the observer if the provider now rests.
    ///
    /// With `is_own`, even a refusal counts as the provider's failure, because what it refused or
    /// broke off was written by us.
    pub(super) fn settle(&self, link: &Link, permit: Permit, error: &ProviderError, is_own: bool) {
        let now = self.now();
        let rest = match error {
            // Neither its failure nor a sign that it works.
            ProviderError::NoText { .. } => None,
            ProviderError::BadRequest if !is_own => None,
            ProviderError::Refused { .. } | ProviderError::Declined { .. } if !is_own => {
                permit.succeeded();
                None
            }
            ProviderError::RateLimited { retry_after } => {
                let asked_for = retry_after.map(|wanted| wanted.rest(SystemTime::now()));
                let rest = asked_for.unwrap_or(RATE_LIMITED_REST);
                permit.rest(now, rest);
                Some(rest)
            }
            ProviderError::Denied { .. } => {
                permit.rest(now, DENIED_REST);
                Some(DENIED_REST)
            }
            _ => permit.failed(now, &self.options.breaker),
        };
        if let Some(rest) = rest {
            let name = link.provider.name();
            tracing::warn!(
                llm.provider = name,
                llm.rest_seconds = rest.as_secs(),
                "the circuit breaker of an LLM provider is open"
            );
            self.options.observer.rested(name, rest);
        }
    }

    /// Time until the first provider can be asked again.
    fn wait(&self) -> Duration {
        let now = self.now();
        let wait = |link: &Link| link.breaker.wait(now).unwrap_or_default();
        self.links.iter().map(wait).min().unwrap_or_default()
    }
}

impl<'a> Taking<'a, '_> {
    /// Asks one provider, a second time if a retry may help, and reports the outcome to its
    /// breaker.
    async fn run(mut self, mut permit: Permit) -> Result<Opened<'a>, Arc<ProviderError>> {
        let now = self.chain.now();
        let mut with_tools = self.question.request.tools.is_some() && self.link.takes_tools(now);
        let mut result = self.try_twice(with_tools).await;
        if let Err(error) = &result
            && let ProviderError::ToolsRefused { named, .. } = **error
        {
            with_tools = false;
            result = self.try_twice(false).await;
            if named && result.is_ok() {
                self.remember();
            }
        }
        match result {
            Ok((mut report, begun)) => {
                if self.question.request.streamed {
                    permit.first_content(&self.chain.options.breaker);
                    report.first_content();
                }
                Ok(Opened {
                    link: self.link,
                    permit,
                    report,
                    begun,
                    with_tools,
                })
            }
            Err(error) => {
                let is_own = !self.question.request.rounds.is_empty();
                if matches!(*error, ProviderError::Timeout) && !self.turn.fair {
                    drop(permit);
                } else {
                    self.chain.settle(self.link, permit, &error, is_own);
                }
                Err(error)
            }
        }
    }

    /// Remembers for a while that the provider does not support tools.
    fn remember(&self) {
        let now = self.chain.now();
        if self.link.takes_tools(now) {
            tracing::warn!(
                llm.provider = self.link.provider.name(),
                llm.without_tools_seconds = WITHOUT_TOOLS.as_secs(),
                "an LLM provider does not support tools; it is asked without them for a while"
            );
        }
        let until = now.saturating_add(WITHOUT_TOOLS).as_secs();
        self.link.tools_from.store(until, Ordering::Relaxed);
    }

    async fn try_twice(&mut self, with_tools: bool) -> Attempted<'a> {
        let result = self.attempt(with_tools).await;
        let retry_at = self.chain.now().saturating_add(RETRY_PAUSE);
        let is_transient = result.as_ref().is_err_and(|error| error.is_transient());
        if !is_transient || retry_at >= self.turn.ends {
            return result;
        }
        sleep(RETRY_PAUSE).await;
        self.attempt(with_tools).await
    }

    /// Makes one attempt, limited by the end of the turn.
    async fn attempt(&mut self, with_tools: bool) -> Attempted<'a> {
        let Self { chain, link, .. } = *self;
        let mut request = self.question.request;
        request.provider = link.provider.name();
        if !with_tools {
            request.tools = None;
            request.system_prompt = self.question.bare_prompt;
        }
        let round = u32::try_from(request.rounds.len() + 1).unwrap_or(u32::MAX);
        let name = link.provider.name();
        let report = Report::start(&*chain.options.observer, name, round);
        let left = self.turn.ends.saturating_sub(chain.now());
        let result = timeout(left, begin(link, request)).await;
        let result = result.unwrap_or(Err(ProviderError::Timeout));
        match result {
            Ok(begun) => Ok((report, begun)),
            Err(error) => {
                let error = Arc::new(error);
                self.failures.push(report.failed(Arc::clone(&error)));
                Err(error)
            }
        }
    }
}

/// Asks a provider and reads its answer: all of it, or up to its first content.
async fn begin(link: &Link, request: Request<'_>) -> Result<Begun, ProviderError> {
    let mut begun = Begun {
        answer: link.provider.stream(request).await?,
        model: String::new(),
        text: String::new(),
        end: None,
    };
    let may_call = request.tools.is_some_and(|offer| !offer.forbidden);
    while let Some(piece) = begun.answer.next().await {
        match piece? {
            Piece::Alive => {}
            Piece::Model(model) => begun.model = model,
            Piece::Text(more) => {
                begun.text.push_str(&more);
                if request.streamed && !begun.text.trim().is_empty() {
                    return Ok(begun);
                }
            }
            Piece::End(end) => {
                let has_calls = may_call && !end.calls.is_empty();
                if begun.text.trim().is_empty() && !has_calls {
                    return Err(ProviderError::without_text(end.finish_reason));
                }
                begun.end = Some(*end);
                return Ok(begun);
            }
        }
    }
    Err(ProviderError::CUT)
}

fn split(time: Duration, parts: usize) -> Duration {
    time / u32::try_from(parts).unwrap_or(u32::MAX).max(1)
}
