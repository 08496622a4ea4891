//! List `apps`: web sites with newsletters and forms.

use super::schema::{choice, section};
use super::value::{ConfirmText, HttpUrl, Line, Mailbox, ServiceName, Slug};

section! {
    /// A web site whose newsletter and forms the service handles.
    pub struct App {
        /// ID of the app in requests: `app_id`.
        pub id: Slug = Slug::default(), required(true), example("docs");
        /// Name of the app in mails and on pages. Defaults to its `id`.
        pub name: Option<ServiceName> = None, example("Example Docs");
        /// Language of its mails and pages.
        pub language: Language = Language::En;
        /// Sender of its mails, instead of `mail.from`.
        pub from: Option<Mailbox> = None, example("Example Docs <docs@example.org>");
        /// Recipient of its contact messages, instead of `mail.operator`.
        pub operator: Option<Mailbox> = None, example("docs-team@example.org");
        /// Subject of confirmation mails, instead of the built-in one.
        pub confirm_subject: Option<Line> = None, example("Example Docs: please confirm");
        /// Plain text of confirmation mails, instead of the built-in one. Must contain `{{link}}`,
        /// and may contain `{{app}}` and `{{address}}`. The unsubscribe link is appended.
        pub confirm_text: Option<ConfirmText> = None,
            example("Please confirm that {{address}} wants {{app}}: {{link}}");
        /// Page to redirect to after the subscribe form is sent.
        pub after_subscribe_url: Option<HttpUrl> = None, example("https://example.org/check-your-mail");
        /// Page to redirect to after the contact form is sent.
        pub after_contact_url: Option<HttpUrl> = None, example("https://example.org/thank-you");
        /// Page to redirect to after a subscription is confirmed.
        pub after_confirm_url: Option<HttpUrl> = None, example("https://example.org/welcome");
        /// Page to redirect to after someone unsubscribes.
        pub after_unsubscribe_url: Option<HttpUrl> = None, example("https://example.org/goodbye");
        /// Days to keep unconfirmed subscriptions.
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
