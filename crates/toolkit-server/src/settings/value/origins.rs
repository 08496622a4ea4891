//! CORS origins: any, or a list.
//!
//! Standard: RFC 6454, section 6.2 (the text of an origin), and the Fetch standard's `Origin`
//! header.

use super::{HttpUrl, checked_text};

checked_text! {
    /// One entry of a list of origins: `*`, or a scheme, a host and an optional port.
    pub struct Origin: "origins such as https://example.org, or *",
    read |text| if text == Self::ANY { Some(text.to_owned()) } else { serialized(text) }
}

/// An origin as browsers write it: in lower case, without the scheme's default port.
fn serialized(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let (scheme, authority) = lower.split_once("://")?;
    if authority.contains(['/', '*']) {
        return None;
    }
    let default = if scheme == "https" { ":443" } else { ":80" };
    HttpUrl::parse(lower.strip_suffix(default).unwrap_or(&lower)).map(|url| url.to_string())
}

impl Origin {
    const ANY: &'static str = "*";

    /// The entry for every origin.
    pub fn any() -> Self {
        Self(Self::ANY.to_owned())
    }
}

/// A rule for the `Origin` header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origins {
    /// Every origin.
    Any,
    /// Every page of the local machine: `localhost`, `127.0.0.1`, `[::1]`, any scheme and port.
    Loopback,
    /// Only these.
    Listed(Vec<Origin>),
}

impl Origins {
    /// Builds the rule from a list of settings: `*` in it means all.
    pub fn from_list(list: &[Origin]) -> Self {
        if list.iter().any(|origin| origin.as_str() == Origin::ANY) {
            Self::Any
        } else {
            Self::Listed(list.to_vec())
        }
    }

    /// Whether a page of this origin may call. `null` is not an origin, so only `*` covers it.
    pub fn allows(&self, origin: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Loopback => is_loopback(origin),
            Self::Listed(list) => list.iter().any(|entry| entry.0.eq_ignore_ascii_case(origin)),
        }
    }
}

/// Whether an origin is one of this machine.
pub(crate) fn is_loopback(origin: &str) -> bool {
    HttpUrl::parse(origin)
        .is_some_and(|url| matches!(url.host(), "localhost" | "127.0.0.1" | "[::1]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(texts: &[&str]) -> Origins {
        let list: Vec<_> = texts.iter().map(|text| Origin::parse(text).unwrap()).collect();
        Origins::from_list(&list)
    }

    #[test]
    fn a_list_allows_its_entries_and_nothing_similar() {
        let origins = listed(&["https://Example.org", "http://localhost:3000"]);
        for origin in ["https://example.org", "http://localhost:3000"] {
            assert!(origins.allows(origin), "{origin}");
        }
        for origin in [
            "http://example.org",
            "https://example.org:8443",
            "https://example.org.evil.example",
            "https://evil-example.org",
            "http://localhost",
            "null",
            "",
        ] {
            assert!(!origins.allows(origin), "{origin}");
        }
    }

    #[test]
    fn the_star_allows_all_and_an_empty_list_none() {
        assert!(listed(&["https://example.org", "*"]).allows("null"));
        assert!(!listed(&[]).allows("https://example.org"));
    }

    #[test]
    fn loopback_means_this_machine_with_any_port() {
        for origin in ["http://localhost", "https://127.0.0.1:6274", "http://[::1]:8080"] {
            assert!(Origins::Loopback.allows(origin), "{origin}");
        }
        for origin in ["http://localhost.evil.example", "null", "http://127.0.0.1.evil.example"] {
            assert!(!Origins::Loopback.allows(origin), "{origin}");
        }
    }

    #[test]
    fn an_origin_with_the_port_of_its_scheme_is_the_one_that_browsers_send() {
        for (entry, origin) in [
            ("https://example.org:443", "https://example.org"),
            ("http://[::1]:80", "http://[::1]"),
        ] {
            assert!(listed(&[entry]).allows(origin), "{entry}");
        }
        assert!(!listed(&["https://example.org:80"]).allows("https://example.org"));
    }

    #[test]
    fn what_is_not_an_origin_is_refused() {
        for text in [
            "",
            "example.org",
            "https://example.org/",
            "https://example.org/x",
            "ftp://a.b",
            "https://*.example.org",
        ] {
            assert_eq!(Origin::parse(text), None, "{text}");
        }
    }
}
