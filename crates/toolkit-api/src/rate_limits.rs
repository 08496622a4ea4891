//! Rate limits of the REST endpoints.

use std::collections::HashMap;
use std::iter::successors;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use actix_web::HttpRequest;
use toolkit_server::accounts::{Account, ClientId};
use toolkit_server::error_response::HttpError;
use toolkit_server::rate_limiter::{Limiter, Rate, Redis, RedisUrlError};
use toolkit_server::settings::Settings;
use toolkit_store::{KeyTerms, Ulid};

use crate::error::ApiError;

/// Mail links that a client may open or press per minute.
const LINKS_PER_MINUTE: u32 = 600;

/// Mail links that a client may open or press at once.
const LINKS_BURST: u32 = 120;

/// An endpoint's rate limit.
pub(crate) struct RateLimit {
    limiters: Vec<Limiter>,
    /// Whether the networks of an IPv6 client count too, at twice and four times the rate. A site
    /// with a /48 has 65,536 clients, each of which could send mail to someone.
    of_networks: bool,
}

impl RateLimit {
    /// Counts a request.
    ///
    /// # Errors
    ///
    /// 429 when the client is over the limit.
    pub(crate) async fn admit(&self, request: &HttpRequest) -> Result<(), HttpError> {
        self.admit_client(Account::of(request).client()).await
    }

    /// Counts a request for a client.
    ///
    /// # Errors
    ///
    /// 429 when the client is over the limit.
    pub(crate) async fn admit_client(&self, client: ClientId) -> Result<(), HttpError> {
        let wider = |client: &ClientId| client.prefix().filter(|_| self.of_networks);
        for limiter in &self.limiters {
            // Narrowest first: a request refused there is not counted for the networks.
            for client in successors(Some(client), wider) {
                limiter.admit(client).await?;
            }
        }
        Ok(())
    }
}

/// The rate limits of all endpoints. An unset burst equals the rate per minute.
pub(crate) struct RateLimits {
    pub(crate) run: RateLimit,
    pub(crate) chat: RateLimit,
    pub(crate) contact: RateLimit,
    pub(crate) subscribe: RateLimit,
    /// Mail links and subscriber lists. Not a setting: it limits guessing, and a mail program that
    /// unsubscribes many people from one address stays below it.
    pub(crate) links: RateLimit,
    pub(crate) keys: KeyLimits,
}

/// The limits of keys that have one, in addition to client limits.
pub(crate) struct KeyLimits {
    redis: Option<Redis>,
    /// By key and requests per minute.
    limiters: Mutex<HashMap<(Ulid, u32), Arc<Limiter>>>,
}

impl KeyLimits {
    /// Counts a request.
    ///
    /// # Errors
    ///
    /// 429 when the key is over its limit.
    pub(crate) async fn admit(&self, key: Ulid, terms: &KeyTerms) -> Result<(), ApiError> {
        let Some(per_minute) = terms.per_minute else {
            return Ok(());
        };
        let limiter = {
            let mut limiters = self.limiters.lock().unwrap_or_else(PoisonError::into_inner);
            let limiter = limiters.entry((key, per_minute)).or_insert_with(|| {
                let limiter = Limiter::new("key", per_minute, per_minute);
                Arc::new(limiter.shared(self.redis.clone()))
            });
            Arc::clone(limiter)
        };
        let checked = limiter.check(ClientId::of_key(key.random()), Instant::now());
        checked.await.map_err(ApiError::KeyOverLimit)
    }
}

impl RateLimits {
    pub(crate) fn new(settings: &Settings) -> Result<Self, RedisUrlError> {
        let limits = &settings.limits;
        let redis = limits.redis_url.as_ref().map(Redis::connect).transpose()?;
        let limit = |name, per_minute, burst| RateLimit {
            limiters: vec![Limiter::new(name, per_minute, burst).shared(redis.clone())],
            of_networks: false,
        };
        let even = |name, per_minute| limit(name, per_minute, per_minute);
        let by_network = |limit| RateLimit { of_networks: true, ..limit };
        let mut subscribe = by_network(even("subscribe", limits.subscribe_per_minute));
        let per_day = Limiter::of("subscribe_day", Rate::per_day(limits.subscribe_per_day));
        subscribe.limiters.push(per_day.shared(redis.clone()));
        Ok(Self {
            run: limit("run", limits.run_per_minute, limits.run_burst),
            chat: even("chat", limits.chat_per_minute),
            contact: by_network(even("contact", limits.contact_per_minute)),
            subscribe,
            keys: KeyLimits { redis: redis.clone(), limiters: Mutex::default() },
            links: by_network(limit("links", LINKS_PER_MINUTE, LINKS_BURST)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_48_opens_4_times_the_links_of_an_address_and_runs_as_many_tools_as_it_has_addresses()
    {
        let limits = RateLimits::new(&Settings::default()).unwrap();
        let started = Instant::now();
        let admitted = async |limit: &RateLimit| {
            let mut count = 0;
            for network in 0..1_000_u64 {
                let address = std::net::Ipv6Addr::from_bits(
                    u128::from(0x2001_0db8_0001_0000 + network) << 64,
                );
                count += u64::from(limit.admit_client(ClientId::new(address.into())).await.is_ok());
            }
            count
        };
        assert_eq!(admitted(&limits.run).await, 1_000);
        let links = admitted(&limits.links).await;
        let back = started.elapsed().as_secs() + 1;
        let (burst, a_second) = (u64::from(4 * LINKS_BURST), u64::from(4 * LINKS_PER_MINUTE / 60));
        assert!((burst..=burst + a_second * back).contains(&links), "{links}");
    }
}
