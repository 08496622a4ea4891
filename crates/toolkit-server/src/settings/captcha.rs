//! Section `captcha`: the check that a person is sending a form.

use super::schema::{choice, section};
use super::value::Secret;

section! {
    /// The check that a person is sending a form. Site keys always require it. Server keys require
    /// Turnstile on contact messages.
    pub struct Captcha {
        /// Kind of check: `altcha` is a proof of work without a third party. `turnstile` is
        /// Cloudflare's, with more settings in `[turnstile]`.
        pub kind: Option<CaptchaKind> = None, example("altcha");
        /// For Turnstile, the widget's secret key, instead of `turnstile.secret`. For ALTCHA, the
        /// key that signs challenges. If unset, one is generated and stored in the database.
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
