//! Scripted providers.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use toolkit_llm::{
    Answer, Availability, Chain, FinishReason, LlmErrorKind, Provider, ProviderError, Reply,
    Request, RetryAfter,
};

use super::hello;

/// Response of a scripted provider.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Reply,
    ReplyAfter(Duration),
    FailAfter(Duration),
    Hang,
    Connection,
    Status(u16),
    RateLimited(Option<RetryAfter>),
    Denied,
    Declined,
    Refused,
    BadRequest,
    NoText,
    LimitSpent,
    Filtered,
    TooLong,
    Unusable,
}

/// A provider that works through its steps and repeats the last one.
pub(crate) struct Script {
    name: &'static str,
    timeout: Option<Duration>,
    steps: Mutex<VecDeque<Step>>,
    calls: AtomicUsize,
    seen: Mutex<Option<(Option<String>, u32)>>,
}

impl Script {
    pub(crate) fn new(name: &'static str, steps: impl Into<VecDeque<Step>>) -> Arc<Self> {
        Self::with_timeout(name, None, steps)
    }

    pub(crate) fn with_timeout(
        name: &'static str,
        timeout: Option<Duration>,
        steps: impl Into<VecDeque<Step>>,
    ) -> Arc<Self> {
        Arc::new(Self {
            name,
            timeout,
            steps: Mutex::new(steps.into()),
            calls: AtomicUsize::new(0),
            seen: Mutex::new(None),
        })
    }

    /// Number of times it was asked.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// System prompt and output limit of the last call.
    pub(crate) fn seen(&self) -> (Option<String>, u32) {
        self.seen.lock().unwrap().clone().expect("it was asked")
    }

    /// Sets its next steps.
    pub(crate) fn set(&self, steps: impl Into<VecDeque<Step>>) {
        *self.steps.lock().unwrap() = steps.into();
    }

    fn next(&self) -> Step {
        let mut steps = self.steps.lock().unwrap();
        let step = *steps.front().expect("a step");
        if steps.len() > 1 {
            steps.pop_front();
        }
        step
    }
}

#[async_trait]
impl Provider for Script {
    fn name(&self) -> &str {
        self.name
    }

    fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    async fn stream(&self, request: Request<'_>) -> Result<Answer, ProviderError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        *self.seen.lock().unwrap() =
            Some((request.system_prompt.map(str::to_owned), request.max_output_tokens));
        let step = self.next();
        match step {
            Step::Reply => {}
            Step::ReplyAfter(delay) => tokio::time::sleep(delay).await,
            Step::FailAfter(delay) => {
                tokio::time::sleep(delay).await;
                return Err(ProviderError::Connection("reset".into()));
            }
            Step::Hang => std::future::pending().await,
            Step::Connection => return Err(ProviderError::Connection("refused".into())),
            Step::Status(status) => return Err(ProviderError::Status { status }),
            Step::RateLimited(retry_after) => {
                return Err(ProviderError::RateLimited { retry_after });
            }
            Step::Denied => {
                return Err(ProviderError::Denied { status: 401, reason: "check the key" });
            }
            Step::Declined => {
                return Err(ProviderError::Declined { reason: "moderation" });
            }
            Step::Refused => return Err(ProviderError::Refused { status: 400 }),
            Step::BadRequest => return Err(ProviderError::BadRequest),
            Step::NoText | Step::LimitSpent => {
                return Err(ProviderError::NoText {
                    reason: "silence",
                    limit_spent: matches!(step, Step::LimitSpent),
                });
            }
            Step::Filtered => return Err(ProviderError::Filtered { reason: "a filter" }),
            Step::TooLong => return Err(ProviderError::TooLong { status: 400 }),
            Step::Unusable => return Err(ProviderError::Unusable { reason: "cut" }),
        }
        let mut reply = Reply::new("Hello, human", self.name, "scripted");
        reply.finish_reason = FinishReason::Stop;
        Ok(reply.into_answer())
    }
}

pub(crate) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) fn chain_of<const N: usize>(providers: [&Arc<Script>; N]) -> Chain {
    let any = |script: &Arc<Script>| -> Arc<dyn Provider> { script.clone() };
    Chain::new(providers.into_iter().map(any).collect()).with_deadline(seconds(30))
}

/// The provider that replied, or the kind of error.
pub(crate) async fn ask(chain: &Chain) -> Result<String, LlmErrorKind> {
    let reply = chain.reply(&hello()).await;
    reply.map(|reply| reply.provider).map_err(|error| error.kind())
}

/// The wait until a provider can be asked again.
pub(crate) async fn rest(chain: &Chain) -> Duration {
    let error = chain.reply(&hello()).await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::CoolingDown);
    error.retry_after().unwrap()
}

pub(crate) async fn ask_times(chain: &Chain, times: usize) -> Vec<Result<String, LlmErrorKind>> {
    let mut results = Vec::new();
    for _ in 0..times {
        results.push(ask(chain).await);
    }
    results
}

pub(crate) fn availability<const N: usize>(chain: &Chain) -> [Availability; N] {
    let lines = chain.status().providers.into_iter().map(|line| line.status);
    lines.collect::<Vec<_>>().try_into().expect("as many providers")
}
