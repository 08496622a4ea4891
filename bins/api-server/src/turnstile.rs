//! Turnstile client: verifies the token of a contact message.
//!
//! Standard: Cloudflare's `siteverify`
//! (<https://developers.cloudflare.com/turnstile/get-started/server-side-validation/>). A token is
//! good when the answer says `"success": true` in just these types, and in no other case: whatever
//! else comes back, or does not, keeps a message out. The address of the sender is not passed on.

use std::time::Duration;

use reqwest::{Client, Response, StatusCode};
use serde::Serialize;
use serde_json::Value as Json;
use tokio::time::{Instant, timeout_at};
use toolkit_http::settings::{Secret, Settings};
use uuid::Uuid;

/// Bytes of a token, by Cloudflare's documentation.
pub(crate) const TOKEN_BYTES_MAX: usize = 2_048;

/// Longest wait for a verdict, with the retry: who waits for the form still waits.
const DEADLINE: Duration = Duration::from_secs(5);

/// Bytes of an answer; a usual one has some 200.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// The verifier of an operator who has set a secret.
pub(crate) struct Turnstile {
    client: Client,
    url: String,
    secret: Secret,
}

/// Why a token does not let a message pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It is wrong, expired or was used before.
    Refused,
    /// There is no verdict.
    Unavailable,
}

/// What an answer says.
enum Verdict {
    Passed,
    Refused,
    /// Our secret is refused: only the operator can fix it.
    WrongSecret,
}

/// Why there is no verdict, in our words.
struct Fault(&'static str);

#[derive(Serialize)]
struct Question<'a> {
    secret: &'a str,
    response: &'a str,
    idempotency_key: String,
}

/// What counts of an answer.
struct Answer {
    success: bool,
    error_codes: Vec<String>,
}

impl Answer {
    /// Reads an answer by hand: serde would take an array for a struct, and so `[true]` for a
    /// success.
    fn read(body: &[u8]) -> Option<Self> {
        let Json::Object(fields) = serde_json::from_slice(body).ok()? else {
            return None;
        };
        let codes = fields.get("error-codes").and_then(Json::as_array);
        let codes = codes.into_iter().flatten().filter_map(Json::as_str);
        Some(Self {
            success: fields.get("success")?.as_bool()?,
            error_codes: codes.map(str::to_owned).collect(),
        })
    }
}

impl Turnstile {
    /// Sets it up, if there is a secret.
    pub(crate) fn new(settings: &Settings, client: Client) -> Option<Self> {
        metrics::describe_counter!(
            "toolkit_turnstile_verifications_total",
            "Turnstile tokens by outcome: passed, refused, unavailable, wrong_secret."
        );
        let secret = settings.turnstile.secret.clone()?;
        let url = settings.turnstile.verify_url.as_str().to_owned();
        Some(Self {
            client,
            url,
            secret,
        })
    }

    /// Verifies a token, and so spends it.
    ///
    /// # Errors
    ///
    /// When it is refused, or nobody can tell.
    pub(crate) async fn verify(&self, token: &str) -> Result<(), Failure> {
        let (outcome, result) = match self.ask(token).await {
            Ok(Verdict::Passed) => ("passed", Ok(())),
            Ok(Verdict::Refused) => ("refused", Err(Failure::Refused)),
            Ok(Verdict::WrongSecret) => {
                tracing::error!(
                    "Turnstile refuses `turnstile.secret`: contact messages are not taken until it is right"
                );
                ("wrong_secret", Err(Failure::Unavailable))
            }
            Err(Fault(reason)) => {
                tracing::warn!(reason, "Turnstile gave no verdict on a contact message");
                ("unavailable", Err(Failure::Unavailable))
            }
        };
        metrics::counter!("toolkit_turnstile_verifications_total", "outcome" => outcome)
            .increment(1);
        result
    }

    /// Asks, and once more when that may help; the key makes both questions one.
    async fn ask(&self, token: &str) -> Result<Verdict, Fault> {
        let question = Question {
            secret: self.secret.expose(),
            response: token,
            idempotency_key: Uuid::new_v4().to_string(),
        };
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
        let response = response.map_err(|_| Fault("it is out of reach"))?;
        let status = response.status();
        if !(status.is_success() || status.is_client_error())
            || status == StatusCode::TOO_MANY_REQUESTS
        {
            return Err(Fault("it answered with another status than 200"));
        }
        let body = body(response).await?;
        let answer = Answer::read(&body).ok_or(Fault("its answer is not in its format"))?;
        verdict(status, &answer)
    }
}

/// Reads an answer, but not an endless one.
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

fn verdict(status: StatusCode, answer: &Answer) -> Result<Verdict, Fault> {
    let has = |codes: &[&str]| {
        let mut said = answer.error_codes.iter();
        said.any(|code| codes.contains(&code.as_str()))
    };
    if answer.success {
        return if status.is_success() {
            Ok(Verdict::Passed)
        } else {
            Err(Fault("its answer contradicts its status"))
        };
    }
    if has(&[
        "invalid-input-secret",
        "missing-input-secret",
        "invalid-parsed-secret",
    ]) {
        return Ok(Verdict::WrongSecret);
    }
    if has(&["internal-error", "bad-request"]) {
        return Err(Fault("it could not look at the token"));
    }
    Ok(Verdict::Refused)
}
