//! The few HTML pages: complete without scripts, and with nothing from elsewhere.

use actix_web::http::header::{self, HeaderMap, HeaderValue};

mod code;
pub(crate) mod layout;
pub(crate) mod links;
pub(crate) mod mcp;
mod prose;
pub(crate) mod rest;
mod schema;

/// The stylesheet of all pages.
pub(crate) const STYLE: &str = include_str!("../assets/style.css");

/// The script of the documentation: it adds buttons that copy.
pub(crate) const SCRIPT: &str = include_str!("../assets/copy.js");

/// What a page may do: nothing but show itself and its stylesheet, and send its own forms.
const NOTICE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'",
);

/// The same for a page of the documentation, which has no form, but a script.
const DOCUMENT_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action 'none'; \
     base-uri 'none'; frame-ancestors 'none'",
);

/// Sets the headers that keep a page with a form from being misused.
pub(crate) fn protect_notice(headers: &mut HeaderMap) {
    protect(headers, NOTICE_POLICY);
}

/// Sets the headers that keep a page of the documentation from being misused.
pub(crate) fn protect_document(headers: &mut HeaderMap) {
    protect(headers, DOCUMENT_POLICY);
}

fn protect(headers: &mut HeaderMap, policy: HeaderValue) {
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
}
