//! Delivery: sends the mails and events of the outbox.
//!
//! A worker leases a few at a time and reports the outcome of each. A mail server that is slow,
//! down or refusing shows in metrics and log, but affects no request.

mod draft;
mod log;
mod smtp;
mod templates;
mod worker;

use tokio::sync::{Semaphore, watch};
use toolkit_server::settings::{HttpUrl, MailTransport, Mailbox, Settings};
use toolkit_store::{ClaimedMail, Failure, Mail, Ulid};

use self::smtp::Smtp;
pub(crate) use self::smtp::{ConfigError, check};
pub(crate) use self::worker::Worker;
use crate::office::apps::Apps;
use crate::office::webhooks::Webhooks;

/// The sender if none is set, which only the log transport allows.
const DEFAULT_SENDER: &str = "toolkit@localhost";

/// A mail that was not sent.
#[derive(Debug)]
pub(crate) struct Unsent {
    pub(crate) failure: Failure,
    /// The connection's error text. A mail server's own text is left out, since it repeats
    /// addresses.
    pub(crate) cause: Option<String>,
}

impl From<Failure> for Unsent {
    fn from(failure: Failure) -> Self {
        Self { failure, cause: None }
    }
}

/// The mailbox of a setting, which the log transport does without.
fn or_nobody(mailbox: Option<&Mailbox>) -> Mailbox {
    mailbox.cloned().unwrap_or_else(|| Mailbox::of(DEFAULT_SENDER))
}

/// Sends a test mail.
///
/// # Errors
///
/// The reason it was not sent.
pub(crate) async fn send_test(settings: &Settings, address: &str) -> Result<(), String> {
    let mail = &settings.mail;
    if mail.transport == MailTransport::Log {
        return Err("`mail.transport` is `log`, so there is no mail server".to_owned());
    }
    let smtp = Smtp::new(mail).map_err(|error| error.to_string())?;
    let from = or_nobody(mail.from.as_ref());
    let draft = templates::test(address, settings.public.name.as_str());
    let id = Ulid::from_parts(0, rand::random());
    let sent = async {
        let message = smtp::message(id, &from, &draft)?;
        smtp.send(smtp.connection().await?, &message).await
    };
    sent.await.map_err(reason)
}

/// Connects to the mail server and logs in.
///
/// # Errors
///
/// The reason for the failure.
pub(crate) async fn connect(settings: &Settings) -> Result<(), String> {
    let smtp = Smtp::new(&settings.mail).map_err(|error| error.to_string())?;
    smtp.connection().await.map(drop).map_err(reason)
}

/// A failure in words.
pub(crate) fn reason(unsent: Unsent) -> String {
    let (Failure::Transient(class) | Failure::Permanent(class)) = unsent.failure;
    match unsent.cause {
        Some(cause) => format!("{class}: {cause}"),
        None => class,
    }
}

/// Composes and sends mails.
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
    /// Limits all queues together, in turn.
    turns: Semaphore,
    webhooks: Webhooks,
    /// Whether newer settings apply.
    retired: watch::Sender<bool>,
}

enum Transport {
    Log,
    Smtp(Smtp),
}

impl Mailer {
    /// Creates the mailer. Links begin with `base_url`, regardless of a request's `Host`.
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
            retired: watch::Sender::new(false),
        })
    }

    /// Stops waiting for the mail server, because newer settings apply.
    pub(crate) fn retire(&self) {
        self.retired.send_replace(true);
    }

    /// The result of `work`, unless newer settings come first.
    async fn unless_retired<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut retired = self.retired.subscribe();
        tokio::select! {
            done = work => Some(done),
            _ = retired.wait_for(|&is_retired| is_retired) => None,
        }
    }

    /// Whether this mail is only written to the log.
    fn only_logs(&self, mail: &Mail) -> bool {
        matches!(self.transport, Transport::Log) && !matches!(mail, Mail::Webhook(_))
    }

    /// Sends a mail. Returns the reason for a failure and whether a retry may help. `None` when
    /// newer settings came before anything was sent.
    async fn send(&self, claimed: &ClaimedMail) -> Option<Result<(), Unsent>> {
        let (app_id, draft) = match &claimed.mail {
            Mail::Webhook(notice) => {
                let told = self.webhooks.send(claimed.id, claimed.queued_at, notice);
                return Some(told.await);
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
        let from = self.apps.sender(app_id).unwrap_or(&self.from);
        let Transport::Smtp(smtp) = &self.transport else {
            log::write(claimed.id, from, &draft);
            return Some(Ok(()));
        };
        let message = match smtp::message(claimed.id, from, &draft) {
            Ok(message) => message,
            Err(failure) => return Some(Err(failure.into())),
        };
        let _turn = self.unless_retired(self.turns.acquire()).await?;
        match self.unless_retired(smtp.connection()).await? {
            Ok(connection) => Some(smtp.send(connection, &message).await),
            Err(unsent) => Some(Err(unsent)),
        }
    }
}
