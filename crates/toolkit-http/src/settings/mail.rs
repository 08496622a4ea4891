//! Section `mail`: transport, sender and recipient of outgoing mail.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::{Mailbox, SmtpUrl};

/// Mail to the operator and to subscribers.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Mail {
    /// Where mail goes.
    pub transport: MailTransport,
    /// The mail server, with user and password; for `smtp`.
    #[schemars(example = "smtps://user:password@mail.example.org")]
    pub smtp_url: Option<SmtpUrl>,
    /// A PEM file with the certificate authorities of the mail server, which then count instead of the
    /// public ones; for a mail server with a certificate of one's own.
    #[schemars(example = "/etc/toolkit/mail-ca.pem")]
    pub smtp_ca_file: Option<PathBuf>,
    /// The sender of every mail; for `smtp`.
    #[schemars(example = "Toolkit <toolkit@example.org>")]
    pub from: Option<Mailbox>,
    /// Who gets the contact messages; for `smtp`.
    #[schemars(example = "operator@example.org")]
    pub operator: Option<Mailbox>,
}

/// Where mail goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MailTransport {
    /// Into the log, for trying it out.
    #[default]
    Log,
    /// To a mail server.
    Smtp,
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
