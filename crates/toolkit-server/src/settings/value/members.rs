//! Headers and body members with arbitrary names.

use std::fmt;

use actix_web::http::header::{HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use toml::{Table, Value};

use crate::settings::schema::{Kind, Setting};

/// HTTP headers by name. Their values are never shown.
#[derive(Clone)]
pub struct Headers(Vec<(HeaderName, SecretString)>);

impl PartialEq for Headers {
    fn eq(&self, other: &Self) -> bool {
        self.expose().eq(other.expose())
    }
}

impl Headers {
    /// Names and values, for the code that sends them.
    pub fn expose(&self) -> impl Iterator<Item = (&HeaderName, &str)> {
        let headers = self.0.iter();
        headers.map(|(name, value)| (name, value.expose_secret()))
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|(name, _)| name);
        f.debug_set().entries(names).finish()
    }
}

impl Setting for Headers {
    const SECRET: bool = true;
    const IN_FILE: bool = false;

    fn kind() -> Kind {
        Kind::Map("a table of HTTP headers, each with a text")
    }

    fn read(value: &Value) -> Option<Self> {
        let header = |(name, value): (&String, &Value)| {
            let (name, value) = (name.parse().ok()?, value.as_str()?);
            HeaderValue::from_str(value).ok()?;
            Some((name, value.into()))
        };
        let headers = value.as_table()?.iter().map(header);
        headers.collect::<Option<_>>().map(Self)
    }

    fn shown(&self) -> Option<Value> {
        let masked = |(name, _): &(HeaderName, _)| (name.to_string(), "***".into());
        let table: Table = self.0.iter().map(masked).collect();
        Some(table.into())
    }
}

/// Members of a JSON body.
impl Setting for Table {
    fn kind() -> Kind {
        Kind::Map("a table")
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_table().cloned()
    }

    fn shown(&self) -> Option<Value> {
        Some(self.clone().into())
    }
}
