//! Section `public`: name and addresses of the service, as pages, documents and mails state them.

use std::net::SocketAddr;

use super::schema::section;
use super::value::{HttpUrl, ServiceName};

section! {
    /// The name of the service and its public addresses. Set the addresses behind a proxy.
    pub struct Public {
        /// Public URL of the REST server.
        pub base_url: Option<HttpUrl> = None, example("https://tools.example.org"),
            default_note("`http://{api.bind}`");
        /// Public URL of the web pages: home, tools and documentation.
        pub web_base_url: Option<HttpUrl> = None, example("https://tools.example.org/toolkit"),
            default_note("`{public.base_url}/toolkit`");
        /// Public URL of the MCP endpoint.
        pub mcp_url: Option<HttpUrl> = None, example("https://tools.example.org/toolkit/mcp"),
            default_note("`http://{mcp.bind}/toolkit/mcp`");
        /// Name of the service on web pages, in mails and over MCP.
        pub name: ServiceName = ServiceName::default(), example("Example Tools");
        /// Whether search engines may list the web pages.
        pub search_engines: bool = false;
        /// Whether browsers may store the web pages for offline use. `false` also deletes what they
        /// have stored.
        pub offline: bool = true;
    }
}

/// The name and the public addresses, once the listeners are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrls {
    /// Name of the service.
    pub name: ServiceName,
    /// The URL under which the REST server is reached.
    pub base_url: HttpUrl,
    /// The URL of the web pages.
    pub web_base_url: HttpUrl,
    /// The URL of the MCP server.
    pub mcp_url: HttpUrl,
}

impl Public {
    /// Derives unset addresses from those of the two listeners.
    ///
    /// Pass the address that a listener was actually bound to, which port 0 leaves open.
    pub fn resolve(&self, api: SocketAddr, mcp: SocketAddr) -> PublicUrls {
        let base_url = self.base_url.clone();
        let base_url = base_url.unwrap_or_else(|| HttpUrl::of_listener(api, ""));
        let web_base_url = self.web_base_url.clone();
        let mcp_url = self.mcp_url.clone();
        PublicUrls {
            name: self.name.clone(),
            web_base_url: web_base_url.unwrap_or_else(|| base_url.join("/toolkit")),
            mcp_url: mcp_url.unwrap_or_else(|| HttpUrl::of_listener(mcp, "/toolkit/mcp")),
            base_url,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_addresses_follow_from_the_listeners() {
        let urls = Public::default().resolve(
            "0.0.0.0:8080".parse().unwrap(),
            "127.0.0.1:8081".parse().unwrap(),
        );
        assert_eq!(urls.base_url.as_str(), "http://127.0.0.1:8080");
        assert_eq!(urls.web_base_url.as_str(), "http://127.0.0.1:8080/toolkit");
        assert_eq!(urls.mcp_url.as_str(), "http://127.0.0.1:8081/toolkit/mcp");
    }

    #[test]
    fn set_addresses_are_kept_and_the_web_follows_the_base() {
        let public = Public {
            base_url: HttpUrl::parse("https://tools.example.org/"),
            ..Public::default()
        };
        let urls = public.resolve(
            "127.0.0.1:1".parse().unwrap(),
            "127.0.0.1:2".parse().unwrap(),
        );
        assert_eq!(urls.base_url.as_str(), "https://tools.example.org");
        assert_eq!(
            urls.web_base_url.as_str(),
            "https://tools.example.org/toolkit"
        );
    }
}
