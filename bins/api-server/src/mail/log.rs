//! Mail transport `log`: writes mails to the log, for trying the service out.
//!
//! This is the one place where an address, a message and a link are logged: an operator who sets
//! this transport asks for it.

use toolkit_store::Ulid;

use super::draft::{Draft, Mailbox};

/// Writes a mail into the log.
pub(super) fn write(id: Ulid, from: &Mailbox, draft: &Draft) {
    tracing::info!(
        mail.id = %id,
        mail.from = %from,
        mail.to = %draft.to,
        mail.reply_to = draft.reply_to,
        mail.subject = draft.subject,
        mail.text = draft.text,
        "a mail, as `mail.transport` is `log`"
    );
}
