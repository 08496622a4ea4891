//! The HTTP client that the wire formats expect.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};
use rustls::crypto::CryptoProvider;

/// Longest wait for a connection: a host that drops packets must leave time to ask the next.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// TLS has nothing to compute with.
    #[error(
        "no TLS crypto provider is installed; install one at start, for example with \
         rustls::crypto::ring::default_provider().install_default()"
    )]
    NoCryptoProvider,
    /// The client could not be built, for example because the system has no root certificates.
    #[error("the HTTP client could not be built")]
    Build(#[source] reqwest::Error),
}

/// Builds a client that follows no redirect, decompresses nothing and takes no proxy from the
/// environment; it pools connections, so share one (a clone is the same client).
///
/// There is no total timeout: the chain bounds each turn.
///
/// # Errors
///
/// When no process-wide rustls crypto provider is installed (this crate does not choose one), or
/// the system's root certificates cannot be loaded.
pub fn client() -> Result<Client, ClientError> {
    if CryptoProvider::get_default().is_none() {
        return Err(ClientError::NoCryptoProvider);
    }
    client_builder().build().map_err(ClientError::Build)
}

/// The settings of [`client`], to add to: a proxy, a root certificate.
///
/// Its `build` panics when no process-wide rustls crypto provider is installed.
pub fn client_builder() -> ClientBuilder {
    Client::builder()
        .user_agent(concat!(
            env!("CARGO_PKG_NAME"),
            "/",
            env!("CARGO_PKG_VERSION")
        ))
        // A redirect would carry the key and the conversation to a host nobody configured.
        .redirect(Policy::none())
        .referer(false)
        // Another crate of the same build may switch these features on; a small compressed body
        // must not become a large one.
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .no_proxy()
        .connect_timeout(CONNECT_TIMEOUT)
}
