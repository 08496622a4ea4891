//! Background tasks: mail delivery, key refresh, metrics and data retention.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout_at};
use toolkit_server::snapshot::Snapshot;
use toolkit_store::{KeyCache, PurgeWait, Store, StoreError};

use crate::chat::llm;
use crate::office::mail::{Mailer, Worker};
use crate::state::State;

/// Interval between metric updates for outbox and models.
const MEASURE: Duration = Duration::from_secs(5);

/// Interval between purges. A purge takes seconds at most, and replicas share the work.
const PURGE: Duration = Duration::from_hours(1);

/// The tasks of a server.
pub struct Background {
    /// The outbox worker.
    pub sending: Sending,
    /// The other tasks.
    pub upkeep: Upkeep,
    /// Opens a database that was not reachable at start. Completes only if it cannot be used.
    pub opening: BoxFuture<'static, StoreError>,
}

/// Tasks that are aborted on drop, and the database they use.
pub struct Upkeep {
    tasks: JoinSet<()>,
    keys: Arc<KeyCache>,
    store: Store,
}

impl Upkeep {
    /// Aborts the tasks and closes the database. SQLite then checkpoints its write-ahead log, so
    /// that one file holds everything.
    pub async fn close(self) {
        drop(self.tasks);
        // On failure, the last seconds are missing from `keys list`.
        let _ = self.keys.save_use().await;
        self.store.close().await;
    }
}

impl Background {
    /// Starts the tasks.
    pub(crate) fn start(
        state: &Snapshot<State>,
        mailer: &Snapshot<Mailer>,
        contact_days: u32,
        receivers: Vec<String>,
    ) -> Self {
        let now = state.load();
        let keys = Arc::clone(&now.keys);
        let store = now.store.clone();
        let mut tasks = JoinSet::new();
        tasks.spawn({
            let keys = Arc::clone(&keys);
            async move { keys.keep_current().await }
        });
        tasks.spawn(measure(state.clone()));
        tasks.spawn(purge(state.clone(), contact_days));
        Self {
            sending: Sending::start(&store, mailer),
            opening: Box::pin(open(store.clone(), receivers)),
            upkeep: Upkeep { tasks, keys, store },
        }
    }
}

/// Opens the database and re-enables receivers that were turned off.
async fn open(store: Store, receivers: Vec<String>) -> StoreError {
    let open = async || {
        store.opened().await?;
        for receiver in &receivers {
            store.turn_on(receiver).await?;
        }
        Ok::<_, StoreError>(())
    };
    loop {
        match open().await {
            Ok(()) => return pending().await,
            Err(error) if error.passes() => sleep(MEASURE).await,
            Err(error) => return error,
        }
    }
}

/// The outbox worker.
pub struct Sending {
    tasks: JoinSet<()>,
    stop: watch::Sender<bool>,
}

impl Sending {
    fn start(store: &Store, mailer: &Snapshot<Mailer>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        tasks.spawn(Worker::new(store.clone(), mailer.clone()).run(stopped));
        Self { tasks, stop }
    }

    /// Starts no more mails and waits for those in progress, until `end` at the latest.
    pub async fn finish(self, end: Instant) {
        // Fails if the tasks have ended, and then there is nothing to stop.
        let _ = self.stop.send(true);
        if timeout_at(end, self.tasks.join_all()).await.is_err() {
            tracing::warn!(
                "mails in progress were aborted: they are sent again when their lease expires"
            );
        }
    }
}

async fn measure(snapshot: Snapshot<State>) {
    describe();
    let mut ticks = interval(MEASURE);
    let mut keys_read_at = Instant::now();
    loop {
        ticks.tick().await;
        let state = snapshot.load();
        llm::gauge(&state.chain);
        if state.keys.is_current() {
            keys_read_at = Instant::now();
        }
        metrics::gauge!("toolkit_keys_age_seconds").set(keys_read_at.elapsed().as_secs_f64());
        let is_up = state.store.ping().await.is_ok();
        metrics::gauge!("toolkit_database_up").set(f64::from(u8::from(is_up)));
        metrics::gauge!("toolkit_database_lost").set(f64::from(u8::from(state.store.is_lost())));
        let usage = state.store.usage();
        metrics::gauge!("toolkit_database_connections").set(usage.open);
        metrics::gauge!("toolkit_database_connections_in_use").set(usage.in_use);
        metrics::counter!("toolkit_database_waits_total").absolute(usage.waits);
        // While the database is unreachable, the counts wait and the last figures stay.
        let _ = state.keys.save_use().await;
        log_audit(&state.store).await;
        if let Ok(stats) = state.store.outbox().stats(OffsetDateTime::now_utc()).await {
            let oldest = stats.oldest_pending.unwrap_or_default().as_secs_f64();
            metrics::gauge!("toolkit_outbox_pending").set(gauged(stats.pending));
            metrics::gauge!("toolkit_outbox_oldest_seconds").set(oldest);
            metrics::gauge!("toolkit_outbox_dead").set(gauged(stats.dead));
            metrics::gauge!("toolkit_outbox_webhooks").set(gauged(stats.webhooks));
            metrics::gauge!("toolkit_outbox_unknown_receivers").set(gauged(stats.unknown));
            metrics::gauge!("toolkit_subscriptions_undeliverable").set(gauged(stats.undeliverable));
        }
    }
}

/// Logs what the operator's commands have done, on one of the replicas.
async fn log_audit(store: &Store) {
    for entry in store.take_unlogged().await.unwrap_or_default() {
        let at = entry.at.format(&Rfc3339).unwrap_or_default();
        tracing::info!(
            target: "audit", at, actor = entry.actor, about = entry.about, "{}", entry.action
        );
    }
}

fn describe() {
    metrics::describe_gauge!(
        "toolkit_database_up",
        "1 while the database accepts writes, otherwise 0."
    );
    metrics::describe_gauge!(
        "toolkit_database_lost",
        "1 once the database file was found damaged, deleted or replaced, until a restart. Otherwise 0."
    );
    metrics::gauge!("toolkit_database_lost").set(0.0);
    metrics::describe_gauge!(
        "toolkit_keys_age_seconds",
        "How long API keys could not be read. 0 while they are up to date."
    );
    metrics::describe_gauge!("toolkit_database_connections", "Open database connections.");
    metrics::describe_gauge!("toolkit_database_connections_in_use", "Database connections in use.");
    metrics::describe_counter!(
        "toolkit_database_waits_total",
        "Operations that had to wait because all database connections were in use."
    );
}

/// A number of mails as a gauge value.
fn gauged(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

async fn purge(state: Snapshot<State>, contact_days: u32) {
    // Spreads the purges of replicas that start together.
    sleep(Duration::from_secs(rand::random_range(10..120))).await;
    loop {
        if let Err(error) = purge_once(&state.load(), contact_days).await {
            tracing::warn!(%error, "expired records could not be deleted");
        }
        sleep(PURGE.mul_f64(rand::random_range(0.9..1.1))).await;
    }
}

async fn purge_once(state: &State, contact_days: u32) -> Result<(), StoreError> {
    let store = &state.store;
    let now = OffsetDateTime::now_utc();
    let unconfirmed_days = state.apps.unconfirmed_days();
    match store.purge_waits(now, contact_days, &unconfirmed_days).await? {
        Some(PurgeWait::Clock) => {
            tracing::warn!(
                "the clock is more than two days past the last purge or record: nothing is deleted until \
                 this has lasted a day"
            );
            return Ok(());
        }
        Some(PurgeWait::Much) => {
            tracing::warn!(
                "more than half of the messages, subscriptions or audit entries have expired: nothing is \
                 deleted until this has lasted a day. Check the clock and `privacy.contact_days`"
            );
            return Ok(());
        }
        None => {}
    }
    let purged = store.purge(now, contact_days, &unconfirmed_days).await?;
    tracing::info!(
        contacts = purged.contacts,
        subscriptions = purged.subscriptions,
        links = purged.tokens,
        mails = purged.mails,
        challenges = purged.challenges,
        idempotency_keys = purged.idempotency_keys,
        "expired records deleted"
    );
    Ok(())
}
