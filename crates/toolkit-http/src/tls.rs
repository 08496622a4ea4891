//! What TLS computes with.

/// Chooses it for the process; to be done before anything that speaks TLS. Doing it again is fine.
pub fn install_crypto_provider() {
    // Only the first call in a process counts, and an error says just that.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
