//! Section `turnstile`: bot check of the contact form.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::{HttpUrl, Secret};

/// The Cloudflare Turnstile check of contact messages.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Turnstile {
    /// The secret key of the Turnstile widget. Without one, contact messages need no token.
    #[schemars(example = "1x0000000000000000000000000000000AA")]
    pub secret: Option<Secret>,
    /// The URL that verifies a token.
    pub verify_url: HttpUrl,
}

impl Default for Turnstile {
    fn default() -> Self {
        let verify_url = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
        Self {
            secret: None,
            verify_url: HttpUrl::known(verify_url),
        }
    }
}
