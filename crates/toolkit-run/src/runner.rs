//! Runner: runs one tool call in a server, with clock, randomness, deadline and thread.

use std::borrow::Cow;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use bytes::Bytes;
use rand::Rng as _;
use serde::Serialize;
use time::OffsetDateTime;
use toolkit_core::ids::Sequence;
use toolkit_core::input::Surface;
use toolkit_core::limits::RUN_MILLISECONDS_MAX;
use toolkit_core::regex::PatternCache;
use toolkit_core::{AnswerMeta, Context, DynTool, ToolError};

use crate::blocking_pool::{BlockingPool, PoolError};

/// Maximum wait for a place where each piece of work is short.
const BULK_WAIT: Duration = Duration::from_secs(1);
/// Maximum wait where each may take its whole time: the answer must still arrive within half a
/// second.
const LONG_WAIT: Duration = Duration::from_millis(100);

/// Runs tools. A process has one, so that its identifiers keep increasing.
#[derive(Debug)]
pub struct Runner {
    sequence: Arc<Sequence>,
    /// Cache of compiled regular expressions.
    patterns: Arc<PatternCache>,
    /// Pool for large inputs of tools whose time grows with the input.
    bulk: BlockingPool,
    /// Pool for tools that can use up their whole time on a small input.
    long: BlockingPool,
}

/// Error: there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The input is refused.
    #[error(transparent)]
    Refused(#[from] ToolError),
    /// Too much work is in progress.
    #[error("too much work is in progress")]
    Busy,
    /// The tool panicked: our fault.
    #[error("the tool panicked")]
    Panicked,
}

impl Default for Runner {
    fn default() -> Self {
        Self::new()
    }
}

impl Runner {
    /// Creates the runner of a process, with one place per core.
    pub fn new() -> Self {
        let cores = available_parallelism().map_or(1, NonZero::get);
        Self {
            sequence: Arc::default(),
            patterns: Arc::default(),
            bulk: BlockingPool::new(cores, BULK_WAIT),
            long: BlockingPool::new(cores, LONG_WAIT),
        }
    }

    /// Runs a tool on the bytes of a JSON object, and completes a JSON object with its answer.
    ///
    /// `out` holds the beginning of that object, up to the value of `result`; the returned bytes
    /// have `result`, `type`, `count` if the result is an array, and `warnings` if there are any.
    ///
    /// # Errors
    ///
    /// Says why the input is refused, or that too much work is in progress, or that the fault is
    /// ours.
    pub async fn run(
        &self,
        tool: &'static dyn DynTool,
        accepted: Surface,
        body: Bytes,
        out: Vec<u8>,
    ) -> Result<Vec<u8>, Failure> {
        let (mut ctx, mut out) = (self.context(), out);
        if let Some(done) = tool.run_if_quick(&body, accepted, &mut ctx, &mut out) {
            return Ok(complete(out, done?, &ctx));
        }
        let pool = if tool.spec().quick_bytes_max == 0 {
            &self.long
        } else {
            &self.bulk
        };
        let work = pool.run(body.len(), move |gone| {
            let end = Instant::now() + Duration::from_millis(RUN_MILLISECONDS_MAX);
            let mut ctx = ctx.until(move || gone.is_true() || Instant::now() >= end);
            let meta = tool.run_json(&body, accepted, &mut ctx, &mut out)?;
            Ok(complete(out, meta, &ctx))
        });
        match work.await {
            Ok(result) => result,
            Err(PoolError::Busy) => Err(Failure::Busy),
            Err(PoolError::Panicked) => Err(Failure::Panicked),
        }
    }

    fn context(&self) -> Context {
        let random = |bytes: &mut [u8]| rand::rng().fill_bytes(bytes);
        let (now, sequence) = (OffsetDateTime::now_utc(), Arc::clone(&self.sequence));
        Context::new(now, random, sequence).with_patterns(Arc::clone(&self.patterns))
    }
}

/// Members after the result in an answer.
#[derive(Serialize)]
struct Rest<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'a [Cow<'static, str>],
}

/// Writes the members after the result.
fn complete(mut out: Vec<u8>, meta: AnswerMeta, ctx: &Context) -> Vec<u8> {
    let rest = Rest {
        r#type: meta.kind,
        count: meta.count,
        warnings: ctx.warnings.sentences(),
    };
    let opened = out.len();
    // Serializing text to memory does not fail.
    let _ = serde_json::to_writer(&mut out, &rest);
    if let Some(brace) = out.get_mut(opened) {
        // The opening brace of the rest becomes the comma after the result.
        *brace = b',';
    }
    out
}
