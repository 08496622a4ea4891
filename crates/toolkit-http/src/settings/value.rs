//! Settings that are more than a number or a word: each is checked when it is read, and says what it
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

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::Serializer;

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

/// What stands in the place of a secret wherever settings are shown.
pub(crate) const MASK: &str = "***";

/// What the address of a listener looks like.
pub(super) const ADDRESS: &str = "an IP address and a port, such as 127.0.0.1:8080";

/// What the address of a listener that may be off looks like.
pub(super) const ADDRESS_OR_OFF: &str =
    "an IP address and a port, such as 127.0.0.1:9080, or nothing";

/// A value that is written as text.
pub(crate) trait Textual: Sized {
    /// What is accepted, as it stands after "expected".
    const EXPECTED: &'static str;

    /// Whether the text must never be shown.
    const SECRET: bool = false;

    /// Reads the text, or refuses it.
    fn read(text: &str) -> Option<Self>;

    /// The text as it may be shown: without secrets.
    fn shown(&self) -> String;
}

/// Lets serde and schemars treat a [`Textual`] type as a string.
macro_rules! textual {
    ($type:ty) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::settings::value::read(from)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&$crate::settings::value::Textual::shown(self))
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "writeOnly": <$type as $crate::settings::value::Textual>::SECRET,
                    "x-accepts": <$type as $crate::settings::value::Textual>::EXPECTED,
                })
            }
        }
    };
}
pub(super) use textual;

pub(super) fn read<'de, T: Textual, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let text = String::deserialize(from)?;
    T::read(&text).ok_or_else(|| D::Error::custom(T::EXPECTED))
}

/// Reads the address of a listener.
pub(super) fn address<'de, D: Deserializer<'de>>(from: D) -> Result<SocketAddr, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map_err(|_| D::Error::custom(ADDRESS))
}

/// Reads the address of a listener that an empty text turns off.
pub(super) fn address_or_off<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(from)?;
    if text.is_empty() {
        return Ok(None);
    }
    text.parse()
        .map(Some)
        .map_err(|_| D::Error::custom(ADDRESS_OR_OFF))
}

/// Writes the address of a listener that may be off.
#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
pub(super) fn show_address_or_off<S: Serializer>(
    address: &Option<SocketAddr>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match address {
        Some(address) => to.collect_str(address),
        None => to.serialize_str(""),
    }
}

/// Puts the mask in place of the password of a URL, and of any in its query.
pub(super) fn without_password(url: &str) -> String {
    let (url, query) = url
        .split_once('?')
        .map_or((url, None), |(url, query)| (url, Some(query)));
    let mut shown = mask_userinfo(url);
    if let Some(query) = query {
        shown.push('?');
        shown.push_str(if query.to_ascii_lowercase().contains("pass") {
            MASK
        } else {
            query
        });
    }
    shown
}

fn mask_userinfo(url: &str) -> String {
    let masked = || {
        let (scheme, rest) = url.split_once("://")?;
        // The last `@`, so that a password with an unescaped one is hidden as a whole.
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
    fn a_password_in_a_url_is_masked_wherever_it_stands() {
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
