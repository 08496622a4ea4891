//! Mail draft: recipient, subject and text, not yet encoded.

use toolkit_server::settings::Mailbox;

/// Content and addresses of a mail.
pub(super) struct Draft {
    /// Recipient.
    pub(super) to: Mailbox,
    /// Address for replies, if different from the sender.
    pub(super) reply_to: Option<String>,
    /// One line without control characters.
    pub(super) subject: String,
    /// The text, with `\n` between lines.
    pub(super) text: String,
    /// The same as HTML, with all user text escaped.
    pub(super) html: String,
    /// One-click unsubscribe URL, in a mail to a subscriber.
    pub(super) unsubscribe_url: Option<String>,
}
