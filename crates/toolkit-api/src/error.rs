//! API errors: the only place that maps errors to statuses and messages.

use std::error::Error;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use toolkit_core::input::Echo;
use toolkit_llm::{LlmError, LlmErrorKind};
use toolkit_server::error_response::{HttpError, INTERNAL, seconds};
use toolkit_server::middleware;
use toolkit_server::runner::RunError;
use toolkit_store::StoreError;

/// `Retry-After` when the server is busy.
const BUSY_FOR: Duration = Duration::from_secs(1);

/// `Retry-After` when the database does not respond.
const DATABASE_AWAY_FOR: Duration = Duration::from_secs(5);

/// `WWW-Authenticate` challenge.
const CHALLENGE: &str = "ApiKey realm=\"toolkit\", header=\"X-Api-Key\"";

/// The reason a request was refused, as told to its sender.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// The key is missing or not active.
    #[error("A valid API key is required in the header `X-Api-Key`. The operator issues keys.")]
    Unauthorized,
    /// The database is unreachable, so the key cannot be checked.
    #[error("The API key cannot be checked right now. Try again later.")]
    KeyUnverified,
    /// The key is over its rate limit.
    #[error("Too many requests with this API key. Try again in {}.", seconds(*_0))]
    KeyOverLimit(Duration),
    /// The key lacks the scope for this endpoint.
    #[error("This API key does not open `{0}`. Ask the operator for one that does.")]
    KeyNotFor(&'static str),
    /// No tool has this slug.
    #[error("Unknown tool {}. GET /toolkit/api/tools lists all tools.", Echo(_0))]
    UnknownTool(String),
    /// The key has used up today's tokens.
    #[error("This API key has used up today's tokens. They reset at 00:00 UTC.")]
    KeySpent(Duration),
    /// The key has half of all open chats.
    #[error("This API key has {0} open chats, half of the server's limit. Try again in a second.")]
    TooManyChatsOfKey(usize),
    /// The tool only runs in a browser.
    #[error("The tool `{slug}` runs in the browser only: use {page}.")]
    BrowserOnly { slug: &'static str, page: String },
    /// The input is invalid. The message names the part and what is accepted.
    #[error("{0}")]
    InvalidInput(String),
    /// The captcha solution is invalid, expired or already used.
    #[error("`{0}` was refused: it is wrong, expired or already used. Solve the challenge again.")]
    TokenRefused(&'static str),
    /// A page of another origin used a site key.
    #[error(
        "This API key only works on the pages of its web site, and this request comes from elsewhere."
    )]
    WrongOrigin,
    /// A site key needs a check that is no longer configured.
    #[error("No captcha is configured for forms, so nothing was accepted.")]
    CaptchaUnconfigured,
    /// A Turnstile token could not be verified.
    #[error(
        "The Turnstile check is unavailable, so the message was not accepted. Try again later."
    )]
    TurnstileUnavailable,
    /// No model gave a reply.
    #[error(transparent)]
    Model(#[from] LlmError),
    /// Too many large inputs are being processed.
    #[error("The server is busy with large inputs. Try again in a second.")]
    Busy,
    /// Too many chats are open.
    #[error("The server has {0} open chats and accepts no more. Try again in a second.")]
    TooManyChats(usize),
    /// A stop is about to cut a streamed chat.
    #[error("The server is stopping. Send the request again.")]
    Stopping,
    /// The database is unreachable.
    #[error("The service cannot store anything right now, so nothing was stored. Try again later.")]
    DatabaseUnavailable,
    /// The database did not confirm a commit.
    #[error(
        "It is not known whether this was stored: the database did not confirm it. A repetition may \
         store it twice, unless both requests have the same `Idempotency-Key`."
    )]
    OutcomeUnknown,
    /// A request with the same idempotency key is in progress.
    #[error(
        "The first request with this `Idempotency-Key` is still in progress. Try again in a second."
    )]
    StillRunning,
    /// An internal error. The cause is in the log.
    #[error("{INTERNAL}")]
    Internal,
}

impl ApiError {
    fn status(&self) -> StatusCode {
        match self {
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::KeyNotFor(_) | Self::WrongOrigin => StatusCode::FORBIDDEN,
            Self::KeyOverLimit(_) | Self::KeySpent(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::UnknownTool(_) => StatusCode::NOT_FOUND,
            Self::BrowserOnly { .. } => StatusCode::NOT_IMPLEMENTED,
            Self::InvalidInput(_) | Self::TokenRefused(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Model(error) => model_status(error.kind()),
            Self::KeyUnverified
            | Self::TurnstileUnavailable
            | Self::CaptchaUnconfigured
            | Self::Busy
            | Self::TooManyChats(_)
            | Self::TooManyChatsOfKey(_)
            | Self::Stopping
            | Self::DatabaseUnavailable
            | Self::OutcomeUnknown
            | Self::StillRunning => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy
            | Self::TooManyChats(_)
            | Self::TooManyChatsOfKey(_)
            | Self::StillRunning => Some(BUSY_FOR),
            Self::KeyUnverified | Self::DatabaseUnavailable | Self::OutcomeUnknown => {
                Some(DATABASE_AWAY_FOR)
            }
            Self::Model(error) => rest(error),
            Self::KeyOverLimit(wait) | Self::KeySpent(wait) => Some(*wait),
            _ => None,
        }
    }
}

/// The status of a chat with no reply or an incomplete one.
fn model_status(kind: LlmErrorKind) -> StatusCode {
    match kind {
        LlmErrorKind::Refused | LlmErrorKind::Filtered => StatusCode::UNPROCESSABLE_ENTITY,
        LlmErrorKind::Failed | LlmErrorKind::LimitSpent | LlmErrorKind::BrokeOff => {
            StatusCode::BAD_GATEWAY
        }
        LlmErrorKind::DeadlineExceeded | LlmErrorKind::TookTooLong => StatusCode::GATEWAY_TIMEOUT,
        LlmErrorKind::Unconfigured | LlmErrorKind::CoolingDown => StatusCode::SERVICE_UNAVAILABLE,
        // A kind unknown to this server is an internal error.
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// `Retry-After` when no model could be called.
pub(crate) fn rest(error: &LlmError) -> Option<Duration> {
    let is_resting = error.kind() == LlmErrorKind::CoolingDown;
    error.retry_after().filter(|_| is_resting)
}

impl From<ApiError> for HttpError {
    fn from(error: ApiError) -> Self {
        let mut response = Self::new(error.status(), error.to_string());
        if let Some(wait) = error.retry_after() {
            response = response.retry_after(wait);
        }
        if matches!(error, ApiError::Unauthorized) {
            response = response.authenticate(CHALLENGE);
        }
        response
    }
}

impl From<RunError> for ApiError {
    fn from(failure: RunError) -> Self {
        match failure {
            RunError::Refused(refusal) => Self::InvalidInput(refusal.to_string()),
            RunError::Busy => Self::Busy,
            RunError::Panicked => Self::Internal,
        }
    }
}

/// An error's text with its causes, each once, since some include their cause.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| {
        let cause = cause.to_string();
        if text.contains(&cause) { text } else { format!("{text}: {cause}") }
    })
}

/// The database failed. Logs the cause.
pub(crate) fn of_store(request: &HttpRequest, error: &StoreError) -> ApiError {
    let request_id = middleware::request_id(request);
    let request_id = request_id.as_str();
    let cause = error.source().map(tracing::field::display);
    if error.passes() {
        tracing::warn!(request_id, %error, cause, "a request failed because of the database");
    } else {
        tracing::error!(request_id, %error, cause, "a request failed because of the database");
    }
    match error {
        StoreError::Uncertain { .. } => ApiError::OutcomeUnknown,
        error if error.is_unavailable() => ApiError::DatabaseUnavailable,
        _ => ApiError::Internal,
    }
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError as _;
    use actix_web::http::header::{HeaderMap, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};

    use super::*;

    /// Every error with its status, part of its message, and its `Retry-After`.
    fn table() -> Vec<(ApiError, u16, &'static str, Option<&'static str>)> {
        let resting = LlmError::from(LlmErrorKind::CoolingDown)
            .with_retry_after(Duration::from_millis(6_500));
        let color_picker = ApiError::BrowserOnly {
            slug: "color-picker",
            page: "https://example.org/tools/color-picker".to_owned(),
        };
        vec![
            (ApiError::Unauthorized, 401, "`X-Api-Key`", None),
            (ApiError::UnknownTool("a\n".to_owned()), 404, r"`a\n`", None),
            (color_picker, 501, "https://example.org/tools/color-picker.", None),
            (ApiError::InvalidInput("`x` is 1.".to_owned()), 422, "`x` is 1.", None),
            (ApiError::TokenRefused("turnstile_token"), 422, "`turnstile_token`", None),
            (ApiError::WrongOrigin, 403, "pages of its web site", None),
            (ApiError::CaptchaUnconfigured, 503, "captcha is configured", None),
            (ApiError::TurnstileUnavailable, 503, "Turnstile check", None),
            (ApiError::Model(LlmErrorKind::Refused.into()), 422, "refused this conversation", None),
            (ApiError::Model(LlmErrorKind::Filtered.into()), 422, "filter left nothing", None),
            (ApiError::Model(LlmErrorKind::LimitSpent.into()), 502, "output limit", None),
            (ApiError::Model(LlmErrorKind::Failed.into()), 502, "gave a reply", None),
            (ApiError::Model(LlmErrorKind::DeadlineExceeded.into()), 504, "in time", None),
            (ApiError::Model(LlmErrorKind::Unconfigured.into()), 503, "is configured", None),
            (ApiError::Model(resting), 503, "in 7 seconds", Some("7")),
            (ApiError::Busy, 503, "busy with large inputs", Some("1")),
            (ApiError::DatabaseUnavailable, 503, "nothing was stored", Some("5")),
            (ApiError::OutcomeUnknown, 503, "not known whether this was stored", Some("5")),
            (ApiError::KeyOverLimit(Duration::from_secs(3)), 429, "with this API key", Some("3")),
            (ApiError::KeyNotFor("chat"), 403, "does not open `chat`", None),
            (ApiError::KeySpent(Duration::from_secs(9)), 429, "today's tokens", Some("9")),
            (ApiError::TooManyChatsOfKey(1_024), 503, "1024 open chats", Some("1")),
            (ApiError::StillRunning, 503, "still in progress", Some("1")),
            (ApiError::Internal, 500, INTERNAL, None),
            (ApiError::TooManyChats(2_048), 503, "2048 open chats", Some("1")),
            (ApiError::Stopping, 503, "is stopping", None),
            (ApiError::KeyUnverified, 503, "cannot be checked", Some("5")),
            (ApiError::Model(LlmErrorKind::BrokeOff.into()), 502, "broke off", None),
            (ApiError::Model(LlmErrorKind::TookTooLong.into()), 504, "took too long", None),
        ]
    }

    /// The index of a variant. A new variant does not compile without an entry here.
    fn place(error: &ApiError) -> usize {
        match error {
            ApiError::Unauthorized => 0,
            ApiError::UnknownTool(_) => 1,
            ApiError::BrowserOnly { .. } => 2,
            ApiError::InvalidInput(_) => 3,
            ApiError::TokenRefused(_) => 4,
            ApiError::TurnstileUnavailable => 5,
            ApiError::Model(_) => 6,
            ApiError::Busy => 7,
            ApiError::DatabaseUnavailable => 8,
            ApiError::Internal => 9,
            ApiError::TooManyChats(_) => 10,
            ApiError::Stopping => 11,
            ApiError::KeyUnverified => 12,
            ApiError::OutcomeUnknown => 13,
            ApiError::StillRunning => 14,
            ApiError::KeySpent(_) => 19,
            ApiError::TooManyChatsOfKey(_) => 20,
            ApiError::KeyOverLimit(_) => 15,
            ApiError::KeyNotFor(_) => 16,
            ApiError::WrongOrigin => 17,
            ApiError::CaptchaUnconfigured => 18,
        }
    }

    #[test]
    fn a_database_that_is_away_or_damaged_is_a_503() {
        let request = actix_web::test::TestRequest::default().to_http_request();
        let status = |error| of_store(&request, &error).status().as_u16();
        let (reason, cause) = (toolkit_store::Reason::Locked, None);
        assert_eq!(status(StoreError::Unavailable { reason, cause }), 503);
        assert_eq!(status(StoreError::Uncertain { cause: None }), 503);
        assert_eq!(status(StoreError::Corrupt { cause: None }), 503);
        assert_eq!(status(StoreError::Internal { cause: None }), 500);
    }

    #[test]
    fn every_error_has_its_status_its_sentence_and_its_headers() {
        let table = table();
        let places: std::collections::BTreeSet<_> =
            table.iter().map(|(error, ..)| place(error)).collect();
        assert!(places.into_iter().eq(0..21), "a variant is not in the table");
        for (error, status, words, retry_after) in table {
            let asks_for_a_key = matches!(error, ApiError::Unauthorized);
            let response = HttpError::from(error);
            assert_eq!(response.status().as_u16(), status, "{response}");
            assert!(response.detail().contains(words), "{response}");
            let response = response.error_response();
            let headers = response.headers();
            assert_eq!(header(headers, RETRY_AFTER), retry_after, "{status}");
            let challenge = asks_for_a_key.then_some(CHALLENGE);
            assert_eq!(header(headers, WWW_AUTHENTICATE), challenge, "{status}");
        }
    }

    fn header(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
        headers.get(name).map(|value| value.to_str().unwrap())
    }
}
