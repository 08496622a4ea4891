//! Secrets, and URLs with passwords: never shown, logged or printed.

use data_encoding::{BASE64, HEXLOWER};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest as _, Sha256};

use super::{ModelUrl, Textual};

/// Replaces a secret wherever settings are shown.
pub(super) const MASK: &str = "***";

/// Bytes of the digest in a webhook's name.
const NAME_DIGEST_BYTES: usize = 4;

/// Declares a secret text: which texts are accepted, whether they are secret as a whole, and what is
/// shown of them.
macro_rules! secret {
    (
        $(#[$attribute:meta])+
        pub struct $name:ident: $expected:expr, secret($secret:literal), shown($shown:expr),
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

        /// Compares the operator's old and new settings only. Callers never compare against a
        /// secret.
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.expose() == other.expose()
            }
        }

        impl Textual for $name {
            const EXPECTED: &'static str = $expected;
            const SECRET: bool = $secret;
            const IN_FILE: bool = true;

            fn read($text: &str) -> Option<Self> {
                let read: Option<String> = $read;
                read.map(|text| Self(text.into()))
            }

            fn shown(&self) -> String {
                $shown(self.expose())
            }
        }
    };
}

secret! {
    /// A secret: wiped from memory when dropped, and never shown.
    pub struct Secret: "a text that is not blank; leave the key out when there is none", secret(true), shown(masked),
    // A blank secret is a deployment error. It must not silently turn off a check.
    read |text| (!text.trim().is_empty()).then(|| text.to_owned())
}

secret! {
    /// A signing key, never shown.
    pub struct WebhookSecret: "whsec_ and 24 to 64 bytes in Base64, as `openssl rand -base64 32` prints them", secret(true), shown(masked),
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
    /// The URL of a mail server, with user. Its password is never shown.
    pub struct SmtpUrl: "a URL that starts with smtp:// or smtps:// and names a host, such as smtps://user:password@mail.example.org; in a password write / ? # % @ as %2F %3F %23 %25 %40", secret(false), shown(without_password),
    read |text| url(text, &[("smtp://", "smtp://"), ("smtps://", "smtps://")])
}

secret! {
    /// The URL of an SQLite file or a PostgreSQL database. Its password is never shown.
    pub struct DatabaseUrl: "a URL that starts with sqlite:// or sqlite: and a path, or with postgres:// and a host; in a password write / ? # % @ as %2F %3F %23 %25 %40", secret(false), shown(without_password),
    read |text| {
        let schemes = ["sqlite://", "sqlite:", "postgres://", "postgresql://"];
        url(text, &schemes.map(|scheme| (scheme, scheme)))
    }
}

secret! {
    /// The URL of a Redis or Valkey server. Its password is never shown.
    pub struct RedisUrl: "a URL that starts with redis://, rediss://, valkey:// or valkeys:// and names a host, or with unix:// and a path; in a password write / ? # % @ as %2F %3F %23 %25 %40", secret(false), shown(without_password),
    // Valkey speaks the same protocol, but the client only knows Redis schemes.
    read |text| url(text, &[
        ("redis://", "redis://"),
        ("valkey://", "redis://"),
        ("rediss://", "rediss://"),
        ("valkeys://", "rediss://"),
        ("unix://", "unix://"),
    ])
}

secret! {
    /// The URL of an HTTP proxy. Its password is never shown.
    pub struct ProxyUrl: "a URL that starts with http:// or https:// and names a host", secret(false), shown(without_password),
    read |text| url(text, &[("http://", "http://"), ("https://", "https://")])
}

secret! {
    /// The URL of a webhook receiver. Anyone who has it can post there, so only its
    /// [name](Self::name) is shown.
    pub struct WebhookUrl: ModelUrl::EXPECTED, secret(true), shown(named),
    read |text| {
        let text = text.trim();
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        ModelUrl::parse(text).filter(|_| is_plain).map(|_| text.to_owned())
    }
}

impl WebhookUrl {
    /// Scheme, host and a short digest of the whole URL, to tell receivers apart in commands, logs
    /// and the database.
    pub fn name(&self) -> String {
        self.shown()
    }
}

impl Default for WebhookUrl {
    fn default() -> Self {
        Self("https://example.org/hook".into())
    }
}

impl DatabaseUrl {
    /// The URL without its password.
    pub fn public(&self) -> String {
        self.shown()
    }

    /// The absolute path of an SQLite file, or the URL without its password.
    pub fn location(&self) -> String {
        let url = self.public();
        let Some(rest) = url.strip_prefix("sqlite:") else {
            return url;
        };
        let path = rest.trim_start_matches("//").split('?').next().unwrap_or_default();
        let is_file = !path.is_empty() && !path.starts_with(':');
        let absolute = is_file.then(|| std::path::absolute(path).ok()).flatten();
        absolute.map_or(url, |path| path.display().to_string())
    }
}

impl Default for DatabaseUrl {
    fn default() -> Self {
        Self("sqlite://toolkit.db".into())
    }
}

fn masked(_: &str) -> String {
    MASK.to_owned()
}

fn named(url: &str) -> String {
    let origin = url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    let digest = Sha256::digest(url);
    let digest = HEXLOWER.encode(digest.get(..NAME_DIGEST_BYTES).unwrap_or_default());
    format!("{}#{digest}", origin.split('?').next().unwrap_or_default())
}

/// Returns a URL that starts with one of these schemes, rewritten to the scheme that its client
/// knows. Refuses one whose password has an unescaped `/`, `?` or `#`, since it would lead to
/// another host.
fn url(text: &str, schemes: &[(&str, &str)]) -> Option<String> {
    let mut schemes = schemes.iter();
    let (rest, scheme) =
        schemes.find_map(|(scheme, client)| Some((text.strip_prefix(scheme)?, client)))?;
    let (authority, after) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let is_cut = authority.contains(':')
        && !authority.contains('@')
        && after.split('=').next().is_some_and(|start| start.contains('@'));
    (!rest.trim().is_empty() && !is_cut).then(|| format!("{scheme}{rest}"))
}

/// Masks the password of a URL, and passwords in its query.
pub(in crate::settings) fn without_password(url: &str) -> String {
    // The password first, since it may contain an unescaped `?`.
    let url = mask_userinfo(url);
    match url.split_once('?') {
        Some((start, query)) if query.to_ascii_lowercase().contains("pass") => {
            format!("{start}?{MASK}")
        }
        _ => url,
    }
}

fn mask_userinfo(url: &str) -> String {
    let masked = || {
        // The last `@`, so that a password with unescaped characters is hidden completely, at worst
        // with the host before a query.
        let at = url.rfind('@').filter(|_| !url.starts_with("sqlite:"))?;
        let (userinfo, host) = (url.get(..at)?, url.get(at + 1..)?);
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
        let reserved = ":/?#[]@!$&'()*+,;=%\"<>\\^`{|} ";
        for (first, second) in reserved.chars().flat_map(|a| reserved.chars().map(move |b| (a, b)))
        {
            for query in ["", "?sslmode=require", "?application_name=a@b"] {
                let url = format!("postgres://u:can{first}ary{second}x@h:5432/db{query}");
                let shown = without_password(&url);
                assert!(!shown.contains("ary") && !shown.contains("can"), "{url}: {shown}");
                assert!(!shown.contains('x') || query.contains("sslmode"), "{url}: {shown}");
            }
        }
    }

    #[test]
    fn an_unescaped_password_that_would_change_the_host_is_refused() {
        for character in ['/', '?', '#'] {
            let url = format!("redis://:p{character}w@h/0");
            assert!(RedisUrl::parse(&url).is_none(), "{url}");
            assert!(DatabaseUrl::parse(&format!("postgres://u:p{character}w@h/d?a=b")).is_none());
        }
        for url in ["postgres://h:5432/d?user=a@b", "postgres://u:p@w@h/d", "sqlite:///a:b/c@d.db"]
        {
            assert!(DatabaseUrl::parse(url).is_some(), "{url}");
        }
    }

    #[test]
    fn a_database_is_located_by_its_absolute_path() {
        let located = DatabaseUrl::default().location();
        assert!(std::path::Path::new(&located).is_absolute(), "{located}");
        let postgres = DatabaseUrl::parse("postgres://u:p@h/d").unwrap();
        assert_eq!(postgres.location(), "postgres://u:***@h/d");
    }

    #[test]
    fn a_webhook_is_shown_as_its_host_and_a_digest_of_its_url() {
        let path = "/workflows/0a/triggers/manual/paths/invoke";
        let query = "?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=iX_y-z";
        for origin in [
            "https://prod-15.uksouth.logic.azure.com:443",
            "https://default.4.environment.api.powerplatform.com:443",
            "https://hooks.slack.com",
        ] {
            let whole = format!("{origin}{path}{query}");
            let shown = WebhookUrl::read(&whole).unwrap().shown();
            let digest = shown.strip_prefix(&format!("{origin}#")).unwrap();
            assert_eq!(digest.len(), 8, "{shown}");
            let other = WebhookUrl::read(&format!("{whole}0")).unwrap();
            assert_ne!(other.name(), shown);
        }
        let bare = WebhookUrl::read("https://example.org?token=canary").unwrap();
        assert!(bare.name().starts_with("https://example.org#"), "{}", bare.name());
        for text in [
            "",
            "example.org",
            "https://user:canary@example.org/",
            "https://h/#f",
            "https://h/?a b",
        ] {
            assert_eq!(WebhookUrl::read(text), None, "{text}");
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
