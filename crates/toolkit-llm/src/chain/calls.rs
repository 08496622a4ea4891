//! Tool calls of a round: checks them, runs them concurrently, and collects the results.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::outcome::CallOutcome;
use crate::tools::{ToolCall, ToolOutcome, Tools, grouped};

/// Maximum number of calls in a round.
const ROUND_CALLS_MAX: usize = 8;

/// Maximum number of calls in a request.
const CALLS_MAX: usize = 16;

/// Maximum length of a call's arguments, in bytes.
const ARGUMENTS_BYTES_MAX: usize = 16 << 10;

/// Maximum length of a result, in bytes.
const RESULT_BYTES_MAX: usize = 16 << 10;

/// Maximum length of all results of a request, in bytes.
const RESULTS_BYTES_MAX: usize = 64 << 10;

/// Limits of a request used up so far.
#[derive(Debug, Default)]
pub(super) struct Budget {
    calls: usize,
    result_bytes: usize,
}

type Outcome = (ToolOutcome, CallOutcome);

/// A call in progress.
enum Call<'a> {
    Running(Pin<Box<dyn Future<Output = ToolOutcome> + Send + 'a>>),
    Ended(Option<Outcome>),
}

/// The calls of a round.
pub(super) struct Running<'a>(Vec<Call<'a>>);

impl Budget {
    /// Starts the calls that may run; refuses the others.
    pub(super) fn begin<'a>(
        &mut self,
        tools: &'a dyn Tools,
        calls: &'a [ToolCall],
        cut_off: bool,
    ) -> Running<'a> {
        let begin = |(index, call): (usize, &'a ToolCall)| {
            if cut_off {
                let detail = "The answer was cut off at its limit of tokens, so the call was not \
                              run; ask again with less.";
                return refused(detail.to_owned(), CallOutcome::Skipped);
            }
            if index >= ROUND_CALLS_MAX || self.calls >= CALLS_MAX {
                let detail = format!("Only {ROUND_CALLS_MAX} calls at a time; ask again.");
                return refused(detail, CallOutcome::Skipped);
            }
            self.calls += 1;
            check(tools, call).unwrap_or_else(|| Call::Running(tools.call(call)))
        };
        Running(calls.iter().enumerate().map(begin).collect())
    }

    /// Adds a result to the total, and refuses one that is too long.
    pub(super) fn weigh(&mut self, (outcome, how): Outcome) -> Outcome {
        let bytes = outcome.result().map_or(0, |result| result.get().len());
        let sum = self.result_bytes.saturating_add(bytes);
        let detail = if bytes > RESULT_BYTES_MAX {
            format!(
                "The result has {} bytes and chat takes {}; ask for less.",
                grouped(bytes),
                grouped(RESULT_BYTES_MAX)
            )
        } else if sum > RESULTS_BYTES_MAX {
            format!(
                "All results together would have {} bytes and chat takes {}; ask for less.",
                grouped(sum),
                grouped(RESULTS_BYTES_MAX)
            )
        } else {
            self.result_bytes = sum;
            return (outcome, how);
        };
        (ToolOutcome::Refused(detail), CallOutcome::Refused)
    }
}

fn refused<'a>(detail: String, how: CallOutcome) -> Call<'a> {
    Call::Ended(Some((ToolOutcome::Refused(detail), how)))
}

/// Refuses a call that no tool can run.
fn check<'a>(tools: &dyn Tools, call: &ToolCall) -> Option<Call<'a>> {
    let specs = tools.list();
    if !specs.iter().any(|spec| spec.name == call.name) {
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        let detail = format!(
            "There is no tool `{}`; the tools are {}.",
            call.shown_name(),
            names.join(", ")
        );
        return Some(refused(detail, CallOutcome::Unknown));
    }
    let bytes = call.arguments.len();
    if bytes > ARGUMENTS_BYTES_MAX {
        let detail = format!(
            "The arguments have {} bytes and chat takes {}; send less.",
            grouped(bytes),
            grouped(ARGUMENTS_BYTES_MAX)
        );
        return Some(refused(detail, CallOutcome::Invalid));
    }
    let error = call.object().err()?;
    Some(refused(error.to_string(), CallOutcome::Invalid))
}

impl Running<'_> {
    /// Waits for one call, while the others continue.
    pub(super) async fn outcome(&mut self, index: usize) -> Outcome {
        poll_fn(|cx| self.poll(index, cx)).await
    }

    fn poll(&mut self, index: usize, cx: &mut Context<'_>) -> Poll<Outcome> {
        for call in &mut self.0 {
            if let Call::Running(run) = call
                && let Poll::Ready(outcome) = run.as_mut().poll(cx)
            {
                let how = match outcome {
                    ToolOutcome::Done(_) => CallOutcome::Ok,
                    ToolOutcome::Refused(_) => CallOutcome::Refused,
                    ToolOutcome::Failed(_) => CallOutcome::Failed,
                };
                *call = Call::Ended(Some((outcome, how)));
            }
        }
        match self.0.get_mut(index) {
            Some(Call::Ended(outcome)) => outcome.take().map_or(Poll::Pending, Poll::Ready),
            _ => Poll::Pending,
        }
    }
}
