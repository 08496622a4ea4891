//! TLS: crypto provider and root certificates of outgoing connections.

#[cfg(feature = "http-client")]
use reqwest::{Client, ClientBuilder};

/// Chooses it for the process; to be done before anything that speaks TLS. Doing it again is fine.
pub fn install_crypto_provider() {
    // Only the first call in a process counts, and an error says just that.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Builds an HTTP client. One that speaks no TLS does without the root certificates of the system.
///
/// # Errors
///
/// When TLS is needed and the system has no root certificates.
#[cfg(feature = "http-client")]
pub fn client(builder: ClientBuilder, speaks_tls: bool) -> Result<Client, reqwest::Error> {
    install_crypto_provider();
    if speaks_tls {
        return builder.build();
    }
    builder.tls_certs_only([]).build()
}
