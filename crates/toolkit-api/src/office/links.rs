//! Mail links: `/toolkit/api/subscribe/confirm` and `/toolkit/api/unsubscribe`.
//!
//! Standard: RFC 8058 (one-click unsubscribe). Opening a link changes nothing, since mail scanners
//! open links. Pressing the button on its page does, and pressing it again is harmless. Forms get a
//! page, JSON gets JSON. A form may have unknown fields, so that unsubscribing works even if a mail
//! program adds one.

use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::web::{Payload, Query};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use toolkit_server::body;
use toolkit_server::error_response::HttpError;
use toolkit_server::snapshot::Current;
use toolkit_store::{Link, Pressed, Purpose, StoreError};

use crate::error::{self, ApiError};
use crate::input;
use crate::office::forms::{self, Fields};
use crate::office::link_pages as page;
use crate::state::State;

/// Maximum form size: a token, and what mail programs add.
const FORM_BYTES_MAX: usize = 64 << 10;

/// The token of a link.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// Token of the link. May be in the query instead.
    token: Option<String>,
}

/// New state of the subscription.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Receipt {
    /// Always true.
    ok: bool,
    /// `confirmed` or `unsubscribed`, now or earlier.
    #[schemars(extend("enum" = ["confirmed", "unsubscribed"]))]
    status: &'static str,
}

/// Shows a link's page with its button.
pub(crate) async fn get(
    purpose: Purpose,
    request: HttpRequest,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    state.rate_limits.links.admit(&request).await?;
    let token = query_token(&request).ok_or_else(missing)?;
    let now = OffsetDateTime::now_utc();
    let found = state.store.subscriptions().peek(&token, purpose, now).await;
    let link = found.map_err(|failure| error::of_store(&request, &failure))?;
    let link = link.ok_or_else(|| unknown(purpose))?;
    if purpose == Purpose::Confirm && link.is_expired {
        return Err(expired().into());
    }
    let page = page::question(purpose, &link, &token, (&state.site, &state.apps));
    Ok(state.site.notice(StatusCode::OK, page, state.apps.after(purpose, &link.app_id)))
}

/// Performs a link's action.
pub(crate) async fn post(
    purpose: Purpose,
    request: HttpRequest,
    payload: Payload,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    state.rate_limits.links.admit(&request).await?;
    let (token, format) = read(&request, payload, state.body_bytes_max).await?;
    let done = act(purpose, &state, &token).await;
    let link = done.map_err(|failure| error::of_store(&request, &failure))??;
    let after = state.apps.after(purpose, &link.app_id);
    Ok(match format {
        Format::Form if let Some(url) = after => {
            let location = (LOCATION, url.as_str());
            HttpResponse::SeeOther().insert_header(location).finish()
        }
        Format::Form | Format::Page => {
            let page = page::done(purpose, &link, (&state.site, &state.apps));
            state.site.notice(StatusCode::OK, page, None)
        }
        Format::Json => HttpResponse::Ok().json(Receipt { ok: true, status: link.state.as_str() }),
    })
}

async fn act(
    purpose: Purpose,
    state: &State,
    token: &str,
) -> Result<Result<Link, ApiError>, StoreError> {
    let now = OffsetDateTime::now_utc();
    Ok(match state.store.subscriptions().press(token, purpose, now).await? {
        Pressed::Done(link) => Ok(link),
        Pressed::Expired => Err(expired()),
        Pressed::Unknown => Err(unknown(purpose)),
    })
}

/// Format of the response.
#[derive(Clone, Copy)]
enum Format {
    /// A page or a redirect, for the button on our own page.
    Form,
    /// A page, and no redirect (RFC 8058, section 3.1).
    Page,
    Json,
}

/// Reads a request's token, and the format of its response.
async fn read(
    request: &HttpRequest,
    payload: Payload,
    limit: usize,
) -> Result<(String, Format), HttpError> {
    let in_query = query_token(request);
    let (in_body, format) = match request.content_type() {
        _ if forms::is_form(request) => {
            let body = body::read(request, payload.into_inner(), limit.min(FORM_BYTES_MAX)).await?;
            let mut fields = Fields::new();
            let _ = forms::fields(request, &body, &mut fields).await;
            let token = forms::given(&fields, "token").map(str::to_owned);
            let is_ours = token.is_some() && forms::given(&fields, "List-Unsubscribe").is_none();
            (token, if is_ours { Format::Form } else { Format::Page })
        }
        // A one-click request may have no body, with the token in the query.
        "" => (None, Format::Page),
        _ => {
            let json = body::read_json(request, payload.into_inner(), limit).await?;
            let token = if json.is_empty() { None } else { input::read::<Request>(&json)?.token };
            (token, Format::Json)
        }
    };
    match (in_body, in_query) {
        (Some(body), Some(query)) if body != query => {
            let detail =
                "`token` is given twice, with different values: in the query and in the body.";
            Err(refused(detail).into())
        }
        (Some(token), _) | (None, Some(token)) => Ok((token, format)),
        (None, None) => Err(missing().into()),
    }
}

fn query_token(request: &HttpRequest) -> Option<String> {
    let Query(pairs) = Query::<Fields>::from_query(request.query_string()).ok()?;
    forms::given(&pairs, "token").map(str::to_owned)
}

fn missing() -> ApiError {
    refused("`token` is required. Open the whole link from the mail.")
}

fn unknown(purpose: Purpose) -> ApiError {
    refused(match purpose {
        Purpose::Confirm => {
            "`token` is unknown. Open the whole link from the latest mail, or subscribe again."
        }
        Purpose::Unsubscribe => "`token` is unknown. Open the whole link from the mail.",
    })
}

fn expired() -> ApiError {
    refused("`token` has expired: a link works for 48 hours. Subscribe again to get a new one.")
}

fn refused(detail: &str) -> ApiError {
    ApiError::InvalidInput(detail.to_owned())
}
