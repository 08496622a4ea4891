//! HTTP URL: a base URL or a complete one.

use std::fmt;
use std::net::SocketAddr;

use reqwest::Url;

use super::checked_text;
use crate::server::reachable;

checked_text! {
    /// An `http` or `https` URL without user, query or fragment, and without a trailing slash.
    pub struct HttpUrl: "a URL that starts with http:// or https://, without user, query and fragment",
    read |text| {
        let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"))?;
        // `Url` repairs what is missing, superfluous or not encoded; here that is an error.
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"@?#\\".contains(&byte);
        (!rest.starts_with('/') && text.bytes().all(is_plain) && Url::parse(text).is_ok())
            .then(|| text.trim_end_matches('/').to_owned())
    }
}

checked_text! {
    /// The URL of a model's API: as [`HttpUrl`], and with a query such as `?api-version=…`.
    pub struct ModelUrl: "a URL that starts with http:// or https://, without user and fragment",
    read |text| {
        let (url, query) = text.split_once('?').map_or((text, None), |(url, query)| (url, Some(query)));
        let url = HttpUrl::parse(url).filter(|_| !text.contains('#'))?;
        Some(query.map_or_else(|| url.to_string(), |query| format!("{url}?{query}")))
    }
}

impl HttpUrl {
    /// Wraps a URL made by this program, which needs no check.
    pub(crate) fn known(url: &'static str) -> Self {
        Self(url.to_owned())
    }

    /// Builds the URL of a path on a listener of this process.
    ///
    /// A listener on all interfaces is reached through loopback.
    pub fn of_listener(address: SocketAddr, path: &str) -> Self {
        Self(format!("http://{}{path}", reachable(address)))
    }

    /// The URL of a path below this one.
    #[must_use]
    pub fn join(&self, path: &str) -> Self {
        Self(format!("{}{path}", self.0))
    }

    /// The scheme, the host and the port.
    pub fn origin(&self) -> &str {
        self.split().0
    }

    /// The path, without a trailing slash: empty for a URL that has none.
    pub fn path(&self) -> &str {
        self.split().1
    }

    /// The path begins with the third slash.
    fn split(&self) -> (&str, &str) {
        let slash = self.0.match_indices('/').nth(2);
        self.0.split_at(slash.map_or(self.0.len(), |(index, _)| index))
    }

    /// The host, without its port; an IPv6 address keeps its brackets.
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
