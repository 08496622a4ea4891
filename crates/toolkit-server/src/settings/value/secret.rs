//! Secrets, and URLs with passwords: never shown, logged or printed.

use data_encoding::BASE64;
use secrecy::{ExposeSecret, SecretString};

use super::Textual;

/// Replaces a secret wherever settings are shown.
const MASK: &str = "***";

/// Declares a secret text: which texts are accepted, and whether any of one is shown.
macro_rules! secret {
    (
        $(#[$attribute:meta])+
        pub struct $name:ident: $expected:literal, hidden($hidden:literal),
        read |$text:ident| $read:expr
    ) => {
        $(#[$attribute])+
        #[derive(Clone, Debug)]
        pub struct $name(SecretString);

        impl $name {
            /// Reads the text.
            pub fn parse(text: &str) -> Option<Self> {
                Self::read(text)
            }

            /// The text itself, for the code that sends it.
            pub fn expose(&self) -> &str {
                self.0.expose_secret()
            }
        }

        /// For the operator's settings, old and new; callers never compare with one.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.expose() == other.expose()
            }
        }

        impl Textual for $name {
            const EXPECTED: &'static str = $expected;
            const SECRET: bool = $hidden;
            const IN_FILE: bool = true;

            fn read($text: &str) -> Option<Self> {
                let read: Option<String> = $read;
                read.map(|text| Self(text.into()))
            }

            fn shown(&self) -> String {
                if $hidden {
                    MASK.to_owned()
                } else {
                    without_password(self.expose())
                }
            }
        }
    };
}

secret! {
    /// A secret: wiped from memory when dropped, and never shown.
    pub struct Secret: "a text that is not blank; leave the key out when there is none", hidden(true),
    // A blank secret is a deployment error. It must not silently turn off a check.
    read |text| (!text.trim().is_empty()).then(|| text.to_owned())
}

secret! {
    /// The key of signatures; never shown.
    pub struct WebhookSecret: "whsec_ and 24 to 64 bytes in Base64, as `openssl rand -base64 32` prints them", hidden(true),
    read |text| {
        let bytes = BASE64.decode(text.strip_prefix("whsec_")?.as_bytes()).ok()?;
        (24..=64).contains(&bytes.len()).then(|| text.to_owned())
    }
}

impl WebhookSecret {
    /// The bytes of the key.
    pub fn key(&self) -> Vec<u8> {
        let text = self.expose().trim_start_matches("whsec_");
        BASE64.decode(text.as_bytes()).unwrap_or_default()
    }
}

secret! {
    /// The URL of a mail server with its user; its password is never shown.
    pub struct SmtpUrl: "a URL that starts with smtp:// or smtps:// and names a host, such as smtps://user:password@mail.example.org", hidden(false),
    read |text| url(text, &[("smtp://", "smtp://"), ("smtps://", "smtps://")])
}

secret! {
    /// The URL of an SQLite file or a PostgreSQL database; its password is never shown.
    pub struct DatabaseUrl: "a URL that starts with sqlite:// or sqlite: and a path, or with postgres:// and a host", hidden(false),
    read |text| {
        let schemes = ["sqlite://", "sqlite:", "postgres://", "postgresql://"];
        url(text, &schemes.map(|scheme| (scheme, scheme)))
    }
}

secret! {
    /// The URL of a Redis or Valkey server; its password is never shown.
    pub struct RedisUrl: "a URL that starts with redis://, rediss://, valkey:// or valkeys:// and names a host, or with unix:// and a path", hidden(false),
    // Valkey speaks the same protocol; the client only knows the Redis scheme.
    read |text| url(text, &[
        ("redis://", "redis://"),
        ("valkey://", "redis://"),
        ("rediss://", "rediss://"),
        ("valkeys://", "rediss://"),
        ("unix://", "unix://"),
    ])
}

secret! {
    /// The URL of an HTTP proxy; its password is never shown.
    pub struct ProxyUrl: "a URL that starts with http:// or https:// and names a host", hidden(false),
    read |text| url(text, &[("http://", "http://"), ("https://", "https://")])
}

impl DatabaseUrl {
    /// The URL without its password.
    pub fn public(&self) -> String {
        self.shown()
    }
}

impl Default for DatabaseUrl {
    fn default() -> Self {
        Self("sqlite://toolkit.db".into())
    }
}

/// A URL that has one of these schemes and something after it, with the scheme by which its client
/// knows it.
fn url(text: &str, schemes: &[(&str, &str)]) -> Option<String> {
    let mut schemes = schemes.iter();
    let (rest, scheme) =
        schemes.find_map(|(scheme, client)| Some((text.strip_prefix(scheme)?, client)))?;
    (!rest.trim().is_empty()).then(|| format!("{scheme}{rest}"))
}

/// Masks the password of a URL, and passwords in its query.
pub(in crate::settings) fn without_password(url: &str) -> String {
    let Some((url, query)) = url.split_once('?') else {
        return mask_userinfo(url);
    };
    let is_secret = query.to_ascii_lowercase().contains("pass");
    let query = if is_secret { MASK } else { query };
    format!("{}?{query}", mask_userinfo(url))
}

fn mask_userinfo(url: &str) -> String {
    let masked = || {
        // The last `@`, so that a password with an unescaped one is hidden completely.
        let (userinfo, host) = url.rsplit_once('@')?;
        // A refused URL may lack its scheme.
        let start = userinfo.find("://").map_or(0, |scheme| scheme + 3);
        let (user, _) = userinfo.get(start..)?.split_once(':')?;
        Some(format!("{}{user}:{MASK}@{host}", userinfo.get(..start)?))
    };
    masked().unwrap_or_else(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_a_url_is_masked_in_every_position() {
        for (url, shown) in [
            ("postgres://u:p@h:5432/db", "postgres://u:***@h:5432/db"),
            ("postgres://u:p@ss/w@h/db", "postgres://u:***@h/db"),
            ("redis://:p@h/0", "redis://:***@h/0"),
            ("u:p@h", "u:***@h"),
            ("smtps:u:p@h", "smtps:***@h"),
            ("postgres://u@h/db", "postgres://u@h/db"),
            ("postgres://h/db?user=u&password=p", "postgres://h/db?***"),
            ("postgres://h/db?sslmode=require", "postgres://h/db?sslmode=require"),
            ("sqlite://toolkit.db", "sqlite://toolkit.db"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }

    #[test]
    fn valkey_and_tls_have_their_schemes() {
        for (given, url) in [
            ("redis://host/0", "redis://host/0"),
            ("valkey://host", "redis://host"),
            ("rediss://user:pw@host:6380/1", "rediss://user:pw@host:6380/1"),
            ("valkeys://host", "rediss://host"),
            ("unix:///run/redis.sock", "unix:///run/redis.sock"),
        ] {
            assert_eq!(RedisUrl::parse(given).unwrap().expose(), url);
        }
        for given in ["", "redis://", "http://host", "host:6379", "redis+unix:///run"] {
            assert!(RedisUrl::parse(given).is_none(), "{given}");
        }
    }
}
