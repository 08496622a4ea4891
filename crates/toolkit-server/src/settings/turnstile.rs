//! Section `turnstile`: bot check of the contact form.

use super::schema::section;
use super::value::{HostName, HttpUrl, Secret};

section! {
    /// The Cloudflare Turnstile check of contact messages.
    pub struct Turnstile {
        /// Secret key of the Turnstile widget. Without one, contact messages need no token.
        pub secret: Option<Secret> = None, example("1x0000000000000000000000000000000AA");
        /// Host of the page on which a challenge must have been solved, for a widget that other sites
        /// may use too. A token of any other is refused.
        pub hostname: Option<HostName> = None, example("www.example.org");
        /// URL that verifies a token.
        pub verify_url: HttpUrl =
            HttpUrl::known("https://challenges.cloudflare.com/turnstile/v0/siteverify");
    }
}
