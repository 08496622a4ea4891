//! Turnstile client: verifies the token of a contact message.
//!
//! Standard: Cloudflare's `siteverify`
//! (<https://developers.cloudflare.com/turnstile/get-started/server-side-validation/>). A token is
//! valid when the response says `"success": true` with exactly these types, and in no other case:
//! anything else, or no response, keeps a message out. The sender's address is not passed on.

use std::time::Duration;

use reqwest::{Client, Response, StatusCode};
use serde_json::{Map, Value as Json};
use tokio::time::{Instant, timeout_at};
use toolkit_server::settings::{Hosts, Secret, Settings};
use uuid::Uuid;

use crate::error::ApiError;

/// Bytes of a token, according to Cloudflare's documentation.
pub(crate) const TOKEN_BYTES_MAX: usize = 2_048;

/// Longest wait for a verdict, including the retry: the sender of the form is still waiting.
const DEADLINE: Duration = Duration::from_secs(5);

/// Bytes of a response; a usual one has some 200.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// The verifier.
pub(crate) struct Turnstile {
    client: Client,
    url: String,
    secret: Secret,
    /// Hosts of the pages whose tokens are accepted, if not all are.
    hosts: Option<Hosts>,
}

/// Verdict of a response.
enum Verdict {
    Passed,
    Refused,
    /// Our secret is rejected: only the operator can fix it.
    WrongSecret,
}

/// Reason for a missing verdict, for the log.
struct Fault(&'static str);

/// The form of a request: names and values.
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
    /// When the token is rejected or the verdict is missing.
    pub(crate) async fn verify(&self, token: &str) -> Result<(), ApiError> {
        let (outcome, result) = match self.ask(token).await {
            Ok(Verdict::Passed) => ("passed", Ok(())),
            Ok(Verdict::Refused) => ("refused", Err(ApiError::TokenRefused("turnstile_token"))),
            Ok(Verdict::WrongSecret) => {
                tracing::error!(
                    "Turnstile refuses the secret (`captcha.secret`, or `turnstile.secret`): forms are refused until it is corrected"
                );
                ("wrong_secret", Err(ApiError::TurnstileUnavailable))
            }
            Err(Fault(reason)) => {
                tracing::warn!(reason, "Turnstile returned no verdict on a contact message");
                ("unavailable", Err(ApiError::TurnstileUnavailable))
            }
        };
        metrics::counter!("toolkit_turnstile_verifications_total", "outcome" => outcome)
            .increment(1);
        result
    }

    /// Asks about a token that is none.
    ///
    /// # Errors
    ///
    /// Why there is no verdict, or that the secret is wrong.
    pub(crate) async fn test(&self) -> Result<(), &'static str> {
        match self.ask("doctor").await {
            Ok(Verdict::Passed | Verdict::Refused) => Ok(()),
            Ok(Verdict::WrongSecret) => Err("Turnstile refuses the secret"),
            Err(Fault(reason)) => Err(reason),
        }
    }

    /// Asks, and once more if that may help; the idempotency key makes both requests one.
    async fn ask(&self, token: &str) -> Result<Verdict, Fault> {
        let question = [
            ("secret", self.secret.expose()),
            ("response", token),
            ("idempotency_key", &Uuid::new_v4().to_string()),
        ];
        let deadline = Instant::now() + DEADLINE;
        let attempt = || async {
            let attempt = timeout_at(deadline, self.attempt(&question)).await;
            attempt.unwrap_or(Err(Fault("it did not answer in time")))
        };
        match attempt().await {
            Err(_) if Instant::now() < deadline => attempt().await,
            result => result,
        }
    }

    async fn attempt(&self, question: &Question<'_>) -> Result<Verdict, Fault> {
        let request = self.client.post(&self.url).form(question);
        let response = request.send().await;
        let response = response.map_err(|_| Fault("it is unreachable"))?;
        let status = response.status();
        if !(status.is_success() || status.is_client_error())
            || status == StatusCode::TOO_MANY_REQUESTS
        {
            return Err(Fault("it answered with another status than 200"));
        }
        let body = body(response).await?;
        verdict(status, &body, self.hosts.as_ref())
    }
}

/// Reads a response of bounded size.
async fn body(mut response: Response) -> Result<Vec<u8>, Fault> {
    let mut body = Vec::new();
    let broken = |_| Fault("its answer broke off");
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if body.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(Fault("its answer is too long"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn verdict(status: StatusCode, body: &[u8], hosts: Option<&Hosts>) -> Result<Verdict, Fault> {
    // Not a struct: serde would accept an array for it, and so `[true]` for a success.
    let answer: Option<Map<String, Json>> = serde_json::from_slice(body).ok();
    let member = |name| answer.as_ref().and_then(|answer| answer.get(name));
    let success = member("success").and_then(Json::as_bool);
    let success = success.ok_or(Fault("its answer is not in its format"))?;
    let codes = member("error-codes").and_then(Json::as_array);
    let has = |known: &[&str]| {
        let mut codes = codes.into_iter().flatten().filter_map(Json::as_str);
        codes.any(|code| known.contains(&code))
    };
    if success {
        let page = member("hostname").and_then(Json::as_str).unwrap_or("");
        return match hosts {
            _ if !status.is_success() => Err(Fault("its answer contradicts its status")),
            Some(hosts) if !hosts.allows(page) => Ok(Verdict::Refused),
            _ => Ok(Verdict::Passed),
        };
    }
    if has(&["invalid-input-secret", "missing-input-secret", "invalid-parsed-secret"]) {
        return Ok(Verdict::WrongSecret);
    }
    if has(&["internal-error", "bad-request"]) {
        return Err(Fault("it could not look at the token"));
    }
    Ok(Verdict::Refused)
}
