//! Tool calls of a round: checks them, runs them, and limits their results.

use crate::outcome::CallOutcome;
use crate::request::ToolLimits;
use crate::tools::{ToolCall, ToolOutcome, Tools, grouped};

/// How much of the request's limits is used up.
#[derive(Debug)]
pub(super) struct Budget {
    limits: ToolLimits,
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
    pub(super) fn new(limits: ToolLimits) -> Self {
        Self { limits, calls: 0, result_bytes: 0 }
    }

    /// Refuses a call that must not run, and counts one that may. `index` is its place in the
    /// round.
    pub(super) fn refusal(
        &mut self,
        tools: &dyn Tools,
        index: usize,
        call: &ToolCall,
        cut_off: bool,
    ) -> Option<Outcome> {
        let (detail, how) = if cut_off {
            let detail = "The answer was cut off at its limit of tokens, so the call was not run. \
                          Ask again with less.";
            (detail.to_owned(), CallOutcome::Skipped)
        } else if index >= self.limits.round_calls || self.calls >= self.limits.calls {
            let max = self.limits.round_calls;
            let detail = format!("Only {max} calls at a time. Ask again.");
            (detail, CallOutcome::Skipped)
        } else {
            self.calls += 1;
            check(tools, call, self.limits.arguments_bytes)?
        };
        Some((ToolOutcome::Refused(detail), how))
    }

    /// Adds a result to the total, and refuses one that is too long.
    pub(super) fn weigh(&mut self, (outcome, how): Outcome) -> Outcome {
        let bytes = outcome.bytes();
        let sum = self.result_bytes.saturating_add(bytes);
        let limits = self.limits;
        let is_result = outcome.result().is_some();
        let (what, bytes, max) = if is_result && bytes > limits.result_bytes {
            ("The result has", bytes, limits.result_bytes)
        } else if sum > limits.results_bytes {
            ("All results together would have", sum, limits.results_bytes)
        } else {
            self.result_bytes = sum;
            return (outcome, how);
        };
        let detail = too_long(what, bytes, max, "Ask for less");
        (ToolOutcome::Refused(detail), CallOutcome::Refused)
    }
}

/// Refuses a call that no tool can run.
fn check(tools: &dyn Tools, call: &ToolCall, max: usize) -> Option<(String, CallOutcome)> {
    let specs = tools.list();
    if !specs.iter().any(|spec| spec.name == call.name) {
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        let (name, names) = (call.shown_name(), names.join(", "));
        let detail = format!("Unknown tool `{name}`. The tools are {names}.");
        return Some((detail, CallOutcome::Unknown));
    }
    let bytes = call.arguments.len();
    let detail = if bytes > max {
        too_long("The arguments have", bytes, max, "Send less")
    } else {
        call.object().err()?.to_string()
    };
    Some((detail, CallOutcome::Invalid))
}

fn too_long(what: &str, bytes: usize, max: usize, advice: &str) -> String {
    let (bytes, max) = (grouped(bytes), grouped(max));
    format!("{what} {bytes} bytes and chat takes {max}. {advice}.")
}
