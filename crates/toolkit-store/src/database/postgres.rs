//! PostgreSQL backend.
//!
//! The URL may name several hosts, as libpq's does; the one that takes writes is used. After a failure
//! that may be the session's or the host's, a host is looked for anew, and sessions from before are
//! closed. A pooler that serves each transaction by another session (`PgBouncer`'s `pool_mode =
//! transaction`) is found, unless the settings name it: statements are then unnamed, each read has a
//! transaction too, and no limit is the session's. Not done: hosts for reading alone, lists in `host`
//! and `port` of the query.

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use futures::stream::{self, StreamExt as _};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection as _, Executor, PgConnection, PgPool, Row as _,
    raw_sql,
};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::{Backend, Connections};
use crate::error::{Reason, StoreError};
use crate::limits::{
    ACQUIRE_TIMEOUT, CONNECT_TIMEOUT, IDLE_TRANSACTION_TIMEOUT, OPEN_TIMEOUT, SEEK_PAUSE,
    STATEMENT_TIMEOUT,
};

/// Comparisons of sessions before a pooler is ruled out.
const POOLER_TRIALS: u32 = 4;

pub(super) struct Postgres {
    pub(super) pool: PgPool,
    hosts: Vec<PgConnectOptions>,
    sessions: Arc<Sessions>,
    /// One at a time looks for a host; the last failure, and when.
    last_seek: Mutex<Option<(Instant, StoreError)>>,
}

/// What is known about the sessions of the pool.
struct Sessions {
    /// Those from before are not used any more.
    trusted_since: RwLock<Instant>,
    /// Whether a host must be looked for first.
    are_doubted: AtomicBool,
    /// Whether each transaction may have another session.
    are_pooled: AtomicBool,
}

impl Postgres {
    /// Prepares connections, and opens none.
    pub(super) fn new(url: &str, connections: Connections) -> Result<Self, StoreError> {
        let hosts = hosts(url)
            .ok_or(StoreError::Url("must look like `postgres://user:password@host/database`"))?;
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

    /// Connects to a host that takes writes, learns of a pooler, and migrates the tables.
    pub(super) async fn prepare(
        &self,
        pooler: Option<bool>,
        migrates: bool,
    ) -> Result<(), StoreError> {
        let work = async {
            let mut connection = self.connect().await?;
            if pooler.is_none() {
                let is_pooled = self.is_pooled(&mut connection).await?;
                self.sessions.are_pooled.store(is_pooled, Ordering::Relaxed);
            }
            migrate(&mut connection, migrates).await?;
            connection.close().await?;
            self.sessions.trust();
            Ok(())
        };
        timeout(OPEN_TIMEOUT, work).await.map_err(|_| StoreError::unavailable(Reason::TimedOut))?
    }

    pub(super) fn are_pooled(&self) -> bool {
        self.sessions.are_pooled.load(Ordering::Relaxed)
    }

    /// Looks for a host after a failure. One that can only be read is told apart.
    pub(super) async fn seek(&self) -> Result<(), StoreError> {
        if !self.sessions.are_doubted.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut last = self.last_seek.lock().await;
        // Another operation may have found one, or none, while this one waited.
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

    /// Notes a failure of an operation.
    pub(super) fn note(&self, error: &StoreError) {
        if error.is_of_the_host() {
            self.sessions.are_doubted.store(true, Ordering::Relaxed);
        }
        // A busy pooler can hide from the trial.
        if error.is_of_a_pooler() {
            self.sessions.are_pooled.store(true, Ordering::Relaxed);
        }
    }

    /// Connects to the first host that takes writes, and has the pool do so. All are asked at once, as some may hang.
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
                // What is wrong with the settings is told before what passes by itself.
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

    /// Whether statements of one connection are served by another session, or those of two by the
    /// same.
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
    /// Whether a session of this age is from after the last failure.
    fn trust_one_of(&self, age: Duration) -> bool {
        let since = *self.trusted_since.read().unwrap_or_else(PoisonError::into_inner);
        since.elapsed() > age
    }

    /// Trusts those that begin from now on.
    fn trust(&self) {
        *self.trusted_since.write().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.are_doubted.store(false, Ordering::Relaxed);
    }
}

/// What begins a transaction whose limits are its own.
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

/// Connects to a host, and asks whether it takes writes.
async fn connect(host: &PgConnectOptions) -> Result<(PgConnection, bool), StoreError> {
    let mut connection = host.connect().await?;
    let row = raw_sql("SHOW transaction_read_only").fetch_one(&mut connection).await?;
    let is_read_only = row.try_get::<String, _>(0)? == "on";
    Ok((connection, !is_read_only))
}

/// The process of the server that serves a statement.
async fn session(connection: &mut PgConnection) -> Result<i32, StoreError> {
    let row = raw_sql("SELECT pg_backend_pid()").fetch_one(connection).await?;
    Ok(row.try_get(0)?)
}

/// The options of each host of a URL. They ask for nothing that `PgBouncer` refuses.
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

/// Runs the missing steps in one transaction with a lock, so that another process waits and then
/// finds nothing to do; on a connection of its own, since a step may take longer than a statement of
/// the service.
async fn migrate(connection: &mut PgConnection, migrates: bool) -> Result<(), StoreError> {
    let mut transaction = connection.begin().await?;
    // A pooler's session may have prepared statements by the names that the migrator will use.
    let begin = "DEALLOCATE ALL; SELECT pg_advisory_xact_lock(hashtextextended('toolkit', 0))";
    transaction.execute(begin).await?;
    let exists = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    if sqlx::query_scalar(exists).fetch_one(&mut *transaction).await? {
        let sql = "SELECT COUNT(*) FROM _sqlx_migrations";
        let applied = sqlx::query_scalar(sql).fetch_one(&mut *transaction).await?;
        super::refuse_older(applied, migrates)?;
    }
    let mut migrator = Backend::Postgres.migrator();
    migrator.set_locking(false);
    migrator.run_direct(None, &mut *transaction, false).await?;
    transaction.execute("DEALLOCATE ALL").await?;
    Ok(transaction.commit().await?)
}
