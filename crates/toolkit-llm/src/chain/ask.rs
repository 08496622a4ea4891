//! One round of a chat: asks the providers in turn until one produces content.
//!
//! A provider's turn ends by silence, however long its answer is: the clock restarts with each
//! piece that arrives.

use std::future::Future;
use std::ptr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime};

use futures_util::StreamExt as _;
use tokio::time::{sleep, timeout};

use super::{Chain, Link};
use crate::breaker::{Permit, Silence};
use crate::conversation::Conversation;
use crate::error::{FailedAttempt, LlmError, LlmErrorKind, ProviderError};
use crate::message::Message;
use crate::observer::Observer;
use crate::provider::{Answer, AnswerEnd, Piece, Request};
use crate::report::Report;

/// How long a provider that does not support tools is asked without them.
const WITHOUT_TOOLS: Duration = Duration::from_secs(600);

/// Pause before the retry. A connection cut by a restart then finds the new process.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

/// Rest after a refused key or account. Only the operator can fix that, possibly on the vendor's
/// side, without a restart here.
const DENIED_REST: Duration = Duration::from_secs(600);

/// Parameters of a round.
pub(super) struct Question<'a> {
    pub(super) request: Request<'a>,
    /// Models that the request selects, by provider.
    pub(super) models: &'a [(String, String)],
    /// The request's observer.
    pub(super) observer: &'a Arc<dyn Observer>,
    /// The caller that the request is made for, if known.
    pub(super) caller: Option<u128>,
    /// System prompt for calls without tools.
    pub(super) bare_prompt: Option<&'a str>,
    /// The previous round's provider.
    pub(super) preferred: Option<&'a Link>,
    /// Whether to return at the first content rather than the end.
    pub(super) streamed: bool,
    /// Deadline of the round, in the chain's time.
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
    pub(super) reasoning: String,
    /// Text so far.
    pub(super) text: String,
    /// End of the answer, if it has arrived.
    pub(super) end: Option<AnswerEnd>,
}

/// Result of an attempt, not yet reported to its breaker.
type Attempted<'a> = Result<(Report<'a>, Begun), Arc<ProviderError>>;

/// Time limits of a provider's turn.
#[derive(Debug, Clone, Copy)]
struct Turn {
    /// Maximum silence.
    silence: Duration,
    /// Silence from which on the provider itself is to blame, rather than a slow predecessor.
    blamed_from: Duration,
    /// End of the turn, in the chain's time.
    ends: Duration,
    /// When the provider last sent something, or when the turn began.
    heard: Duration,
}

/// A provider's turn in progress.
struct Taking<'a, 'q> {
    chain: &'a Chain,
    link: &'a Link,
    turn: Turn,
    question: &'q Question<'q>,
    with_tools: bool,
    /// Whether content has begun. Later failures count against no provider, since a caller can
    /// cause them.
    has_content: bool,
    failures: &'q mut Vec<FailedAttempt>,
}

/// The providers' failures in a round.
#[derive(Default)]
struct Tally {
    bad_requests: usize,
    too_long: usize,
    limit_spent: usize,
    /// All failures except rate limits.
    failed: usize,
}

impl Tally {
    fn add(&mut self, error: &ProviderError) {
        match error {
            ProviderError::RateLimited { .. } => return,
            ProviderError::BadRequest => self.bad_requests += 1,
            ProviderError::TooLong { .. } => self.too_long += 1,
            ProviderError::NoText { limit_spent: true, .. } => self.limit_spent += 1,
            _ => {}
        }
        self.failed += 1;
    }
}

impl Link {
    /// Whether the provider may be asked with tools.
    fn takes_tools(&self, now: Duration) -> bool {
        self.provider.takes_tools() && now.as_secs() >= self.tools_from.load(Ordering::Relaxed)
    }
}

impl Chain {
    /// Asks the providers in order until one produces content: the whole answer, or its beginning
    /// if the request is streamed. Those that support tools come first. If none of them answers,
    /// the others are asked without tools.
    pub(super) async fn ask<'a>(
        &'a self,
        question: Question<'_>,
        failures: &mut Vec<FailedAttempt>,
    ) -> Result<Opened<'a>, LlmError> {
        let is_first = question.request.rounds.is_empty();
        let wants_tools = question.request.tools.is_some();
        let now = self.now();
        let links = self.order(question.preferred);
        let (with, mut without): (Vec<_>, Vec<_>) =
            links.iter().partition(|link| wants_tools && link.takes_tools(now));
        let mut tally = Tally::default();
        for (index, &link) in with.iter().enumerate() {
            let later = with.get(index + 1..).unwrap_or_default();
            match self.take_turn(link, later, true, &question, failures).await? {
                Ok(opened) => return Ok(opened),
                Err(Some(error)) if matches!(*error, ProviderError::ToolsRefused { .. }) => {
                    without.push(link);
                }
                Err(error) => error.iter().for_each(|error| tally.add(error)),
            }
        }
        if !is_first && wants_tools {
            without.clear();
        }
        without.sort_by_key(|link| links.iter().position(|known| ptr::eq(*known, *link)));
        for (index, &link) in without.iter().enumerate() {
            let later = without.get(index + 1..).unwrap_or_default();
            match self.take_turn(link, later, false, &question, failures).await? {
                Ok(opened) => return Ok(opened),
                Err(error) => error.iter().for_each(|error| tally.add(error)),
            }
        }
        Err(if tally.failed == 0 {
            LlmError::from(LlmErrorKind::CoolingDown).with_retry_after(self.wait())
        } else if tally.too_long == tally.failed
            || (is_first && tally.bad_requests + tally.too_long == self.links.len())
        {
            LlmErrorKind::Refused.into()
        } else if self.now() >= question.deadline {
            LlmErrorKind::DeadlineExceeded.into()
        } else if tally.limit_spent == tally.failed {
            LlmErrorKind::LimitSpent.into()
        } else {
            LlmErrorKind::Failed.into()
        })
    }

    /// Lets one provider answer. An inner error moves on to the next one. `None` means that it is
    /// resting.
    async fn take_turn<'a>(
        &'a self,
        link: &'a Link,
        later: &[&Link],
        with_tools: bool,
        question: &Question<'_>,
        failures: &mut Vec<FailedAttempt>,
    ) -> Result<Result<Opened<'a>, Option<Arc<ProviderError>>>, LlmError> {
        let now = self.now();
        if now >= question.deadline {
            return Err(LlmErrorKind::DeadlineExceeded.into());
        }
        let Some(permit) = link.breaker.admit(now) else {
            return Ok(Err(None));
        };
        let taking = Taking {
            chain: self,
            link,
            turn: self.turn(link, later, now, question.deadline),
            question,
            with_tools,
            has_content: false,
            failures,
        };
        let is_first = question.request.rounds.is_empty();
        match taking.run(permit).await {
            Ok(opened) => Ok(Ok(opened)),
            Err(error) => match *error {
                ProviderError::Filtered { .. } => Err(LlmErrorKind::Filtered.into()),
                ProviderError::Refused { .. } if is_first => Err(LlmErrorKind::Refused.into()),
                ProviderError::TooLong { .. } if is_first && !self.options.context_fallback => {
                    Err(LlmErrorKind::Refused.into())
                }
                _ => Ok(Err(Some(error))),
            },
        }
    }

    /// The providers in the order of this round.
    fn order(&self, preferred: Option<&Link>) -> Vec<&Link> {
        let mut order: Vec<_> = self.links.iter().collect();
        order.sort_by_key(|&link| !preferred.is_some_and(|own| ptr::eq(own, link)));
        order
    }

    /// Computes the time limits of one provider's turn: its own limit on silence, or an equal share
    /// of the remaining time.
    fn turn(&self, link: &Link, later: &[&Link], now: Duration, deadline: Duration) -> Turn {
        let left = deadline.saturating_sub(now);
        let is_ready = |link: &&&Link| link.breaker.wait(now).is_none();
        let ready = later.iter().filter(is_ready).count();
        let own = link.provider.timeout();
        let due = split(self.options.deadline, self.links.len()).min(own.unwrap_or(Duration::MAX));
        Turn {
            silence: own.unwrap_or_else(|| split(left, ready + 1)),
            // Half of its share is enough to blame it for silence, so that rounding does not
            // decide.
            blamed_from: due / 2,
            ends: deadline,
            heard: now,
        }
    }

    /// Reports a failure to a breaker, and to the observer if the provider now rests.
    fn settle(&self, link: &Link, permit: Permit, error: &ProviderError, caller: Option<u128>) {
        let now = self.now();
        let rest = match error {
            // Neither a failure nor a sign of life.
            ProviderError::NoText { .. }
            | ProviderError::BadRequest
            | ProviderError::ToolsRefused { .. } => None,
            ProviderError::Refused { .. }
            | ProviderError::TooLong { .. }
            | ProviderError::Filtered { .. }
            | ProviderError::Declined { .. } => {
                permit.succeeded();
                None
            }
            ProviderError::RateLimited { retry_after } => Some(match retry_after {
                Some(wanted) => {
                    let rest = wanted.rest(SystemTime::now());
                    permit.rest(now, rest);
                    rest
                }
                None => permit.limited(now, &self.options.breaker),
            }),
            ProviderError::Denied { .. } => {
                permit.rest(now, DENIED_REST);
                Some(DENIED_REST)
            }
            ProviderError::Timeout if let Some(caller) = caller => {
                match permit.silent(caller, now, &self.options.breaker) {
                    Silence::Counted(rest) => rest,
                    Silence::Doubtful => {
                        self.probe(link);
                        None
                    }
                }
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

    /// Sends a small question of our own to a provider. If it is silent again, it rests.
    fn probe(&self, link: &Link) {
        let mut probe = link.probe.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(question) = Conversation::new(vec![Message::user("Answer with OK.")]) else {
            return;
        };
        if probe.as_ref().is_some_and(|probe| !probe.is_finished()) {
            return;
        }
        tracing::info!(
            llm.provider = link.provider.name(),
            "an LLM provider was silent for one caller: sending it a small test question"
        );
        let mut breaker = self.options.breaker;
        breaker.failures = 1;
        let own = Link::new(Arc::clone(&link.provider), link.breaker.clone());
        let chain = Self { links: Arc::new([own]), ..self.clone() };
        let chain = chain.with_breaker(breaker).with_system_prompt("");
        // Its result is in the log and metrics like any other.
        *probe = Some(tokio::spawn(async move { drop(chain.reply(question).await) }));
    }

    /// Time until the first provider can be called again.
    fn wait(&self) -> Duration {
        let now = self.now();
        let wait = |link: &Link| link.breaker.wait(now).unwrap_or_default();
        self.links.iter().map(wait).min().unwrap_or_default()
    }
}

impl<'a> Taking<'a, '_> {
    /// Calls one provider, again if a retry may help, and reports the outcome to its breaker.
    async fn run(mut self, mut permit: Permit) -> Result<Opened<'a>, Arc<ProviderError>> {
        let mut result = self.try_twice().await;
        if let Err(error) = &result
            && self.with_tools
            && self.question.request.rounds.is_empty()
        {
            match **error {
                ProviderError::ToolsRefused { named: true, .. } => self.remember(),
                // Without the tools it may fit.
                ProviderError::TooLong { .. } if !self.chain.options.context_fallback => {
                    self.with_tools = false;
                    result = self.try_twice().await;
                }
                _ => {}
            }
        }
        match result {
            Ok((mut report, begun)) => {
                if self.question.streamed {
                    permit.first_content(&self.chain.options.breaker);
                    report.first_content();
                }
                Ok(Opened { link: self.link, permit, report, begun, with_tools: self.with_tools })
            }
            Err(error) => {
                let silent = self.chain.now().saturating_sub(self.turn.heard);
                let is_late = matches!(*error, ProviderError::Timeout);
                if self.has_content || (is_late && silent < self.turn.blamed_from) {
                    drop(permit);
                } else {
                    self.chain.settle(self.link, permit, &error, self.question.caller);
                }
                Err(error)
            }
        }
    }

    /// Remembers for a while that the provider does not support tools.
    fn remember(&self) {
        tracing::warn!(
            llm.provider = self.link.provider.name(),
            llm.without_tools_seconds = WITHOUT_TOOLS.as_secs(),
            "an LLM provider does not support tools: asking it without them for a while"
        );
        let until = self.chain.now().saturating_add(WITHOUT_TOOLS).as_secs();
        self.link.tools_from.store(until, Ordering::Relaxed);
    }

    async fn try_twice(&mut self) -> Attempted<'a> {
        let result = self.attempt().await;
        let retry_at = self.chain.now().saturating_add(RETRY_PAUSE);
        let is_transient = result.as_ref().is_err_and(|error| error.is_transient());
        if !is_transient || self.has_content || retry_at >= self.due() {
            return result;
        }
        sleep(RETRY_PAUSE).await;
        self.attempt().await
    }

    /// Makes one attempt.
    async fn attempt(&mut self) -> Attempted<'a> {
        let Self { chain, link, .. } = *self;
        let name = link.provider.name();
        let mut request = self.question.request;
        request.provider = name;
        let models = self.question.models.iter();
        let mut models = models.filter(|(provider, _)| provider == name);
        request.model = models.next().map(|(_, model)| model.as_str());
        if !self.with_tools {
            request.tools = None;
            request.system_prompt = self.question.bare_prompt;
        }
        let round = u32::try_from(request.rounds.len() + 1).unwrap_or(u32::MAX);
        let own = Arc::clone(self.question.observer);
        let counts = (round, request.bytes());
        let mut report = Report::start(&*chain.options.observer, own, name, counts);
        match self.begin(request, &mut report).await {
            Ok(begun) => Ok((report, begun)),
            Err(error) => {
                if self.has_content {
                    report.first_content();
                }
                let error = Arc::new(error);
                self.failures.push(report.failed(Arc::clone(&error)));
                Err(error)
            }
        }
    }

    /// Calls the provider and reads its answer: all of it, or up to its first content.
    async fn begin(
        &mut self,
        request: Request<'_>,
        report: &mut Report<'_>,
    ) -> Result<Begun, ProviderError> {
        let link = self.link;
        let answer = self.within(link.provider.stream(request)).await??;
        let mut begun = Begun {
            answer,
            model: String::new(),
            reasoning: String::new(),
            text: String::new(),
            end: None,
        };
        let may_call = request.tools.is_some_and(|offer| !offer.forbidden);
        while let Some(piece) = self.within(begun.answer.next()).await? {
            self.turn.heard = self.chain.now();
            let piece = piece?;
            report.heard(&piece);
            match piece {
                Piece::Alive => {}
                Piece::Model(model) => begun.model = model,
                Piece::Reasoning(more) => {
                    begun.reasoning.push_str(&more);
                    self.has_content |= request.show_reasoning;
                }
                Piece::Text(more) => {
                    begun.text.push_str(&more);
                    self.has_content |= !begun.text.trim().is_empty();
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
            if self.question.streamed && self.has_content {
                return Ok(begun);
            }
        }
        Err(ProviderError::CUT)
    }

    /// When the provider will have been silent for too long, in the chain's time.
    fn due(&self) -> Duration {
        let Turn { silence, ends, heard, .. } = self.turn;
        heard.saturating_add(silence).min(ends)
    }

    /// Waits for output from the provider.
    async fn within<T>(&self, future: impl Future<Output = T>) -> Result<T, ProviderError> {
        let left = self.due().saturating_sub(self.chain.now());
        let waited = timeout(left, future).await;
        waited.map_err(|_| ProviderError::Timeout)
    }
}

fn split(time: Duration, parts: usize) -> Duration {
    time / u32::try_from(parts).unwrap_or(u32::MAX).max(1)
}
