//! Request extractor: rate limit, API key and JSON body of an endpoint that needs a key.
//!
//! Standard: RFC 9110, section 15.5.2 (401) and section 11.6.1 (`WWW-Authenticate`). All these
//! endpoints check in the same order: 429, 401, 429 of the key, 403, `Idempotency-Key` (422), then the body (413, 415,
//! 422). A handler that takes
//! [`Keyed`] cannot skip a check. A key that is missing, malformed, unknown, revoked or repeated
//! gets the same answer, which therefore reveals nothing. While the
//! database is unreachable, a well-formed key that is not in the cache gets 503: it may be active.

use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::ORIGIN;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest};
use serde::de::DeserializeOwned;
use time::{OffsetDateTime, Time};
use toolkit_server::body;
use toolkit_server::error_response::HttpError;
use toolkit_server::middleware;
use toolkit_server::snapshot::Current;
use toolkit_store::{Attempt, DayTokens, KeyCache, KeyTerms, KeysUnavailable, Scope, Ulid};

use crate::error::ApiError;
use crate::handlers::once;
use crate::input;
use crate::rate_limits::{RateLimit, RateLimits};
use crate::state::State;

/// The header with the key.
const HEADER: &str = "x-api-key";

/// The body of a request that needs a key.
pub(crate) trait KeyedInput: DeserializeOwned + 'static {
    /// The name of its endpoint, if `Idempotency-Key` counts there.
    const ONCE: Option<&'static str> = None;

    /// Whether its requests use tokens of language models.
    const USES_TOKENS: bool = false;

    /// What a key must open.
    const SCOPE: Scope;

    /// The rate limit of its endpoint.
    fn rate_limit(limits: &RateLimits) -> &RateLimit;
}

/// A body read after the rate limit and the key were checked.
pub(crate) struct Keyed<I> {
    pub(crate) input: I,
    /// The attempt that the request is, if it has an idempotency key.
    pub(crate) attempt: Option<Attempt>,
    /// The terms of its key.
    pub(crate) terms: Arc<KeyTerms>,
}

impl<I: KeyedInput> FromRequest for Keyed<I> {
    type Error = HttpError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, HttpError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let state = &Current::<State>::of(&request).ok_or(ApiError::Internal)?;
            let limit = I::rate_limit(&state.rate_limits);
            // Known without a query: whoever presents a wrong key is counted before it is looked up.
            let known = state.keys.peek(presented(&request));
            if known.is_some_and(|terms| terms.forwards_clients) {
                limit.admit_visitor(&request).await?;
            } else {
                limit.admit(&request).await?;
            }
            let (key, terms) = authorize(&request, state, presented(&request), I::SCOPE).await?;
            request.extensions_mut().insert(KeyId(key));
            if I::USES_TOKENS {
                has_tokens(&state.keys, key, terms.tokens_per_day)?;
            }
            let once = match I::ONCE {
                Some(endpoint) => once::key(&request)?.map(|once| (endpoint, once)),
                None => None,
            };
            let body = body::read_json(&request, payload, state.body_bytes_max).await?;
            let attempt = once.map(|(endpoint, once)| Attempt::new(endpoint, key, once, &body));
            Ok(Self { input: input::read(&body)?, attempt, terms })
        })
    }
}

/// The key of a request that was checked.
#[derive(Clone, Copy)]
pub(crate) struct KeyId(pub(crate) Ulid);

/// Refuses a key that has used its tokens of the day.
fn has_tokens(keys: &KeyCache, key: Ulid, most: Option<u64>) -> Result<(), ApiError> {
    let now = OffsetDateTime::now_utc();
    let used = keys.tokens(key, DayTokens::day_of(now));
    if most.is_some_and(|most| used >= most) {
        let midnight = now.replace_time(Time::MIDNIGHT) + time::Duration::DAY;
        return Err(ApiError::KeySpent((midnight - now).unsigned_abs()));
    }
    Ok(())
}

/// The key of a request; empty if it has none, or several.
pub(crate) fn presented(request: &HttpRequest) -> &str {
    let mut values = request.headers().get_all(HEADER);
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().unwrap_or_default(),
        _ => "",
    }
}

/// Checks the key of a request, its limit and its scope, and returns its id.
///
/// # Errors
///
/// 401, 429, 403; 503 where the key cannot be looked up.
pub(crate) async fn authorize(
    request: &HttpRequest,
    state: &State,
    presented: &str,
    scope: Scope,
) -> Result<(Ulid, Arc<KeyTerms>), ApiError> {
    let key = authenticate(presented, &state.keys).await?;
    middleware::set_key(request, key.to_string());
    let terms = state.keys.terms(key).unwrap_or_default();
    if let Some(per_minute) = terms.per_minute {
        state.rate_limits.keys.admit(key, per_minute).await?;
    }
    if !terms.opens(scope) {
        return Err(ApiError::KeyNotFor(scope.as_str()));
    }
    if !terms.sites.is_empty() && !is_of_site(request, state, &terms) {
        return Err(ApiError::WrongOrigin);
    }
    Ok((key, terms))
}

/// Whether a request comes from a page of a key's web sites, or from one of ours with the same form.
fn is_of_site(request: &HttpRequest, state: &State, terms: &KeyTerms) -> bool {
    let origin = request.headers().get(ORIGIN).and_then(|value| value.to_str().ok());
    let own = state.site.urls.base_url.origin();
    let mut sites = terms.sites.iter().map(String::as_str).chain([own]);
    origin.is_some_and(|origin| sites.any(|site| site.eq_ignore_ascii_case(origin)))
}

async fn authenticate(presented: &str, keys: &KeyCache) -> Result<Ulid, ApiError> {
    match keys.check(presented).await {
        Ok(Some(id)) => Ok(id),
        Ok(None) => Err(ApiError::Unauthorized),
        Err(KeysUnavailable) => Err(ApiError::KeyUnverified),
    }
}
