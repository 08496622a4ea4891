//! `POST /toolkit/api/subscribe`: asks an address whether it wants a newsletter.
//!
//! The answer, and the time that it takes, are the same whatever is known of the address.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;
use toolkit_http::body;
use toolkit_http::detail::Refusal;
use toolkit_store::{AppId, Email};

use crate::input::{self, Field, Input, Object};
use crate::state::State;
use crate::{auth, error};

/// A subscription that is asked for. `app_id` or `source` is required.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Request {
    /// The address that is asked by mail.
    #[schemars(with = "String", email, length(max = 254))]
    email: Email,
    /// The app whose newsletter it is.
    #[schemars(with = "Option<String>", regex(pattern = "^[A-Za-z0-9._-]{1,64}$"))]
    app_id: AppId,
    /// Another name of `app_id`.
    #[expect(dead_code, reason = "it stands for the schema: it is read as `app_id`")]
    source: Option<String>,
}

impl Input for Request {
    const FIELDS: &'static [Field] = &[Field::new("email"), Field::new("app_id").or("source")];

    fn take(object: &Object<'_>) -> Result<Self, Refusal> {
        Ok(Self {
            email: object.parse("email")?,
            app_id: object.parse("app_id")?,
            source: None,
        })
    }
}

/// What everybody is told.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Receipt {
    /// Always true.
    ok: bool,
    /// `pending`: nothing is sent but one mail that asks, until its button is pressed.
    #[schemars(extend("const" = "pending"))]
    status: &'static str,
}

/// Asks for a subscription.
pub(crate) async fn post(
    request: HttpRequest,
    payload: Payload,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    state.gates.subscribe.admit(&request).await?;
    auth::check(&request, &state.keys).await?;
    let body = body::read_json(&request, payload.into_inner(), state.body_bytes_max).await?;
    let Request { email, app_id, .. } = input::read(&body)?;
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
