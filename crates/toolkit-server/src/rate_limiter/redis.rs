//! Shared rate limiter: counts in Redis or Valkey, so that limits hold across replicas.
//!
//! The same algorithm and numbers as in memory, as one script: one round trip, and atomic. The
//! clock is that of Redis, so replicas need not agree on theirs. While Redis is unreachable each
//! process counts alone: a limit that is too generous for a while is better than an outage. A key
//! is `toolkit:limit:`, the limit and the client's address; it expires when the
//! client's theoretical arrival time has passed, within about a minute.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use metrics::Gauge;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, RedisError, RedisResult, Script};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::rate::Rate;
use crate::settings::RedisUrl;
use crate::tls;

/// For Redis to answer, normally a fraction of a millisecond; beyond it, counting alone is better.
const RESPONSE_DEADLINE: Duration = Duration::from_millis(250);

/// For a connection to be established.
const CONNECT_DEADLINE: Duration = Duration::from_secs(2);

/// Between two attempts to connect to Redis.
const RETRY: Duration = Duration::from_secs(1);

/// A Redis or Valkey server that counts for all replicas.
#[derive(Clone)]
pub struct Redis(
    Arc<Shared>,
    #[expect(dead_code, reason = "ends its task when dropped")] Arc<JoinSet<()>>,
);

struct Shared {
    script: Script,
    connection: RwLock<Option<MultiplexedConnection>>,
    lost: Notify,
    reachable: Gauge,
}

impl Redis {
    /// Connects in the background, and reconnects whenever the connection is lost. Call it from
    /// within the tokio runtime of the process, not of a worker.
    ///
    /// # Errors
    ///
    /// When the URL is not a Redis URL.
    pub fn connect(url: &RedisUrl) -> Result<Self, RedisUrlError> {
        tls::install_crypto_provider();
        let client = redis::Client::open(url.expose()).map_err(|_| RedisUrlError)?;
        let shared = Arc::new(Shared {
            script: script(),
            connection: RwLock::new(None),
            lost: Notify::new(),
            reachable: metrics::gauge!("toolkit_limiter_shared"),
        });
        let mut keeper = JoinSet::new();
        keeper.spawn(keep(Arc::clone(&shared), client));
        Ok(Self(shared, Arc::new(keeper)))
    }

    /// Connects and counts once.
    ///
    /// # Errors
    ///
    /// Why that fails, without the URL.
    pub async fn test(url: &RedisUrl) -> Result<(), String> {
        tls::install_crypto_provider();
        let client = redis::Client::open(url.expose());
        let client = client.map_err(|_| RedisUrlError.to_string())?;
        connect(&script(), &client).await.map(drop).map_err(|error| reason(&error))
    }

    /// Counts a request. None when Redis is unreachable.
    pub(super) async fn check(&self, key: &str, rate: Rate) -> Option<Result<(), Duration>> {
        let connection = self.0.connection();
        match count(&self.0.script, &mut connection?, key, rate).await {
            Ok(0) => Some(Ok(())),
            Ok(wait) => Some(Err(Duration::from_micros(wait))),
            Err(error) => {
                self.0.lose(&error);
                None
            }
        }
    }
}

/// The Redis client cannot parse the URL.
#[derive(Debug, thiserror::Error)]
#[error(
    "`limits.redis_url` cannot be read; expected redis://user:password@host:port/number, or rediss:// for TLS"
)]
pub struct RedisUrlError;

impl Shared {
    fn connection(&self) -> Option<MultiplexedConnection> {
        self.connection.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the connection; returns whether there was one.
    fn replace(&self, connection: Option<MultiplexedConnection>) -> bool {
        self.reachable.set(if connection.is_some() { 1.0 } else { 0.0 });
        let mut place = self.connection.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *place, connection).is_some()
    }

    fn lose(&self, error: &RedisError) {
        if self.replace(None) {
            warn_of(error);
            self.lost.notify_one();
        }
    }
}

fn script() -> Script {
    Script::new(include_str!("gcra.lua"))
}

async fn count(
    script: &Script,
    connection: &mut MultiplexedConnection,
    key: &str,
    rate: Rate,
) -> RedisResult<u64> {
    let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let mut call = script.prepare_invoke();
    call.key(key).arg(microseconds(rate.cost())).arg(microseconds(rate.tolerance()));
    call.invoke_async(connection).await
}

/// Only the kind of a Redis error is told: its text may contain the address of a client. Errors of the
/// connection contain none, and without their text a certificate problem would look like a firewall.
fn reason(error: &RedisError) -> String {
    if error.is_io_error() { error.to_string() } else { error.category().to_owned() }
}

fn warn_of(error: &RedisError) {
    let reason = reason(error);
    tracing::warn!(reason, "Redis is unreachable: this process counts its limits alone");
}

/// Maintains a connection.
async fn keep(shared: Arc<Shared>, client: redis::Client) {
    let mut silent = false;
    loop {
        match connect(&shared.script, &client).await {
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

/// Connects, and counts once to check that it can.
async fn connect(script: &Script, client: &redis::Client) -> RedisResult<MultiplexedConnection> {
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(CONNECT_DEADLINE))
        .set_response_timeout(Some(RESPONSE_DEADLINE));
    let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
    if let Some(rate) = Rate::new(60, 1) {
        count(script, &mut connection, "toolkit:limit:probe", rate).await?;
    }
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::test_log::Log;

    #[tokio::test]
    async fn without_redis_a_process_counts_alone_and_logs_so_once() {
        let (log, _captured) = Log::capture();
        let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("redis://{}", closed.local_addr().unwrap());
        drop(closed);
        let redis = Redis::connect(&RedisUrl::parse(&url).unwrap()).unwrap();
        // Some attempts to connect.
        sleep(RETRY * 5 / 2).await;
        assert_eq!(log.count("Redis is unreachable"), 1);
        assert_eq!(log.count("limits are counted in Redis"), 0);
        let rate = Rate::new(60, 1).unwrap();
        assert_eq!(redis.check("toolkit:limit:test", rate).await, None);
    }
}
