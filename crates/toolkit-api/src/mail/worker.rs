//! Worker of a lane: leases mails or events of the outbox, sends them, and records the outcome.
//!
//! Delivery is at least once, by any number of processes: a mail is leased, and becomes due again
//! if nobody reports on it. Few are sent at a time, so a slow mail server blocks neither requests
//! nor the database, and each lane has a worker of its own, so none waits for another.

use std::sync::Arc;
use std::time::Duration;

use time::OffsetDateTime;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;
use toolkit_server::snapshot::Snapshot;
use toolkit_store::{ClaimedMail, Disposition, Failure, Lane, Mail, Notice, Store, StoreError};

use super::{Mailer, Unsent};
use crate::webhooks;

/// Events sent concurrently.
const EVENTS_AT_ONCE: u32 = 8;

/// Lease of a mail: longer than the longest sending time.
const LEASE: Duration = Duration::from_mins(5);

/// Longest interval between checks of the outbox: other processes queue mails, and retries become
/// due.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// Wait after a database failure.
const PAUSE: Duration = Duration::from_secs(5);

/// Attempts to report a sent mail: an unreported one is sent twice.
const REPORTS: u32 = 5;

/// Sends what is in a lane of the outbox.
pub(crate) struct Worker {
    store: Store,
    mailer: Snapshot<Mailer>,
    lane: Lane,
    sending: JoinSet<()>,
    is_failing: bool,
}

impl Worker {
    pub(crate) fn new(store: Store, mailer: Snapshot<Mailer>, lane: Lane) -> Self {
        describe();
        Self { store, mailer, lane, sending: JoinSet::new(), is_failing: false }
    }

    /// Runs until told to stop, and then until the mails in progress are sent.
    pub(crate) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        loop {
            // Not cut off by the stop: a leased mail that is not started waits until its lease
            // expires.
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
        let at_once = match self.lane {
            Lane::Webhook => EVENTS_AT_ONCE,
            Lane::Contact | Lane::Confirmation => mailer.parallel,
        };
        let busy = u32::try_from(self.sending.len()).unwrap_or(at_once);
        let room = at_once.saturating_sub(busy);
        if room == 0 {
            return Pause::UntilRoom;
        }
        let outbox = self.store.outbox();
        match outbox.claim(self.lane, OffsetDateTime::now_utc(), room, LEASE).await {
            Ok(mails) => {
                self.is_failing = false;
                let pause = if mails.is_empty() { Pause::UntilMail } else { Pause::None };
                for mail in mails {
                    self.sending.spawn(deliver(self.store.clone(), Arc::clone(&mailer), mail));
                }
                pause
            }
            Err(error) => {
                self.report(&error);
                Pause::AfterFailure
            }
        }
    }

    async fn rest(&mut self, pause: Pause) {
        match pause {
            Pause::None => {}
            Pause::UntilRoom => {
                self.sending.join_next().await;
            }
            Pause::UntilMail => self.store.outbox().wait(self.lane, POLL_INTERVAL).await,
            Pause::AfterFailure => sleep(PAUSE).await,
        }
    }

    /// Logs once that the outbox cannot be read: one worker speaks for all.
    fn report(&mut self, error: &StoreError) {
        let is_new = !std::mem::replace(&mut self.is_failing, true);
        if is_new && self.lane == Lane::Contact {
            let cause = std::error::Error::source(error).map(tracing::field::display);
            tracing::warn!(%error, cause, "the outbox cannot be read; mails wait");
        }
    }
}

/// Condition for the next check of the outbox.
#[derive(Clone, Copy)]
enum Pause {
    /// There may be more.
    None,
    /// The maximum number of mails is in progress.
    UntilRoom,
    /// No mail was due.
    UntilMail,
    /// The database failed.
    AfterFailure,
}

/// Sends a mail and reports the outcome.
async fn deliver(store: Store, mailer: Arc<Mailer>, mail: ClaimedMail) {
    let kind = match &mail.mail {
        Mail::Contact(_) => "contact",
        Mail::Confirmation(_) => "confirmation",
        Mail::Webhook(_) => "webhook",
    };
    match mailer.send(&mail).await {
        Ok(()) => {
            metrics::counter!("toolkit_mail_sent_total", "kind" => kind).increment(1);
            tracing::info!(mail.id = %mail.id, mail.kind = kind, mail.attempt = mail.attempt, "a mail was sent");
            report_sent(&store, &mail).await;
        }
        Err(Unsent { failure, cause }) => {
            let (Failure::Transient(class) | Failure::Permanent(class)) = &failure;
            if class == "tls" {
                tracing::warn!(mail.id = %mail.id, cause, "TLS with the mail server failed");
            }
            if let Mail::Webhook(notice) = &mail.mail
                && webhooks::is_gone(class)
            {
                turn_off(&store, notice).await;
            }
            report_failed(&store, &mail, kind, failure).await;
        }
    }
}

/// Stops telling a receiver that has answered that it is gone.
async fn turn_off(store: &Store, notice: &Notice) {
    tracing::error!(
        webhook = notice.url,
        "a receiver answered 410: it is told nothing until a restart, or `api-server webhooks enable`"
    );
    if let Err(error) = store.turn_off(&notice.url, OffsetDateTime::now_utc()).await {
        tracing::warn!(%error, "a webhook cannot be turned off; it is told the next event");
    }
}

async fn report_sent(store: &Store, mail: &ClaimedMail) {
    for attempt in 1..=REPORTS {
        match store.outbox().sent(mail, OffsetDateTime::now_utc()).await {
            Ok(()) => return,
            Err(error) => {
                tracing::warn!(%error, mail.id = %mail.id, "a mail was sent, but this cannot be recorded");
                sleep(report_pause(attempt)).await;
            }
        }
    }
}

/// Pause after a failed attempt to report a sent mail, doubled with each: a minute in all.
const fn report_pause(attempt: u32) -> Duration {
    Duration::from_secs(1 << attempt)
}

async fn report_failed(store: &Store, mail: &ClaimedMail, kind: &'static str, failure: Failure) {
    let (Failure::Transient(class) | Failure::Permanent(class)) = failure.clone();
    let (id, attempt) = (mail.id, mail.attempt);
    let now = OffsetDateTime::now_utc();
    // A full mailbox (RFC 5321, section 4.2.3): the operator makes room.
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
                mail.id = %id, mail.kind = kind, mail.attempt = attempt, class, retry_seconds = seconds,
                "a mail was not sent, and will be retried"
            );
        }
        Ok(Disposition::Dead) => tracing::error!(
            mail.id = %id, mail.kind = kind, mail.attempt = attempt, class,
            "a mail was not sent, and was given up"
        ),
        Ok(Disposition::Undeliverable) => tracing::info!(
            mail.id = %id, mail.attempt = attempt, class,
            "a mail was not sent, as the address is refused; the subscription is undeliverable"
        ),
        Ok(Disposition::NotOurs) => {}
        Err(error) => tracing::warn!(
            %error, mail.id = %id, class,
            "a mail was not sent, and this cannot be recorded; it is due again when its lease expires"
        ),
    }
}

fn describe() {
    metrics::describe_counter!("toolkit_mail_sent_total", "Mails that were sent, by kind.");
    metrics::describe_counter!(
        "toolkit_mail_failures_total",
        "Attempts to send a mail that failed, by kind and class (`connection`, `timeout`, `smtp 550`)."
    );
    metrics::describe_gauge!("toolkit_outbox_pending", "Mails that are still to be sent.");
    metrics::describe_gauge!(
        "toolkit_outbox_oldest_seconds",
        "How long the oldest mail that is still to be sent has waited."
    );
    metrics::describe_gauge!("toolkit_outbox_dead", "Contact mails that were given up.");
    metrics::describe_gauge!("toolkit_outbox_webhooks", "Events that are still to be told.");
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
