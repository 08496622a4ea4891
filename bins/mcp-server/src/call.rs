//! One call of a tool, in the shape in which MCP answers it.

use std::borrow::Cow;

use actix_web::web::Bytes;
use serde::Serialize;
use toolkit_run::{Answered, Failure, Runner};

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

/// What stands behind the result in an answer.
#[derive(Serialize)]
struct Rest<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'a [Cow<'static, str>],
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
        Ok(answered) => finished(answered).map_or(Outcome::Internal, Outcome::Answer),
        Err(Failure::Refused(refusal)) => Outcome::Refused(refusal.to_string()),
        Err(Failure::Busy) => {
            Outcome::Refused("The server is busy; call again in a second.".to_owned())
        }
        Err(Failure::Panicked) => Outcome::Internal,
    }
}

fn finished(answered: Answered) -> Option<Vec<u8>> {
    let Answered {
        mut out,
        label,
        warnings,
    } = answered;
    let rest = Rest {
        r#type: label.kind,
        count: label.count,
        warnings: &warnings,
    };
    let opened = out.len();
    serde_json::to_writer(&mut out, &rest).ok()?;
    // The brace that opens the rest becomes the comma behind the result.
    *out.get_mut(opened)? = b',';
    Some(out)
}
