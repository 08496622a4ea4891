//! Section `mail`: transport, sender and recipient of outgoing mail.

use std::path::PathBuf;

use super::schema::{choice, section};
use super::value::{Mailbox, SmtpUrl};

section! {
    /// Mail to the operator and to subscribers.
    pub struct Mail {
        /// Where mail goes.
        pub transport: MailTransport = MailTransport::Log;
        /// The mail server, with user and password; for `smtp`.
        pub smtp_url: Option<SmtpUrl> = None, example("smtps://user:password@mail.example.org");
        /// A PEM file with the certificate authorities of the mail server, which then count instead
        /// of the public ones; for a mail server with a certificate of one's own.
        pub smtp_ca_file: Option<PathBuf> = None, example("/etc/toolkit/mail-ca.pem");
        /// The sender of every mail; for `smtp`.
        pub from: Option<Mailbox> = None, example("Toolkit <toolkit@example.org>");
        /// Who gets the contact messages; for `smtp`.
        pub operator: Option<Mailbox> = None, example("operator@example.org");
    }
}

choice! {
    /// Where mail goes.
    pub enum MailTransport {
        /// Into the log, for trying it out.
        Log = "log",
        /// To a mail server.
        Smtp = "smtp",
    }
}

impl Mail {
    /// Names the keys that the transport needs and that are not set.
    pub(super) fn missing(&self) -> Vec<&'static str> {
        if self.transport == MailTransport::Log {
            return Vec::new();
        }
        let keys = [
            ("mail.smtp_url", self.smtp_url.is_none()),
            ("mail.from", self.from.is_none()),
            ("mail.operator", self.operator.is_none()),
        ];
        keys.into_iter()
            .filter_map(|(key, missing)| missing.then_some(key))
            .collect()
    }
}
