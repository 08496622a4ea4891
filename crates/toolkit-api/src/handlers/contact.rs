//! `POST /toolkit/api/contact`: a message to the operator.
//!
//! All our own checks precede the Turnstile token, which can be used only once.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use toolkit_server::error_response::HttpError;
use toolkit_store::{Email, NewContact, Receipt as Stored, Scope};

use crate::error::{self, ApiError};
use crate::extract::{Keyed, KeyedInput};
use crate::handlers::once::once;
use crate::input::{self, Parsed};
use crate::rate_limits::{RateLimit, RateLimits};
use crate::state::State;
use crate::turnstile::TOKEN_BYTES_MAX;

/// A message to the operator.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// Name of the sender, on one line.
    #[schemars(length(min = 1, max = 200))]
    name: String,
    /// E-mail address for an answer.
    #[schemars(with = "String", email, length(max = 254))]
    email: Parsed<Email>,
    /// Text of the message.
    #[schemars(length(min = 1, max = 10_000))]
    message: String,
    /// Subject, on one line.
    #[schemars(length(max = 200))]
    subject: Option<String>,
    /// Token of the Turnstile widget, also accepted as `cf-turnstile-response`; required if the
    /// operator has configured Turnstile, otherwise ignored.
    #[schemars(length(max = 2048))]
    turnstile_token: Option<String>,
    /// Alias of `turnstile_token`.
    #[serde(rename = "cf-turnstile-response")]
    alias: Option<String>,
}

impl KeyedInput for Request {
    const SCOPE: Scope = Scope::Contact;
    const ONCE: Option<&'static str> = Some("contact");

    fn rate_limit(limits: &RateLimits) -> &RateLimit {
        &limits.contact
    }
}

/// A stored message.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Receipt {
    /// Always true.
    ok: bool,
    /// Id of the message, a ULID.
    id: String,
    /// `received`: the message is stored, and will be mailed to the operator.
    #[schemars(extend("const" = "received"))]
    status: &'static str,
}

/// Stores a message.
pub(crate) async fn post(
    Keyed(form, attempt): Keyed<Request>,
    request: HttpRequest,
    state: Data<State>,
) -> Result<HttpResponse, HttpError> {
    let subject = form.subject.as_deref();
    let contact = NewContact::new(&form.name, form.email.0, subject, &form.message)
        .map_err(|error| ApiError::InvalidInput(format!("{error}.")))?;
    let token = input::either(
        ("turnstile_token", form.turnstile_token),
        ("cf-turnstile-response", form.alias),
    )?;
    let work = async |claim| {
        let token = verified(&state, token).await?;
        let contacts = state.store.contacts().claimed(claim);
        let stored = contacts
            .receive(contact, token.as_deref(), OffsetDateTime::now_utc())
            .await;
        match stored.map_err(|failure| error::of_store(&request, &failure))? {
            Stored::Stored(id) => Ok(id.to_string()),
            Stored::ChallengeReplayed => Err(ApiError::TokenRefused),
        }
    };
    Ok(HttpResponse::Ok().json(Receipt {
        ok: true,
        id: once(&state, &request, attempt, work).await?,
        status: "received",
    }))
}

/// Returns the verified token, if the operator requires one.
async fn verified(state: &State, token: Option<String>) -> Result<Option<String>, ApiError> {
    let Some(turnstile) = &state.turnstile else {
        return Ok(None);
    };
    let token = token.unwrap_or_default();
    if token.is_empty() || token.len() > TOKEN_BYTES_MAX {
        return Err(ApiError::InvalidInput(format!(
            "`turnstile_token` must be the token of the Turnstile widget: 1 to {TOKEN_BYTES_MAX} characters."
        )));
    }
    turnstile.verify(&token).await?;
    Ok(Some(token))
}
