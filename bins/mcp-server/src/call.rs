//! One call of a tool, in the shape in which MCP answers it.

use actix_web::web::Bytes;
use toolkit_run::{Failure, Runner};

use crate::tools::Offered;

/// How a call ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// `{"result", "type", "count"?, "warnings"?}` as JSON.
    Answer(Vec<u8>),
    /// The input is refused: the sentence tells a model how to mend its call.
    Refused(String),
    /// Our fault.
    Internal,
}

const OPENING: &[u8] = b"{\"result\":";

/// Calls a tool with the JSON of its arguments.
pub(crate) async fn call(runner: &Runner, offered: Offered, arguments: Bytes) -> Outcome {
    let mut out = Vec::with_capacity(arguments.len() + 256);
    out.extend_from_slice(OPENING);
    match runner
        .run(offered.tool, offered.accepted(), arguments, out)
        .await
    {
        Ok(answer) => Outcome::Answer(answer),
        Err(Failure::Refused(refusal)) => Outcome::Refused(refusal.to_string()),
        Err(Failure::Busy) => {
            Outcome::Refused("The server is busy; call again in a second.".to_owned())
        }
        Err(Failure::Panicked) => Outcome::Internal,
    }
}
