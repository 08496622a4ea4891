//! TLS: crypto provider and root certificates of outgoing connections.

use reqwest::{Client, ClientBuilder};

/// Installs the process-wide provider before anything uses TLS. Repeated calls are harmless.
pub fn install_crypto_provider() {
    // Only the first call succeeds. An error means that it is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Builds an HTTP client. One that doesn't use TLS works without the system's root certificates.
///
/// # Errors
///
/// When TLS is needed and the system has no root certificates.
pub fn client(builder: ClientBuilder, speaks_tls: bool) -> Result<Client, reqwest::Error> {
    install_crypto_provider();
    if speaks_tls {
        return builder.build();
    }
    builder.tls_certs_only([]).build()
}
