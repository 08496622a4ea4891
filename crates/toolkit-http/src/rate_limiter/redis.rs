//! Shared rate limiter: counts in Redis or Valkey, so that limits hold across replicas.
//!
//! The same algorithm with the same numbers as in memory, as one script: one round trip, and no
//! other request comes between reading and writing. The clock is that of Redis, so that replicas
//! need not agree on theirs. While Redis is out of reach each process counts alone: a limit that is
//! too generous for a while is better than a service that is down. A key is `toolkit:limit:`, the
//! limit and the client's address; it goes when the client has paid, which is within a minute or
//! so.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use metrics::Gauge;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, RedisError, RedisResult, Script};
use tokio::sync::Notify;
use tokio::time::sleep;

use super::rate::Rate;
use crate::settings::RedisUrl;
use crate::tls;

/// For Redis to answer. It takes a fraction of a millisecond; longer, and counting alone is better.
const RESPONSE_DEADLINE: Duration = Duration::from_millis(250);

/// For a connection to be made.
const CONNECT_DEADLINE: Duration = Duration::from_secs(2);

/// Between two attempts to reach Redis.
const RETRY: Duration = Duration::from_secs(1);

/// A Redis or Valkey server that counts for all replicas.
#[derive(Clone)]
pub struct Redis(Arc<Shared>);

struct Shared {
    script: Script,
    connection: RwLock<Option<MultiplexedConnection>>,
    lost: Notify,
    reachable: Gauge,
}

impl Redis {
    /// Connects in the background, and again whenever the connection is lost. Call it from within
    /// the tokio runtime of the process, not that of a worker.
    ///
    /// # Errors
    ///
    /// When the URL is not one of Redis.
    pub fn connect(url: &RedisUrl) -> Result<Self, RedisUrlError> {
        tls::install_crypto_provider();
        let client = redis::Client::open(url.expose()).map_err(|_| RedisUrlError)?;
        let redis = Self(Arc::new(Shared {
            script: Script::new(include_str!("gcra.lua")),
            connection: RwLock::new(None),
            lost: Notify::new(),
            reachable: metrics::gauge!("toolkit_limiter_shared"),
        }));
        tokio::spawn(keep(Arc::clone(&redis.0), client));
        Ok(redis)
    }

    /// Counts a request. None when Redis is out of reach.
    pub(super) async fn check(&self, key: &str, rate: Rate) -> Option<Result<(), Duration>> {
        let connection = self.0.connection();
        match self.0.count(&mut connection?, key, rate).await {
            Ok(0) => Some(Ok(())),
            Ok(wait) => Some(Err(Duration::from_micros(wait))),
            Err(error) => {
                self.0.lose(&error);
                None
            }
        }
    }
}

/// The URL of Redis is none that its client can read.
#[derive(Debug, thiserror::Error)]
#[error(
    "`limits.redis_url` cannot be read; expected redis://user:password@host:port/number, or rediss:// for TLS"
)]
pub struct RedisUrlError;

impl Shared {
    fn connection(&self) -> Option<MultiplexedConnection> {
        self.connection
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Takes a new connection in the place of the last; says whether there was one.
    fn replace(&self, connection: Option<MultiplexedConnection>) -> bool {
        self.reachable
            .set(if connection.is_some() { 1.0 } else { 0.0 });
        let mut place = self
            .connection
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *place, connection).is_some()
    }

    async fn count(
        &self,
        connection: &mut MultiplexedConnection,
        key: &str,
        rate: Rate,
    ) -> RedisResult<u64> {
        let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let mut call = self.script.prepare_invoke();
        call.key(key)
            .arg(microseconds(rate.cost()))
            .arg(microseconds(rate.tolerance()));
        call.invoke_async(connection).await
    }

    fn lose(&self, error: &RedisError) {
        if self.replace(None) {
            warn_of(error);
            self.lost.notify_one();
        }
    }
}

fn warn_of(error: &RedisError) {
    // Of what Redis says only the kind: its text may hold the address of a client. What the
    // connection says holds none, and without it nobody could tell a certificate from a firewall.
    let reason = if error.is_io_error() {
        error.to_string()
    } else {
        error.category().to_owned()
    };
    tracing::warn!(
        reason,
        "Redis is out of reach: this process counts its limits alone"
    );
}

/// Keeps a connection.
async fn keep(shared: Arc<Shared>, client: redis::Client) {
    let mut silent = false;
    loop {
        match connect(&shared, &client).await {
            Ok(connection) => {
                shared.replace(Some(connection));
                tracing::info!("limits are counted in Redis");
                silent = true;
                shared.lost.notified().await;
            }
            Err(error) if !silent => {
                warn_of(&error);
                shared.replace(None);
                silent = true;
            }
            Err(_) => {}
        }
        sleep(RETRY).await;
    }
}

/// Makes a connection, and counts on it to see that it can.
async fn connect(shared: &Shared, client: &redis::Client) -> RedisResult<MultiplexedConnection> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(CONNECT_DEADLINE))
        .set_response_timeout(Some(RESPONSE_DEADLINE));
    let mut connection = client
        .get_multiplexed_async_connection_with_config(&config)
        .await?;
    if let Some(rate) = Rate::new(60, 1) {
        shared
            .count(&mut connection, "toolkit:limit:probe", rate)
            .await?;
    }
    Ok(connection)
}
