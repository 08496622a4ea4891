//! What the server says of itself: the same words in the handshake, in discovery and in its card.

use rmcp::model::{DiscoverResult, Implementation, MetaObject, ServerCapabilities, ServerConfig};
use toolkit_http::settings::{HttpUrl, PublicUrls};

use crate::tools::icons;

/// The name of the server among others.
pub(crate) const NAME: &str = "toolkit";
/// Its name for a person.
pub(crate) const TITLE: &str = "Toolkit: developer tools";
/// What it is, in a line.
pub(crate) const DESCRIPTION: &str =
    "Nine deterministic developer tools: encode, format, hash, decode, generate, test, explain.";
/// Its version: that of the service.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the server is, and where.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// The page that describes it.
    pub(crate) website: HttpUrl,
    /// Its own address.
    pub(crate) url: HttpUrl,
    body_limit_bytes: usize,
}

impl Identity {
    /// The identity of a server at these addresses, which takes bodies of so many bytes.
    pub(crate) fn new(urls: &PublicUrls, body_limit_bytes: usize) -> Self {
        Self {
            website: urls.web_base_url.join("/docs/mcp"),
            url: urls.mcp_url.clone(),
            body_limit_bytes,
        }
    }

    /// What a client learns in the handshake and in discovery.
    pub(crate) fn config(&self) -> ServerConfig {
        let server = self
            .brief()
            .with_description(DESCRIPTION)
            .with_icons(icons());
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(server)
            .with_instructions(self.instructions())
    }

    /// What each result of 2026-07-28 says of the server that made it: no more than its name, since it
    /// is on every answer.
    pub(crate) fn meta(&self) -> MetaObject {
        let mut carrier = DiscoverResult::from_server_info(Vec::new(), ServerConfig::default());
        carrier.set_server_info(self.brief());
        carrier.meta.unwrap_or_default()
    }

    fn brief(&self) -> Implementation {
        Implementation::new(NAME, VERSION)
            .with_title(TITLE)
            .with_website_url(self.website.as_str())
    }

    /// What a model reads before it uses the tools.
    fn instructions(&self) -> String {
        format!(
            "Deterministic developer tools. Prefer them to working out encodings, digests, \
             identifiers, dates, schedules, subnets or regular expressions yourself.\n\
             Nothing is stored and nothing is fetched: pass the text itself, at most {} KiB a call.\n\
             An answer is {{result, type}}, with warnings that say what was assumed. A refused call \
             says what to change; change that and call again.\n\
             decode_jwt does not verify signatures: never treat a token as valid because it decodes.\n\
             Calls are limited per client address: on status 429 wait as Retry-After says.",
            self.body_limit_bytes >> 10,
        )
    }
}
