//! Store: opens the database, checks that it works, and closes it.

use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use tokio::sync::{Mutex, Notify};
use tokio::time::{Instant, sleep, timeout};

use crate::database::{Backend, Connections, Database, Usage};
use crate::error::{Reason, StoreError};
use crate::limits::{PING_MEMORY, PING_TIMEOUT, REOPEN_PAUSE};
use crate::outbox::Lane;
use crate::webhooks::Receivers;

/// A write that changes nothing else.
const HEARTBEAT: &str = "UPDATE heartbeat SET beats = beats + 1 WHERE id = 1";

/// Before the first purge, the newest time in any row tells the time; noted before a process writes one, as
/// its clock may be wrong.
const NOTE_NEWEST: &str = "UPDATE clock SET seen_at = (SELECT MAX(at) FROM ( \
    SELECT MAX(created_at) AS at FROM contacts UNION ALL SELECT MAX(requested_at) FROM subscriptions \
    UNION ALL SELECT MAX(created_at) FROM outbox UNION ALL SELECT MAX(at) FROM audit \
    UNION ALL SELECT MAX(spent_at) FROM spent_challenges \
    UNION ALL SELECT MAX(claimed_at) FROM idempotency_keys \
    UNION ALL SELECT MAX(COALESCE(last_used_at, created_at)) FROM api_keys) AS times) \
    WHERE id = 1 AND seen_at IS NULL";

/// The store. Clones share one set of connections.
///
/// A read or a write ends within [`OPERATION_TIMEOUT`](crate::limits::OPERATION_TIMEOUT), whatever
/// the database does, and runs to its end even when the future that waits for it is dropped;
/// [`purge`](Self::purge) and [`erase`](Self::erase) consist of several. No method reads the clock:
/// the time is an argument.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    database: Database,
    /// One for the worker of each lane.
    queued: [Notify; Lane::ALL.len()],
    receivers: RwLock<Receivers>,
    last_ping: Mutex<Option<(Instant, Result<Duration, StoreError>)>>,
    is_open: AtomicBool,
    is_up: AtomicBool,
}

impl Store {
    /// Opens `sqlite://path/to/file.db`, created if missing, or `postgres://…`, and migrates the
    /// tables. Several processes may do so at once.
    ///
    /// Operations run on the calling runtime.
    ///
    /// # Errors
    ///
    /// [`StoreError::Url`] for any other URL, [`StoreError::Unavailable`] when the database cannot
    /// be reached or takes no writes, [`StoreError::Corrupt`] and [`StoreError::Incompatible`] when
    /// it is damaged, newer or not ours; it is then left as it was.
    pub async fn open(url: &str, connections: impl Into<Connections>) -> Result<Self, StoreError> {
        let store = Self::new(url, connections.into())?;
        store.prepare(true).await?;
        Ok(store)
    }

    /// Opens a database as [`open`](Self::open) does, but refuses to migrate an older one, which
    /// servers of an older version may be using. An empty one gets its tables.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open), and [`StoreError::Incompatible`] for an older database.
    pub async fn open_current(
        url: &str,
        connections: impl Into<Connections>,
    ) -> Result<Self, StoreError> {
        let store = Self::new(url, connections.into())?;
        store.prepare(false).await?;
        Ok(store)
    }

    /// Opens a database for a server as [`open`](Self::open) does, but PostgreSQL that
    /// [passes](StoreError::passes) is left to [`opened`](Self::opened). Until then operations are
    /// refused.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open) that do not pass.
    pub async fn start(url: &str, connections: impl Into<Connections>) -> Result<Self, StoreError> {
        let store = Self::new(url, connections.into())?;
        match store.prepare(true).await {
            Err(error) if store.backend() == Backend::Postgres && error.passes() => {
                let cause = std::error::Error::source(&error).map(tracing::field::display);
                tracing::warn!(%error, cause, "the database is waited for");
            }
            result => result?,
        }
        Ok(store)
    }

    /// Waits until a database that was not there at the [start](Self::start) is open.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open) that do not pass.
    pub async fn opened(&self) -> Result<(), StoreError> {
        if self.shared.is_open.load(Ordering::Relaxed) {
            return Ok(());
        }
        loop {
            sleep(REOPEN_PAUSE).await;
            match self.prepare(true).await {
                Err(error) if error.passes() => {}
                result => {
                    result?;
                    tracing::info!("the database is open");
                    return Ok(());
                }
            }
        }
    }

    fn new(url: &str, connections: Connections) -> Result<Self, StoreError> {
        let shared = Shared {
            database: Database::new(url, connections)?,
            queued: Default::default(),
            receivers: RwLock::default(),
            last_ping: Mutex::default(),
            is_open: AtomicBool::new(false),
            is_up: AtomicBool::new(false),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    async fn prepare(&self, migrates: bool) -> Result<(), StoreError> {
        self.database().open(migrates).await?;
        first_write(self.database()).await?;
        self.shared.is_up.store(true, Ordering::Relaxed);
        self.shared.is_open.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether the last [`ping`](Self::ping) succeeded.
    pub fn is_up(&self) -> bool {
        self.shared.is_up.load(Ordering::Relaxed)
    }

    /// Whether the file was found damaged, deleted or replaced; it is not written until a restart.
    pub fn is_lost(&self) -> bool {
        self.database().is_lost()
    }

    /// The file of a database in one, whether or not it is there.
    pub fn file(url: &str) -> Option<PathBuf> {
        let options = url.starts_with("sqlite:").then(|| SqliteConnectOptions::from_str(url).ok());
        options.flatten().map(|options| options.get_filename().to_owned())
    }

    /// The kind of the database.
    pub fn backend(&self) -> Backend {
        self.database().backend()
    }

    /// Utilization of its connections, for metrics.
    pub fn usage(&self) -> Usage {
        self.database().usage()
    }

    /// Writes one row and returns how long that took; so it fails when the database is unreachable,
    /// locked, full or read-only. The database is asked five times a second at most, however often
    /// this is called.
    ///
    /// # Errors
    ///
    /// The cause, within [`PING_TIMEOUT`].
    pub async fn ping(&self) -> Result<Duration, StoreError> {
        let mut last = self.shared.last_ping.lock().await;
        if let Some((at, result)) = &*last
            && at.elapsed() < PING_MEMORY
        {
            return result.clone();
        }
        let started = Instant::now();
        let result = timeout(PING_TIMEOUT, self.database().execute(HEARTBEAT, []))
            .await
            .unwrap_or_else(|_| Err(StoreError::unavailable(Reason::TimedOut)))
            .map(|_| started.elapsed());
        *last = Some((Instant::now(), result.clone()));
        self.shared.is_up.store(result.is_ok(), Ordering::Relaxed);
        result
    }

    /// Waits for running operations and closes all connections; later operations are unavailable.
    pub async fn close(&self) {
        self.database().close().await;
    }

    pub(crate) fn database(&self) -> &Database {
        &self.shared.database
    }

    /// Wakes the waiting workers of this process.
    pub(crate) fn wake_workers(&self) {
        self.shared.queued.iter().for_each(Notify::notify_one);
    }

    /// Wakes the worker of a lane.
    pub(crate) fn queued(&self, lane: Lane) -> &Notify {
        let [contact, confirmation, webhook] = &self.shared.queued;
        match lane {
            Lane::Contact => contact,
            Lane::Confirmation => confirmation,
            Lane::Webhook => webhook,
        }
    }

    pub(crate) fn receivers(&self) -> &RwLock<Receivers> {
        &self.shared.receivers
    }
}

/// Checks that the database takes writes. A disk that is busy when the machine starts may need
/// longer than an operation has, so there is a second attempt.
async fn first_write(database: &Database) -> Result<(), StoreError> {
    let first = || {
        database.write(|c| {
            Box::pin(async move {
                c.execute(HEARTBEAT, []).await?;
                c.execute(NOTE_NEWEST, []).await.map(drop)
            })
        })
    };
    match first().await {
        Err(
            StoreError::Unavailable { reason: Reason::TimedOut, .. } | StoreError::Uncertain { .. },
        ) => first().await,
        result => result,
    }
}
