//! Mail draft: sender, recipient, subject and text, before it is encoded.

use std::fmt;

use toolkit_server::settings;

/// Sender or recipient of a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mailbox {
    /// The display name.
    pub(super) name: Option<String>,
    pub(super) address: String,
}

impl Mailbox {
    pub(super) fn new(address: &str) -> Self {
        Self {
            name: None,
            address: address.to_owned(),
        }
    }
}

impl From<&settings::Mailbox> for Mailbox {
    fn from(mailbox: &settings::Mailbox) -> Self {
        Self {
            name: mailbox.name().map(str::to_owned),
            address: mailbox.address().to_owned(),
        }
    }
}

impl fmt::Display for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name} <{}>", self.address),
            None => f.write_str(&self.address),
        }
    }
}

/// Content and addresses of a mail.
pub(super) struct Draft {
    /// Recipient.
    pub(super) to: Mailbox,
    /// Address for replies, if not the sender.
    pub(super) reply_to: Option<String>,
    /// One line without control characters.
    pub(super) subject: String,
    /// The text, with `\n` between lines.
    pub(super) text: String,
    /// The same as HTML, with all caller text escaped.
    pub(super) html: String,
    /// One-click unsubscribe URL, in a mail to a subscriber.
    pub(super) unsubscribe_url: Option<String>,
}
