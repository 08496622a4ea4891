//! HTTP client for the providers.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};
use rustls::crypto::CryptoProvider;

/// Maximum time to connect. A host that drops packets must leave time to ask the next.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// HTTP/2 stream window in bytes: the most that is buffered for a client that does not read.
const STREAM_WINDOW: u32 = 64 << 10;

/// HTTP/2 connection window in bytes. With less, a few stalled streams would block all others.
const CONNECTION_WINDOW: u32 = 8 << 20;

/// Maximum idle connections kept per host. Further ones close as soon as their requests end.
const IDLE_CONNECTIONS_MAX: usize = 32;

/// How long an idle connection is kept. It closes within twice this time. Most servers close theirs
/// after 5 to 75 s.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// Error: the client could not be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// No TLS crypto provider is installed.
    #[error(
        "no TLS crypto provider is installed. Install one at start, for example with \
         rustls::crypto::ring::default_provider().install_default()"
    )]
    NoCryptoProvider,
    /// TLS could not be set up, for example because the system has no root certificates.
    #[error("TLS could not be set up")]
    Tls(#[source] rustls::Error),
    /// The client could not be built, for example because the system has no root certificates.
    #[error("the HTTP client could not be built")]
    Build(#[source] reqwest::Error),
}

/// Builds a client that follows no redirects, decompresses nothing and ignores proxies in the
/// environment. It pools connections, so share it (a clone is the same client).
///
/// There is no total timeout, since the chain limits each turn. TLS trusts the system's root
/// certificates. It uses the crypto provider that the process has installed for rustls, or `ring`
/// otherwise, without installing it.
///
/// ```
/// let client = toolkit_llm::client()?;
/// # let _ = client;
/// # Ok::<(), toolkit_llm::ClientError>(())
/// ```
///
/// # Errors
///
/// When the system's root certificates cannot be loaded. Without the feature `ring`, also when no
/// process-wide rustls crypto provider is installed.
pub fn client() -> Result<Client, ClientError> {
    if CryptoProvider::get_default().is_some() {
        return client_builder().build().map_err(ClientError::Build);
    }
    without_default()
}

#[cfg(feature = "ring")]
fn without_default() -> Result<Client, ClientError> {
    use rustls_platform_verifier::BuilderVerifierExt;

    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(BuilderVerifierExt::with_platform_verifier)
        .map_err(ClientError::Tls)?;
    let mut tls = tls.with_no_client_auth();
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let client = client_builder().tls_backend_preconfigured(tls).build();
    client.map_err(ClientError::Build)
}

#[cfg(not(feature = "ring"))]
fn without_default() -> Result<Client, ClientError> {
    Err(ClientError::NoCryptoProvider)
}

/// Returns the settings of [`client`], to extend with, say, a proxy or a root certificate.
///
/// Its `build` panics when no process-wide rustls crypto provider is installed.
pub fn client_builder() -> ClientBuilder {
    Client::builder()
        .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
        // A redirect would send the key and the conversation to a host that the operator did not
        // configure.
        .redirect(Policy::none())
        .referer(false)
        // Another crate in the same build may enable these features. A small compressed body must
        // not become a large one.
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .no_proxy()
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_max_idle_per_host(IDLE_CONNECTIONS_MAX)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .http2_initial_stream_window_size(STREAM_WINDOW)
        .http2_initial_connection_window_size(CONNECTION_WINDOW)
}
