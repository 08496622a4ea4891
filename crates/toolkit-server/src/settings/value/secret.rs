//! Secret text: never shown, logged or printed.

use secrecy::{ExposeSecret, SecretString};

use super::{MASK, Textual};

/// A secret: wiped from memory when dropped, and never shown.
#[derive(Clone, Debug)]
pub struct Secret(SecretString);

impl Secret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(SecretString::from(text.into()))
    }

    /// The text itself, for the code that sends it.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl Textual for Secret {
    const EXPECTED: &'static str = "a text that is not blank; leave the key out when there is none";
    const SECRET: bool = true;

    fn read(text: &str) -> Option<Self> {
        // A blank secret is a deployment error. It must not silently turn off a check.
        (!text.trim().is_empty()).then(|| Self::new(text))
    }

    fn shown(&self) -> String {
        MASK.to_owned()
    }
}
