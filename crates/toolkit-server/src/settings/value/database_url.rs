//! Database URL: SQLite file or PostgreSQL server.

use secrecy::{ExposeSecret, SecretString};

use super::{Textual, without_password};

/// The URL of an SQLite file or a PostgreSQL database; its password is never shown.
#[derive(Clone, Debug)]
pub struct DatabaseUrl(SecretString);

impl DatabaseUrl {
    /// Reads a URL.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text)
    }

    /// The URL with its password, for the driver.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl Default for DatabaseUrl {
    fn default() -> Self {
        Self("sqlite://toolkit.db".into())
    }
}

impl Textual for DatabaseUrl {
    const EXPECTED: &'static str =
        "a URL that starts with sqlite:// or sqlite: and a path, or with postgres:// and a host";

    fn read(text: &str) -> Option<Self> {
        let rest = ["sqlite://", "sqlite:", "postgres://", "postgresql://"]
            .iter()
            .find_map(|scheme| text.strip_prefix(scheme))?;
        (!rest.trim().is_empty()).then(|| Self(text.into()))
    }

    fn shown(&self) -> String {
        without_password(self.expose())
    }
}
