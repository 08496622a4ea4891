//! What a caller is told when a request fails: the one place where errors get a status.

use std::error::Error;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use toolkit_core::input::Echo;
use toolkit_http::detail::Refusal;
use toolkit_http::edge;
use toolkit_llm::LlmError;
use toolkit_run::Failure;
use toolkit_store::StoreError;

use crate::turnstile;

/// When a caller should come back to a server that is busy.
const BUSY_FOR: Duration = Duration::from_secs(1);

/// When a caller should come back to a server whose database does not answer.
const DATABASE_AWAY_FOR: Duration = Duration::from_secs(5);

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

/// No model gave a reply.
pub(crate) fn of_llm(error: &LlmError) -> Refusal {
    let status = match error {
        LlmError::Refused => StatusCode::UNPROCESSABLE_ENTITY,
        LlmError::Failed => StatusCode::BAD_GATEWAY,
        LlmError::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
        LlmError::Unconfigured | LlmError::CoolingDown { .. } => StatusCode::SERVICE_UNAVAILABLE,
        // A kind that this server does not know yet.
        _ => return Refusal::internal(),
    };
    let refusal = Refusal::new(status, error.to_string());
    match error {
        LlmError::CoolingDown { retry_after } => refusal.retry_after(*retry_after),
        _ => refusal,
    }
}

/// The database did not do what was asked. The cause goes to the log.
pub(crate) fn of_store(request: &HttpRequest, error: &StoreError) -> Refusal {
    let request_id = edge::request_id(request);
    let request_id = request_id.as_str();
    let cause = error.source().map(tracing::field::display);
    if error.is_unavailable() {
        tracing::warn!(request_id, %error, cause, "a request needed the database");
        let detail = "The service cannot store this right now; nothing was kept. Try again later.";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, detail).retry_after(DATABASE_AWAY_FOR)
    } else {
        tracing::error!(request_id, %error, cause, "a request needed the database");
        Refusal::internal()
    }
}

/// A Turnstile token does not let a message pass.
pub(crate) fn of_turnstile(failure: turnstile::Failure) -> Refusal {
    match failure {
        turnstile::Failure::Refused => token_refused(),
        turnstile::Failure::Unavailable => {
            let detail = "The Turnstile check is out of reach, so the message was not taken; try again later.";
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, detail)
        }
    }
}

/// A Turnstile token is wrong, expired or spent.
pub(crate) fn token_refused() -> Refusal {
    let detail = "`turnstile_token` was refused: it is wrong, expired or was used before; solve the challenge again.";
    Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
}
