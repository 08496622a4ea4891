//! Error response: every error has the body `{"detail": "<plain sentence>"}`.
//!
//! Standard: RFC 9110, section 15 (statuses), section 10.2.3 (`Retry-After`). A server's own errors
//! become an [`HttpError`]. [`sentence`] supplies the text for refusals by the framework.

use std::borrow::Cow;
use std::future::ready;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    ALLOW, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use actix_web::{HttpResponse, ResponseError, Route, web};
use serde::Serialize;

/// The media type of every error response.
pub const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Message of every internal error. Only the log has the cause.
pub const INTERNAL: &str = "Something went wrong on our side. It is safe to try again.";

/// Marks an error response whose body is an HTML page, which the middleware leaves unchanged. Put
/// it into the response's extensions.
#[derive(Debug, Clone, Copy)]
pub struct ErrorPage;

/// The body of an error response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Detail<'a> {
    /// The error, and what would be accepted, in one plain sentence.
    pub detail: &'a str,
}

impl Detail<'_> {
    /// The body as JSON text.
    pub fn to_json(&self) -> String {
        // A struct of one string always serializes.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A response with a status of 400 or above.
///
/// It is an actix-web error, so handlers and extractors can return it directly.
///
/// ```
/// use actix_web::http::StatusCode;
/// use toolkit_server::error_response::HttpError;
///
/// let refusal = HttpError::new(StatusCode::NOT_FOUND, "Unknown tool `x`.");
/// assert_eq!(refusal.to_string(), "404: Unknown tool `x`.");
/// ```
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}: {detail}", .status.as_u16())]
pub struct HttpError {
    status: StatusCode,
    detail: Cow<'static, str>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl HttpError {
    /// Creates an error with a status and a plain sentence.
    pub fn new(status: StatusCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { status, detail: detail.into(), headers: Vec::new() }
    }

    /// An internal error. Log the cause first, since the caller does not get it.
    pub fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, INTERNAL)
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Sets `Retry-After` in whole seconds, rounded up, at least one.
    #[must_use]
    pub fn retry_after(self, wait: Duration) -> Self {
        let value = HeaderValue::from(whole_seconds(wait));
        self.header(RETRY_AFTER, value)
    }

    /// Sets `WWW-Authenticate`, which every 401 must have.
    #[must_use]
    pub fn authenticate(self, challenge: &'static str) -> Self {
        self.header(WWW_AUTHENTICATE, HeaderValue::from_static(challenge))
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The sentence.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl ResponseError for HttpError {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        response.insert_header((CONTENT_TYPE, JSON));
        for header in &self.headers {
            response.append_header(header.clone());
        }
        let detail = self.detail();
        response.body(Detail { detail }.to_json())
    }
}

/// Rounds a wait up to whole seconds, at least one, as in `Retry-After`.
pub fn whole_seconds(wait: Duration) -> u64 {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    seconds.max(1)
}

/// Words a wait in whole seconds: "1 second", "12 seconds".
pub fn seconds(wait: Duration) -> String {
    let seconds = whole_seconds(wait);
    format!("{seconds} second{}", if seconds == 1 { "" } else { "s" })
}

/// Answers every method that a path does not support: 405 with `Allow`.
///
/// Use it as the default service of a resource. List `HEAD` with `GET`, since the middleware
/// answers HEAD.
///
/// ```
/// use actix_web::{HttpResponse, web};
/// use toolkit_server::error_response;
///
/// web::resource("/flags")
///     .get(HttpResponse::Ok)
///     .default_service(error_response::only("GET, HEAD"));
/// ```
pub fn only(allow: &'static str) -> Route {
    web::to(move || ready(Err::<HttpResponse, _>(wrong_method(allow))))
}

/// Refuses an unsupported method: 405.
pub fn wrong_method(allow: &'static str) -> HttpError {
    let detail = format!("This path does not accept this method. It accepts {allow}.");
    HttpError::new(StatusCode::METHOD_NOT_ALLOWED, detail)
        .header(ALLOW, HeaderValue::from_static(allow))
}

/// Answers unknown paths. Use it as the default service of an app.
pub fn not_found() -> Route {
    web::to(|| ready(Err::<HttpResponse, _>(nothing_here())))
}

/// Refuses an unknown path: 404.
pub fn nothing_here() -> HttpError {
    HttpError::new(StatusCode::NOT_FOUND, sentence(StatusCode::NOT_FOUND))
}

/// Message for a framework error without text of its own.
pub fn sentence(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 => "This is not a valid HTTP request.",
        404 => "No such path.",
        405 => "This path does not accept this method.",
        406 => "The server has no response in a type that the request accepts.",
        408 => "The request did not arrive in time.",
        413 => "The body is over the limit.",
        414 => "The path is too long.",
        415 => "This body type is not accepted here. Send `application/json`.",
        416 => "There is no such range.",
        422 => "The body is not in the format that is accepted here.",
        431 => "The head of the request is too large.",
        500 => INTERNAL,
        503 => "The server is busy. Try again in a moment.",
        401..500 => "The request is not accepted here.",
        _ => "The server could not answer. It is safe to try again.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_that_says_more_than_its_class_has_its_own_sentence() {
        let own = [400, 404, 405, 406, 408, 413, 414, 415, 416, 422, 431, 500, 503];
        let of = |status: u16| sentence(StatusCode::from_u16(status).unwrap());
        let mut sentences = own.map(of).to_vec();
        sentences.extend([of(418), of(502)]);
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), own.len() + 2);
        assert_eq!((of(451), of(504)), (of(418), of(502)));
    }

    #[test]
    fn a_wait_is_rounded_up_to_whole_seconds() {
        for (wait, seconds) in [
            (Duration::ZERO, 1),
            (Duration::from_millis(1), 1),
            (Duration::from_secs(1), 1),
            (Duration::from_millis(1_001), 2),
            (Duration::from_nanos(59_000_000_001), 60),
        ] {
            assert_eq!(whole_seconds(wait), seconds, "{wait:?}");
        }
    }

    #[test]
    fn the_sentence_is_escaped_as_json() {
        let detail = Detail { detail: "a \"quote\", a \n and a \u{1b}" };
        assert_eq!(detail.to_json(), r#"{"detail":"a \"quote\", a \n and a \u001b"}"#);
    }
}
