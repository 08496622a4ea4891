//! A mail in words, before it is a message of any format.

/// What a mail says and to whom.
pub(super) struct Draft {
    /// Whom it goes to.
    pub(super) to: String,
    /// Whom an answer goes to, if not the sender.
    pub(super) reply_to: Option<String>,
    /// Words of ours: nothing that a caller wrote stands in a header.
    pub(super) subject: &'static str,
    /// The text, with `\n` between lines.
    pub(super) text: String,
    /// The same as HTML, with everything that a caller wrote escaped.
    pub(super) html: String,
    /// Where one click unsubscribes, in a mail to a subscriber.
    pub(super) unsubscribe_url: Option<String>,
}
