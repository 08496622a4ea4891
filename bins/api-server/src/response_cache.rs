//! Response cache: static responses that are made when they are first asked for, and kept.

use std::collections::HashMap;
use std::sync::OnceLock;

use actix_web::web;
use toolkit_http::error_response::HttpError;
use toolkit_http::static_response::StaticResponse;

/// Responses by name. The names are known from the start, so that requests cannot fill the memory.
pub(crate) struct ResponseCache(HashMap<&'static str, OnceLock<StaticResponse>>);

impl ResponseCache {
    pub(crate) fn new(names: impl Iterator<Item = &'static str>) -> Self {
        Self(names.map(|name| (name, OnceLock::new())).collect())
    }

    /// The name as the cache holds it, if it does.
    pub(crate) fn name(&self, name: &str) -> Option<&'static str> {
        self.0.get_key_value(name).map(|(name, _)| *name)
    }

    /// Answers with a response, which is made on a thread that may take its time: compression takes
    /// tens of milliseconds.
    ///
    /// # Errors
    ///
    /// 500 when it cannot be made.
    pub(crate) async fn answer<R>(
        &self,
        name: &str,
        make: impl FnOnce() -> StaticResponse + Send + 'static,
        answer: impl FnOnce(&StaticResponse) -> R,
    ) -> Result<R, HttpError> {
        let slot = self.0.get(name);
        // In debug builds the files of a page may have changed since the last request.
        if let Some(made) = slot
            .and_then(OnceLock::get)
            .filter(|_| !cfg!(debug_assertions))
        {
            return Ok(answer(made));
        }
        let response = web::block(make).await.map_err(|_| HttpError::internal())?;
        let answer = answer(&response);
        if let Some(slot) = slot {
            // Another request may have been first.
            let _ = slot.set(response);
        }
        Ok(answer)
    }
}
