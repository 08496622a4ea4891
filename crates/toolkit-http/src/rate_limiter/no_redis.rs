//! Shared rate limiter in a build without the feature `redis`: there is none.

use std::convert::Infallible;
use std::time::Duration;

use super::rate::Rate;
use crate::settings::{MissingFeature, RedisUrl};

/// A shared counter, which this build cannot use.
#[derive(Clone)]
pub struct Redis(Infallible);

/// This build has no Redis client.
#[derive(Debug, thiserror::Error)]
#[error("{}", MissingFeature::REDIS)]
pub struct RedisUrlError;

impl Redis {
    /// Connects to nothing.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn connect(_url: &RedisUrl) -> Result<Self, RedisUrlError> {
        Err(RedisUrlError)
    }

    #[expect(clippy::unused_async, reason = "as with the feature `redis`")]
    pub(super) async fn check(&self, _key: &str, _rate: Rate) -> Option<Result<(), Duration>> {
        match self.0 {}
    }
}
