//! Tool calls of a round: checks them, runs them, and limits their results.

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

/// Runs a call, unless it was refused.
pub(super) async fn run(tools: &dyn Tools, call: &ToolCall, refusal: Option<Outcome>) -> Outcome {
    if let Some(refusal) = refusal {
        return refusal;
    }
    let outcome = tools.call(call).await;
    let how = match outcome {
        ToolOutcome::Done(_) => CallOutcome::Ok,
        ToolOutcome::Refused(_) => CallOutcome::Refused,
        ToolOutcome::Failed(_) => CallOutcome::Failed,
    };
    (outcome, how)
}

impl Budget {
    /// Refuses a call that must not run; counts one that may. `index` is its place in the round.
    pub(super) fn refusal(
        &mut self,
        tools: &dyn Tools,
        index: usize,
        call: &ToolCall,
        cut_off: bool,
    ) -> Option<Outcome> {
        let (detail, how) = if cut_off {
            let detail = "The answer was cut off at its limit of tokens, so the call was not run; \
                          ask again with less.";
            (detail.to_owned(), CallOutcome::Skipped)
        } else if index >= ROUND_CALLS_MAX || self.calls >= CALLS_MAX {
            let detail = format!("Only {ROUND_CALLS_MAX} calls at a time; ask again.");
            (detail, CallOutcome::Skipped)
        } else {
            self.calls += 1;
            check(tools, call)?
        };
        Some((ToolOutcome::Refused(detail), how))
    }

    /// Adds a result to the total, and refuses one that is too long.
    pub(super) fn weigh(&mut self, (outcome, how): Outcome) -> Outcome {
        let bytes = outcome.result().map_or(0, |result| result.get().len());
        let sum = self.result_bytes.saturating_add(bytes);
        let (what, bytes, max) = if bytes > RESULT_BYTES_MAX {
            ("The result has", bytes, RESULT_BYTES_MAX)
        } else if sum > RESULTS_BYTES_MAX {
            ("All results together would have", sum, RESULTS_BYTES_MAX)
        } else {
            self.result_bytes = sum;
            return (outcome, how);
        };
        let detail = too_long(what, bytes, max, "ask for less");
        (ToolOutcome::Refused(detail), CallOutcome::Refused)
    }
}

/// Refuses a call that no tool can run.
fn check(tools: &dyn Tools, call: &ToolCall) -> Option<(String, CallOutcome)> {
    let specs = tools.list();
    if !specs.iter().any(|spec| spec.name == call.name) {
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        let (name, names) = (call.shown_name(), names.join(", "));
        let detail = format!("There is no tool `{name}`; the tools are {names}.");
        return Some((detail, CallOutcome::Unknown));
    }
    let bytes = call.arguments.len();
    let detail = if bytes > ARGUMENTS_BYTES_MAX {
        too_long(
            "The arguments have",
            bytes,
            ARGUMENTS_BYTES_MAX,
            "send less",
        )
    } else {
        call.object().err()?.to_string()
    };
    Some((detail, CallOutcome::Invalid))
}

fn too_long(what: &str, bytes: usize, max: usize, advice: &str) -> String {
    let (bytes, max) = (grouped(bytes), grouped(max));
    format!("{what} {bytes} bytes and chat takes {max}; {advice}.")
}
