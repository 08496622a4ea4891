//! The documentation: pages and documents that are made once, when the server starts.

use actix_web::{HttpRequest, HttpResponse};
use toolkit_http::prepared::Prepared;
use toolkit_http::settings::{HttpUrl, PublicUrls};

use crate::pages::layout::Paths;
use crate::pages::{SCRIPT, STYLE, mcp, rest};
use crate::state::State;
use crate::{openapi, pages};

/// They change with a release only; a browser that asks again gets 304.
const CACHE_CONTROL: &str = "public, max-age=300";

/// One of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    Rest,
    Mcp,
    OpenApi,
    Style,
    Script,
}

/// The documents, and below which path they are.
pub(crate) struct Pages {
    /// The path of the address of the web pages, without a slash at its end.
    base: String,
    rest: Prepared,
    mcp: Prepared,
    openapi: Prepared,
    style: Prepared,
    script: Prepared,
}

impl Page {
    const ALL: [Self; 5] = [
        Self::Rest,
        Self::Mcp,
        Self::OpenApi,
        Self::Style,
        Self::Script,
    ];

    fn path(self) -> &'static str {
        match self {
            Self::Rest => "/docs",
            Self::Mcp => "/docs/mcp",
            Self::OpenApi => "/openapi.json",
            Self::Style => "/docs/style.css",
            Self::Script => "/docs/copy.js",
        }
    }
}

impl Pages {
    pub(crate) fn new(urls: &PublicUrls) -> Self {
        let base = path(&urls.web_base_url).to_owned();
        let at = |page: Page| format!("{base}{}", page.path());
        let paths = Paths {
            rest: at(Page::Rest),
            mcp: at(Page::Mcp),
            openapi: at(Page::OpenApi),
            style: at(Page::Style),
            script: at(Page::Script),
        };
        let document = openapi::document(urls);
        Self {
            rest: html(rest::render(&document, &paths)),
            mcp: html(mcp::render(urls.mcp_url.as_str(), &paths)),
            openapi: Prepared::new("application/json", CACHE_CONTROL, document.to_string()),
            style: Prepared::new("text/css; charset=utf-8", CACHE_CONTROL, STYLE),
            script: Prepared::new("text/javascript; charset=utf-8", CACHE_CONTROL, SCRIPT),
            base,
        }
    }

    /// The path of the stylesheet.
    pub(crate) fn style(&self) -> String {
        format!("{}{}", self.base, Page::Style.path())
    }

    /// Each with the path that it has.
    pub(crate) fn all(&self) -> impl Iterator<Item = (String, Page)> {
        Page::ALL
            .into_iter()
            .map(|page| (format!("{}{}", self.base, page.path()), page))
    }

    fn get(&self, page: Page) -> &Prepared {
        match page {
            Page::Rest => &self.rest,
            Page::Mcp => &self.mcp,
            Page::OpenApi => &self.openapi,
            Page::Style => &self.style,
            Page::Script => &self.script,
        }
    }
}

/// The path of an address, without a slash at its end.
fn path(url: &HttpUrl) -> &str {
    let authority = url
        .as_str()
        .split_once("://")
        .map_or("", |(_, authority)| authority);
    authority
        .find('/')
        .and_then(|slash| authority.get(slash..))
        .unwrap_or_default()
}

fn html(page: maud::Markup) -> Prepared {
    Prepared::new(
        "text/html; charset=utf-8",
        CACHE_CONTROL,
        page.into_string(),
    )
}

/// Gives one of them.
pub(crate) fn get(page: Page, request: &HttpRequest, state: &State) -> HttpResponse {
    let mut response = state.pages.get(page).respond(request);
    pages::protect_document(response.headers_mut());
    response
}
