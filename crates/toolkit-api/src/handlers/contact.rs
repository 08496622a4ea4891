//! `POST /toolkit/api/contact`: a message to the operator.
//!
//! All our own checks precede the proof that a person sends it, which can be used only once.

use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use toolkit_server::error_response::HttpError;
use toolkit_server::snapshot::Current;
use toolkit_store::{AppId, Email, NewContact, Scope, Ulid};

use crate::captcha::Proof;
use crate::error::ApiError;
use crate::extract::KeyedInput;
use crate::handlers::once::once;
use crate::handlers::posted::{self, Posted, Sent};
use crate::input::Parsed;
use crate::pages::forms::Kind;
use crate::rate_limits::{RateLimit, RateLimits};
use crate::state::State;

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
    /// App whose form it is: it chooses who gets the message.
    #[schemars(with = "Option<String>", regex(pattern = "^[A-Za-z0-9._-]{1,64}$"))]
    app_id: Option<Parsed<AppId>>,
    /// Solution of a challenge from `/toolkit/api/captcha`; required with the key of a web site, if the
    /// operator has configured ALTCHA.
    #[schemars(length(max = 2048))]
    altcha: Option<String>,
    /// A field that people do not see and programs fill in. With the key of a web site a message with it
    /// is not stored; with any other it must be empty.
    website: Option<String>,
}

impl Posted for Request {
    const KIND: Kind = Kind::Contact;
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
    request: HttpRequest,
    payload: Payload,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    posted::answer(request, payload, state, store).await
}

async fn store(
    request: &HttpRequest,
    state: &State,
    form: Request,
    sent: Sent,
) -> Result<HttpResponse, HttpError> {
    if sent.is_trapped(form.website.as_deref())? {
        let now = OffsetDateTime::now_utc().unix_timestamp_nanos() / 1_000_000;
        let milliseconds = u64::try_from(now).unwrap_or_default();
        let seems = Ulid::from_parts(milliseconds, rand::random());
        return Ok(received(seems.to_string()));
    }
    let subject = form.subject.as_deref();
    let contact = NewContact::new(&form.name, form.email.0, subject, &form.message)
        .map_err(|error| ApiError::InvalidInput(format!("{error}.")))?;
    let app_id = form.app_id.map(|Parsed(app_id)| app_id);
    app_id.as_ref().map_or(Ok(()), |app_id| state.apps.check(app_id))?;
    let contact = contact.of_app(app_id);
    let proof = Proof::new(form.turnstile_token, form.alias, form.altcha)?;
    let attempt = sent.attempt.clone();
    let work = async |claim| {
        let token = sent.prove(state, proof, true).await?;
        let contacts = state.store.contacts().claimed(claim);
        let receipt = contacts.receive(contact, token.as_deref(), OffsetDateTime::now_utc()).await;
        posted::stored(request, state, receipt).map(|id| id.to_string())
    };
    Ok(received(once(state, request, attempt, work).await?))
}

fn received(id: String) -> HttpResponse {
    HttpResponse::Ok().json(Receipt { ok: true, id, status: "received" })
}
