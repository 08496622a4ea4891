//! Server identity: the same name, version and instructions in handshake, discovery and server
//! card.

use rmcp::model::{DiscoverResult, Implementation, MetaObject, ServerCapabilities, ServerConfig};
use toolkit_server::settings::{HttpUrl, Public, PublicUrls, ServiceName};

use crate::tools::icons;

/// The server's name for programs.
pub(crate) const NAME: &str = "toolkit";
/// One-line description.
pub(crate) const DESCRIPTION: &str =
    "Deterministic developer tools: encode, format, hash, decode, generate, test, explain.";
/// The server's documentation page, below the web pages.
const DOCUMENTATION: &str = "/docs/mcp";
/// The server's version, the same as the service's.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The server's self-description.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    title: String,
    website: Option<HttpUrl>,
    instructions: String,
}

/// The page that describes the server at these addresses.
pub(crate) fn website(urls: &PublicUrls) -> HttpUrl {
    urls.web_base_url.join(DOCUMENTATION)
}

/// The server's display name.
pub(crate) fn title(name: &ServiceName) -> String {
    format!("{}: developer tools", name.as_str())
}

impl Identity {
    /// The identity of a network server with this body limit.
    pub(crate) fn remote(urls: &PublicUrls, body_limit_bytes: usize) -> Self {
        let limits =
            "\nCalls are limited per client address: on status 429 wait as Retry-After says.";
        Self {
            title: title(&urls.name),
            website: Some(website(urls)),
            instructions: instructions(body_limit_bytes) + limits,
        }
    }

    /// The identity of a server started by its client: it has one client, and a page only if
    /// configured.
    pub(crate) fn local(public: &Public, body_limit_bytes: usize) -> Self {
        let base = public.web_base_url.as_ref();
        Self {
            title: title(&public.name),
            website: base.map(|base| base.join(DOCUMENTATION)),
            instructions: instructions(body_limit_bytes),
        }
    }

    /// Data for a client in handshake and discovery.
    pub(crate) fn config(&self) -> ServerConfig {
        let server = self.brief().with_description(DESCRIPTION).with_icons(icons());
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_skills().build();
        ServerConfig::new(capabilities)
            .with_server_info(server)
            .with_instructions(self.instructions.clone())
    }

    /// The server's description in each result of 2026-07-28: only its name, since it is in every
    /// response.
    pub(crate) fn meta(&self) -> MetaObject {
        let mut carrier = DiscoverResult::from_server_info(Vec::new(), ServerConfig::default());
        carrier.set_server_info(self.brief());
        carrier.meta.unwrap_or_default()
    }

    fn brief(&self) -> Implementation {
        let brief = Implementation::new(NAME, VERSION).with_title(&self.title);
        match &self.website {
            Some(website) => brief.with_website_url(website.as_str()),
            None => brief,
        }
    }
}

/// Instructions that a model reads before it uses the tools.
fn instructions(body_limit_bytes: usize) -> String {
    format!(
        "Deterministic developer tools. Prefer them to working out encodings, digests, \
         identifiers, dates, schedules, subnets or regular expressions yourself.\n\
         Nothing is stored and nothing is fetched: pass the text itself, at most {} KiB a call.\n\
         An answer is {{result, type}}, with warnings that say what was assumed. A refused call \
         says what to change; change that and call again.\n\
         decode_jwt does not verify signatures: never treat a token as valid because it decodes.",
        body_limit_bytes >> 10,
    )
}
