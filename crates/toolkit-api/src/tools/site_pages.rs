//! Web pages, and the documents that describe them.

use actix_web::http::header::{self, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use maud::Markup;
use toolkit_catalog::ENTRIES;
use toolkit_server::error_response::{self, HttpError};
use toolkit_server::snapshot::Current;
use toolkit_server::static_response::StaticResponse;

use super::not_found;
use crate::openapi;
use crate::site::Site;
use crate::state::State;
use crate::tools::pages::layout::Paths;
use crate::tools::pages::policy::Policy;
use crate::tools::pages::{home, mcp, offline, rest, site_files, tool};

/// Browsers revalidate each time and get 304, so that no old release sticks.
const ASK_AGAIN: &str = "no-cache";
/// The document for programs changes only with a release.
const SHORT: &str = "public, max-age=300";
/// At the server's root, not below the pages.
const ROBOTS: &str = "/robots.txt";

/// One of the documents.
pub(crate) struct Page {
    /// Its path below the pages, also its name in the cache.
    below: &'static str,
    policy: Policy,
    make: fn(&Paths<'_>) -> StaticResponse,
}

/// All documents except tool pages.
pub(crate) static PAGES: [Page; 9] = [
    Page::new("/", Policy::Page, |paths| html(home::render(paths))),
    Page::new("/offline", Policy::Page, |paths| html(offline::render(paths))),
    Page::new("/docs", Policy::Page, |paths| {
        html(rest::render(&openapi::document(&paths.site.urls), paths))
    }),
    Page::new("/docs/mcp", Policy::Page, |paths| html(mcp::render(paths))),
    Page::new("/openapi.json", Policy::Data, |paths| {
        let document = openapi::document(&paths.site.urls);
        StaticResponse::new("application/json", SHORT, document.to_string())
    }),
    Page::new("/manifest.webmanifest", Policy::Data, |paths| {
        text("application/manifest+json", site_files::manifest(paths))
    }),
    Page::new("/sw.js", Policy::ServiceWorker, |paths| {
        text("text/javascript; charset=utf-8", site_files::service_worker(paths))
    }),
    Page::new("/sitemap.xml", Policy::Data, |paths| {
        text("application/xml", site_files::site_map(paths.site))
    }),
    Page::new(ROBOTS, Policy::Data, |paths| {
        text("text/plain; charset=utf-8", site_files::robots(paths.site))
    }),
];

impl Page {
    const fn new(
        below: &'static str,
        policy: Policy,
        make: fn(&Paths<'_>) -> StaticResponse,
    ) -> Self {
        Self { below, policy, make }
    }

    pub(crate) fn route(&self, site: &Site) -> String {
        match self.below {
            ROBOTS => ROBOTS.to_owned(),
            below => site.route(below),
        }
    }
}

/// The cache names of all documents. A tool's name is its slug.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let fixed = PAGES.iter().map(|page| page.below);
    fixed.chain(ENTRIES.iter().map(|entry| entry.slug))
}

fn html(page: Markup) -> StaticResponse {
    text("text/html; charset=utf-8", page.into_string())
}

fn text(kind: &'static str, text: String) -> StaticResponse {
    StaticResponse::new(kind, ASK_AGAIN, text)
}

/// Serves one of the documents.
pub(crate) async fn get(
    page: &'static Page,
    request: HttpRequest,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    serve(page.below, page.policy, page.make, &request, &state).await
}

async fn serve(
    name: &str,
    policy: Policy,
    make: impl FnOnce(&Paths<'_>) -> StaticResponse + Send + 'static,
    request: &HttpRequest,
    state: &Current<State>,
) -> Result<HttpResponse, HttpError> {
    let of = state.clone();
    let make = move || make(&Paths::new(&of.site));
    let answer = |made: &StaticResponse| {
        let mut response = made.respond(request);
        let host = request.connection_info();
        let policies = &state.site.policies;
        policies.protect(response.headers_mut(), policy, host.host());
        response
    };
    state.pages.answer(name, make, answer).await
}

/// Serves a tool page. Redirects to it from the path with a trailing slash.
pub(crate) async fn tool(
    slug: Path<String>,
    request: HttpRequest,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    let Some(entry) = toolkit_catalog::find(&slug) else {
        return not_found::get(request, state).await;
    };
    if request.path().ends_with('/') {
        let path = state.site.path(&format!("/tools/{}", entry.slug));
        return Ok(redirect(StatusCode::PERMANENT_REDIRECT, &path));
    }
    if request.method() != Method::GET {
        return Err(error_response::wrong_method("GET, HEAD"));
    }
    let make = move |paths: &Paths<'_>| html(tool::render(paths, entry));
    serve(entry.slug, Policy::Tool, make, &request, &state).await
}

/// Redirects to another path.
pub(crate) fn redirect(status: StatusCode, path: &str) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((header::LOCATION, path))
        .insert_header((header::CACHE_CONTROL, HeaderValue::from_static(ASK_AGAIN)))
        .finish()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_page_and_every_tool_has_a_place_of_its_own_in_the_cache() {
        let places: HashSet<_> = names().collect();
        assert_eq!(places.len(), PAGES.len() + ENTRIES.len());
        assert!(PAGES.iter().all(|page| places.contains(page.below)));
        assert!(ENTRIES.iter().all(|entry| places.contains(entry.slug)));
    }
}
