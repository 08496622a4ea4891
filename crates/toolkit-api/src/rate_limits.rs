//! Rate limits of the REST endpoints.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use actix_web::HttpRequest;
use toolkit_server::accounts::{Account, ClientId};
use toolkit_server::error_response::HttpError;
use toolkit_server::rate_limiter::{Limiter, Rate, Redis, RedisUrlError};
use toolkit_server::settings::Settings;
use toolkit_store::Ulid;

use crate::error::ApiError;

/// Mail links that one client may open or press per minute.
const LINKS_PER_MINUTE: u32 = 600;

/// Mail links that it may open or press at once.
const LINKS_BURST: u32 = 120;

/// The rate limit of an endpoint.
pub(crate) struct RateLimit {
    limiters: Vec<Limiter>,
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

    /// Counts a request of a back end, for the visitor that it names.
    ///
    /// # Errors
    ///
    /// 429 when the visitor is over the limit.
    pub(crate) async fn admit_visitor(&self, request: &HttpRequest) -> Result<(), HttpError> {
        self.admit_client(Account::visitor_of(request)).await
    }

    async fn admit_client(&self, client: ClientId) -> Result<(), HttpError> {
        for limiter in &self.limiters {
            limiter.admit(client).await?;
        }
        Ok(())
    }
}

/// The rate limits of the endpoints. An unset burst equals the rate per minute.
pub(crate) struct RateLimits {
    pub(crate) run: RateLimit,
    pub(crate) chat: RateLimit,
    pub(crate) contact: RateLimit,
    pub(crate) subscribe: RateLimit,
    /// Mail links, and lists of subscribers. Not a setting: it limits guesses, and a mail program that unsubscribes many
    /// people from one address stays below it.
    pub(crate) links: RateLimit,
    pub(crate) keys: KeyLimits,
}

/// The limits of keys that have one, beside those of their clients.
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
    pub(crate) async fn admit(&self, key: Ulid, per_minute: u32) -> Result<(), ApiError> {
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
        };
        let even = |name, per_minute| limit(name, per_minute, per_minute);
        let mut subscribe = even("subscribe", limits.subscribe_per_minute);
        let per_day = Limiter::of("subscribe_day", Rate::per_day(limits.subscribe_per_day));
        subscribe.limiters.push(per_day.shared(redis.clone()));
        Ok(Self {
            run: limit("run", limits.run_per_minute, limits.run_burst),
            chat: even("chat", limits.chat_per_minute),
            contact: even("contact", limits.contact_per_minute),
            subscribe,
            keys: KeyLimits { redis: redis.clone(), limiters: Mutex::default() },
            links: limit("links", LINKS_PER_MINUTE, LINKS_BURST),
        })
    }
}
