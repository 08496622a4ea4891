//! Web pages, and the documents about them.

use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use toolkit_catalog::{ENTRIES, Entry};
use toolkit_http::error_response::{self, HttpError};
use toolkit_http::middleware;
use toolkit_http::static_response::StaticResponse;

use super::not_found;
use crate::openapi;
use crate::pages::layout::Paths;
use crate::pages::policy::Policy;
use crate::pages::{home, mcp, offline, rest, site_files, tool};
use crate::site::Site;
use crate::state::State;

/// A browser revalidates each time, and gets 304: so nobody is stuck on an old release.
const ASK_AGAIN: &str = "no-cache";
/// The document for programs changes only with a release.
const SHORT: &str = "public, max-age=300";
const HTML: &str = "text/html; charset=utf-8";
const TOOL_ROUTE: &str = "{web}/tools/{slug}";

/// One of the documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Page {
    Home,
    Offline,
    Rest,
    Mcp,
    OpenApi,
    Manifest,
    ServiceWorker,
    SiteMap,
    Robots,
    Tool(&'static Entry),
}

impl Page {
    const FIXED: [Self; 9] = [
        Self::Home,
        Self::Offline,
        Self::Rest,
        Self::Mcp,
        Self::OpenApi,
        Self::Manifest,
        Self::ServiceWorker,
        Self::SiteMap,
        Self::Robots,
    ];

    /// Its path below the pages; that of a tool is below the tools' base path, and that of
    /// robots.txt at the root of the server.
    const fn below(self) -> &'static str {
        match self {
            Self::Home => "/",
            Self::Offline => "/offline",
            Self::Rest => "/docs",
            Self::Mcp => "/docs/mcp",
            Self::OpenApi => "/openapi.json",
            Self::Manifest => "/manifest.webmanifest",
            Self::ServiceWorker => "/sw.js",
            Self::SiteMap => "/sitemap.xml",
            Self::Robots => "/robots.txt",
            Self::Tool(entry) => entry.slug,
        }
    }

    /// The names of all of them in the cache: that of a tool is its slug.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        let fixed = Self::FIXED.into_iter().map(Self::below);
        fixed.chain(ENTRIES.iter().map(|entry| entry.slug))
    }

    /// Each document with its path, except the tools.
    pub(crate) fn paths(site: &Site) -> impl Iterator<Item = (String, Self)> {
        Self::FIXED.into_iter().map(|page| {
            let path = match page {
                Self::Robots => page.below().to_owned(),
                _ => site.path(page.below()),
            };
            (path, page)
        })
    }

    fn policy(self) -> Policy {
        match self {
            Self::Tool(entry) if !entry.server_side => Policy::BrowserTool,
            Self::Tool(_) | Self::Home | Self::Offline | Self::Rest | Self::Mcp => Policy::Page,
            Self::ServiceWorker => Policy::ServiceWorker,
            Self::OpenApi | Self::Manifest | Self::SiteMap | Self::Robots => Policy::Data,
        }
    }

    fn make(self, site: &Site) -> StaticResponse {
        let paths = Paths::new(site);
        let html = |page: maud::Markup| StaticResponse::new(HTML, ASK_AGAIN, page.into_string());
        let text = |kind, text: String| StaticResponse::new(kind, ASK_AGAIN, text);
        match self {
            Self::Home => html(home::render(&paths)),
            Self::Offline => html(offline::render(&paths)),
            Self::Rest => html(rest::render(&openapi::document(&site.urls), &paths)),
            Self::Mcp => html(mcp::render(site.urls.mcp_url.as_str(), &paths)),
            Self::OpenApi => {
                let document = openapi::document(&site.urls).to_string();
                StaticResponse::new("application/json", SHORT, document)
            }
            Self::Manifest => text("application/manifest+json", site_files::manifest(&paths)),
            Self::ServiceWorker => text(
                "text/javascript; charset=utf-8",
                site_files::service_worker(&paths),
            ),
            Self::SiteMap => text("application/xml", site_files::site_map(site)),
            Self::Robots => text("text/plain; charset=utf-8", site_files::robots(site)),
            Self::Tool(entry) => html(tool::render(&paths, entry)),
        }
    }
}

/// Serves one of them.
pub(crate) async fn get(
    page: Page,
    request: HttpRequest,
    state: Data<State>,
) -> Result<HttpResponse, HttpError> {
    let of = state.clone();
    let make = move || page.make(&of.site);
    let answer = |made: &StaticResponse| respond(page, made, &request, &state);
    state.pages.answer(page.below(), make, answer).await
}

fn respond(
    page: Page,
    made: &StaticResponse,
    request: &HttpRequest,
    state: &State,
) -> HttpResponse {
    let mut response = made.respond(request);
    let host = request.connection_info();
    let policies = &state.site.policies;
    policies.protect(response.headers_mut(), page.policy(), host.host());
    response
}

/// Serves the page of a tool: the path below the tools' base path is its slug.
pub(crate) async fn tool(
    request: HttpRequest,
    state: Data<State>,
) -> Result<HttpResponse, HttpError> {
    let rest = request
        .match_info()
        .unprocessed()
        .trim_start_matches('/')
        .to_owned();
    let slug = rest.strip_suffix('/').unwrap_or(&rest);
    let Some(entry) = toolkit_catalog::find(slug) else {
        return not_found::get(request, state).await;
    };
    middleware::set_route(&request, TOOL_ROUTE);
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(error_response::wrong_method("GET, HEAD"));
    }
    if slug.len() < rest.len() {
        let path = state.site.path(&format!("/tools/{slug}"));
        return Ok(moved(&path));
    }
    get(Page::Tool(entry), request, state).await
}

/// Redirects permanently to another path.
pub(crate) fn moved(path: &str) -> HttpResponse {
    let mut response = HttpResponse::PermanentRedirect();
    response.insert_header((header::LOCATION, path));
    response.insert_header((header::CACHE_CONTROL, HeaderValue::from_static(ASK_AGAIN)));
    response.finish()
}

/// Redirects from the root of the server to the pages.
pub(crate) fn root(state: &State) -> HttpResponse {
    let mut response = HttpResponse::Found();
    response.insert_header((header::LOCATION, state.site.path("/")));
    response.insert_header((header::CACHE_CONTROL, HeaderValue::from_static(ASK_AGAIN)));
    response.finish()
}
