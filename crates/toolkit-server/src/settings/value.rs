//! Setting types other than numbers and words: each is checked when it is parsed, and names what it
//! accepts when it refuses.

mod database_url;
mod hosts;
mod http_url;
mod mailbox;
mod network;
mod origins;
mod redis_url;
mod secret;
mod service_name;
mod smtp_url;

use std::net::SocketAddr;
use std::path::PathBuf;

use toml::Value;

pub use self::database_url::DatabaseUrl;
pub use self::hosts::{HostName, Hosts};
pub use self::http_url::HttpUrl;
pub use self::mailbox::Mailbox;
pub use self::network::Network;
pub use self::origins::{Origin, Origins};
pub use self::redis_url::RedisUrl;
pub use self::secret::Secret;
pub use self::service_name::ServiceName;
pub use self::smtp_url::SmtpUrl;
use super::schema::{Kind, Setting};

/// Replaces a secret wherever settings are shown.
pub(crate) const MASK: &str = "***";

/// A value written as text.
pub(crate) trait Textual: Sized {
    /// Accepted values, in the words that follow "expected".
    const EXPECTED: &'static str;

    /// Accepted values where an empty text turns an optional setting off.
    const EXPECTED_OR_EMPTY: Option<&'static str> = None;

    /// Whether the text is secret.
    const SECRET: bool = false;

    /// Parses the text, or refuses it.
    fn read(text: &str) -> Option<Self>;

    /// The text without secrets.
    fn shown(&self) -> String;
}

impl<T: Textual> Setting for T {
    const EXPECTED_OR_EMPTY: Option<&'static str> = <T as Textual>::EXPECTED_OR_EMPTY;
    const SECRET: bool = <T as Textual>::SECRET;

    fn kind() -> Kind {
        Kind::Text(T::EXPECTED)
    }

    fn read(value: &Value) -> Option<Self> {
        Textual::read(value.as_str()?)
    }

    fn shown(&self) -> Option<Value> {
        Some(Textual::shown(self).into())
    }
}

impl<T: Setting> Setting for Vec<T> {
    fn kind() -> Kind {
        match T::kind() {
            Kind::Text(expected) => Kind::List(expected),
            Kind::Table(keys) => Kind::Tables(keys),
            other => other,
        }
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_array()?.iter().map(Setting::read).collect()
    }

    fn shown(&self) -> Option<Value> {
        self.iter()
            .map(Setting::shown)
            .collect::<Option<Vec<_>>>()
            .map(Value::Array)
    }
}

impl<T: Setting> Setting for Option<T> {
    const OPTIONAL: bool = T::EXPECTED_OR_EMPTY.is_none();
    const SECRET: bool = T::SECRET;

    fn kind() -> Kind {
        T::EXPECTED_OR_EMPTY.map_or_else(T::kind, Kind::Text)
    }

    fn read(value: &Value) -> Option<Self> {
        match value.as_str() {
            Some("") if !Self::OPTIONAL => Some(None),
            _ => T::read(value).map(Some),
        }
    }

    fn shown(&self) -> Option<Value> {
        match self {
            Some(value) => value.shown(),
            None => (!Self::OPTIONAL).then(|| "".into()),
        }
    }
}

impl Setting for bool {
    fn kind() -> Kind {
        Kind::Flag
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    fn shown(&self) -> Option<Value> {
        Some((*self).into())
    }
}

macro_rules! integers {
    ($($integer:ty),+) => {$(
        impl Setting for $integer {
            fn kind() -> Kind {
                Kind::Integer { min: 0, max: i64::MAX }
            }

            fn read(value: &Value) -> Option<Self> {
                value.as_integer()?.try_into().ok()
            }

            fn shown(&self) -> Option<Value> {
                i64::try_from(*self).ok().map(Value::Integer)
            }
        }
    )+};
}

integers!(u16, u32, u64, usize);

impl Textual for String {
    const EXPECTED: &'static str = "a text";

    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn shown(&self) -> String {
        self.clone()
    }
}

impl Textual for PathBuf {
    const EXPECTED: &'static str = "a text";

    fn read(text: &str) -> Option<Self> {
        Some(text.into())
    }

    fn shown(&self) -> String {
        self.display().to_string()
    }
}

/// The address of a listener.
impl Textual for SocketAddr {
    const EXPECTED: &'static str = "an IP address and a port, such as 127.0.0.1:8080";
    const EXPECTED_OR_EMPTY: Option<&'static str> =
        Some("an IP address and a port, such as 127.0.0.1:9080, or nothing");

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

/// Masks the password of a URL, and passwords in its query.
pub(super) fn without_password(url: &str) -> String {
    let Some((url, query)) = url.split_once('?') else {
        return mask_userinfo(url);
    };
    let is_secret = query.to_ascii_lowercase().contains("pass");
    let query = if is_secret { MASK } else { query };
    format!("{}?{query}", mask_userinfo(url))
}

fn mask_userinfo(url: &str) -> String {
    let masked = || {
        let (scheme, rest) = url.split_once("://")?;
        // The last `@`, so that a password with an unescaped one is hidden completely.
        let (userinfo, host) = rest.rsplit_once('@')?;
        let (user, _) = userinfo.split_once(':')?;
        Some(format!("{scheme}://{user}:{MASK}@{host}"))
    };
    masked().unwrap_or_else(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::without_password;

    #[test]
    fn a_password_in_a_url_is_masked_in_every_position() {
        for (url, shown) in [
            ("postgres://u:p@h:5432/db", "postgres://u:***@h:5432/db"),
            ("postgres://u:p@ss/w@h/db", "postgres://u:***@h/db"),
            ("redis://:p@h/0", "redis://:***@h/0"),
            ("postgres://u@h/db", "postgres://u@h/db"),
            ("postgres://h/db?user=u&password=p", "postgres://h/db?***"),
            (
                "postgres://h/db?sslmode=require",
                "postgres://h/db?sslmode=require",
            ),
            ("sqlite://toolkit.db", "sqlite://toolkit.db"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
