//! Tool call: runs a tool and builds the MCP result.

use std::sync::Arc;

use actix_web::web::Bytes;
use metrics::Counter;
use toolkit_server::clients::Account;
use toolkit_server::panics::{self, Panic};
use toolkit_server::request_id::RequestId;
use toolkit_server::runner::{Failure, Runner};

use crate::protocol::ProtocolFlavor;
use crate::tools::Offered;

/// A call of a tool.
pub(crate) struct Call {
    pub(crate) offered: Offered,
    /// The arguments as JSON; empty if there are none.
    pub(crate) arguments: Bytes,
    pub(crate) flavor: ProtocolFlavor,
    /// Who calls, unless the process has only one client.
    pub(crate) client: Option<Arc<Account>>,
    /// The request id, for the log.
    pub(crate) request_id: RequestId,
}

/// Outcome of a call.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// `{"result", "type", "count"?, "warnings"?}` as JSON.
    Answer(Vec<u8>),
    /// Invalid input: the sentence tells a model how to fix its call.
    Refused(String),
    /// The server is busy: the sentence says to retry.
    Busy(&'static str),
    /// Internal error.
    Internal,
}

impl Outcome {
    const NAMES: [&'static str; 4] = ["answered", "refused", "busy", "failed"];

    const fn index(&self) -> usize {
        match self {
            Self::Answer(_) => 0,
            Self::Refused(_) => 1,
            Self::Busy(_) => 2,
            Self::Internal => 3,
        }
    }
}

/// Bytes around a small result.
const ENVELOPE_BYTES: usize = 256;

/// Bytes preallocated for a result; a tool reserves more for a larger one.
const RESULT_BYTES: usize = 4 << 10;

/// Calls tools and counts the calls.
#[derive(Clone)]
pub(crate) struct Caller {
    runner: Arc<Runner>,
    /// A counter for each tool, flavor and outcome.
    counters: Arc<[[[Counter; 4]; 2]]>,
}

impl Caller {
    /// Calls tools on a runner. The metrics recorder must have been started before.
    pub(crate) fn new(runner: Arc<Runner>) -> Self {
        metrics::describe_counter!(
            "toolkit_mcp_calls_total",
            "Tool calls by tool, protocol flavor and outcome; a refused input does not count as a failure."
        );
        let counter = |tool: &'static str, flavor: ProtocolFlavor, outcome: &'static str| {
            metrics::counter!(
                "toolkit_mcp_calls_total",
                "tool" => tool, "flavor" => flavor.name(), "outcome" => outcome,
            )
        };
        let counters = Offered::all()
            .map(|offered| {
                [ProtocolFlavor::Stateful, ProtocolFlavor::Stateless].map(|flavor| {
                    Outcome::NAMES.map(|name| counter(offered.mcp.name, flavor, name))
                })
            })
            .collect();
        Self { runner, counters }
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, call: Call) -> Outcome {
        let Call {
            offered,
            arguments,
            flavor,
            client,
            request_id,
        } = call;
        let mut out = Vec::with_capacity(arguments.len().min(RESULT_BYTES) + ENVELOPE_BYTES);
        out.push(b'{');
        let run = self.runner.run(
            client.as_ref(),
            offered.tool,
            offered.accepted(),
            arguments,
            out,
        );
        let ended = panics::caught(run)
            .await
            .unwrap_or_else(|Panic { place, reason }| {
                tracing::error!(%request_id, place, reason, "a tool panicked");
                Err(Failure::Panicked)
            });
        let outcome = match ended {
            Ok(answer) => Outcome::Answer(answer),
            Err(Failure::Refused(refusal)) => Outcome::Refused(refusal.to_string()),
            Err(Failure::Busy) => Outcome::Busy(
                "The server is busy with large inputs; call again in a second, with less if you can.",
            ),
            Err(Failure::Panicked) => Outcome::Internal,
        };
        self.count(offered, flavor, &outcome);
        outcome
    }

    fn count(&self, offered: Offered, flavor: ProtocolFlavor, outcome: &Outcome) {
        let flavors = self.counters.get(offered.index);
        let outcomes = flavors
            .and_then(|flavors| flavors.get(usize::from(flavor == ProtocolFlavor::Stateless)));
        if let Some(counter) = outcomes.and_then(|outcomes| outcomes.get(outcome.index())) {
            counter.increment(1);
        }
    }
}
