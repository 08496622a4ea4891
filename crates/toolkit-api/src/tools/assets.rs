//! `GET {web}/assets/…`: modules, style sheets, icons and libraries of the pages.
//!
//! A library's address changes with its content, the address of all other files with any of theirs,
//! so browsers may cache them indefinitely.

use std::borrow::Cow;

use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::{Bytes, Path};
use actix_web::{HttpRequest, HttpResponse};
use toolkit_server::error_response::{self, HttpError};
use toolkit_server::snapshot::Current;
use toolkit_server::static_response::StaticResponse;

use super::not_found;
use crate::state::State;
use crate::tools::pages::policy::Policy;

const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// A page of another release may request a file here. It gets the current one, uncached.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Serves a file.
pub(crate) async fn get(
    address: Path<(String, String)>,
    request: HttpRequest,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    let (version, path) = &*address;
    let Some(path) = state.assets.name(path) else {
        return not_found::get(request, state).await;
    };
    let is_present = *version == toolkit_web::version_of(path);
    if request.method() != Method::GET {
        return Err(error_response::wrong_method("GET, HEAD"));
    }
    let answer = |made: &StaticResponse| {
        let mut response = made.respond(&request);
        let headers = response.headers_mut();
        if !is_present {
            headers.insert(header::CACHE_CONTROL, NO_STORE);
        }
        state.site.policies.protect(headers, Policy::Asset, "");
        response
    };
    state.assets.answer(path, move || make(path), answer).await
}

fn make(path: &str) -> StaticResponse {
    let Some(asset) = toolkit_web::asset(path) else {
        return StaticResponse::new("text/plain; charset=utf-8", IMMUTABLE, Bytes::new());
    };
    let bytes = match asset.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    StaticResponse::new(asset.content_type, IMMUTABLE, bytes)
}
