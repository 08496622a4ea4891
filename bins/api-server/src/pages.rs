//! The few HTML pages: plain, without scripts, and with nothing from elsewhere.

use actix_web::http::header::{self, HeaderMap, HeaderValue};

pub(crate) mod layout;
pub(crate) mod links;
pub(crate) mod mcp;
pub(crate) mod rest;
mod schema;

/// The stylesheet of all pages.
pub(crate) const STYLE: &str = include_str!("../assets/style.css");

/// What a page may do: nothing but show itself and its stylesheet, and send its own forms.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'",
);

/// Sets the headers that keep a page from being misused.
pub(crate) fn protect(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
}
