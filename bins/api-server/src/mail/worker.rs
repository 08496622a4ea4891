//! Takes mails from the outbox, sends them, and reports what became of each.
//!
//! At least once, by any number of processes: a mail is taken for a while, and comes back when nobody
//! reports on it. Few are sent at a time, so a slow mail server holds up neither requests nor the database.

use std::sync::Arc;
use std::time::Duration;

use time::OffsetDateTime;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout_at};
use toolkit_store::{ClaimedMail, Failure, Fate, Mail, Store, StoreError};

use super::Mailer;

/// Mails that are sent at a time.
pub(super) const AT_ONCE: u32 = 4;

/// How long a mail is ours: over the longest time that sending takes.
const LEASE: Duration = Duration::from_mins(5);

/// Longest wait before a look at the outbox: other processes queue mails, and retries become due.
const LOOK: Duration = Duration::from_secs(3);

/// Wait after the database failed.
const PAUSE: Duration = Duration::from_secs(5);

/// How often it is tried to report on a mail that was sent: one not reported is sent twice.
const REPORTS: u32 = 5;

/// Sends what the outbox holds.
pub(crate) struct Worker {
    store: Store,
    mailer: Arc<Mailer>,
    sending: JoinSet<()>,
    is_failing: bool,
}

impl Worker {
    pub(crate) fn new(store: Store, mailer: Mailer) -> Self {
        describe();
        Self {
            store,
            mailer: Arc::new(mailer),
            sending: JoinSet::new(),
            is_failing: false,
        }
    }

    /// Works until `stop` is told when the process wants to end. Mails under way are then finished until
    /// that time; the leases of others run out, and another process sends them.
    pub(crate) async fn run(mut self, mut stop: watch::Receiver<Option<tokio::time::Instant>>) {
        let end = loop {
            tokio::select! {
                end = stopped(&mut stop) => break end,
                () = self.turn() => {}
            }
        };
        let rest = async { while self.sending.join_next().await.is_some() {} };
        if timeout_at(end, rest).await.is_err() {
            tracing::warn!(
                "mails under way were cut; they are sent again when their lease is over"
            );
        }
    }

    /// Takes and begins to send as many mails as there is room for, then waits for a reason to go on.
    ///
    /// It may be dropped at any wait: the mails that it began go on, and a mail that was taken at just
    /// that moment comes back.
    async fn turn(&mut self) {
        while self.sending.try_join_next().is_some() {}
        let busy = u32::try_from(self.sending.len()).unwrap_or(AT_ONCE);
        let room = AT_ONCE.saturating_sub(busy);
        if room == 0 {
            self.sending.join_next().await;
            return;
        }
        let claimed = self
            .store
            .outbox()
            .claim(OffsetDateTime::now_utc(), room, LEASE)
            .await;
        match claimed {
            Ok(mails) if mails.is_empty() => {
                self.is_failing = false;
                self.store.outbox().wait(LOOK).await;
            }
            Ok(mails) => {
                self.is_failing = false;
                for mail in mails {
                    self.sending
                        .spawn(deliver(self.store.clone(), Arc::clone(&self.mailer), mail));
                }
            }
            Err(error) => {
                self.complain(&error);
                sleep(PAUSE).await;
            }
        }
    }

    /// Says once that the outbox cannot be read.
    fn complain(&mut self, error: &StoreError) {
        if !std::mem::replace(&mut self.is_failing, true) {
            let cause = std::error::Error::source(error).map(tracing::field::display);
            tracing::warn!(%error, cause, "the outbox cannot be read; mail waits");
        }
    }
}

/// Waits until the process wants to end, and tells by when.
async fn stopped(stop: &mut watch::Receiver<Option<tokio::time::Instant>>) -> tokio::time::Instant {
    match stop.wait_for(Option::is_some).await.map(|end| *end) {
        Ok(Some(end)) => end,
        // Whoever would tell is gone.
        Ok(None) | Err(_) => tokio::time::Instant::now(),
    }
}

/// Sends a mail and reports what became of it.
async fn deliver(store: Store, mailer: Arc<Mailer>, mail: ClaimedMail) {
    let kind = match &mail.mail {
        Mail::Contact(_) => "contact",
        Mail::Confirmation(_) => "confirmation",
    };
    match mailer.send(&mail).await {
        Ok(()) => {
            metrics::counter!("toolkit_mail_sent_total", "kind" => kind).increment(1);
            tracing::info!(mail.id = %mail.id, mail.kind = kind, mail.attempt = mail.attempt, "a mail was sent");
            report_sent(&store, &mail).await;
        }
        Err(failure) => report_failed(&store, &mail, kind, failure).await,
    }
}

async fn report_sent(store: &Store, mail: &ClaimedMail) {
    for attempt in 1..=REPORTS {
        match store.outbox().sent(mail, OffsetDateTime::now_utc()).await {
            Ok(()) => return,
            Err(error) => {
                tracing::warn!(%error, mail.id = %mail.id, "a mail was sent, and that cannot be stored");
                sleep(Duration::from_secs(1 << attempt)).await;
            }
        }
    }
}

async fn report_failed(store: &Store, mail: &ClaimedMail, kind: &'static str, failure: Failure) {
    let (Failure::Transient(class) | Failure::Permanent(class)) = failure.clone();
    metrics::counter!("toolkit_mail_failures_total", "kind" => kind, "class" => class.clone())
        .increment(1);
    let (id, attempt) = (mail.id, mail.attempt);
    match store
        .outbox()
        .failed(mail, failure, OffsetDateTime::now_utc())
        .await
    {
        Ok(Fate::Retry(at)) => {
            let seconds = (at - OffsetDateTime::now_utc()).whole_seconds();
            tracing::warn!(
                mail.id = %id, mail.kind = kind, mail.attempt = attempt, class, retry_seconds = seconds,
                "a mail was not sent, and is tried again"
            );
        }
        Ok(Fate::Dead) => tracing::error!(
            mail.id = %id, mail.kind = kind, mail.attempt = attempt, class,
            "a mail was not sent, and is given up"
        ),
        Ok(Fate::NotOurs) => {}
        Err(error) => tracing::warn!(
            %error, mail.id = %id, class,
            "a mail was not sent, and that cannot be stored; it is due again when its lease is over"
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
    metrics::describe_gauge!("toolkit_outbox_dead", "Mails that were given up.");
}
