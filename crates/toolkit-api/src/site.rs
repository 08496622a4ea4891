//! Web site: the name, addresses and policies that all pages share.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue};
use maud::Markup;
use toolkit_server::settings::{HttpUrl, Link, PublicUrls, Settings};

use crate::tools::pages::data_url::data_url;
use crate::tools::pages::policy::{Policies, Policy};

/// Data that pages share, besides the catalog.
pub(crate) struct Site {
    /// The name of the service.
    pub(crate) name: String,
    pub(crate) urls: PublicUrls,
    /// The base URL, if only the listener determines it: documentation then shows the address in the
    /// browser instead.
    pub(crate) unnamed: Option<String>,
    /// Links in the page footer.
    pub(crate) links: Vec<Link>,
    /// The logo in the page header, as a data URL.
    pub(crate) logo: Option<String>,
    /// Whether search engines may list the pages.
    pub(crate) search_engines: bool,
    /// Whether browsers may cache the pages for offline use.
    pub(crate) offline: bool,
    /// What pages and files may load and do.
    pub(crate) policies: Policies,
    /// The path of the pages without a trailing slash. Empty at the root.
    pub(crate) base: String,
    /// The same without the base URL's path, as the routes have it.
    pub(crate) routes: String,
}

impl Site {
    pub(crate) fn new(settings: &Settings, urls: &PublicUrls) -> Self {
        let public = &settings.public;
        let base = urls.web_base_url.path();
        let routes = base.strip_prefix(urls.base_url.path());
        let routes = routes.filter(|rest| rest.is_empty() || rest.starts_with('/'));
        Self {
            name: urls.name.as_str().to_owned(),
            unnamed: public.base_url.is_none().then(|| urls.base_url.as_str().to_owned()),
            search_engines: public.search_engines,
            offline: public.offline,
            policies: Policies::new(urls, public.search_engines),
            links: public.links.clone(),
            logo: public.logo.as_ref().map(|logo| data_url(logo.text())),
            base: base.to_owned(),
            routes: routes.unwrap_or(base).to_owned(),
            urls: urls.clone(),
        }
    }

    /// A path below the pages.
    pub(crate) fn path(&self, below: &str) -> String {
        format!("{}{below}", self.base)
    }

    /// The route of a path below the pages.
    pub(crate) fn route(&self, below: &str) -> String {
        format!("{}{below}", self.routes)
    }

    /// A full URL below the pages.
    pub(crate) fn address(&self, below: &str) -> HttpUrl {
        self.urls.web_base_url.join(below)
    }

    /// Answers with a page for one person, whose form may redirect to another origin.
    pub(crate) fn notice(
        &self,
        status: StatusCode,
        page: Markup,
        after: Option<&HttpUrl>,
    ) -> HttpResponse {
        let mut response = HttpResponse::build(status)
            .content_type("text/html; charset=utf-8")
            .insert_header((CACHE_CONTROL, HeaderValue::from_static("no-store")))
            .body(page.into_string());
        self.policies.protect(response.headers_mut(), Policy::Notice, "");
        if let Some(url) = after {
            // Browsers apply the page's policy to the target of its form too.
            let policy = Policies::notice_leading_to(url.origin());
            response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
        }
        response
    }

    /// The API's address for pages: a path if the origin is the same, so that it also works under
    /// another host name of this server.
    pub(crate) fn api(&self) -> String {
        let api = self.urls.base_url.join("/toolkit/api");
        if self.urls.base_url.origin() == self.urls.web_base_url.origin() {
            api.path().to_owned()
        } else {
            api.as_str().to_owned()
        }
    }
}
