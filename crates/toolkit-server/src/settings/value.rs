//! Setting types other than numbers and words: checked when parsed, each with the wording of what
//! it accepts.

mod file;
mod hosts;
mod http_url;
mod mailbox;
mod members;
mod origins;
mod secret;
mod texts;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use toml::Value;
pub use toolkit_core::cidr::Block as Network;

pub use self::file::{SvgFile, TokensFile};
pub(crate) use self::hosts::is_local;
pub use self::hosts::{HostName, Hosts};
pub use self::http_url::{HttpUrl, ModelUrl};
pub use self::mailbox::Mailbox;
pub use self::members::Headers;
pub(super) use self::origins::is_loopback;
pub use self::origins::{Origin, Origins};
pub(super) use self::secret::without_password;
pub use self::secret::{
    DatabaseUrl, ProxyUrl, RedisUrl, Secret, SmtpUrl, WebhookSecret, WebhookUrl,
};
pub use self::texts::{ConfirmText, EVENTS, EventName, Line, ServiceName, Slug};
use super::schema::{Kind, Setting};

/// A value written as text.
pub(crate) trait Textual: Sized + PartialEq {
    /// Accepted values, worded to follow "expected".
    const EXPECTED: &'static str;

    /// Accepted values, if an empty text turns an optional setting off.
    const EXPECTED_OR_EMPTY: Option<&'static str> = None;

    /// Whether the text is secret.
    const SECRET: bool = false;

    /// Whether the text may come from a file.
    const IN_FILE: bool = Self::SECRET;

    /// Parses the text, or refuses it.
    fn read(text: &str) -> Option<Self>;

    /// The text without secrets.
    fn shown(&self) -> String;
}

/// Declares a text that is checked when it is read, and what is shown of it, if not all.
macro_rules! checked_text {
    (
        $(#[$attribute:meta])+
        pub struct $name:ident: $expected:literal, $(shown($shown:expr),)?
        read |$text:ident| $read:expr
    ) => {
        $(#[$attribute])+
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// Reads the text.
            pub fn parse(text: &str) -> Option<Self> {
                $crate::settings::value::Textual::read(text)
            }

            /// The text itself.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl $crate::settings::value::Textual for $name {
            const EXPECTED: &'static str = $expected;

            fn read($text: &str) -> Option<Self> {
                let read: Option<String> = $read;
                read.map(Self)
            }

            fn shown(&self) -> String {
                let text = self.0.clone();
                $(let text = $shown(&text);)?
                text
            }
        }
    };
}

pub(super) use checked_text;

impl<T: Textual> Setting for T {
    const EXPECTED_OR_EMPTY: Option<&'static str> = <T as Textual>::EXPECTED_OR_EMPTY;
    const SECRET: bool = <T as Textual>::SECRET;
    const IN_FILE: bool = <T as Textual>::IN_FILE;

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
        self.iter().map(Setting::shown).collect::<Option<Vec<_>>>().map(Value::Array)
    }
}

impl<T: Setting> Setting for Option<T> {
    const OPTIONAL: bool = T::EXPECTED_OR_EMPTY.is_none();
    const SECRET: bool = T::SECRET;
    const IN_FILE: bool = T::IN_FILE;

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

/// A network in CIDR notation, or a single address.
impl Textual for Network {
    const EXPECTED: &'static str =
        "networks such as 10.0.0.0/8 or 2001:db8::/32, or single addresses";

    fn read(text: &str) -> Option<Self> {
        let network = match text.parse::<IpAddr>() {
            Ok(address) if address.is_ipv4() => Self::new(address, 32),
            Ok(address) => Self::new(address, 128),
            Err(_) => Self::parse(text),
        };
        network.ok()
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_a_block_or_a_single_address() {
        for (text, shown) in [
            ("10.1.2.3/8", "10.0.0.0/8"),
            ("192.0.2.7", "192.0.2.7/32"),
            ("2001:db8::/32", "2001:db8::/32"),
            ("::1", "::1/128"),
            ("0.0.0.0/0", "0.0.0.0/0"),
        ] {
            let network = <Network as Textual>::read(text).unwrap();
            assert_eq!(Textual::shown(&network), shown, "{text}");
        }
        for text in [
            "",
            "10.0.0.0/33",
            "10.0.0.0/08",
            "10.0.0.0/+8",
            "10.0.0.0/",
            "10.0.0/8",
            "010.0.0.1",
            "::/129",
            "proxy",
        ] {
            assert_eq!(<Network as Textual>::read(text), None, "{text}");
        }
    }
}
