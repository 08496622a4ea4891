//! Rate limits of the REST endpoints.

use actix_web::HttpRequest;
use toolkit_server::client_ip::Proxies;
use toolkit_server::error_response::HttpError;
use toolkit_server::rate_limiter::{Limiter, Redis, RedisUrlError};
use toolkit_server::settings::Settings;

/// Mail links that one client may open or press per minute.
const LINKS_PER_MINUTE: u32 = 600;

/// Mail links that it may open or press at once.
const LINKS_BURST: u32 = 120;

/// The rate limit of an endpoint.
pub(crate) struct RateLimit {
    proxies: Proxies,
    limiter: Limiter,
}

impl RateLimit {
    /// Counts a request.
    ///
    /// # Errors
    ///
    /// 429 when the client is over the limit.
    pub(crate) async fn admit(&self, request: &HttpRequest) -> Result<(), HttpError> {
        self.limiter.admit(self.proxies.client(request)).await
    }
}

/// The rate limits of the endpoints. An unset burst equals the rate per minute.
pub(crate) struct RateLimits {
    pub(crate) run: RateLimit,
    pub(crate) chat: RateLimit,
    pub(crate) contact: RateLimit,
    pub(crate) subscribe: RateLimit,
    /// Mail links. Not a setting: it limits guesses, and a mail program that unsubscribes many
    /// people from one address stays below it.
    pub(crate) links: RateLimit,
}

impl RateLimits {
    pub(crate) fn new(settings: &Settings) -> Result<Self, RedisUrlError> {
        let limits = &settings.limits;
        let proxies = Proxies::new(settings.http.trusted_proxies.clone());
        let redis = limits.redis_url.as_ref().map(Redis::connect).transpose()?;
        let limit = |name, per_minute, burst| RateLimit {
            proxies: proxies.clone(),
            limiter: Limiter::new(name, per_minute, burst).shared(redis.clone()),
        };
        let even = |name, per_minute| limit(name, per_minute, per_minute);
        Ok(Self {
            run: limit("run", limits.run_per_minute, limits.run_burst),
            chat: even("chat", limits.chat_per_minute),
            contact: even("contact", limits.contact_per_minute),
            subscribe: even("subscribe", limits.subscribe_per_minute),
            links: limit("links", LINKS_PER_MINUTE, LINKS_BURST),
        })
    }
}
