//! Web site: the name, the addresses and the policies that all pages share.

use actix_web::http::header::HeaderValue;
use toolkit_http::settings::{HttpUrl, PublicUrls, Settings};

/// What pages are made from, besides the catalog.
pub(crate) struct Site {
    /// What the service calls itself.
    pub(crate) name: String,
    pub(crate) urls: PublicUrls,
    /// Whether search engines may list the pages.
    pub(crate) search_engines: bool,
    /// Whether browsers may keep the pages for use offline.
    pub(crate) offline: bool,
    /// The policy of pages that call the API.
    pub(crate) policy: HeaderValue,
    /// The path of the pages, without a slash at its end.
    base: String,
}

impl Site {
    pub(crate) fn new(settings: &Settings, urls: &PublicUrls) -> Self {
        let public = &settings.public;
        let elsewhere = (urls.base_url.origin() != urls.web_base_url.origin())
            .then(|| urls.base_url.origin().to_owned());
        Self {
            name: urls.name.as_str().to_owned(),
            search_engines: public.search_engines,
            offline: public.offline,
            policy: crate::pages::policy::page(elsewhere.as_deref()),
            base: urls.web_base_url.path().to_owned(),
            urls: urls.clone(),
        }
    }

    /// The path of the pages, without a slash at its end: empty when they are at the root.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The path of something below the pages.
    pub(crate) fn path(&self, below: &str) -> String {
        format!("{}{below}", self.base)
    }

    /// The whole address of something below the pages.
    pub(crate) fn address(&self, below: &str) -> HttpUrl {
        self.urls.web_base_url.join(below)
    }

    /// Where pages call the API: a path where that is on the same origin, so that it also works under
    /// another name of this server.
    pub(crate) fn api(&self) -> String {
        let api = self.urls.base_url.join("/toolkit/api");
        if self.urls.base_url.origin() == self.urls.web_base_url.origin() {
            api.path().to_owned()
        } else {
            api.as_str().to_owned()
        }
    }

    /// Whether a browser that reached the server as `host` isolates pages without a complaint: over
    /// HTTPS, and on this machine.
    pub(crate) fn is_trustworthy(&self, host: &str) -> bool {
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        self.urls.web_base_url.as_str().starts_with("https://")
            || name == "localhost"
            || name == "[::1]"
            || name.starts_with("127.")
    }
}
