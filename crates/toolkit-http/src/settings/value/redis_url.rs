//! Where Redis or Valkey is.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

use super::{Textual, textual, without_password};

/// The URL of a Redis or Valkey server; its password never shows.
#[derive(Clone)]
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
    const EXPECTED: &'static str =
        "a URL that starts with redis:// or valkey:// and names a host, or with unix:// and a path";

    fn read(text: &str) -> Option<Self> {
        // Valkey speaks the same protocol; the client knows it by the other name.
        let text = text
            .strip_prefix("valkey://")
            .map_or_else(|| text.to_owned(), |rest| format!("redis://{rest}"));
        let rest = ["redis://", "unix://"]
            .iter()
            .find_map(|scheme| text.strip_prefix(scheme))?;
        (!rest.trim().is_empty()).then(|| Self(text.clone().into()))
    }

    fn shown(&self) -> String {
        without_password(self.expose())
    }
}

textual!(RedisUrl);

impl fmt::Debug for RedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown())
    }
}
