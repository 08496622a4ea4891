//! HTTP URL: a base URL or a complete one.

use std::fmt;
use std::net::SocketAddr;

use reqwest::Url;

use super::checked_text;
use super::secret::MASK;
use crate::server::reachable;

checked_text! {
    /// An `http` or `https` URL without user, query or fragment, and without a trailing slash.
    pub struct HttpUrl: "a URL that starts with http:// or https://, without user, query and fragment",
    read |text| {
        let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"))?;
        // `Url` silently repairs missing, superfluous or unencoded parts. Here they are errors.
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"@?#\\".contains(&byte);
        (!rest.starts_with('/') && text.bytes().all(is_plain) && Url::parse(text).is_ok())
            .then(|| text.trim_end_matches('/').to_owned())
    }
}

checked_text! {
    /// The URL of a model API: like [`HttpUrl`], but with an optional query such as
    /// `?api-version=…`. Other values in it may be keys, and are not shown.
    pub struct ModelUrl: "a URL that starts with http:// or https://, without user and fragment",
    shown(without_query_values),
    read |text| {
        let (url, query) = text.split_once('?').map_or((text, None), |(url, query)| (url, Some(query)));
        let url = HttpUrl::parse(url).filter(|_| !text.contains('#'))?;
        Some(query.map_or_else(|| url.to_string(), |query| format!("{url}?{query}")))
    }
}

fn without_query_values(url: &str) -> String {
    let Some((start, query)) = url.split_once('?') else {
        return url.to_owned();
    };
    let shown = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if name != "api-version" => format!("{name}={MASK}"),
        _ => pair.to_owned(),
    });
    format!("{start}?{}", shown.collect::<Vec<_>>().join("&"))
}

impl HttpUrl {
    /// Wraps a URL made by this program, which needs no check.
    pub(crate) fn known(url: &'static str) -> Self {
        Self(url.to_owned())
    }

    /// Builds the URL of a path on one of this process's listeners.
    ///
    /// If the listener is on all interfaces, uses loopback.
    pub fn of_listener(address: SocketAddr, path: &str) -> Self {
        Self(format!("http://{}{path}", reachable(address)))
    }

    /// Appends a path.
    #[must_use]
    pub fn join(&self, path: &str) -> Self {
        Self(format!("{}{path}", self.0))
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &str {
        self.split().0
    }

    /// The path without a trailing slash. Empty if the URL has none.
    pub fn path(&self) -> &str {
        self.split().1
    }

    /// The path begins with the third slash.
    fn split(&self) -> (&str, &str) {
        let slash = self.0.match_indices('/').nth(2);
        self.0.split_at(slash.map_or(self.0.len(), |(index, _)| index))
    }

    /// The host without port. An IPv6 address keeps its brackets.
    pub fn host(&self) -> &str {
        let authority = self.origin().rsplit('/').next().unwrap_or("");
        match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => authority,
        }
    }
}

impl fmt::Display for HttpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::value::Textual as _;

    #[test]
    fn a_url_is_an_origin_and_a_path() {
        for (text, origin, path) in [
            ("https://example.org", "https://example.org", ""),
            ("https://example.org:8443/a/b/", "https://example.org:8443", "/a/b"),
            ("http://[::1]:80/x", "http://[::1]:80", "/x"),
        ] {
            let url = HttpUrl::parse(text).unwrap();
            assert_eq!((url.origin(), url.path()), (origin, path), "{text}");
        }
    }

    #[test]
    fn a_key_in_the_query_of_a_model_url_is_not_shown() {
        let url = "https://h/v1?key=canary&api-version=2024-10-21&flag";
        let shown = ModelUrl::parse(url).unwrap().shown();
        assert_eq!(shown, "https://h/v1?key=***&api-version=2024-10-21&flag");
    }

    #[test]
    fn a_url_loses_its_trailing_slash_and_has_a_host() {
        for (text, url, host) in [
            ("https://example.org/", "https://example.org", "example.org"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "127.0.0.1"),
            ("https://example.org:8443/toolkit", "https://example.org:8443/toolkit", "example.org"),
            ("http://[::1]:80/x", "http://[::1]:80/x", "[::1]"),
            ("http://[::1]", "http://[::1]", "[::1]"),
        ] {
            let parsed = HttpUrl::parse(text).unwrap();
            assert_eq!(parsed.as_str(), url);
            assert_eq!(parsed.host(), host);
        }
    }

    #[test]
    fn what_is_not_a_plain_http_url_is_refused() {
        for text in [
            "",
            "example.org",
            "ftp://example.org",
            "http://",
            "http://user@example.org",
            "http://example.org/?q",
            "http://example.org/#f",
            "http://example.org:99999",
            "http://exa mple.org",
            "http://example.org/a b",
            "http://example.org/\u{e4}",
            "http:/example.org",
            "http:///example.org",
            "http://example.org\\x",
            "http://1.2.3.256",
        ] {
            assert_eq!(HttpUrl::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_listener_on_all_interfaces_is_reached_through_loopback() {
        for (address, url) in [
            ("0.0.0.0:8080", "http://127.0.0.1:8080/x"),
            ("[::]:8080", "http://[::1]:8080/x"),
            ("192.0.2.1:80", "http://192.0.2.1:80/x"),
        ] {
            assert_eq!(HttpUrl::of_listener(address.parse().unwrap(), "/x").as_str(), url);
        }
    }
}
