//! Sender of a request that needs a key.
//!
//! Standard: RFC 9110, section 15.5.2 (401) and section 11.6.1 (`WWW-Authenticate`). All endpoints
//! with keys check in the same order: 429, 401, the key's own 429, 403, and then their own errors.
//! A key that is missing, malformed, unknown, revoked or repeated gets the same answer, which
//! reveals nothing. While the database is unreachable, a well-formed key outside the cache gets
//! 503, since it may be active.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::ORIGIN;
use toolkit_server::accounts::Account;
use toolkit_server::error_response::HttpError;
use toolkit_server::middleware;
use toolkit_store::{KeyTerms, KeysUnavailable, Scope, Ulid};

use crate::error::ApiError;
use crate::rate_limits::RateLimit;
use crate::state::State;

/// The header that carries the key.
const HEADER: &str = "x-api-key";

/// The key in the request's header. Empty if there is none, or several.
pub(crate) fn presented(request: &HttpRequest) -> &str {
    let mut values = request.headers().get_all(HEADER);
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().unwrap_or_default(),
        _ => "",
    }
}

/// Counts a request that needs a key: for its client, or for the visitor that a back end names.
///
/// # Errors
///
/// 429 when the client or visitor is over the limit.
pub(crate) async fn admit(
    limit: &RateLimit,
    request: &HttpRequest,
    state: &State,
) -> Result<(), HttpError> {
    // Needs no query: a wrong key is counted before it is looked up.
    let known = state.keys.peek(presented(request));
    if known.is_some_and(|terms| terms.forwards_clients) {
        limit.admit_client(Account::visitor_of(request)).await
    } else {
        limit.admit(request).await
    }
}

/// A request's checked key and its terms.
pub(crate) struct Sender {
    pub(crate) key: Ulid,
    pub(crate) terms: Arc<KeyTerms>,
}

impl Sender {
    /// Checks a key, its limit, scope and origin.
    ///
    /// # Errors
    ///
    /// 401, 429, 403; 503 if the key cannot be looked up.
    pub(crate) async fn check(
        request: &HttpRequest,
        state: &State,
        presented: &str,
        scope: Scope,
    ) -> Result<Self, ApiError> {
        let key = match state.keys.check(presented).await {
            Ok(Some(id)) => id,
            Ok(None) => return Err(ApiError::Unauthorized),
            Err(KeysUnavailable) => return Err(ApiError::KeyUnverified),
        };
        middleware::set_key(request, key.to_string());
        let sender = Self { key, terms: state.keys.terms(key).unwrap_or_default() };
        // A site key is public, so its limit counts only requests with a valid origin and proof.
        if !sender.is_site() {
            sender.count(state).await?;
        }
        if !sender.terms.opens(scope) {
            return Err(ApiError::KeyNotFor(scope.as_str()));
        }
        if sender.is_site() && !sender.is_from_site(request, state) {
            return Err(ApiError::WrongOrigin);
        }
        Ok(sender)
    }

    /// Whether the key is a site's public one.
    pub(crate) fn is_site(&self) -> bool {
        !self.terms.sites.is_empty()
    }

    /// Counts a request for the key.
    ///
    /// # Errors
    ///
    /// 429 when the key is over its limit.
    pub(crate) async fn count(&self, state: &State) -> Result<(), ApiError> {
        state.rate_limits.keys.admit(self.key, &self.terms).await
    }

    /// Whether a request comes from one of the key's web sites, or from our own page with the same
    /// form.
    fn is_from_site(&self, request: &HttpRequest, state: &State) -> bool {
        let origin = request.headers().get(ORIGIN).and_then(|value| value.to_str().ok());
        let own = state.site.urls.base_url.origin();
        let mut sites = self.terms.sites.iter().map(String::as_str).chain([own]);
        origin.is_some_and(|origin| sites.any(|site| site.eq_ignore_ascii_case(origin)))
    }
}
