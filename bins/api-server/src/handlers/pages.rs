//! The documentation: pages and documents that are made once, when the server starts.

use actix_web::{HttpRequest, HttpResponse};
use toolkit_http::prepared::Prepared;
use toolkit_http::settings::{HttpUrl, PublicUrls};

use crate::pages::{STYLE, mcp, rest};
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
}

/// The documents, and below which path they are.
pub(crate) struct Pages {
    /// The path of the address of the web pages, without a slash at its end.
    base: String,
    rest: Prepared,
    mcp: Prepared,
    openapi: Prepared,
    style: Prepared,
}

impl Page {
    const ALL: [Self; 4] = [Self::Rest, Self::Mcp, Self::OpenApi, Self::Style];

    fn path(self) -> &'static str {
        match self {
            Self::Rest => "/docs",
            Self::Mcp => "/docs/mcp",
            Self::OpenApi => "/openapi.json",
            Self::Style => "/docs/style.css",
        }
    }
}

impl Pages {
    pub(crate) fn new(urls: &PublicUrls) -> Self {
        let base = path(&urls.web_base_url).to_owned();
        let at = |page: Page| format!("{base}{}", page.path());
        let document = openapi::document(urls);
        let rest = rest::render(
            &document,
            &at(Page::Style),
            &at(Page::OpenApi),
            &at(Page::Mcp),
        );
        Self {
            mcp: html(mcp::render(
                urls.mcp_url.as_str(),
                &at(Page::Style),
                &at(Page::Rest),
            )),
            rest: html(rest),
            openapi: Prepared::new("application/json", CACHE_CONTROL, document.to_string()),
            style: Prepared::new("text/css; charset=utf-8", CACHE_CONTROL, STYLE),
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
    pages::protect(response.headers_mut());
    response
}
