//! Web site: the name, the addresses and the policies that all pages share.

use toolkit_server::settings::{HttpUrl, PublicUrls, Settings};

use crate::pages::policy::Policies;

/// Common data of pages, besides the catalog.
pub(crate) struct Site {
    /// The name of the service.
    pub(crate) name: String,
    pub(crate) urls: PublicUrls,
    /// Whether search engines may list the pages.
    pub(crate) search_engines: bool,
    /// Whether browsers may cache the pages for offline use.
    pub(crate) offline: bool,
    /// What pages and files may load and do.
    pub(crate) policies: Policies,
    /// The path of the pages, without a trailing slash: empty when they are at the root.
    pub(crate) base: String,
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

    /// A path below the pages.
    pub(crate) fn path(&self, below: &str) -> String {
        format!("{}{below}", self.base)
    }

    /// A full address below the pages.
    pub(crate) fn address(&self, below: &str) -> HttpUrl {
        self.urls.web_base_url.join(below)
    }

    /// Address of the API for pages: a path if the origin is the same, so that it also works under
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
