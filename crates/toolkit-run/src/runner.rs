//! One call of a tool, with all that the process adds to it.

use std::borrow::Cow;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use bytes::Bytes;
use rand::Rng as _;
use time::OffsetDateTime;
use toolkit_core::ids::Sequence;
use toolkit_core::input::Accepted;
use toolkit_core::limits::RUN_MILLISECONDS_MAX;
use toolkit_core::{Context, DynTool, Label, ToolError};

use crate::lane::{Lane, Refusal};

/// How long a call waits for a place where each piece of work is short.
const BULK_WAIT: Duration = Duration::from_secs(1);
/// How long it waits where each may take its whole time: the answer must still come in half a second.
const LONG_WAIT: Duration = Duration::from_millis(100);

/// Runs tools. A process has one, so that its identifiers keep increasing.
#[derive(Debug)]
pub struct Runner {
    sequence: Arc<Sequence>,
    /// For large inputs of tools whose time grows with the input.
    bulk: Lane,
    /// For tools that can use up their whole time on a small input.
    long: Lane,
}

/// What a tool answered: its result was written behind what the buffer held.
#[derive(Debug)]
pub struct Answered {
    /// The buffer that was given, with the result's JSON behind what it held.
    pub out: Vec<u8>,
    /// What stands beside the result.
    pub label: Label,
    /// What was tolerated, assumed or changed.
    pub warnings: Vec<Cow<'static, str>>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The input is refused.
    #[error(transparent)]
    Refused(#[from] ToolError),
    /// Too much work is under way.
    #[error("too much work is under way")]
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
    /// Makes the runner of a process, with a place for each core.
    pub fn new() -> Self {
        let cores = available_parallelism().map_or(1, NonZero::get);
        Self {
            sequence: Arc::default(),
            bulk: Lane::new(cores, BULK_WAIT),
            long: Lane::new(cores, LONG_WAIT),
        }
    }

    /// Runs a tool on the bytes of a JSON object, and writes the result behind what `out` holds.
    ///
    /// # Errors
    ///
    /// Says why the input is refused, or that too much work is under way, or that the fault is ours.
    pub async fn run(
        &self,
        tool: &'static dyn DynTool,
        accepted: Accepted,
        body: Bytes,
        mut out: Vec<u8>,
    ) -> Result<Answered, Failure> {
        let mut ctx = self.context();
        let quick_bytes_max = tool.spec().quick_bytes_max;
        if body.len() <= quick_bytes_max {
            let label = tool.run_body(&body, accepted, &mut ctx, &mut out)?;
            return Ok(Answered {
                out,
                label,
                warnings: ctx.warnings.into_sentences(),
            });
        }
        let lane = if quick_bytes_max == 0 {
            &self.long
        } else {
            &self.bulk
        };
        let work = lane.run(move |gone| {
            let end = Instant::now() + Duration::from_millis(RUN_MILLISECONDS_MAX);
            let mut ctx = ctx.until(move || gone.is_true() || Instant::now() >= end);
            let label = tool.run_body(&body, accepted, &mut ctx, &mut out)?;
            Ok(Answered {
                out,
                label,
                warnings: ctx.warnings.into_sentences(),
            })
        });
        match work.await {
            Ok(result) => result.map_err(Failure::Refused),
            Err(Refusal::Busy) => Err(Failure::Busy),
            Err(Refusal::Panicked) => Err(Failure::Panicked),
        }
    }

    fn context(&self) -> Context {
        let random = |bytes: &mut [u8]| rand::rng().fill_bytes(bytes);
        Context::new(
            OffsetDateTime::now_utc(),
            random,
            Arc::clone(&self.sequence),
        )
    }
}
