//! Posted input: the path of a contact message or a subscription from request to database.
//!
//! [`receive`] takes its steps one after the other. JSON gets JSON, a form gets a page. The error
//! page of a form keeps what was typed, so that it can be corrected. Each input's own module says
//! what it is and how it is stored. The mail follows from the outbox.

use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use serde::de::DeserializeOwned;
use toolkit_server::body;
use toolkit_server::error_response::HttpError;
use toolkit_server::snapshot::Current;
use toolkit_store::{Attempt, Claim, Receipt, Store, StoreError};

use crate::error::{self, ApiError};
use crate::input;
use crate::office::apps::Apps;
use crate::office::captcha::{self, Captcha, Proof};
use crate::office::form_pages as page;
use crate::office::forms::{self, Fields, Kind};
use crate::office::once;
use crate::rate_limits::{RateLimit, RateLimits};
use crate::sender::{self, Sender};
use crate::state::State;

/// An input that people post, as JSON or as a form.
pub(crate) trait Posted: DeserializeOwned {
    const KIND: Kind;

    /// Whether server keys need a Turnstile token too.
    const SERVERS_PROVE: bool;

    /// The record to store.
    type Record;

    /// The endpoint's rate limit.
    fn rate_limit(limits: &RateLimits) -> &RateLimit;

    /// The honeypot field.
    fn website(&self) -> Option<&str>;

    /// Checks everything before the proof, which can only be used once.
    ///
    /// # Errors
    ///
    /// 422 with the first fault.
    fn prepare(self, apps: &Apps) -> Result<(Self::Record, Proof), HttpError>;

    /// Stores it together with its mail, and returns what the receipt repeats.
    async fn store(
        record: Self::Record,
        store: &Store,
        claim: Option<Claim>,
        challenge: Option<&str>,
    ) -> Result<Receipt<String>, StoreError>;

    /// The answer.
    fn receipt(stored: String) -> impl Serialize;
}

/// Receives an input and answers.
pub(crate) async fn post<P: Posted>(
    request: HttpRequest,
    payload: Payload,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    let mut form = Fields::new();
    let stored = receive::<P>(&request, payload, &state, &mut form).await;
    if is_form(&request) {
        page::answer(P::KIND, &request, &state, &form, stored.err())
    } else {
        Ok(HttpResponse::Ok().json(P::receipt(stored?)))
    }
}

async fn receive<P: Posted>(
    request: &HttpRequest,
    payload: Payload,
    state: &State,
    form: &mut Fields,
) -> Result<String, HttpError> {
    let is_form = is_form(request);
    sender::admit(P::rate_limit(&state.rate_limits), request, state).await?;
    let check = async |key: &str| {
        let sender = Sender::check(request, state, key, P::KIND.scope()).await?;
        // A server key must not be in a form.
        if is_form && !sender.is_site() {
            return Err(ApiError::Unauthorized);
        }
        Ok((sender, once::key(request)?))
    };
    let in_header = match sender::presented(request) {
        "" if is_form => None,
        key => Some(check(key).await?),
    };
    let (body, input) = if is_form {
        let body = body::read(request, payload.into_inner(), state.body_bytes_max).await?;
        let input = forms::read(request, &body, form).await;
        // The same form has another boundary each time that a browser sends it.
        (serde_json::to_vec(form).unwrap_or_default().into(), input)
    } else {
        let body = body::read_json(request, payload.into_inner(), state.body_bytes_max).await?;
        let input = input::read(&body);
        (body, input)
    };
    let (sender, key) = match in_header {
        Some(checked) => checked,
        None => check(forms::value(form, "key")).await?,
    };
    let input: P = input?;
    if !sender.is_site() && input.website().is_some_and(|text| !text.is_empty()) {
        let detail = "`website` is a trap for programs in forms, and must be empty or absent.";
        return Err(ApiError::InvalidInput(detail.to_owned()).into());
    }
    let (record, proof) = input.prepare(&state.apps)?;
    let attempt = key.map(|key| Attempt::new(P::KIND.as_str(), sender.key, key, &body));
    let store = async |claim| {
        let challenge = prove(state, &sender, proof, P::SERVERS_PROVE).await?;
        let receipt = P::store(record, &state.store, claim, challenge.as_deref()).await;
        match receipt.map_err(|failure| error::of_store(request, &failure))? {
            Receipt::Stored(stored) => Ok(stored),
            Receipt::ChallengeReplayed => {
                Err(ApiError::TokenRefused(captcha::field(state.captcha.as_ref())))
            }
        }
    };
    once::once(state, request, attempt, store).await
}

/// Checks that a person is sending a request, where required, and returns the challenge to spend
/// with it.
///
/// # Errors
///
/// When the proof is missing, refused or cannot be checked; 429 when the site key is over its
/// limit.
async fn prove(
    state: &State,
    sender: &Sender,
    proof: Proof,
    servers_too: bool,
) -> Result<Option<String>, ApiError> {
    let challenge = match &state.captcha {
        Some(captcha) if sender.is_site() => captcha.verify(proof).await?,
        Some(captcha @ Captcha::Turnstile(_)) if servers_too => captcha.verify(proof).await?,
        None if sender.is_site() => return Err(ApiError::CaptchaUnconfigured),
        _ => return Ok(None),
    };
    if sender.is_site() {
        sender.count(state).await?;
    }
    Ok(Some(challenge))
}

/// Whether a request is a web site's form. Server keys send JSON.
fn is_form(request: &HttpRequest) -> bool {
    forms::is_form(request) && !sender::presented(request).starts_with("tk_")
}
