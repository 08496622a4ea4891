//! Section `captcha`: the check that a person sends a form.

use super::schema::{choice, section};
use super::value::Secret;

section! {
    /// The check that a person sends a form. Keys of web sites always ask for it; keys of servers
    /// ask for Turnstile on contact messages.
    pub struct Captcha {
        /// Kind of check: `altcha` is a proof of work without a third party; `turnstile` is
        /// Cloudflare's, with its further settings in `[turnstile]`.
        pub kind: Option<CaptchaKind> = None, example("altcha");
        /// Secret key of the Turnstile widget, in place of `turnstile.secret`; for ALTCHA, the key that
        /// signs challenges, in place of one that is made and kept in the database.
        pub secret: Option<Secret> = None, example("0123456789abcdef0123456789abcdef");
    }
}

choice! {
    /// The kind of check.
    pub enum CaptchaKind {
        /// ALTCHA.
        Altcha = "altcha",
        /// Cloudflare Turnstile.
        Turnstile = "turnstile",
    }
}
