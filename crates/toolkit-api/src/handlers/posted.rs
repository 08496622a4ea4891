//! What contact and subscribe share: JSON from a server or a script, forms from a web site.
//!
//! JSON is answered with JSON, a form with a page: that of its app, or a plain one in its language. An
//! error of a form is shown with what was typed, and can be corrected there.

use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT, HeaderValue, LOCATION, REFERRER_POLICY, RETRY_AFTER, WWW_AUTHENTICATE,
};
use actix_web::web::Payload;
use actix_web::{FromRequest as _, HttpRequest, HttpResponse, ResponseError as _};
use maud::Markup;
use toolkit_server::body;
use toolkit_server::error_response::{ErrorPage, HttpError};
use toolkit_server::settings::HttpUrl;
use toolkit_server::snapshot::Current;
use toolkit_store::{Attempt, Receipt, StoreError, Ulid};

use crate::captcha::{self, Proof};
use crate::error::{self, ApiError};
use crate::extract::{self, Keyed, KeyedInput};
use crate::forms::{self, Fields};
use crate::handlers::once;
use crate::pages::forms::{self as page, Kind};
use crate::state::State;

/// An input that a form may send.
pub(crate) trait Posted: KeyedInput {
    const KIND: Kind;
}

/// What is known of a request besides its input.
pub(crate) struct Sent {
    /// The attempt that it is, if it has an idempotency key.
    pub(crate) attempt: Option<Attempt>,
    /// Whether its key is the public one of a web site.
    pub(crate) is_site: bool,
}

impl Sent {
    /// Whether a program has filled in what no person sees.
    ///
    /// # Errors
    ///
    /// 422 for the key of a server, which has no such field.
    pub(crate) fn is_trapped(&self, website: Option<&str>) -> Result<bool, ApiError> {
        let is_filled = website.is_some_and(|text| !text.is_empty());
        if is_filled && !self.is_site {
            let detail = "`website` is a trap for programs in forms, and must be empty or absent.";
            return Err(ApiError::InvalidInput(detail.to_owned()));
        }
        Ok(is_filled)
    }

    /// Checks that a person sends this, where that is asked, and returns what must be spent with it.
    ///
    /// # Errors
    ///
    /// When the proof is missing or refused, or cannot be checked.
    pub(crate) async fn prove(
        &self,
        state: &State,
        proof: Proof,
        servers_too: bool,
    ) -> Result<Option<String>, ApiError> {
        match &state.captcha {
            Some(captcha) if self.is_site || (servers_too && captcha.is_for_servers()) => {
                captcha.verify(proof).await.map(Some)
            }
            None if self.is_site => Err(ApiError::CaptchaUnconfigured),
            _ => Ok(None),
        }
    }
}

/// What the database has stored of a request.
///
/// # Errors
///
/// When it failed, or when the challenge was spent on an earlier request.
pub(crate) fn stored<T>(
    request: &HttpRequest,
    state: &State,
    receipt: Result<Receipt<T>, StoreError>,
) -> Result<T, ApiError> {
    match receipt.map_err(|failure| error::of_store(request, &failure))? {
        Receipt::Stored(stored) => Ok(stored),
        Receipt::ChallengeReplayed => {
            Err(ApiError::TokenRefused(captcha::field(state.captcha.as_ref())))
        }
    }
}

/// Answers a request by `work`, which answers JSON.
pub(crate) async fn answer<I: Posted>(
    request: HttpRequest,
    payload: Payload,
    state: Current<State>,
    work: impl AsyncFnOnce(&HttpRequest, &State, I, Sent) -> Result<HttpResponse, HttpError>,
) -> Result<HttpResponse, HttpError> {
    let header = extract::presented(&request);
    if !forms::is_form(&request) || header.starts_with("tk_") {
        let Keyed { input, attempt, terms } =
            Keyed::<I>::from_request(&request, &mut payload.into_inner()).await?;
        let is_site = !terms.sites.is_empty();
        return work(&request, &state, input, Sent { attempt, is_site }).await;
    }
    let mut fields = Fields::new();
    let outcome = of_form(&request, payload, &state, &mut fields, work).await;
    let accept = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    let is_browser = accept.is_some_and(|accept| accept.contains("text/html"));
    match outcome {
        Ok(_) => Ok(done::<I>(&state, &fields)),
        Err(error) if is_browser || key(&request, &fields).starts_with("pk_") => {
            Ok(refused::<I>(&state, &fields, &error))
        }
        Err(error) => Err(error),
    }
}

async fn of_form<I: Posted>(
    request: &HttpRequest,
    payload: Payload,
    state: &State,
    fields: &mut Fields,
    work: impl AsyncFnOnce(&HttpRequest, &State, I, Sent) -> Result<HttpResponse, HttpError>,
) -> Result<HttpResponse, HttpError> {
    I::rate_limit(&state.rate_limits).admit(request).await?;
    // A key in the header is checked before the body, one in a field as soon as that is known.
    let in_header = match extract::presented(request) {
        "" => None,
        key => Some(of_site::<I>(request, state, key).await?),
    };
    let body = body::read(request, payload.into_inner(), state.body_bytes_max).await?;
    let end;
    (*fields, end) = forms::fields(request, body.clone()).await;
    let id = match in_header {
        Some(id) => id,
        None => of_site::<I>(request, state, forms::value(fields, "key")).await?,
    };
    end.map_err(ApiError::from)?;
    let once = once::key(request)?.map(str::to_owned);
    let attempt =
        once.zip(I::ONCE).map(|(once, endpoint)| Attempt::new(endpoint, id, &once, &body));
    work(request, state, forms::read(fields)?, Sent { attempt, is_site: true }).await
}

/// Checks the key of a form, and returns its id. That of a server belongs into no form.
async fn of_site<I: Posted>(
    request: &HttpRequest,
    state: &State,
    key: &str,
) -> Result<Ulid, ApiError> {
    let (id, terms) = extract::authorize(request, state, key, I::SCOPE).await?;
    if terms.sites.is_empty() { Err(ApiError::Unauthorized) } else { Ok(id) }
}

/// The key of a form, in the header or in a field.
fn key<'r>(request: &'r HttpRequest, fields: &'r Fields) -> &'r str {
    match extract::presented(request) {
        "" => forms::value(fields, "key"),
        header => header,
    }
}

/// The app of a form.
fn app_id(fields: &Fields) -> &str {
    match forms::value(fields, "app_id") {
        "" => forms::value(fields, "source"),
        app_id => app_id,
    }
}

fn done<I: Posted>(state: &State, fields: &Fields) -> HttpResponse {
    let app_id = app_id(fields);
    if let Some(url) = state.apps.after_form(I::KIND, app_id) {
        let location = (LOCATION, url.as_str());
        return HttpResponse::SeeOther().insert_header(location).finish();
    }
    let page = page::done(I::KIND, state.apps.texts(app_id), &state.site);
    html(StatusCode::OK, page, state, None)
}

fn refused<I: Posted>(state: &State, fields: &Fields, error: &HttpError) -> HttpResponse {
    let app_id = app_id(fields);
    let page = page::refused(I::KIND, state.apps.texts(app_id), &state.site, fields, error);
    let after = state.apps.after_form(I::KIND, app_id);
    let mut response = html(error.status(), page, state, after);
    response.extensions_mut().insert(ErrorPage);
    for name in [RETRY_AFTER, WWW_AUTHENTICATE] {
        if let Some(value) = error.error_response().headers().get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}

fn html(status: StatusCode, page: Markup, state: &State, after: Option<&HttpUrl>) -> HttpResponse {
    let mut response = state.site.notice(status, page, after);
    // Without a referrer, the corrected form would be sent without its origin (Fetch, section 3.2).
    let same_origin = HeaderValue::from_static("same-origin");
    response.headers_mut().insert(REFERRER_POLICY, same_origin);
    response
}
