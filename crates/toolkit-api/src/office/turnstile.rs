//! Turnstile client: verifies tokens.
//!
//! Standard: Cloudflare's `siteverify`
//! (<https://developers.cloudflare.com/turnstile/get-started/server-side-validation/>). A token is
//! valid only if the response contains `"success": true` with exactly these types. Any other
//! response, or none, keeps the message out. The sender's address is not passed on.

use std::borrow::Cow;
use std::time::Duration;

use reqwest::{Client, Response, StatusCode};
use serde_json::{Map, Value as Json};
use tokio::time::{Instant, timeout_at};
use toolkit_server::settings::{Hosts, Secret, Settings};
use uuid::Uuid;

use crate::error::{ApiError, with_causes};

/// Maximum bytes of a token, according to Cloudflare's documentation.
pub(crate) const TOKEN_BYTES_MAX: usize = 2_048;

/// Maximum wait for a verdict, including the retry, while the form's sender is waiting.
const DEADLINE: Duration = Duration::from_secs(5);

/// Maximum bytes of a response. A usual one has about 200.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// The verifier.
pub(crate) struct Turnstile {
    client: Client,
    url: String,
    secret: Secret,
    /// Hosts whose tokens are accepted, if not all are.
    hosts: Option<Hosts>,
}

/// A response's verdict.
enum Verdict {
    Passed,
    Refused,
    /// Our secret was rejected, which only the operator can fix.
    WrongSecret,
}

/// The reason for a missing verdict, for the log.
struct Fault(Cow<'static, str>);

impl Fault {
    fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        Self(reason.into())
    }
}

/// A request's form: names and values.
type Question<'a> = [(&'static str, &'a str); 3];

impl Turnstile {
    /// Creates the verifier.
    pub(crate) fn new(settings: &Settings, secret: &Secret, client: Client) -> Self {
        metrics::describe_counter!(
            "toolkit_turnstile_verifications_total",
            "Turnstile tokens by outcome: passed, refused, unavailable, wrong_secret."
        );
        let hostname = settings.turnstile.hostname.as_ref();
        let url = settings.turnstile.verify_url.as_str().to_owned();
        Self {
            client,
            url,
            secret: secret.clone(),
            hosts: hostname.map(|host| Hosts::from_list(std::slice::from_ref(host))),
        }
    }

    /// Verifies a token, which also spends it.
    ///
    /// # Errors
    ///
    /// When the verifier rejects the token, or gives no verdict.
    pub(crate) async fn verify(&self, token: &str) -> Result<(), ApiError> {
        let (outcome, result) = match self.ask(token).await {
            Ok(Verdict::Passed) => ("passed", Ok(())),
            Ok(Verdict::Refused) => ("refused", Err(ApiError::TokenRefused("turnstile_token"))),
            Ok(Verdict::WrongSecret) => {
                tracing::error!(
                    "Turnstile rejects the secret (`captcha.secret` or `turnstile.secret`): all forms are refused until it is corrected"
                );
                ("wrong_secret", Err(ApiError::TurnstileUnavailable))
            }
            Err(Fault(reason)) => {
                tracing::warn!(%reason, "Turnstile returned no verdict on a contact message");
                ("unavailable", Err(ApiError::TurnstileUnavailable))
            }
        };
        metrics::counter!("toolkit_turnstile_verifications_total", "outcome" => outcome)
            .increment(1);
        result
    }

    /// Verifies a made-up token, as a test.
    ///
    /// # Errors
    ///
    /// Why the verifier gave no verdict, or that the secret is wrong.
    pub(crate) async fn test(&self) -> Result<(), Cow<'static, str>> {
        match self.ask("doctor").await {
            Ok(Verdict::Passed | Verdict::Refused) => Ok(()),
            Ok(Verdict::WrongSecret) => Err("Turnstile rejects the secret".into()),
            Err(Fault(reason)) => Err(reason),
        }
    }

    /// Asks, and repeats once if that may help. The idempotency key makes both requests one.
    async fn ask(&self, token: &str) -> Result<Verdict, Fault> {
        let question = [
            ("secret", self.secret.expose()),
            ("response", token),
            ("idempotency_key", &Uuid::new_v4().to_string()),
        ];
        let deadline = Instant::now() + DEADLINE;
        let attempt = || async {
            let attempt = timeout_at(deadline, self.attempt(&question)).await;
            attempt.unwrap_or(Err(Fault::new("it did not answer in time")))
        };
        match attempt().await {
            Err(_) if Instant::now() < deadline => attempt().await,
            result => result,
        }
    }

    async fn attempt(&self, question: &Question<'_>) -> Result<Verdict, Fault> {
        let request = self.client.post(&self.url).form(question);
        let response = request.send().await;
        let response = response.map_err(|error| Fault::new(with_causes(&error.without_url())))?;
        let status = response.status();
        if !(status.is_success() || status.is_client_error())
            || status == StatusCode::TOO_MANY_REQUESTS
        {
            return Err(Fault::new(format!("it answered with status {}", status.as_u16())));
        }
        let body = body(response).await?;
        verdict(status, &body, self.hosts.as_ref())
    }
}

/// Reads a response up to a maximum size.
async fn body(mut response: Response) -> Result<Vec<u8>, Fault> {
    let mut body = Vec::new();
    let broken = |_| Fault::new("its answer broke off");
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if body.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(Fault::new("its answer is too long"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn verdict(status: StatusCode, body: &[u8], hosts: Option<&Hosts>) -> Result<Verdict, Fault> {
    // Not a struct: serde would accept an array for it, and so `[true]` as success.
    let answer: Option<Map<String, Json>> = serde_json::from_slice(body).ok();
    let member = |name| answer.as_ref().and_then(|answer| answer.get(name));
    let success = member("success").and_then(Json::as_bool);
    let success = success.ok_or_else(|| Fault::new("its answer is not in its format"))?;
    let codes = member("error-codes").and_then(Json::as_array);
    let has = |known: &[&str]| {
        let mut codes = codes.into_iter().flatten().filter_map(Json::as_str);
        codes.any(|code| known.contains(&code))
    };
    if success {
        let page = member("hostname").and_then(Json::as_str).unwrap_or("");
        return match hosts {
            _ if !status.is_success() => Err(Fault::new("its answer contradicts its status")),
            Some(hosts) if !hosts.allows(page) => Ok(Verdict::Refused),
            _ => Ok(Verdict::Passed),
        };
    }
    if has(&["invalid-input-secret", "missing-input-secret", "invalid-parsed-secret"]) {
        return Ok(Verdict::WrongSecret);
    }
    if has(&["internal-error", "bad-request"]) {
        return Err(Fault::new("it could not look at the token"));
    }
    Ok(Verdict::Refused)
}
