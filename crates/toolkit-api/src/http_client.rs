//! HTTP client for outgoing requests to language models and Turnstile.

use std::env;

use reqwest::{Client, NoProxy, Proxy};
use toolkit_server::settings::Settings;
use toolkit_server::tls;

use crate::office::captcha::turnstile_secret;

/// The `User-Agent`.
pub(crate) const USER_AGENT: &str = concat!("toolkit/", env!("CARGO_PKG_VERSION"));

/// Hosts reached without a proxy, for models on the same machine.
const LOOPBACK: &str = "localhost,127.0.0.0/8,::1";

/// Builds the client: no redirects, no decompression, and the proxy that the settings or
/// environment name.
///
/// # Errors
///
/// When TLS is needed and the system has no root certificates.
pub(crate) fn client(settings: &Settings) -> Result<Client, reqwest::Error> {
    let mut builder = toolkit_llm::client_builder().user_agent(USER_AGENT);
    if let Some(proxy) = proxy(settings)? {
        builder = builder.proxy(proxy);
    }
    tls::client(builder, needs_tls(settings))
}

/// The proxy: from the settings for every URL, or from the environment for https.
fn proxy(settings: &Settings) -> Result<Option<Proxy>, reqwest::Error> {
    let of = |names: [&str; 2]| {
        let values = names.into_iter().filter_map(|name| env::var(name).ok());
        values.into_iter().find(|value| !value.trim().is_empty())
    };
    let proxy = match &settings.llm.proxy {
        Some(url) => Some(Proxy::all(url.expose())?),
        None => of(["HTTPS_PROXY", "https_proxy"]).map(Proxy::https).transpose()?,
    };
    let direct = of(["NO_PROXY", "no_proxy"]).unwrap_or_default();
    let direct = NoProxy::from_string(&format!("{LOOPBACK},{direct}"));
    Ok(proxy.map(|proxy| proxy.no_proxy(direct)))
}

fn needs_tls(settings: &Settings) -> bool {
    let is_https = |url: &str| url.starts_with("https:");
    let verifies =
        turnstile_secret(settings).is_some() && is_https(settings.turnstile.verify_url.as_str());
    let asks = settings.llm.providers.iter().any(|provider| {
        let url = provider.base_url.as_ref();
        url.is_none_or(|url| is_https(url.as_str()))
    });
    let is_proxied = settings.llm.proxy.is_some();
    verifies || asks || is_proxied
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
