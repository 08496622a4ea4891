//! What a caller is told when a request fails: the one place where errors get a status.

use actix_web::http::StatusCode;
use std::time::Duration;

use toolkit_core::input::Echo;
use toolkit_http::detail::Refusal;
use toolkit_run::Failure;

/// When a caller should come back to a server that is busy.
const BUSY_FOR: Duration = Duration::from_secs(1);

/// No tool has this slug.
pub(crate) fn unknown_tool(slug: &str) -> Refusal {
    let detail = format!(
        "There is no tool {}; GET /toolkit/api/tools lists them.",
        Echo(slug)
    );
    Refusal::new(StatusCode::NOT_FOUND, detail)
}

/// A tool gave no answer.
pub(crate) fn of_run(failure: Failure) -> Refusal {
    match failure {
        Failure::Refused(refusal) => {
            Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, refusal.to_string())
        }
        Failure::Busy => {
            let detail = "The server is busy with large inputs; try again in a second.";
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(BUSY_FOR)
        }
        Failure::Panicked => Refusal::internal(),
    }
}
