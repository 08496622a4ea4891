//! HTTP client for outgoing requests to language models and Turnstile.

use reqwest::Client;
use toolkit_server::settings::Settings;
use toolkit_server::tls;

use crate::captcha::turnstile_secret;

/// The `User-Agent`.
const USER_AGENT: &str = concat!("toolkit/", env!("CARGO_PKG_VERSION"));

/// Builds the client: no redirects, no decompression, no proxy from the environment.
///
/// # Errors
///
/// When TLS is needed and the system has no root certificates.
pub(crate) fn client(settings: &Settings) -> Result<Client, reqwest::Error> {
    let builder = toolkit_llm::client_builder().user_agent(USER_AGENT);
    tls::client(builder, needs_tls(settings))
}

fn needs_tls(settings: &Settings) -> bool {
    let is_https = |url: &str| url.starts_with("https:");
    let verifies =
        turnstile_secret(settings).is_some() && is_https(settings.turnstile.verify_url.as_str());
    let asks = settings.llm.providers.iter().any(|provider| {
        let url = provider.base_url.as_ref();
        url.is_none_or(|url| is_https(url.as_str()))
    });
    verifies || asks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_built_with_and_without_tls() {
        // Without a crypto provider, reqwest would panic.
        let plain = Settings::default();
        assert!(!needs_tls(&plain));
        assert!(client(&plain).is_ok());
        let mut settings = Settings::default();
        settings.turnstile.secret = toolkit_server::settings::Secret::parse("secret");
        assert!(needs_tls(&settings));
    }
}
