//! Mail transport `log`: writes mails to the log, for trying the service out.
//!
//! This is the only code that logs an address, a message or a link. An operator who chooses this
//! transport asks for it.

use toolkit_server::settings::Mailbox;
use toolkit_store::Ulid;

use super::draft::Draft;

/// Writes a mail to the log.
pub(super) fn write(id: Ulid, from: &Mailbox, draft: &Draft) {
    tracing::info!(
        mail.id = %id,
        mail.from = %from,
        mail.to = %draft.to,
        mail.reply_to = draft.reply_to,
        mail.subject = draft.subject,
        mail.text = draft.text,
        "mail, not sent because `mail.transport` is `log`"
    );
}
