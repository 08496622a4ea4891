//! The mails of the outbox: what they say, and how they go out.
//!
//! A worker takes them from the outbox, a few at a time, and reports what became of each. A mail server
//! that is slow, down or refusing is seen in the metrics and the log, and never by a request.

mod draft;
mod log;
mod smtp;
mod templates;
mod worker;

use toolkit_http::settings::{HttpUrl, MailTransport, Settings};
use toolkit_store::{ClaimedMail, Failure, Mail};

use self::draft::Draft;
use self::smtp::Smtp;
pub(crate) use self::smtp::{ConfigError, check};
pub(crate) use self::worker::Worker;

/// The sender where none is set: the log transport needs none.
const NOBODY: &str = "toolkit@localhost";

/// Puts mails into words and sends them.
pub(crate) struct Mailer {
    from: String,
    operator: String,
    base_url: HttpUrl,
    transport: Transport,
}

enum Transport {
    Log,
    Smtp(Smtp),
}

impl Mailer {
    /// Sets it up. Links begin with `base_url`, whatever a request says its host is.
    ///
    /// # Errors
    ///
    /// When the mail server's URL cannot be used.
    pub(crate) fn new(settings: &Settings, base_url: &HttpUrl) -> Result<Self, ConfigError> {
        let mail = &settings.mail;
        let or_nobody = |address: Option<&toolkit_http::settings::EmailAddress>| {
            address
                .map_or(NOBODY, |address| address.as_str())
                .to_owned()
        };
        let transport = match mail.transport {
            MailTransport::Log => Transport::Log,
            MailTransport::Smtp => Transport::Smtp(Smtp::new(mail)?),
        };
        Ok(Self {
            from: or_nobody(mail.from.as_ref()),
            operator: or_nobody(mail.operator.as_ref()),
            base_url: base_url.clone(),
            transport,
        })
    }

    /// Sends a mail.
    ///
    /// # Errors
    ///
    /// Why it was not sent, and whether trying again may help.
    async fn send(&self, claimed: &ClaimedMail) -> Result<(), Failure> {
        let draft = match &claimed.mail {
            Mail::Contact(contact) => templates::contact(contact, &self.operator),
            Mail::Confirmation(mail) => templates::confirmation(mail, &self.base_url),
        };
        match &self.transport {
            Transport::Log => {
                log::write(claimed.id, &self.from, &draft);
                Ok(())
            }
            Transport::Smtp(smtp) => smtp.send(claimed.id, &self.from, &draft).await,
        }
    }
}
