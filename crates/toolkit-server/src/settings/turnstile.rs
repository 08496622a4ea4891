//! Section `turnstile`: bot check of the contact form.

use super::schema::section;
use super::value::{HostName, HttpUrl, Secret};

section! {
    /// The Cloudflare Turnstile check of contact messages.
    pub struct Turnstile {
        /// Secret key of the Turnstile widget. If unset, contact messages need no token.
        pub secret: Option<Secret> = None, example("1x0000000000000000000000000000000AA");
        /// Host name of the page on which the challenge must have been solved, for a widget shared
        /// with other sites. Tokens from any other host are refused.
        pub hostname: Option<HostName> = None, example("www.example.org");
        /// URL that verifies tokens.
        pub verify_url: HttpUrl =
            HttpUrl::known("https://challenges.cloudflare.com/turnstile/v0/siteverify");
    }
}
