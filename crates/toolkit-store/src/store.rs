//! Store: opens the database, checks that it works, and closes it.

use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use tokio::sync::{Mutex, Notify};
use tokio::time::{Instant, timeout};

use crate::database::{Backend, Database, Usage};
use crate::error::{Reason, StoreError};
use crate::limits::{PING_MEMORY, PING_TIMEOUT};
use crate::outbox::Lane;
use crate::webhooks::Receivers;

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
    pub async fn open(url: &str, max_connections: u32) -> Result<Self, StoreError> {
        Self::open_database(url, max_connections, true).await
    }

    /// Opens a database as [`open`](Self::open) does, but refuses to migrate an older one, which
    /// servers of an older version may be using. An empty one gets its tables.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open), and [`StoreError::Incompatible`] for an older database.
    pub async fn open_current(url: &str, max_connections: u32) -> Result<Self, StoreError> {
        Self::open_database(url, max_connections, false).await
    }

    async fn open_database(
        url: &str,
        max_connections: u32,
        migrates: bool,
    ) -> Result<Self, StoreError> {
        let database = Database::open(url, max_connections, migrates).await?;
        first_write(&database).await?;
        let shared = Shared {
            database,
            queued: Default::default(),
            receivers: RwLock::default(),
            last_ping: Mutex::default(),
        };
        Ok(Self { shared: Arc::new(shared) })
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
        let result = timeout(PING_TIMEOUT, heartbeat(self.database()))
            .await
            .unwrap_or_else(|_| Err(StoreError::unavailable(Reason::TimedOut)))
            .map(|()| started.elapsed());
        *last = Some((Instant::now(), result.clone()));
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
    match heartbeat(database).await {
        Err(
            StoreError::Unavailable { reason: Reason::TimedOut, .. } | StoreError::Uncertain { .. },
        ) => heartbeat(database).await,
        result => result,
    }
}

async fn heartbeat(database: &Database) -> Result<(), StoreError> {
    let sql = "UPDATE heartbeat SET beats = beats + 1 WHERE id = 1";
    database.execute(sql, []).await.map(drop)
}
