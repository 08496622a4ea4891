//! Snapshot: a value that is replaced as a whole, while running requests keep the one they started
//! with.

use std::future::{Ready, ready};
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest};

use crate::error_response::HttpError;

/// A shared value. Clones refer to the same one.
#[derive(Debug)]
pub struct Snapshot<T>(Arc<RwLock<Arc<T>>>);

impl<T> Snapshot<T> {
    /// Creates a snapshot with its first value.
    pub fn new(value: T) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(value))))
    }

    /// The current value.
    pub fn load(&self) -> Arc<T> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the value.
    pub fn store(&self, value: T) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
    }
}

impl<T> Clone for Snapshot<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The value of a [`Snapshot`] in the app data, taken when the request's handler was called.
#[derive(Debug)]
pub struct Current<T>(Arc<T>);

impl<T> Clone for Current<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Deref for Current<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: 'static> Current<T> {
    /// The value for a request, if its app has one.
    pub fn of(request: &HttpRequest) -> Option<Self> {
        request.app_data::<Snapshot<T>>().map(|snapshot| Self(snapshot.load()))
    }
}

impl<T: 'static> FromRequest for Current<T> {
    type Error = HttpError;
    type Future = Ready<Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let missing = || HttpError::new(StatusCode::INTERNAL_SERVER_ERROR, "Something failed.");
        ready(Self::of(request).ok_or_else(missing))
    }
}
