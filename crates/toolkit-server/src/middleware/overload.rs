//! Layer of overload: more requests than can be worked on are refused at once rather than queued.
//!
//! A request does not count while it waits for its body, so that slow clients take no places, nor
//! once its response is being sent.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::Next;

use crate::clients::{Connection, Shared};
use crate::error_response::{HttpError, sentence};
use crate::limits;

/// `Retry-After` of an overloaded server.
const BUSY_RETRY: Duration = Duration::from_secs(1);

pub(super) async fn admit(
    in_flight: InFlight,
    always: &[&str],
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    if in_flight.count() >= in_flight.max && !always.contains(&request.path()) {
        metrics::counter!("toolkit_http_requests_shed_total").increment(1);
        return Ok(request.error_response(busy()));
    }
    let mut place = Place::take(in_flight);
    let connection = Connection::of(request.request());
    let mut handled = next.call(request);
    poll_fn(|cx| {
        let polled = handled.as_mut().poll(cx);
        let waits = |connection: &Shared| connection.borrow().request.is_awaited();
        place.count(!connection.as_ref().is_some_and(waits));
        polled
    })
    .await
}

fn busy() -> HttpError {
    let status = StatusCode::SERVICE_UNAVAILABLE;
    HttpError::new(status, sentence(status)).retry_after(BUSY_RETRY)
}

/// Requests in progress in all workers of a server.
#[derive(Clone, Debug)]
pub(super) struct InFlight {
    count: Arc<AtomicUsize>,
    pub(super) max: usize,
}

impl Default for InFlight {
    fn default() -> Self {
        Self {
            count: Arc::default(),
            max: limits::IN_FLIGHT_MAX,
        }
    }
}

impl InFlight {
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
}

/// One request in progress.
struct Place {
    in_flight: InFlight,
    counted: bool,
}

impl Place {
    fn take(in_flight: InFlight) -> Self {
        let mut place = Self {
            in_flight,
            counted: false,
        };
        place.count(true);
        place
    }

    /// Sets whether the request is being worked on.
    fn count(&mut self, works: bool) {
        match (std::mem::replace(&mut self.counted, works), works) {
            (false, true) => _ = self.in_flight.count.fetch_add(1, Ordering::Relaxed),
            (true, false) => _ = self.in_flight.count.fetch_sub(1, Ordering::Relaxed),
            _ => {}
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.count(false);
    }
}
