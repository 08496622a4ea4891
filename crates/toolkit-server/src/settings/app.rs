//! List `apps`: the newsletters and forms of web sites.

use super::schema::{choice, section};
use super::value::{ConfirmText, HttpUrl, Line, Mailbox, ServiceName, Slug};

section! {
    /// A web site whose newsletter and forms the service has.
    pub struct App {
        /// Name of the app in requests: `app_id`.
        pub id: Slug = Slug::default(), required(true), example("docs");
        /// Name of the app in mails and on pages; without one its `id`.
        pub name: Option<ServiceName> = None, example("Example Docs");
        /// Language of its mails and pages.
        pub language: Language = Language::En;
        /// Sender of its mails, in place of `mail.from`.
        pub from: Option<Mailbox> = None, example("Example Docs <docs@example.org>");
        /// Recipient of its contact messages, in place of `mail.operator`.
        pub operator: Option<Mailbox> = None, example("docs-team@example.org");
        /// Subject of confirmation mails, in place of the one of the language.
        pub confirm_subject: Option<Line> = None, example("Example Docs: please confirm");
        /// Text of confirmation mails, in place of the one of the language: plain, with `{{link}}`,
        /// and where wanted `{{app}}` and `{{address}}`. The link to unsubscribe follows it.
        pub confirm_text: Option<ConfirmText> = None,
            example("Please confirm that {{address}} wants {{app}}: {{link}}");
        /// Page to go to after its subscribe form was sent.
        pub after_subscribe_url: Option<HttpUrl> = None, example("https://example.org/check-your-mail");
        /// Page to go to after its contact form was sent.
        pub after_contact_url: Option<HttpUrl> = None, example("https://example.org/thank-you");
        /// Page to go to after a subscription was confirmed.
        pub after_confirm_url: Option<HttpUrl> = None, example("https://example.org/welcome");
        /// Page to go to after a subscription was ended.
        pub after_unsubscribe_url: Option<HttpUrl> = None, example("https://example.org/goodbye");
        /// Retention of unconfirmed subscriptions, in days.
        pub unconfirmed_days: u32 = 7, range(1, 365);
    }
}

choice! {
    /// Language of mails and pages.
    pub enum Language {
        /// English.
        En = "en",
        /// German.
        De = "de",
        /// French.
        Fr = "fr",
    }
}
