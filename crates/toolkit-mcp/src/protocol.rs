//! MCP protocol revisions: the supported ones, and the revision of a request.
//!
//! Revisions with a handshake (up to 2025-11-25) are declared by the header `MCP-Protocol-Version`,
//! or not at all. 2026-07-28, which has no handshake, is declared by that header and by each
//! request's `_meta`.

use actix_web::http::header::HeaderMap;
use rmcp::model::ProtocolVersion;

/// The revisions over standard input and output, oldest first.
pub(crate) const SUPPORTED_STDIO: &[ProtocolVersion] = &[
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

/// The revisions over HTTP: all but 2024-11-05, which had another transport.
pub(crate) const SUPPORTED: &[ProtocolVersion] = SUPPORTED_STDIO.split_at(1).1;

/// How long a client may cache the list of tools and the identity, which change only with a
/// release.
pub(crate) const TTL_MS: u64 = 3_600_000;

/// The header with the revision.
pub(crate) const VERSION_HEADER: &str = "mcp-protocol-version";
/// The header with the method, from 2026-07-28 on.
pub(crate) const METHOD_HEADER: &str = "mcp-method";
/// The header with the name of the tool, from 2026-07-28 on.
pub(crate) const NAME_HEADER: &str = "mcp-name";

/// The protocol generation of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifecycle {
    /// A revision with a handshake.
    Stateful,
    /// 2026-07-28 or later, where each request is independent.
    Stateless,
}

impl Lifecycle {
    /// The lifecycle of a revision.
    pub(crate) fn of(version: &str) -> Self {
        // Dates in this format sort as text.
        if version >= ProtocolVersion::V_2026_07_28.as_str() {
            Self::Stateless
        } else {
            Self::Stateful
        }
    }

    /// The label in the metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Stateful => "handshake",
            Self::Stateless => "stateless",
        }
    }
}

/// Whether this server speaks a revision.
pub(crate) fn is_supported(version: &str) -> bool {
    SUPPORTED.iter().any(|known| known.as_str() == version)
}

/// A header that is repeated or not text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotSingle;

/// The value of a header that occurs at most once.
pub(crate) fn single<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, NotSingle> {
    let mut values = headers.get_all(name);
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| NotSingle),
        (Some(_), Some(_)) => Err(NotSingle),
    }
}
