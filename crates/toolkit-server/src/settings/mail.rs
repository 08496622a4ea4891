//! Section `mail`: transport, sender and recipient of outgoing mail.

use std::path::PathBuf;

use super::schema::{choice, section};
use super::value::{Mailbox, SmtpUrl};

section! {
    /// Mail to the operator and to subscribers.
    pub struct Mail {
        /// Mail transport: `smtp` sends mail, `log` writes it to the log, for trying things out.
        pub transport: MailTransport = MailTransport::Log;
        /// Mail server, with user and password. Required for `smtp`.
        pub smtp_url: Option<SmtpUrl> = None, example("smtps://user:password@mail.example.org");
        /// PEM file of certificate authorities, instead of the public ones, for a mail server with
        /// a certificate from a private authority.
        pub smtp_ca_file: Option<PathBuf> = None, example("/etc/toolkit/mail-ca.pem");
        /// Mails sent at the same time.
        pub parallel: u32 = 4, range(1, 50);
        /// Sender of every mail. Required for `smtp`.
        pub from: Option<Mailbox> = None, example("Toolkit <toolkit@example.org>");
        /// Recipient of contact messages. Required for `smtp`.
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
