//! `POST /toolkit/api/subscribe`: newsletter subscription with double opt-in.
//!
//! Response and timing are the same whatever the address's state.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use toolkit_server::error_response::HttpError;
use toolkit_store::{AppId, Claim, Email, Receipt, Store, StoreError};

use crate::input::{self, Parsed};
use crate::office::apps::Apps;
use crate::office::captcha::Proof;
use crate::office::forms::Kind;
use crate::office::posted::Posted;
use crate::rate_limits::{RateLimit, RateLimits};

/// A subscription request. `app_id` or `source` is required.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// E-mail address to subscribe.
    #[schemars(with = "String", email, length(max = 254))]
    email: Parsed<Email>,
    /// App whose newsletter to subscribe to.
    #[schemars(with = "Option<String>", regex(pattern = "^[A-Za-z0-9._-]{1,64}$"))]
    app_id: Option<Parsed<AppId>>,
    /// Alias of `app_id`.
    #[schemars(with = "Option<String>")]
    source: Option<Parsed<AppId>>,
    /// Token of the Turnstile widget, also accepted as `cf-turnstile-response`. Required with a
    /// site key if the operator has configured Turnstile.
    #[schemars(length(max = 2048))]
    turnstile_token: Option<String>,
    /// Alias of `turnstile_token`.
    #[serde(rename = "cf-turnstile-response")]
    alias: Option<String>,
    /// Solution of a challenge from `/toolkit/api/captcha`. Required with a site key if the
    /// operator has configured ALTCHA.
    #[schemars(length(max = 2048))]
    altcha: Option<String>,
    /// Honeypot. Ignored with a site key, since browsers may fill it in. Must be empty with any
    /// other key.
    website: Option<String>,
}

impl Posted for Request {
    const KIND: Kind = Kind::Subscribe;
    const SERVERS_PROVE: bool = false;
    type Record = (Email, AppId);

    fn rate_limit(limits: &RateLimits) -> &RateLimit {
        &limits.subscribe
    }

    fn website(&self) -> Option<&str> {
        self.website.as_deref()
    }

    fn prepare(self, apps: &Apps) -> Result<((Email, AppId), Proof), HttpError> {
        let app_id = input::either(("app_id", self.app_id), ("source", self.source))?;
        let Parsed(app_id) = app_id.ok_or_else(|| input::missing("app_id"))?;
        apps.check(&app_id)?;
        let proof = Proof::new(self.turnstile_token, self.alias, self.altcha)?;
        Ok(((self.email.0, app_id), proof))
    }

    async fn store(
        (email, app_id): (Email, AppId),
        store: &Store,
        claim: Option<Claim>,
        challenge: Option<&str>,
    ) -> Result<Receipt<String>, StoreError> {
        let subscriptions = store.subscriptions().claimed(claim).spending(challenge);
        let receipt = subscriptions.subscribe(&email, &app_id, OffsetDateTime::now_utc()).await?;
        Ok(receipt.map(|()| String::new()))
    }

    fn receipt(_: String) -> impl Serialize {
        Pending { ok: true, status: "pending" }
    }
}

/// Receipt of a subscription request, the same for every address.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Pending {
    /// Always true.
    ok: bool,
    /// `pending`: only a confirmation mail is sent until its button is pressed.
    #[schemars(extend("const" = "pending"))]
    status: &'static str,
}
