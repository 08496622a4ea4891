//! Who may come in, and how often.

use actix_web::HttpRequest;
use toolkit_http::client_ip::Proxies;
use toolkit_http::detail::Refusal;
use toolkit_http::limiter::{Limiter, Redis, RedisUrlError};
use toolkit_http::settings::Settings;

/// Links of mails that one client may open or press in a minute.
const LINKS_PER_MINUTE: u32 = 600;

/// Those that it may open or press at once.
const LINKS_BURST: u32 = 120;

/// A rate limit in front of an endpoint.
pub(crate) struct Gate {
    proxies: Proxies,
    limiter: Limiter,
}

impl Gate {
    fn new(name: &'static str, common: &Common, per_minute: u32, burst: u32) -> Self {
        Self {
            proxies: common.proxies.clone(),
            limiter: Limiter::new(name, per_minute, burst).shared(common.redis.clone()),
        }
    }

    /// Counts a request.
    ///
    /// # Errors
    ///
    /// 429 when its client is over the limit.
    pub(crate) async fn admit(&self, request: &HttpRequest) -> Result<(), Refusal> {
        self.limiter.admit(self.proxies.client(request)).await
    }
}

/// What all gates have.
struct Common {
    proxies: Proxies,
    redis: Option<Redis>,
}

/// The gates of the limited endpoints. Where no burst is set, it is what a minute allows.
pub(crate) struct Gates {
    pub(crate) run: Gate,
    pub(crate) chat: Gate,
    pub(crate) contact: Gate,
    pub(crate) subscribe: Gate,
    /// The links of mails. No setting: it bounds what guesses cost, and a mail program that unsubscribes
    /// many people from one address stays below it.
    pub(crate) links: Gate,
}

impl Gates {
    pub(crate) fn new(settings: &Settings) -> Result<Self, RedisUrlError> {
        let limits = &settings.limits;
        let common = Common {
            proxies: Proxies::new(settings.http.trusted_proxies.clone()),
            redis: limits.redis_url.as_ref().map(Redis::connect).transpose()?,
        };
        let even = |name, per_minute| Gate::new(name, &common, per_minute, per_minute);
        Ok(Self {
            run: Gate::new("run", &common, limits.run_per_minute, limits.run_burst),
            chat: even("chat", limits.chat_per_minute),
            contact: even("contact", limits.contact_per_minute),
            subscribe: even("subscribe", limits.subscribe_per_minute),
            links: Gate::new("links", &common, LINKS_PER_MINUTE, LINKS_BURST),
        })
    }
}
