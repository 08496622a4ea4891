//! Web site: the name, the addresses and the policies that all pages share.

use toolkit_http::settings::{HttpUrl, PublicUrls, Settings};

use crate::pages::policy::Policies;

/// What pages are made from, besides the catalog.
pub(crate) struct Site {
    /// What the service calls itself.
    pub(crate) name: String,
    pub(crate) urls: PublicUrls,
    /// Whether search engines may list the pages.
    pub(crate) search_engines: bool,
    /// Whether browsers may keep the pages for use offline.
    pub(crate) offline: bool,
    /// What pages and files may load and do.
    pub(crate) policies: Policies,
    /// The path of the pages, without a slash at its end.
    base: String,
}

impl Site {
    pub(crate) fn new(settings: &Settings, urls: &PublicUrls) -> Self {
        let public = &settings.public;
        Self {
            name: urls.name.as_str().to_owned(),
            search_engines: public.search_engines,
            offline: public.offline,
            policies: Policies::new(urls, public.search_engines),
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

    /// Where pages call the API: a path where that is on the same origin, so that it also works
    /// under another name of this server.
    pub(crate) fn api(&self) -> String {
        let api = self.urls.base_url.join("/toolkit/api");
        if self.urls.base_url.origin() == self.urls.web_base_url.origin() {
            api.path().to_owned()
        } else {
            api.as_str().to_owned()
        }
    }
}
