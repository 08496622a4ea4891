//! Server card, and the catalog that lists it.
//!
//! Standard: MCP's server-card extension, schema version 1 (`ServerCard`); the AI Catalog, version
//! 1.0.

use std::net::IpAddr;

use rmcp::model::ProtocolVersion;
use serde_json::{Value as Json, json};
use toolkit_server::settings::{HttpUrl, PublicUrls};

use crate::identity::{DESCRIPTION, NAME, VERSION, title, website};
use crate::protocol::SUPPORTED;
use crate::tools::icons;

/// The media type of a card.
pub(super) const MEDIA_TYPE: &str = "application/mcp-server-card+json";
/// The media type of a catalog.
pub(super) const CATALOG_MEDIA_TYPE: &str = "application/ai-catalog+json";

const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
/// The loopback host.
const LOCALHOST: &str = "localhost";

/// Information for a client before it connects.
pub(super) fn card(urls: &PublicUrls) -> Json {
    let versions: Vec<_> = SUPPORTED.iter().map(ProtocolVersion::as_str).collect();
    json!({
        "$schema": SCHEMA,
        "name": registry_name(&urls.mcp_url),
        "version": VERSION,
        "title": title(&urls.name),
        "description": DESCRIPTION,
        "websiteUrl": website(urls).as_str(),
        "icons": icons(),
        "remotes": [{
            "type": "streamable-http",
            "url": urls.mcp_url.as_str(),
            "supportedProtocolVersions": versions,
        }],
    })
}

/// The AI services of a domain: this server.
pub(super) fn catalog(urls: &PublicUrls) -> Json {
    let url = &urls.mcp_url;
    json!({
        "specVersion": "1.0",
        "entries": [{
            "identifier": format!("urn:air:{}:mcp:{NAME}", domain(url)),
            "type": MEDIA_TYPE,
            "url": url.join("/server-card").as_str(),
        }],
    })
}

/// The server's name in registries: its reversed domain, then its own name.
fn registry_name(url: &HttpUrl) -> String {
    let domain = domain(url);
    if domain.parse::<IpAddr>().is_ok() {
        return format!("{domain}/{NAME}");
    }
    let labels: Vec<_> = domain.rsplit('.').collect();
    format!("{}/{NAME}", labels.join("."))
}

/// The domain of a URL. An IPv6 address has characters that are not allowed in names.
fn domain(url: &HttpUrl) -> &str {
    let host = url.host();
    if host.starts_with('[') { LOCALHOST } else { host }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_in_registries_is_the_reversed_domain() {
        for (url, name) in [
            ("https://tools.example.org/toolkit/mcp", "org.example.tools/toolkit"),
            ("http://localhost:8081/toolkit/mcp", "localhost/toolkit"),
            ("http://127.0.0.1:8081/toolkit/mcp", "127.0.0.1/toolkit"),
            ("http://[::1]:8081/toolkit/mcp", "localhost/toolkit"),
        ] {
            assert_eq!(registry_name(&HttpUrl::parse(url).unwrap()), name);
        }
    }
}
