//! `POST /toolkit/api/subscribe`: newsletter subscription with double opt-in.
//!
//! The response and its duration are the same whatever the state of the address.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use toolkit_server::error_response::HttpError;
use toolkit_store::{AppId, Email};

use crate::error;
use crate::extract::{Keyed, KeyedInput};
use crate::input::{Input, Object};
use crate::rate_limits::{RateLimit, RateLimits};
use crate::state::State;

/// A subscription request. `app_id` or `source` is required.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Request {
    /// E-mail address to subscribe.
    #[schemars(with = "String", email, length(max = 254))]
    email: Email,
    /// App whose newsletter is subscribed to.
    #[schemars(with = "Option<String>", regex(pattern = "^[A-Za-z0-9._-]{1,64}$"))]
    app_id: AppId,
    /// Alias of `app_id`.
    #[expect(dead_code, reason = "it stands for the schema: it is read as `app_id`")]
    source: Option<String>,
}

impl Input for Request {
    const NAMES: &'static [&'static str] = &["email", "app_id"];
    const ALIASES: &'static [(&'static str, &'static str)] = &[("source", "app_id")];

    fn take(object: &Object<'_>) -> Result<Self, HttpError> {
        Ok(Self {
            email: object.parse("email")?,
            app_id: object.parse("app_id")?,
            source: None,
        })
    }
}

impl KeyedInput for Request {
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
    Keyed(form): Keyed<Request>,
    request: HttpRequest,
    state: Data<State>,
) -> Result<HttpResponse, HttpError> {
    let Request { email, app_id, .. } = form;
    let subscriptions = state.store.subscriptions();
    let asked = subscriptions
        .subscribe(&email, &app_id, OffsetDateTime::now_utc())
        .await;
    asked.map_err(|failure| error::of_store(&request, &failure))?;
    Ok(HttpResponse::Ok().json(Receipt {
        ok: true,
        status: "pending",
    }))
}
