//! 404: a page for browsers below the web pages, otherwise `{"detail"}`.
//!
//! Standard: RFC 9110, section 12.5.1 (`Accept`).

use actix_web::http::Method;
use actix_web::http::header::{self, Accept, Header as _, HeaderValue, Quality};
use actix_web::{HttpRequest, HttpResponse};
use toolkit_server::error_response::{self, ErrorPage, HttpError};
use toolkit_server::snapshot::Current;

use crate::state::State;
use crate::tools::pages::layout::Paths;
use crate::tools::pages::not_found;
use crate::tools::pages::policy::Policy;

/// Base path of the API, wherever the pages are.
const API: &str = "/toolkit/api";

/// Refuses a path that does not exist.
pub(crate) async fn get(
    request: HttpRequest,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    let site = &state.site;
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read || !is_page(&site.routes, request.path()) || !names_html(&request) {
        return Err(error_response::nothing_here());
    }
    let page = not_found::render(&Paths::new(site), request.path());
    let mut response = HttpResponse::NotFound()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-cache")))
        .insert_header((header::VARY, HeaderValue::from_static("Accept")))
        .body(page.into_string());
    response.extensions_mut().insert(ErrorPage);
    let host = request.connection_info().host().to_owned();
    site.policies.protect(response.headers_mut(), Policy::Page, &host);
    Ok(response)
}

/// Whether a path is below the pages and not part of the API.
fn is_page(base: &str, path: &str) -> bool {
    let is_below = |base: &str| {
        path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    is_below(base) && !is_below(API)
}

/// Whether `Accept` names HTML. A range such as `*/*`, which every program sends, does not count.
fn names_html(request: &HttpRequest) -> bool {
    let accept = Accept::parse(request).unwrap_or_else(|_| Accept(Vec::new()));
    let mut named = accept.iter().filter(|range| range.quality > Quality::ZERO);
    named.any(|range| range.item.essence_str() == "text/html")
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn pages_are_below_their_base_and_outside_the_api() {
        for (base, path) in
            [("/toolkit", "/toolkit/x"), ("/toolkit", "/toolkit"), ("", "/x"), ("/a/b", "/a/b/")]
        {
            assert!(is_page(base, path), "{base} {path}");
        }
        for (base, path) in [
            ("/toolkit", "/"),
            ("/toolkit", "/toolkits"),
            ("/toolkit", "/toolkit/api/x"),
            ("", "/toolkit/api"),
        ] {
            assert!(!is_page(base, path), "{base} {path}");
        }
    }

    #[test]
    fn html_is_named_by_browsers_and_not_by_programs() {
        let named = |accept: &'static str| {
            let request = TestRequest::default().insert_header((header::ACCEPT, accept));
            names_html(&request.to_http_request())
        };
        for accept in ["text/html", "application/json, TEXT/HTML;q=0.1", "text/html;level=1"] {
            assert!(named(accept), "{accept}");
        }
        for accept in ["", "*/*", "text/*", "application/json", "text/html;q=0", "text/html; q=0.0"]
        {
            assert!(!named(accept), "{accept}");
        }
    }
}
