//! Rate limiter (GCRA): counts requests per client.
//!
//! Standard: the generic cell rate algorithm (ITU-T I.371, annex A) in its virtual scheduling form.
//! It keeps one number per client, the theoretical arrival time, and each request advances it by a
//! minute divided by the rate. A request is refused if that time would be more than one burst ahead
//! of the clock.

mod memory;
mod rate;
mod redis;

use std::time::{Duration, Instant};

use actix_web::http::StatusCode;
use metrics::Counter;

use self::memory::Memory;
pub use self::rate::Rate;
pub use self::redis::{Redis, RedisUrlError};
use crate::accounts::ClientId;
use crate::error_response::{self, HttpError};

/// One rate limit, for all clients.
pub struct Limiter {
    counted: Option<Counted>,
    /// Kept even without a limit, so that the metrics show Redis is in use.
    shared: Option<Redis>,
}

struct Counted {
    name: &'static str,
    rate: Rate,
    started: Instant,
    memory: Memory,
    refused: Counter,
}

impl Limiter {
    /// Creates a limit of requests per minute and of requests at once. 0 per minute means no limit.
    ///
    /// The name labels the limit in the metrics.
    pub fn new(name: &'static str, per_minute: u32, burst: u32) -> Self {
        Self::of(name, Rate::new(per_minute, burst))
    }

    /// Creates a limit with this rate, or no limit.
    pub fn of(name: &'static str, rate: Option<Rate>) -> Self {
        let counted = rate.map(|rate| Counted {
            name,
            rate,
            started: Instant::now(),
            memory: Memory::new(rate),
            refused: metrics::counter!("toolkit_limiter_refused_total", "limit" => name),
        });
        Self { counted, shared: None }
    }

    /// Also counts in Redis, across replicas, while it is reachable.
    #[must_use]
    pub fn shared(mut self, redis: Option<Redis>) -> Self {
        self.shared = redis;
        self
    }

    /// Counts a client's request.
    ///
    /// # Errors
    ///
    /// 429 with `Retry-After` when the client is over its limit. A refused request costs nothing.
    pub async fn admit(&self, client: ClientId) -> Result<(), HttpError> {
        self.check(client, Instant::now()).await.map_err(too_many)
    }

    /// Counts a client's request in this process at a given time.
    ///
    /// # Errors
    ///
    /// The wait until the next request is admitted.
    pub async fn check(&self, client: ClientId, now: Instant) -> Result<(), Duration> {
        let Some(counted) = &self.counted else {
            return Ok(());
        };
        let elsewhere = match &self.shared {
            Some(redis) => {
                redis.check(&counted.key(client), counted.rate.times(client.shares())).await
            }
            None => None,
        };
        let checked = elsewhere.unwrap_or_else(|| {
            let now = now.saturating_duration_since(counted.started);
            counted.memory.check(client, now)
        });
        if checked.is_err() {
            counted.refused.increment(1);
        }
        checked
    }
}

impl Counted {
    fn key(&self, client: ClientId) -> String {
        format!("toolkit:limit:{}:{}", self.name, client.key())
    }
}

/// Refuses a request over the limit: 429.
pub fn too_many(wait: Duration) -> HttpError {
    let wait_text = error_response::seconds(wait);
    let detail = format!("Too many requests from this address. Try again in {wait_text}.");
    HttpError::new(StatusCode::TOO_MANY_REQUESTS, detail).retry_after(wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_client_and_limit_has_its_own_key_in_redis() {
        let key = |name, address: &str| {
            let client = ClientId::new(address.parse().unwrap());
            let limiter = Limiter::new(name, 1, 1);
            limiter.counted.unwrap().key(client)
        };
        assert_eq!(key("run", "192.0.2.1"), "toolkit:limit:run:4:c0000201");
        assert_eq!(key("chat", "192.0.2.1"), "toolkit:limit:chat:4:c0000201");
        let network = "toolkit:limit:run:6:20010db800000000";
        assert_eq!(key("run", "2001:db8::7"), network);
        // A network has its own count, at its own rate.
        let limiter = Limiter::new("run", 1, 1).counted.unwrap();
        let wider = ClientId::new("2001:db8::7".parse().unwrap()).prefix().unwrap();
        assert_eq!(limiter.key(wider), format!("{network}/56"));
    }
}
