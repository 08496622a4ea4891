//! Redis or Valkey URL.

use secrecy::{ExposeSecret, SecretString};

use super::{Textual, without_password};

/// The URL of a Redis or Valkey server; its password is never shown.
#[derive(Clone, Debug)]
pub struct RedisUrl(SecretString);

impl RedisUrl {
    /// Reads a URL.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text)
    }

    /// The URL with its password, for the client.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl Textual for RedisUrl {
    const EXPECTED: &'static str = "a URL that starts with redis://, rediss://, valkey:// or valkeys:// and names a host, or with unix:// and a path";

    fn read(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        // Valkey speaks the same protocol; the client only knows the Redis scheme.
        let scheme = match scheme {
            "redis" | "valkey" => "redis",
            "rediss" | "valkeys" => "rediss",
            "unix" => "unix",
            _ => return None,
        };
        (!rest.trim().is_empty()).then(|| Self(format!("{scheme}://{rest}").into()))
    }

    fn shown(&self) -> String {
        without_password(self.expose())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valkey_and_tls_have_their_schemes() {
        for (given, url) in [
            ("redis://host/0", "redis://host/0"),
            ("valkey://host", "redis://host"),
            (
                "rediss://user:pw@host:6380/1",
                "rediss://user:pw@host:6380/1",
            ),
            ("valkeys://host", "rediss://host"),
            ("unix:///run/redis.sock", "unix:///run/redis.sock"),
        ] {
            assert_eq!(RedisUrl::parse(given).unwrap().expose(), url);
        }
        for given in [
            "",
            "redis://",
            "http://host",
            "host:6379",
            "redis+unix:///run",
        ] {
            assert!(RedisUrl::parse(given).is_none(), "{given}");
        }
    }
}
