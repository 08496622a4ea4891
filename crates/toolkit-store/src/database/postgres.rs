//! PostgreSQL backend.
//!
//! Like libpq's, the URL may name several hosts, and the one that accepts writes is used. After a
//! failure that may be due to the session or host, we search for a host again and close older
//! sessions. A pooler that runs each transaction in another session (`PgBouncer`'s `pool_mode =
//! transaction`) is detected, unless the settings say so. Statements are then unnamed, each read
//! gets a transaction, and no limit is set on the session. Leaves out read-only hosts, and lists in
//! `host` and `port` of the query.

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use futures::stream::{self, StreamExt as _};
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection as _, Executor, PgConnection, PgPool, Row as _,
    raw_sql,
};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::{APPLIED, Access, Connections, refuse_older};
use crate::error::{Reason, StoreError};
use crate::limits::{
    ACQUIRE_TIMEOUT, CONNECT_TIMEOUT, IDLE_TRANSACTION_TIMEOUT, OPEN_TIMEOUT, SEEK_PAUSE,
    STATEMENT_TIMEOUT,
};

/// Session comparisons before a pooler is ruled out.
const POOLER_TRIALS: u32 = 4;

pub(super) struct Postgres {
    pub(super) pool: PgPool,
    hosts: Vec<PgConnectOptions>,
    sessions: Arc<Sessions>,
    /// The last failed search and its time. Only one task searches at a time.
    last_seek: Mutex<Option<(Instant, StoreError)>>,
}

/// The state of the pool's sessions.
struct Sessions {
    /// Older sessions are not used any more.
    trusted_since: RwLock<Instant>,
    /// Whether to search for a host first.
    are_doubted: AtomicBool,
    /// Whether each transaction may run in another session.
    are_pooled: AtomicBool,
}

impl Postgres {
    /// Prepares connections without opening any.
    pub(super) fn new(url: &str, connections: Connections) -> Result<Self, StoreError> {
        let hosts = options(url)?;
        let first = hosts.first().cloned().unwrap_or_default();
        let sessions = Arc::new(Sessions {
            trusted_since: RwLock::new(Instant::now()),
            are_doubted: AtomicBool::new(true),
            are_pooled: AtomicBool::new(connections.pooler == Some(true)),
        });
        let (new, used) = (Arc::clone(&sessions), Arc::clone(&sessions));
        let pool = PgPoolOptions::new()
            .max_connections(connections.max.max(1))
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .after_connect(move |connection, _| {
                let is_pooled = new.are_pooled.load(Ordering::Relaxed);
                Box::pin(async move {
                    if !is_pooled {
                        connection.execute(AssertSqlSafe(limits("SESSION"))).await?;
                    }
                    Ok(())
                })
            })
            .test_before_acquire(false)
            .before_acquire(move |connection, session| {
                let is_trusted = used.trust_one_of(session.age);
                Box::pin(async move {
                    if is_trusted {
                        connection.ping().await?;
                    }
                    Ok(is_trusted)
                })
            })
            .connect_lazy_with(first);
        Ok(Self { pool, hosts, sessions, last_seek: Mutex::default() })
    }

    /// Connects to a host that accepts writes or, for reading, to any. Detects a pooler, and
    /// creates or migrates the tables.
    pub(super) async fn prepare(
        &self,
        pooler: Option<bool>,
        migrator: Migrator,
        access: Access,
    ) -> Result<(), StoreError> {
        let work = async {
            let mut connection = match self.connect().await {
                Err(StoreError::Unavailable { reason: Reason::ReadOnly, .. })
                    if access == Access::Read =>
                {
                    self.pool.connect_options().connect().await?
                }
                connected => connected?,
            };
            if pooler.is_none() {
                let is_pooled = self.is_pooled(&mut connection).await?;
                self.sessions.are_pooled.store(is_pooled, Ordering::Relaxed);
            }
            migrate(&mut connection, migrator, access).await?;
            connection.close().await?;
            self.sessions.trust();
            Ok(())
        };
        timeout(OPEN_TIMEOUT, work).await.map_err(|_| StoreError::unavailable(Reason::TimedOut))?
    }

    pub(super) fn are_pooled(&self) -> bool {
        self.sessions.are_pooled.load(Ordering::Relaxed)
    }

    /// Searches for a host after a failure. Read-only hosts get an error of their own.
    pub(super) async fn seek(&self) -> Result<(), StoreError> {
        if !self.sessions.are_doubted.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut last = self.last_seek.lock().await;
        // Another task may have found a host, or failed to, while this one waited.
        if !self.sessions.are_doubted.load(Ordering::Relaxed) {
            return Ok(());
        }
        if let Some((at, error)) = &*last
            && at.elapsed() < SEEK_PAUSE
        {
            return Err(error.clone());
        }
        match self.connect().await {
            Ok(connection) => {
                *last = None;
                self.sessions.trust();
                drop(connection);
                Ok(())
            }
            Err(error) => {
                *last = Some((Instant::now(), error.clone()));
                Err(error)
            }
        }
    }

    /// Takes note of an operation's failure.
    pub(super) fn note(&self, error: &StoreError) {
        if error.is_of_the_host() {
            self.sessions.are_doubted.store(true, Ordering::Relaxed);
        }
        // A busy pooler can escape detection.
        if error.is_of_a_pooler() {
            self.sessions.are_pooled.store(true, Ordering::Relaxed);
        }
    }

    /// Connects to the first host that accepts writes, and points the pool at it. Asks all hosts
    /// concurrently, since some may hang.
    async fn connect(&self) -> Result<PgConnection, StoreError> {
        let mut read_only = None;
        let mut failure = None;
        let ask = |host: PgConnectOptions| async move {
            let connected = timeout(CONNECT_TIMEOUT, connect(&host)).await;
            (host, connected)
        };
        let mut answers = stream::iter(self.hosts.clone()).map(ask).buffered(self.hosts.len());
        while let Some((host, connected)) = answers.next().await {
            match connected.unwrap_or_else(|_| Err(StoreError::unavailable(Reason::TimedOut))) {
                Ok((connection, true)) => {
                    self.pool.set_connect_options(host);
                    return Ok(connection);
                }
                Ok((_, false)) => read_only = read_only.or(Some(host)),
                // A wrong setting takes precedence over a temporary failure.
                Err(error) if error.passes() && failure.is_some() => {}
                Err(error) => failure = Some(error),
            }
        }
        if let Some(host) = read_only {
            self.pool.set_connect_options(host);
            return Err(StoreError::unavailable(Reason::ReadOnly));
        }
        Err(failure.unwrap_or_else(|| StoreError::unavailable(Reason::OutOfReach)))
    }

    /// Whether a connection's statements run in changing sessions, or two connections share one.
    async fn is_pooled(&self, first: &mut PgConnection) -> Result<bool, StoreError> {
        let mut second = self.pool.connect_options().connect().await?;
        let own = session(first).await?;
        let mut is_pooled = false;
        for _ in 0..POOLER_TRIALS {
            is_pooled |= session(&mut second).await? == own || session(first).await? != own;
        }
        second.close().await?;
        Ok(is_pooled)
    }
}

impl Sessions {
    /// Whether a session of this age began after the last failure.
    fn trust_one_of(&self, age: Duration) -> bool {
        let since = *self.trusted_since.read().unwrap_or_else(PoisonError::into_inner);
        since.elapsed() > age
    }

    /// Trusts sessions that begin from now on.
    fn trust(&self) {
        *self.trusted_since.write().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.are_doubted.store(false, Ordering::Relaxed);
    }
}

/// Begins a transaction with its own limits.
pub(super) fn begin_with_limits() -> String {
    format!("BEGIN; {}", limits("LOCAL"))
}

/// Time limits, which the server enforces whatever happens to the client.
fn limits(scope: &str) -> String {
    format!(
        "SET {scope} statement_timeout = {0}; SET {scope} lock_timeout = {0}; \
         SET {scope} idle_in_transaction_session_timeout = {1}; SET {scope} synchronous_commit = on",
        STATEMENT_TIMEOUT.as_millis(),
        IDLE_TRANSACTION_TIMEOUT.as_millis(),
    )
}

/// Connects to a host and asks whether it accepts writes.
async fn connect(host: &PgConnectOptions) -> Result<(PgConnection, bool), StoreError> {
    let mut connection = host.connect().await?;
    let row = raw_sql("SHOW transaction_read_only").fetch_one(&mut connection).await?;
    let is_read_only = row.try_get::<String, _>(0)? == "on";
    Ok((connection, !is_read_only))
}

/// The server process that runs a statement.
async fn session(connection: &mut PgConnection) -> Result<i32, StoreError> {
    let row = raw_sql("SELECT pg_backend_pid()").fetch_one(connection).await?;
    Ok(row.try_get(0)?)
}

/// The options for each host in a URL. They use nothing that `PgBouncer` refuses.
pub(super) fn options(url: &str) -> Result<Vec<PgConnectOptions>, StoreError> {
    hosts(url).ok_or(StoreError::Url("must look like `postgres://user:password@host/database`"))
}

fn hosts(url: &str) -> Option<Vec<PgConnectOptions>> {
    let (scheme, rest) = url.split_once("://")?;
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, database) = rest.split_once('/').unwrap_or((rest, ""));
    let (user, hosts) = match authority.rsplit_once('@') {
        Some((user, hosts)) => (format!("{user}@"), hosts),
        None => (String::new(), authority),
    };
    let mut others = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("target_session_attrs", "any" | "read-write" | "primary" | "prefer-primary")) => {
            }
            Some(("target_session_attrs", _)) => return None,
            _ => others.push(pair),
        }
    }
    let query = others.join("&");
    let options = |host| {
        let url = format!("{scheme}://{user}{host}/{database}?{query}");
        let options = PgConnectOptions::from_str(&url).ok()?;
        let options = options.application_name("toolkit").extra_float_digits(None);
        Some(options.disable_statement_logging())
    };
    hosts.split(',').map(options).collect()
}

/// Runs missing migrations in one transaction with a lock, so that another process waits and then
/// finds nothing to do. Uses its own connection, since a migration may take longer than a regular
/// statement.
async fn migrate(
    connection: &mut PgConnection,
    mut migrator: Migrator,
    access: Access,
) -> Result<(), StoreError> {
    let mut transaction = connection.begin().await?;
    // A pooler's session may have prepared statements with the migrator's names.
    let begin = "DEALLOCATE ALL; SELECT pg_advisory_xact_lock(hashtextextended('toolkit', 0))";
    transaction.execute(begin).await?;
    let exists = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    if sqlx::query_scalar(exists).fetch_one(&mut *transaction).await? {
        let applied: Vec<_> = sqlx::query_as(APPLIED).fetch_all(&mut *transaction).await?;
        refuse_older(&applied, &migrator, access)?;
        if access == Access::Read && !applied.is_empty() {
            return Ok(());
        }
    }
    migrator.set_locking(false);
    migrator.run_direct(None, &mut *transaction, false).await?;
    transaction.execute("DEALLOCATE ALL").await?;
    Ok(transaction.commit().await?)
}
