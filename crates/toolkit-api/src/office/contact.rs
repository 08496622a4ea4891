//! `POST /toolkit/api/contact`: a message to the operator.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use toolkit_server::error_response::HttpError;
use toolkit_store::{AppId, Claim, Email, NewContact, Receipt, Store, StoreError};

use crate::error::ApiError;
use crate::input::Parsed;
use crate::office::apps::Apps;
use crate::office::captcha::Proof;
use crate::office::forms::Kind;
use crate::office::posted::Posted;
use crate::rate_limits::{RateLimit, RateLimits};

/// A message to the operator.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// Name of the sender, on one line.
    #[schemars(length(min = 1, max = 200))]
    name: String,
    /// E-mail address for the reply.
    #[schemars(with = "String", email, length(max = 254))]
    email: Parsed<Email>,
    /// Text of the message.
    #[schemars(length(min = 1, max = 10_000))]
    message: String,
    /// Subject, on one line.
    #[schemars(length(max = 200))]
    subject: Option<String>,
    /// Token of the Turnstile widget, also accepted as `cf-turnstile-response`. Required if the
    /// operator has configured Turnstile, otherwise ignored.
    #[schemars(length(max = 2048))]
    turnstile_token: Option<String>,
    /// Alias of `turnstile_token`.
    #[serde(rename = "cf-turnstile-response")]
    alias: Option<String>,
    /// App whose form this is. It determines who gets the message.
    #[schemars(with = "Option<String>", regex(pattern = "^[A-Za-z0-9._-]{1,64}$"))]
    app_id: Option<Parsed<AppId>>,
    /// Solution of a challenge from `/toolkit/api/captcha`. Required with a site key if the
    /// operator has configured ALTCHA.
    #[schemars(length(max = 2048))]
    altcha: Option<String>,
    /// Honeypot. Ignored with a site key, since browsers may fill it in. Must be empty with any
    /// other key.
    website: Option<String>,
}

impl Posted for Request {
    const KIND: Kind = Kind::Contact;
    const SERVERS_PROVE: bool = true;
    type Record = NewContact;

    fn rate_limit(limits: &RateLimits) -> &RateLimit {
        &limits.contact
    }

    fn website(&self) -> Option<&str> {
        self.website.as_deref()
    }

    fn prepare(self, apps: &Apps) -> Result<(NewContact, Proof), HttpError> {
        let subject = self.subject.as_deref();
        let contact = NewContact::new(&self.name, self.email.0, subject, &self.message)
            .map_err(|error| ApiError::InvalidInput(format!("{error}.")))?;
        let app_id = self.app_id.map(|Parsed(app_id)| app_id);
        app_id.as_ref().map_or(Ok(()), |app_id| apps.check(app_id))?;
        let proof = Proof::new(self.turnstile_token, self.alias, self.altcha)?;
        Ok((contact.of_app(app_id), proof))
    }

    async fn store(
        contact: NewContact,
        store: &Store,
        claim: Option<Claim>,
        challenge: Option<&str>,
    ) -> Result<Receipt<String>, StoreError> {
        let contacts = store.contacts().claimed(claim);
        let receipt = contacts.receive(contact, challenge, OffsetDateTime::now_utc()).await?;
        Ok(receipt.map(|id| id.to_string()))
    }

    fn receipt(id: String) -> impl Serialize {
        Received { ok: true, id, status: "received" }
    }
}

/// A stored message.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Received {
    /// Always true.
    ok: bool,
    /// ID of the message, a ULID.
    id: String,
    /// `received`: the message is stored and will be mailed to the operator.
    #[schemars(extend("const" = "received"))]
    status: &'static str,
}
