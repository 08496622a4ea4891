//! `POST /toolkit/api/subscribe`: newsletter subscription with double opt-in.
//!
//! The response and its duration are the same whatever the state of the address.

use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use toolkit_server::error_response::HttpError;
use toolkit_server::snapshot::Current;
use toolkit_store::{AppId, Email, Scope};

use crate::captcha::Proof;
use crate::extract::KeyedInput;
use crate::handlers::once::once;
use crate::handlers::posted::{self, Posted, Sent};
use crate::input::{self, Parsed};
use crate::pages::forms::Kind;
use crate::rate_limits::{RateLimit, RateLimits};
use crate::state::State;

/// A subscription request. `app_id` or `source` is required.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// E-mail address to subscribe.
    #[schemars(with = "String", email, length(max = 254))]
    email: Parsed<Email>,
    /// App whose newsletter is subscribed to.
    #[schemars(with = "Option<String>", regex(pattern = "^[A-Za-z0-9._-]{1,64}$"))]
    app_id: Option<Parsed<AppId>>,
    /// Alias of `app_id`.
    #[schemars(with = "Option<String>")]
    source: Option<Parsed<AppId>>,
    /// Token of the Turnstile widget, also accepted as `cf-turnstile-response`; required with the key of
    /// a web site, if the operator has configured Turnstile.
    #[schemars(length(max = 2048))]
    turnstile_token: Option<String>,
    /// Alias of `turnstile_token`.
    #[serde(rename = "cf-turnstile-response")]
    alias: Option<String>,
    /// Solution of a challenge from `/toolkit/api/captcha`; required with the key of a web site, if the
    /// operator has configured ALTCHA.
    #[schemars(length(max = 2048))]
    altcha: Option<String>,
    /// A field that people do not see and programs fill in. With the key of a web site a request with it
    /// is not stored; with any other it must be empty.
    website: Option<String>,
}

impl Posted for Request {
    const KIND: Kind = Kind::Subscribe;
}

impl KeyedInput for Request {
    const SCOPE: Scope = Scope::Subscribe;
    const ONCE: Option<&'static str> = Some("subscribe");

    fn rate_limit(limits: &RateLimits) -> &RateLimit {
        &limits.subscribe
    }
}

/// Receipt of a subscription request, the same for every address.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Receipt {
    /// Always true.
    ok: bool,
    /// `pending`: only a confirmation mail is sent until its button is pressed.
    #[schemars(extend("const" = "pending"))]
    status: &'static str,
}

/// Requests a subscription.
pub(crate) async fn post(
    request: HttpRequest,
    payload: Payload,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    posted::answer(request, payload, state, subscribe).await
}

async fn subscribe(
    request: &HttpRequest,
    state: &State,
    form: Request,
    sent: Sent,
) -> Result<HttpResponse, HttpError> {
    if sent.is_trapped(form.website.as_deref())? {
        return Ok(pending());
    }
    let Parsed(email) = form.email;
    let app_id = input::either(("app_id", form.app_id), ("source", form.source))?;
    let Parsed(app_id) = app_id.ok_or_else(|| input::missing("app_id"))?;
    state.apps.check(&app_id)?;
    let proof = Proof::new(form.turnstile_token, form.alias, form.altcha)?;
    let attempt = sent.attempt.clone();
    let work = async |claim| {
        let token = sent.prove(state, proof, false).await?;
        let subscriptions = state.store.subscriptions().claimed(claim);
        let subscriptions = subscriptions.spending(token.as_deref());
        let receipt = subscriptions.subscribe(&email, &app_id, OffsetDateTime::now_utc()).await;
        posted::stored(request, state, receipt).map(|()| String::new())
    };
    once(state, request, attempt, work).await?;
    Ok(pending())
}

fn pending() -> HttpResponse {
    HttpResponse::Ok().json(Receipt { ok: true, status: "pending" })
}
