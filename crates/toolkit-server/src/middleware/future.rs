//! Request future: the steps of a request through the middleware.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{Service, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::{Error, ResponseError};
use pin_project_lite::pin_project;

use super::request::Call;
use super::response::{Outcome, finish};
use super::worker::Worker;
use crate::error_response::{HttpError, sentence};
use crate::panics;

/// `Retry-After` of an overloaded server.
const BUSY_RETRY: Duration = Duration::from_secs(1);

pin_project! {
    /// A request in progress.
    pub struct MiddlewareFuture<F, B> {
        #[pin]
        step: Step<F>,
        call: Call,
        outcome: Option<Outcome<B>>,
    }
}

pin_project! {
    #[project = StepProjection]
    enum Step<F> {
        // A handler is running.
        Handler { #[pin] future: F },
        // There is a response; waiting for a small rest of the body.
        Drain,
    }
}

/// Accepts a request and passes it on, unless the middleware itself answers.
pub(super) fn call<S, B>(
    service: &S,
    worker: &Rc<Worker>,
    mut request: ServiceRequest,
) -> MiddlewareFuture<S::Future, B>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
{
    let mut call = Call::begin(worker, &mut request);
    if worker.options.cors.takes(&request) {
        let response = worker.options.cors.preflight(call.origin.as_ref());
        return MiddlewareFuture::with(call, Outcome::Own(request.into_response(response)));
    }
    if worker.is_full() {
        worker.stats.borrow().shed();
        let response = busy().error_response();
        return MiddlewareFuture::with(call, Outcome::Own(request.into_response(response)));
    }
    call.count();
    match panics::catch(|| service.call(request)) {
        Ok(future) => MiddlewareFuture {
            step: Step::Handler { future },
            call,
            outcome: None,
        },
        Err(panic) => MiddlewareFuture::with(call, Outcome::Panicked(panic)),
    }
}

fn busy() -> HttpError {
    let status = StatusCode::SERVICE_UNAVAILABLE;
    HttpError::new(status, sentence(status)).retry_after(BUSY_RETRY)
}

impl<F, B> MiddlewareFuture<F, B> {
    fn with(call: Call, outcome: Outcome<B>) -> Self {
        Self {
            step: Step::Drain,
            call,
            outcome: Some(outcome),
        }
    }
}

impl<F, B> Future for MiddlewareFuture<F, B>
where
    F: Future<Output = Result<ServiceResponse<B>, Error>>,
    B: MessageBody + 'static,
{
    type Output = Result<ServiceResponse<EitherBody<B>>, Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        if let StepProjection::Handler { future } = this.step.as_mut().project() {
            let polled = panics::catch(|| future.poll(cx));
            this.call.count();
            let outcome = match polled {
                Ok(polled) => match ready!(polled) {
                    Ok(response) => Outcome::Served(response),
                    Err(error) => Outcome::Failed(error),
                },
                Err(panic) => Outcome::Panicked(panic),
            };
            // Drops the handler, and with it the body stream.
            this.step.set(Step::Drain);
            *this.outcome = Some(outcome);
        }
        ready!(drain(this.call, cx));
        match this.outcome.take() {
            Some(outcome) => Poll::Ready(finish(this.call, outcome)),
            None => Poll::Pending,
        }
    }
}

/// Waits for a small rest of the body: a connection with unread bytes cannot be reused.
fn drain(call: &mut Call, cx: &mut Context<'_>) -> Poll<()> {
    if call.connection.exchange.is_drainable() {
        call.connection.shorten_deadline();
    }
    while call.connection.exchange.is_drainable() {
        match call.connection.poll_body(cx) {
            Poll::Ready(Some(Ok(_))) => {}
            Poll::Ready(_) => break,
            Poll::Pending => {
                call.count();
                return Poll::Pending;
            }
        }
    }
    Poll::Ready(())
}
