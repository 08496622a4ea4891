//! Response cache: static responses, built on first use and kept.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use actix_web::web;
use toolkit_server::error_response::HttpError;
use toolkit_server::static_response::StaticResponse;

/// Responses by name. The names are fixed, so that requests cannot exhaust memory.
pub(crate) struct ResponseCache(HashMap<&'static str, RwLock<Option<CachedResponse>>>);

/// A response, and the revision of the files it was built from.
struct CachedResponse {
    revision: u64,
    response: StaticResponse,
}

impl ResponseCache {
    pub(crate) fn new(names: impl Iterator<Item = &'static str>) -> Self {
        Self(names.map(|name| (name, RwLock::default())).collect())
    }

    /// The cache's own copy of a name, if known.
    pub(crate) fn name(&self, name: &str) -> Option<&'static str> {
        self.0.get_key_value(name).map(|(name, _)| *name)
    }

    /// Serves a response, built once on a blocking thread, since compression takes tens of
    /// milliseconds. Debug builds rebuild it when a page file changes.
    ///
    /// # Errors
    ///
    /// 500 when it cannot be built.
    pub(crate) async fn answer<R>(
        &self,
        name: &str,
        make: impl FnOnce() -> StaticResponse + Send + 'static,
        answer: impl FnOnce(&StaticResponse) -> R,
    ) -> Result<R, HttpError> {
        self.answer_at(toolkit_web::revision(), name, make, answer).await
    }

    async fn answer_at<R>(
        &self,
        revision: u64,
        name: &str,
        make: impl FnOnce() -> StaticResponse + Send + 'static,
        answer: impl FnOnce(&StaticResponse) -> R,
    ) -> Result<R, HttpError> {
        let slot = self.0.get(name);
        if let Some(slot) = slot
            && let Some(made) = &*slot.read().unwrap_or_else(PoisonError::into_inner)
            && made.revision == revision
        {
            return Ok(answer(&made.response));
        }
        let response = web::block(make).await.map_err(|_| HttpError::internal())?;
        let answer = answer(&response);
        if let Some(slot) = slot {
            *slot.write().unwrap_or_else(PoisonError::into_inner) =
                Some(CachedResponse { revision, response });
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn a_response_is_built_once_for_each_revision_of_the_files() {
        let cache = ResponseCache::new(["page"].into_iter());
        let mut bodies = Vec::new();
        for (revision, body) in [(1, "a"), (1, "b"), (2, "c"), (2, "d")] {
            let make = move || StaticResponse::new("text/plain", "no-cache", body);
            let answer = |made: &StaticResponse| made.body().clone();
            bodies.push(cache.answer_at(revision, "page", make, answer).await);
        }
        let bodies: Vec<_> = bodies.into_iter().flatten().collect();
        assert_eq!(bodies, ["a", "a", "c", "c"]);
    }
}
