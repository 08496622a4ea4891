//! What goes on beside the requests: mail, keys, metrics, and what is forgotten.

use std::sync::Arc;
use std::time::Duration;

use time::OffsetDateTime;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, interval, sleep, timeout_at};
use toolkit_http::server;

use crate::llm;
use crate::mail::{Mailer, Worker};
use crate::state::State;

/// Between two looks at what the metrics tell of the outbox and the models.
const MEASURE: Duration = Duration::from_secs(5);

/// Between two purges. They take seconds at most, and replicas share the work.
const PURGE: Duration = Duration::from_hours(1);

/// Between two looks at whether the server is stopping.
const LOOK: Duration = Duration::from_millis(50);

/// Longest wait at the end for mails under way, the grace of the server being longer.
const MAIL_GRACE: Duration = Duration::from_secs(5);

/// The tasks of a server.
pub(crate) struct Background {
    worker: JoinHandle<()>,
    others: Vec<JoinHandle<()>>,
    stop: watch::Sender<Option<Instant>>,
}

impl Background {
    /// Starts the tasks.
    pub(crate) fn start(state: &Arc<State>, mailer: Mailer, contact_days: u32) -> Self {
        let (stop, stopped) = watch::channel(None);
        let worker = Worker::new(state.store.clone(), mailer);
        let keys = Arc::clone(&state.keys);
        Self {
            worker: tokio::spawn(worker.run(stopped)),
            others: vec![
                tokio::spawn(async move { keys.keep_current().await }),
                tokio::spawn(measure(Arc::clone(state))),
                tokio::spawn(purge(Arc::clone(state), contact_days)),
            ],
            stop,
        }
    }

    /// Lets no further mail begin once the server is stopping; those under way have as long as requests
    /// under way, and not too long.
    pub(crate) fn follow(&self, server: server::State, grace: Duration) {
        let stop = self.stop.clone();
        tokio::spawn(async move {
            while !server.is_draining() {
                sleep(LOOK).await;
            }
            stop.send_if_modified(|end| tell(end, grace));
        });
    }

    /// Ends the tasks, after the server, which may have needed nothing of its grace.
    pub(crate) async fn end(self, grace: Duration) {
        for task in &self.others {
            task.abort();
        }
        self.stop.send_if_modified(|end| tell(end, grace));
        let end = self.stop.borrow().unwrap_or_else(Instant::now) + LOOK;
        let _ = timeout_at(end, self.worker).await;
    }
}

/// Says when mails under way must have ended, unless that was said before; returns whether it was not.
fn tell(end: &mut Option<Instant>, grace: Duration) -> bool {
    let is_first = end.is_none();
    end.get_or_insert_with(|| Instant::now() + grace.mul_f32(0.9).min(MAIL_GRACE));
    is_first
}

async fn measure(state: Arc<State>) {
    metrics::describe_gauge!(
        "toolkit_database_connections",
        "Connections to the database, by whether they are in use."
    );
    let mut ticks = interval(MEASURE);
    loop {
        ticks.tick().await;
        llm::gauge(&state.chain);
        let (open, idle) = state.store.connections();
        let used = u64::from(open).saturating_sub(idle as u64);
        metrics::gauge!("toolkit_database_connections", "state" => "idle").set(figure(idle as u64));
        metrics::gauge!("toolkit_database_connections", "state" => "used").set(figure(used));
        // While the database is out of reach, the last figures stand.
        if let Ok(stats) = state.store.outbox().stats(OffsetDateTime::now_utc()).await {
            let oldest = stats.oldest_pending.unwrap_or_default().as_secs_f64();
            metrics::gauge!("toolkit_outbox_pending").set(figure(stats.pending));
            metrics::gauge!("toolkit_outbox_oldest_seconds").set(oldest);
            metrics::gauge!("toolkit_outbox_dead").set(figure(stats.dead));
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a count of mails or connections is far below 2^52"
)]
fn figure(count: u64) -> f64 {
    count as f64
}

async fn purge(state: Arc<State>, contact_days: u32) {
    // Replicas that start together do not purge together.
    sleep(Duration::from_secs(rand::random_range(10..120))).await;
    loop {
        match state
            .store
            .purge(OffsetDateTime::now_utc(), contact_days)
            .await
        {
            Ok(purged) => tracing::debug!(?purged, "what was too old is deleted"),
            Err(error) => tracing::warn!(%error, "what is too old could not be deleted"),
        }
        sleep(PURGE.mul_f64(rand::random_range(0.9..1.1))).await;
    }
}
