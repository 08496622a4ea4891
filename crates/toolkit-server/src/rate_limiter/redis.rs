//! Shared rate limiter: counts in Redis or Valkey, so that limits hold across replicas.
//!
//! The algorithm and numbers are those of the in-memory limiter, as one script: a single, atomic
//! round trip. Time is Redis's, so replicas' clocks need not agree. While Redis is unreachable,
//! each process counts alone, since a limit that is too generous for a while is better than an
//! outage. A key is `toolkit:limit:`, the limit and the client's address. It expires once the
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

/// Time for Redis to answer, normally a fraction of a millisecond. Beyond it, counting alone is
/// better.
const RESPONSE_DEADLINE: Duration = Duration::from_millis(250);

/// Time to establish a connection.
const CONNECT_DEADLINE: Duration = Duration::from_secs(2);

/// Time between connection attempts.
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
    /// Connects in the background, and reconnects after each loss. Call it within the process's
    /// tokio runtime, not a worker's.
    ///
    /// # Errors
    ///
    /// When the URL is not a Redis URL.
    pub fn connect(url: &RedisUrl) -> Result<Self, RedisUrlError> {
        tls::install_crypto_provider();
        let client = client(url)?;
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

    /// Reads the URL.
    ///
    /// # Errors
    ///
    /// When it is not a Redis URL.
    pub fn check_url(url: &RedisUrl) -> Result<(), RedisUrlError> {
        client(url).map(drop)
    }

    /// Connects and counts once.
    ///
    /// # Errors
    ///
    /// The reason for a failure, without the URL.
    pub async fn test(url: &RedisUrl) -> Result<(), String> {
        tls::install_crypto_provider();
        let client = client(url).map_err(|error| error.to_string())?;
        connect(&script(), &client).await.map(drop).map_err(|error| reason(&error))
    }

    /// Counts a request. `None` if Redis is unreachable.
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

fn client(url: &RedisUrl) -> Result<redis::Client, RedisUrlError> {
    redis::Client::open(url.expose()).map_err(|_| RedisUrlError)
}

/// The Redis client cannot parse the URL.
#[derive(Debug, thiserror::Error)]
#[error(
    "`limits.redis_url` cannot be read. Expected redis://user:password@host:port/number, or rediss:// for TLS"
)]
pub struct RedisUrlError;

impl Shared {
    fn connection(&self) -> Option<MultiplexedConnection> {
        self.connection.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the connection. Returns whether there was one.
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

/// Returns only the kind of a Redis error and its code, since its text may contain a client's address.
/// Connection errors contain none, and without their text a certificate problem would look like a
/// firewall.
fn reason(error: &RedisError) -> String {
    match error.code() {
        _ if error.is_io_error() => error.to_string(),
        Some(code) => format!("{} {code}", error.category()),
        None => error.category().to_owned(),
    }
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

/// Connects, and counts once as a check.
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
        // Long enough for several attempts.
        sleep(RETRY * 5 / 2).await;
        assert_eq!(log.count("Redis is unreachable"), 1);
        assert_eq!(log.count("limits are counted in Redis"), 0);
        let rate = Rate::new(60, 1).unwrap();
        assert_eq!(redis.check("toolkit:limit:test", rate).await, None);
    }
}
