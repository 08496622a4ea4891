//! `POST /toolkit/api/subscribe`: newsletter subscription with double opt-in.
//!
//! The response and its duration are the same whatever the state of the address.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use toolkit_server::error_response::HttpError;
use toolkit_store::{AppId, Email, Scope};

use crate::error::{self, ApiError};
use crate::extract::{Keyed, KeyedInput};
use crate::handlers::once::once;
use crate::input::{self, Parsed};
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
    Keyed(form, attempt): Keyed<Request>,
    request: HttpRequest,
    state: Data<State>,
) -> Result<HttpResponse, HttpError> {
    let Parsed(email) = form.email;
    let app_id = input::either(("app_id", form.app_id), ("source", form.source))?;
    let Parsed(app_id) = app_id.ok_or_else(|| input::missing("app_id"))?;
    let work = async |claim| {
        let subscriptions = state.store.subscriptions().claimed(claim);
        let asked = subscriptions
            .subscribe(&email, &app_id, OffsetDateTime::now_utc())
            .await;
        asked.map_err(|failure| error::of_store(&request, &failure))?;
        Ok::<_, ApiError>(String::new())
    };
    once(&state, &request, attempt, work).await?;
    Ok(HttpResponse::Ok().json(Receipt {
        ok: true,
        status: "pending",
    }))
}
