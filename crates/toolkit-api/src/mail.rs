//! Delivery: sends the mails and events of the outbox.
//!
//! A worker leases them from the outbox, a few at a time, and reports the outcome of each. A mail
//! server that is slow, down or refusing shows in the metrics and the log, and never affects a
//! request.

mod draft;
mod log;
mod smtp;
mod templates;
mod worker;

use tokio::sync::Semaphore;
use toolkit_server::settings::{HttpUrl, MailTransport, Mailbox, Settings};
use toolkit_store::{ClaimedMail, Failure, Mail, Ulid};

use self::smtp::Smtp;
pub(crate) use self::smtp::{ConfigError, check};
pub(crate) use self::worker::Worker;
use crate::apps::Apps;
use crate::webhooks::Webhooks;

/// The sender if none is set: the log transport needs none.
const DEFAULT_SENDER: &str = "toolkit@localhost";

/// A mail that was not sent.
struct Unsent {
    failure: Failure,
    /// Why, in the words of the connection. The words of a mail server repeat addresses.
    cause: Option<String>,
}

impl From<Failure> for Unsent {
    fn from(failure: Failure) -> Self {
        Self { failure, cause: None }
    }
}

/// The mailbox of a setting; the log transport needs none.
fn or_nobody(mailbox: Option<&Mailbox>) -> Mailbox {
    mailbox.cloned().unwrap_or_else(|| Mailbox::of(DEFAULT_SENDER))
}

/// Sends a mail that tries the settings.
///
/// # Errors
///
/// Why it was not sent.
pub(crate) async fn send_test(settings: &Settings, address: &str) -> Result<(), String> {
    let mail = &settings.mail;
    if mail.transport == MailTransport::Log {
        return Err("`mail.transport` is `log`, so there is no mail server".to_owned());
    }
    let smtp = Smtp::new(mail).map_err(|error| error.to_string())?;
    let from = or_nobody(mail.from.as_ref());
    let draft = templates::test(address, settings.public.name.as_str());
    smtp.send(Ulid::from_parts(0, rand::random()), &from, &draft).await.map_err(said)
}

/// Connects to the mail server and logs in.
///
/// # Errors
///
/// Why that fails.
pub(crate) async fn connect(settings: &Settings) -> Result<(), String> {
    let smtp = Smtp::new(&settings.mail).map_err(|error| error.to_string())?;
    smtp.connect().await.map_err(said)
}

fn said(unsent: Unsent) -> String {
    let (Failure::Transient(class) | Failure::Permanent(class)) = unsent.failure;
    match unsent.cause {
        Some(cause) => format!("{class}: {cause}"),
        None => class,
    }
}

/// Composes mails and sends them.
pub(crate) struct Mailer {
    from: Mailbox,
    operator: Mailbox,
    /// The name of the service.
    service: String,
    apps: Apps,
    base_url: HttpUrl,
    transport: Transport,
    /// Mails sent concurrently.
    parallel: u32,
    /// As many, for all lanes together and in turn.
    turns: Semaphore,
    webhooks: Webhooks,
}

enum Transport {
    Log,
    Smtp(Smtp),
}

impl Mailer {
    /// Creates the mailer. Links begin with `base_url`, whatever the `Host` of a request.
    ///
    /// # Errors
    ///
    /// When the mail server's URL is unusable.
    pub(crate) fn new(
        settings: &Settings,
        base_url: &HttpUrl,
        webhooks: Webhooks,
    ) -> Result<Self, ConfigError> {
        let mail = &settings.mail;
        let transport = match mail.transport {
            MailTransport::Log => Transport::Log,
            MailTransport::Smtp => Transport::Smtp(Smtp::new(mail)?),
        };
        Ok(Self {
            from: or_nobody(mail.from.as_ref()),
            operator: or_nobody(mail.operator.as_ref()),
            service: settings.public.name.as_str().to_owned(),
            apps: Apps::new(settings),
            base_url: base_url.clone(),
            transport,
            parallel: mail.parallel,
            turns: Semaphore::new(usize::try_from(mail.parallel).unwrap_or(1)),
            webhooks,
        })
    }

    /// Sends a mail.
    ///
    /// # Errors
    ///
    /// Why it was not sent, and whether a retry may help.
    async fn send(&self, claimed: &ClaimedMail) -> Result<(), Unsent> {
        let (app_id, draft) = match &claimed.mail {
            Mail::Webhook(notice) => {
                let told = self.webhooks.send(claimed.id, claimed.queued_at, notice);
                return Ok(told.await?);
            }
            Mail::Contact(contact) => {
                let app_id = contact.app_id.as_deref().unwrap_or_default();
                let operator = self.apps.operator(app_id).unwrap_or(&self.operator);
                let form = self.apps.name(app_id).unwrap_or(&self.service);
                (app_id, templates::contact(contact, operator, form))
            }
            Mail::Confirmation(mail) => {
                let draft =
                    templates::confirmation(mail, &self.apps, &self.base_url, &self.service);
                (&*mail.app_id, draft)
            }
        };
        let _turn = self.turns.acquire().await;
        let from = self.apps.sender(app_id).unwrap_or(&self.from);
        match &self.transport {
            Transport::Log => {
                log::write(claimed.id, from, &draft);
                Ok(())
            }
            Transport::Smtp(smtp) => smtp.send(claimed.id, from, &draft).await,
        }
    }
}
