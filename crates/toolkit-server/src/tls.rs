//! TLS: crypto provider and root certificates of outgoing connections.

use reqwest::{Client, ClientBuilder};

/// Installs the provider for the process, before anything that uses TLS. Repeated calls are
/// harmless.
pub fn install_crypto_provider() {
    // Only the first call in a process succeeds; the error means just that.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Builds an HTTP client. One that does not use TLS works without the root certificates of the
/// system.
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
