//! Worker: leases mails and events from the outbox, sends them, and records the outcome.
//!
//! Any number of processes deliver, each mail at least once: a leased mail becomes due again if its
//! outcome is not reported. Few are sent at a time, so a slow mail server blocks neither requests
//! nor the database. Each queue has its own places, so queues do not wait for each other.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use time::OffsetDateTime;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;
use toolkit_server::snapshot::Snapshot;
use toolkit_store::{ClaimedMail, Disposition, Failure, Mail, Notice, Queue, Store, StoreError};

use super::{Mailer, Unsent};
use crate::office::webhooks;

/// Concurrent events per receiver.
const EVENTS_AT_ONCE: u32 = 8;

/// The same after a failed attempt, so that a receiver that hangs keeps few events leased.
const EVENTS_AFTER_FAILURE: u32 = 2;

/// Lease of a mail, longer than the longest sending time.
const LEASE: Duration = Duration::from_mins(5);

/// Maximum interval between outbox checks, since other processes queue mails and retries become
/// due.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// Pause after a database failure.
const PAUSE: Duration = Duration::from_secs(5);

/// Attempts to report a sent mail. An unreported one is sent again.
const REPORTS: u32 = 5;

/// Sends the mails and events of the outbox.
pub(crate) struct Worker {
    store: Store,
    mailer: Snapshot<Mailer>,
    /// The mailer used last.
    known: Arc<Mailer>,
    sending: JoinSet<()>,
    /// Each mail in progress holds a clone of its queue's flag.
    queues: HashMap<Queue, Arc<HasFailed>>,
    /// Whether a queue may have more due than it has room for.
    is_full: bool,
    is_failing: bool,
}

/// Whether a queue's last attempt failed.
type HasFailed = AtomicBool;

impl Worker {
    pub(crate) fn new(store: Store, mailer: Snapshot<Mailer>) -> Self {
        describe();
        Self {
            store,
            known: mailer.load(),
            mailer,
            sending: JoinSet::new(),
            queues: HashMap::new(),
            is_full: false,
            is_failing: false,
        }
    }

    /// Runs until told to stop, then until the mails in progress are sent.
    pub(crate) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        loop {
            // Not interrupted by the stop, since a leased mail that is not started waits until its
            // lease expires.
            let pause = self.begin_mails().await;
            tokio::select! {
                biased;
                _ = stop.changed() => break,
                () = self.rest(pause) => {}
            }
        }
        while self.sending.join_next().await.is_some() {}
    }

    /// Leases and starts as many mails as there is room for, and returns what to wait for.
    async fn begin_mails(&mut self) -> Pause {
        while self.sending.try_join_next().is_some() {}
        let mailer = self.mailer.load();
        if !Arc::ptr_eq(&mailer, &self.known)
            && let Err(error) = self.take_over(&mailer).await
        {
            self.report(&error);
            return Pause::AfterFailure;
        }
        self.is_full = false;
        let mut pause = Pause::UntilMail;
        let events = mailer.webhooks.names().map(|name| Queue::Events(name.to_owned()));
        for queue in [Queue::Contacts, Queue::Confirmations].into_iter().chain(events) {
            let has_failed = Arc::clone(self.queues.entry(queue.clone()).or_default());
            let places = match queue {
                Queue::Events(_) if has_failed.load(Ordering::Relaxed) => EVENTS_AFTER_FAILURE,
                Queue::Events(_) => EVENTS_AT_ONCE,
                Queue::Contacts | Queue::Confirmations => mailer.parallel,
            };
            // One clone is in the map, one here.
            let busy = u32::try_from(Arc::strong_count(&has_failed)).unwrap_or(u32::MAX) - 2;
            let room = places.saturating_sub(busy);
            if room == 0 {
                self.is_full = true;
                continue;
            }
            let claimed =
                self.store.outbox().claim(queue, OffsetDateTime::now_utc(), room, LEASE).await;
            match claimed {
                Ok(mails) => {
                    self.is_failing = false;
                    for mail in mails {
                        pause = Pause::None;
                        let (store, mailer) = (self.store.clone(), self.mailer.clone());
                        self.sending.spawn(deliver(store, mailer, mail, Arc::clone(&has_failed)));
                    }
                }
                Err(error) => {
                    self.report(&error);
                    return Pause::AfterFailure;
                }
            }
        }
        pause
    }

    /// Switches to newer settings, which may let mails that wait for a retry be sent now.
    async fn take_over(&mut self, mailer: &Arc<Mailer>) -> Result<(), StoreError> {
        self.store.outbox().hasten(OffsetDateTime::now_utc()).await?;
        self.queues.retain(|_, queue| Arc::strong_count(queue) > 1);
        self.known = Arc::clone(mailer);
        Ok(())
    }

    async fn rest(&mut self, pause: Pause) {
        match pause {
            Pause::None => {}
            Pause::UntilMail => tokio::select! {
                Some(_) = self.sending.join_next(), if self.is_full => {}
                () = self.store.outbox().wait(POLL_INTERVAL) => {}
            },
            Pause::AfterFailure => sleep(PAUSE).await,
        }
    }

    /// Logs once that the outbox cannot be read.
    fn report(&mut self, error: &StoreError) {
        if !std::mem::replace(&mut self.is_failing, true) {
            let cause = std::error::Error::source(error).map(tracing::field::display);
            tracing::warn!(%error, cause, "the outbox cannot be read: mails wait");
        }
    }
}

/// When to check the outbox next.
#[derive(Clone, Copy)]
enum Pause {
    /// There may be more.
    None,
    /// No mail was due, or all places were taken.
    UntilMail,
    /// The database failed.
    AfterFailure,
}

/// Sends a mail and reports the outcome.
async fn deliver(
    store: Store,
    mailer: Snapshot<Mailer>,
    mail: ClaimedMail,
    has_failed: Arc<HasFailed>,
) {
    let kind = match &mail.mail {
        Mail::Contact(_) => "contact",
        Mail::Confirmation(_) => "confirmation",
        Mail::Webhook(_) => "webhook",
    };
    let (outcome, is_only_logged) = loop {
        let mailer = mailer.load();
        if let Some(outcome) = mailer.send(&mail).await {
            break (outcome, mailer.only_logs(&mail.mail));
        }
    };
    has_failed.store(outcome.is_err(), Ordering::Relaxed);
    match outcome {
        Ok(()) => {
            metrics::counter!("toolkit_mail_sent_total", "kind" => kind).increment(1);
            if !is_only_logged {
                tracing::info!(
                    mail.id = %mail.id, mail.kind = kind, mail.attempt = mail.attempt,
                    contact.id = contact_id(&mail), "mail sent"
                );
            }
            report_sent(&store, &mail).await;
        }
        Err(Unsent { failure, cause }) => {
            let (Failure::Transient(class) | Failure::Permanent(class)) = &failure;
            if let Mail::Webhook(notice) = &mail.mail
                && webhooks::is_gone(class)
            {
                turn_off(&store, notice).await;
            }
            report_failed(&store, &mail, kind, failure, cause).await;
        }
    }
}

/// A message's ID, as its sender received it.
fn contact_id(mail: &ClaimedMail) -> Option<String> {
    match &mail.mail {
        Mail::Contact(contact) => Some(contact.id.to_string()),
        Mail::Confirmation(_) | Mail::Webhook(_) => None,
    }
}

/// Turns off a receiver that has answered that it is gone.
async fn turn_off(store: &Store, notice: &Notice) {
    tracing::error!(
        webhook = notice.receiver,
        "a webhook receiver answered 410: turned off until a restart or `api-server webhooks enable`"
    );
    if let Err(error) = store.turn_off(&notice.receiver, OffsetDateTime::now_utc()).await {
        tracing::warn!(%error, "a webhook could not be turned off: it will receive the next event");
    }
}

async fn report_sent(store: &Store, mail: &ClaimedMail) {
    for attempt in 1..=REPORTS {
        match store.outbox().sent(mail, OffsetDateTime::now_utc()).await {
            Ok(()) => return,
            Err(error) => {
                tracing::warn!(%error, mail.id = %mail.id, "mail sent, but this could not be recorded");
                sleep(report_pause(attempt)).await;
            }
        }
    }
}

/// Pause after a failed attempt to report a sent mail. Doubles each time, to a minute in total.
const fn report_pause(attempt: u32) -> Duration {
    Duration::from_secs(1 << attempt)
}

async fn report_failed(
    store: &Store,
    mail: &ClaimedMail,
    kind: &'static str,
    failure: Failure,
    cause: Option<String>,
) {
    let (Failure::Transient(class) | Failure::Permanent(class)) = failure.clone();
    let (id, attempt) = (mail.id, mail.attempt);
    let now = OffsetDateTime::now_utc();
    // A full mailbox (RFC 5321, section 4.2.3): the operator can make room.
    let failure = match (&mail.mail, failure) {
        (Mail::Contact(_), Failure::Permanent(class)) if class == "smtp 552" => {
            Failure::Transient(class)
        }
        (_, failure) => failure,
    };
    let disposition = store.outbox().failed(mail, failure, now).await;
    metrics::counter!("toolkit_mail_failures_total", "kind" => kind, "class" => class.clone())
        .increment(1);
    match disposition {
        Ok(Disposition::Retry(at)) => {
            let seconds = (at - now).whole_seconds();
            tracing::warn!(
                mail.id = %id, mail.kind = kind, mail.attempt = attempt, contact.id = contact_id(mail),
                class, cause, retry_seconds = seconds, "mail not sent: retrying later"
            );
        }
        Ok(Disposition::Dead) => tracing::error!(
            mail.id = %id, mail.kind = kind, mail.attempt = attempt, contact.id = contact_id(mail), class, cause,
            "mail not sent: given up"
        ),
        Ok(Disposition::Undeliverable) => tracing::info!(
            mail.id = %id, mail.attempt = attempt, class,
            "mail not sent: the address is refused, so the subscription is undeliverable"
        ),
        Ok(Disposition::NotOurs) => {}
        Err(error) => tracing::warn!(
            %error, mail.id = %id, class,
            "mail not sent, and this could not be recorded: it is due again when its lease expires"
        ),
    }
}

fn describe() {
    metrics::describe_counter!("toolkit_mail_sent_total", "Mails sent, by kind.");
    metrics::describe_counter!(
        "toolkit_mail_failures_total",
        "Failed attempts to send a mail, by kind and class (`connection`, `timeout`, `smtp 550`)."
    );
    metrics::describe_gauge!("toolkit_outbox_pending", "Mails waiting to be sent.");
    metrics::describe_gauge!(
        "toolkit_outbox_oldest_seconds",
        "Age of the oldest mail waiting to be sent."
    );
    metrics::describe_gauge!("toolkit_outbox_dead", "Contact mails and events given up.");
    metrics::describe_gauge!("toolkit_outbox_webhooks", "Events waiting to be sent.");
    metrics::describe_gauge!(
        "toolkit_outbox_unknown_receivers",
        "Events waiting for a process that knows their receiver."
    );
    metrics::describe_gauge!(
        "toolkit_subscriptions_undeliverable",
        "Subscriptions whose address a mail server has refused."
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sent_mail_is_reported_for_about_a_minute() {
        let pauses = (1..=REPORTS).map(|attempt| report_pause(attempt).as_secs());
        assert_eq!(pauses.collect::<Vec<_>>(), [2, 4, 8, 16, 32]);
    }
}
