//! SMTP URL: the server for outgoing mail.

use secrecy::{ExposeSecret, SecretString};

use super::{MASK, Textual};

/// The URL of a mail server with its user and password; never shown.
#[derive(Clone, Debug)]
pub struct SmtpUrl(SecretString);

impl SmtpUrl {
    /// The URL, for the mail client.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl Textual for SmtpUrl {
    const EXPECTED: &'static str = "a URL that starts with smtp:// or smtps:// and names a host, such as smtps://user:password@mail.example.org";
    const SECRET: bool = true;

    fn read(text: &str) -> Option<Self> {
        let rest = ["smtp://", "smtps://"]
            .iter()
            .find_map(|scheme| text.strip_prefix(scheme))?;
        (!rest.trim().is_empty()).then(|| Self(text.into()))
    }

    fn shown(&self) -> String {
        MASK.to_owned()
    }
}
