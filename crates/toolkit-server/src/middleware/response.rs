//! Response of a request: the headers common to all responses, and the response after a panic.

use actix_web::Error;
use actix_web::body::{BodySize, BoxBody, EitherBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::error::InternalError;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use actix_web::http::{ConnectionType, Method};
use actix_web::{HttpResponse, ResponseError};

use super::head_body::Length;
use super::request::Call;
use super::streamed::Streamed;
use crate::error_response::{self, Detail, ErrorPage, HttpError, sentence};
use crate::panics::Panic;
use crate::request_id::X_REQUEST_ID;
use crate::telemetry::NO_ROUTE;

const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Outcome of a request.
pub(super) enum Outcome<B> {
    /// A handler or the router answered.
    Served(ServiceResponse<B>),
    /// The middleware answered.
    Own(ServiceResponse),
    /// A layer above the router failed and dropped the request.
    Failed(Error),
    /// A handler panicked and dropped the request.
    Panicked(Panic),
}

/// Builds the response of an outcome.
pub(super) fn finish<B: MessageBody + 'static>(
    call: &mut Call,
    outcome: Outcome<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    match outcome {
        Outcome::Served(response) if is_bare_refusal(response.response()) => {
            let (request, response) = response.into_parts();
            Ok(own(
                call,
                ServiceResponse::new(request, with_detail(response)),
            ))
        }
        Outcome::Served(response) if call.method == Method::HEAD => {
            Ok(own(call, response.map_into_boxed_body()))
        }
        Outcome::Served(response) if response.response().body().size() == BodySize::Stream => {
            Ok(streamed(call, response).map_into_right_body())
        }
        Outcome::Served(response) => Ok(finish_routed(call, response).map_into_left_body()),
        Outcome::Own(response) => Ok(own(call, response)),
        Outcome::Failed(error) => Err(finish_unrouted(call, error.error_response())),
        Outcome::Panicked(Panic { place, reason }) => {
            tracing::error!(request_id = %call.id, place, reason, "a handler panicked");
            Err(finish_unrouted(
                call,
                HttpError::internal().error_response(),
            ))
        }
    }
}

fn own<B>(call: &mut Call, response: ServiceResponse) -> ServiceResponse<EitherBody<B>> {
    let response = finish_routed(call, response);
    if call.method != Method::HEAD {
        return response.map_into_right_body();
    }
    let bodiless = response.map_body(|_, body| BoxBody::new(Length(body.size())));
    bodiless.map_into_right_body()
}

/// Whether this is an error response without a body.
fn is_bare_refusal<B>(response: &HttpResponse<B>) -> bool {
    let status = response.status();
    (status.is_client_error() || status.is_server_error())
        && response.headers().get(CONTENT_TYPE) != Some(&error_response::JSON)
        && response.extensions().get::<ErrorPage>().is_none()
}

/// Adds a body to an error of the framework; its headers, such as `Allow`, are kept.
fn with_detail<B>(response: HttpResponse<B>) -> HttpResponse {
    let detail = sentence(response.status());
    let mut response = response
        .set_body(Detail { detail }.to_json())
        .map_into_boxed_body();
    response
        .headers_mut()
        .insert(CONTENT_TYPE, error_response::JSON);
    response
}

/// Sends a streamed response, whose request ends with its body.
fn streamed<B: MessageBody + 'static>(
    call: &mut Call,
    mut response: ServiceResponse<B>,
) -> ServiceResponse {
    add_headers(call, response.response_mut());
    let status = response.status().as_u16();
    let own = call.connection.exchange.route.get().map(str::to_owned);
    let route = own.or_else(|| response.request().match_pattern());
    let call = call.detach();
    call.connection.begin_answer();
    let route = route.unwrap_or_else(|| NO_ROUTE.to_owned());
    response.map_body(|_, body| BoxBody::new(Streamed::new(body.boxed(), call, route, status)))
}

/// Adds the common headers, and ends the request under its route.
fn finish_routed<B: MessageBody>(
    call: &mut Call,
    mut response: ServiceResponse<B>,
) -> ServiceResponse<B> {
    add_headers(call, response.response_mut());
    let bytes = length(call, response.response().body().size());
    let status = response.status().as_u16();
    let request = response.request();
    let pattern;
    let route = match call.connection.exchange.route.get() {
        Some(route) => route,
        // Its route does not matter.
        None if !call.worker.options.measured => NO_ROUTE,
        // A path without parameters is its own pattern; the router's lookup is slower.
        None if call.worker.stats.borrow().knows(request.path()) => request.path(),
        None => {
            pattern = request.match_pattern();
            pattern.as_deref().unwrap_or(NO_ROUTE)
        }
    };
    call.end(route, status, bytes);
    response
}

/// Adds the common headers, and ends a request whose route was lost.
fn finish_unrouted(call: &mut Call, mut response: HttpResponse<BoxBody>) -> Error {
    if is_bare_refusal(&response) {
        response = with_detail(response);
    }
    add_headers(call, &mut response);
    let bytes = length(call, response.body().size());
    call.end(NO_ROUTE, response.status().as_u16(), bytes);
    InternalError::from_response("answered by the middleware", response).into()
}

fn length(call: &Call, size: BodySize) -> Option<u64> {
    match size {
        _ if call.method == Method::HEAD => Some(0),
        BodySize::None => Some(0),
        BodySize::Sized(bytes) => Some(bytes),
        BodySize::Stream => None,
    }
}

/// Adds the headers common to all responses.
fn add_headers<B>(call: &Call, response: &mut HttpResponse<B>) {
    let cacheable = call.method == Method::GET || call.method == Method::HEAD;
    let headers = response.headers_mut();
    headers.insert(X_REQUEST_ID, request_id(call));
    headers.insert(X_CONTENT_TYPE_OPTIONS, NOSNIFF);
    if call.method == Method::POST && !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, NO_STORE);
    }
    call.worker
        .options
        .cors
        .add_headers(headers, call.origin.as_ref(), cacheable);
    if call.must_close
        || call.connection.watch.is_draining()
        || call.connection.exchange.is_unread()
    {
        response
            .head_mut()
            .set_connection_type(ConnectionType::Close);
    }
}

fn request_id(call: &Call) -> HeaderValue {
    // All characters of an id are allowed in a header.
    let made = || HeaderValue::from_bytes(call.id.as_bytes());
    call.given_id
        .clone()
        .or_else(|| made().ok())
        .unwrap_or(HeaderValue::from_static(""))
}
