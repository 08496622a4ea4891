//! Section `public`: name and addresses of the service, as shown on pages, in documents and mails.

use std::net::SocketAddr;

use super::schema::section;
use super::value::{HttpUrl, ServiceName, SvgFile};

section! {
    /// The name of the service and its public URLs. Set the URLs if there is a proxy in front.
    pub struct Public {
        /// Public URL of the REST server. A path applies to all addresses below it. A proxy may
        /// pass it on or strip it.
        pub base_url: Option<HttpUrl> = None, example("https://tools.example.org"),
            default_note("`http://{api.bind}`");
        /// Public URL of the web pages: home, tools and documentation.
        pub web_base_url: Option<HttpUrl> = None, example("https://tools.example.org/toolkit"),
            default_note("`{public.base_url}/toolkit`");
        /// Public URL of the MCP endpoint.
        pub mcp_url: Option<HttpUrl> = None, example("https://tools.example.org/toolkit/mcp"),
            default_note("`{public.base_url}/toolkit/mcp`; for `mcp-server`, and without `api.mcp`, `http://{mcp.bind}/toolkit/mcp`");
        /// Name of the service on web pages, in mails and over MCP.
        pub name: ServiceName = ServiceName::default(), example("Example Tools");
        /// Whether search engines may list the web pages.
        pub search_engines: bool = false;
        /// Whether browsers may store the web pages for offline use. `false` also deletes pages
        /// already stored.
        pub offline: bool = true;
        /// SVG file with a logo for the page header, beside the name.
        pub logo: Option<SvgFile> = None, example("/etc/toolkit/logo.svg");
        /// Links in the page footer, such as an imprint.
        pub links: Vec<Link> = Vec::new();
    }
}

section! {
    /// A link in the page footer.
    pub struct Link {
        /// Text of the link.
        pub text: ServiceName = ServiceName::default(), required(true), example("Imprint");
        /// URL of the link.
        pub url: HttpUrl = HttpUrl::known("https://example.org"), required(true),
            example("https://example.org/imprint");
    }
}

/// The name and public URLs, once the listeners are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrls {
    /// Name of the service.
    pub name: ServiceName,
    /// Public URL of the REST server.
    pub base_url: HttpUrl,
    /// Public URL of the web pages.
    pub web_base_url: HttpUrl,
    /// Public URL of the MCP endpoint.
    pub mcp_url: HttpUrl,
}

/// Path of the MCP endpoint below a base URL.
const ENDPOINT: &str = "/toolkit/mcp";

impl PublicUrls {
    /// Whether the MCP endpoint is below the base URL.
    pub fn shares_address(&self) -> bool {
        self.mcp_url == self.base_url.join(ENDPOINT)
    }

    /// The path below which the MCP server is reached.
    pub fn mcp_base(&self) -> &str {
        let path = self.mcp_url.path();
        path.strip_suffix(ENDPOINT).unwrap_or_default()
    }
}

impl Public {
    /// Derives unset URLs from the listeners' addresses. Without a listener of its own, the MCP
    /// endpoint is the REST server's.
    ///
    /// Pass the address that the listener was actually bound to, since the setting may say port 0.
    pub fn resolve(&self, api: SocketAddr, mcp: Option<SocketAddr>) -> PublicUrls {
        let base_url = self.base_url.clone();
        let base_url = base_url.unwrap_or_else(|| HttpUrl::of_listener(api, ""));
        let web_base_url = self.web_base_url.clone();
        let mcp_url = self.mcp_url.clone().unwrap_or_else(|| match mcp {
            Some(mcp) => HttpUrl::of_listener(mcp, ENDPOINT),
            None => base_url.join(ENDPOINT),
        });
        PublicUrls {
            name: self.name.clone(),
            web_base_url: web_base_url.unwrap_or_else(|| base_url.join("/toolkit")),
            mcp_url,
            base_url,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_addresses_follow_from_the_listeners() {
        let urls = Public::default()
            .resolve("0.0.0.0:8080".parse().unwrap(), Some("127.0.0.1:8081".parse().unwrap()));
        assert_eq!(urls.base_url.as_str(), "http://127.0.0.1:8080");
        assert_eq!(urls.web_base_url.as_str(), "http://127.0.0.1:8080/toolkit");
        assert_eq!(urls.mcp_url.as_str(), "http://127.0.0.1:8081/toolkit/mcp");
    }

    #[test]
    fn set_addresses_are_kept_and_the_web_follows_the_base() {
        let public =
            Public { base_url: HttpUrl::parse("https://tools.example.org/"), ..Public::default() };
        let urls = public.resolve("127.0.0.1:1".parse().unwrap(), None);
        assert_eq!(urls.base_url.as_str(), "https://tools.example.org");
        assert_eq!(urls.web_base_url.as_str(), "https://tools.example.org/toolkit");
        assert_eq!(urls.mcp_url.as_str(), "https://tools.example.org/toolkit/mcp");
        assert!(urls.shares_address());
    }
}
