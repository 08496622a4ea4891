//! Captcha: the check that a person is sending a form, by Turnstile or ALTCHA.

use std::sync::{Mutex, MutexGuard, PoisonError};

use reqwest::Client;
use time::OffsetDateTime;
use tokio::sync::OnceCell;
use toolkit_server::error_response::HttpError;
use toolkit_server::settings::{CaptchaKind, Secret, Settings};
use toolkit_store::{Store, StoreError};

use crate::error::ApiError;
use crate::input;
use crate::office::altcha::{Altcha, Challenge, Recent};
use crate::office::turnstile::{TOKEN_BYTES_MAX, Turnstile};

/// The configured check.
pub(crate) enum Captcha {
    Turnstile(Turnstile),
    Altcha(Challenges),
}

/// Makes and checks ALTCHA challenges.
pub(crate) struct Challenges {
    signer: OnceCell<Altcha>,
    store: Store,
    /// Solutions that this process accepted lately.
    solved: Mutex<Recent>,
}

impl Challenges {
    /// The signer, with the key from the settings or the database.
    async fn signer(&self) -> Result<&Altcha, StoreError> {
        let of_database = async || {
            let key = self.store.challenge_key(OffsetDateTime::now_utc()).await?;
            Ok(Altcha::new(&key))
        };
        self.signer.get_or_try_init(of_database).await
    }

    /// Makes a challenge. The more were solved lately, the harder it is.
    pub(crate) async fn challenge(&self, now: OffsetDateTime) -> Result<Challenge, StoreError> {
        let signer = self.signer().await?;
        Ok(signer.challenge(now, self.solved().in_last_minute(now)))
    }

    /// Checks a solution.
    async fn verify(&self, solution: &str, now: OffsetDateTime) -> Result<String, ApiError> {
        let signer = self.signer().await.map_err(|_| ApiError::DatabaseUnavailable)?;
        let challenge = signer.verify(solution, now)?;
        // Storing the message spends the challenge. Checked here, so that repeats do not count.
        match self.store.is_spent(&challenge).await {
            Ok(false) => {}
            Ok(true) => return Err(ApiError::TokenRefused("altcha")),
            Err(_) => return Err(ApiError::DatabaseUnavailable),
        }
        self.solved().add(now);
        Ok(challenge)
    }

    fn solved(&self) -> MutexGuard<'_, Recent> {
        self.solved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The proof in a request.
#[derive(Default)]
pub(crate) struct Proof {
    pub(crate) turnstile: Option<String>,
    pub(crate) altcha: Option<String>,
}

impl Proof {
    /// Takes the proof from a request's inputs.
    ///
    /// # Errors
    ///
    /// 422 when the Turnstile token is given twice.
    pub(crate) fn new(
        token: Option<String>,
        alias: Option<String>,
        altcha: Option<String>,
    ) -> Result<Self, HttpError> {
        let names = ("turnstile_token", "cf-turnstile-response");
        let turnstile = input::either((names.0, token), (names.1, alias))?;
        Ok(Self { turnstile, altcha })
    }
}

/// The input that carries the proof.
pub(crate) fn field(captcha: Option<&Captcha>) -> &'static str {
    match captcha {
        Some(Captcha::Altcha(_)) => "altcha",
        _ => "turnstile_token",
    }
}

impl Captcha {
    /// Prepares the check, if one is configured.
    pub(crate) fn new(settings: &Settings, store: &Store, client: Client) -> Option<Self> {
        if settings.captcha.kind == Some(CaptchaKind::Altcha) {
            let own = settings.captcha.secret.as_ref();
            let signer = own.map(|secret| Altcha::new(secret.expose().as_bytes()));
            return Some(Self::Altcha(Challenges {
                signer: OnceCell::new_with(signer),
                store: store.clone(),
                solved: Mutex::default(),
            }));
        }
        turnstile_secret(settings)
            .map(|secret| Self::Turnstile(Turnstile::new(settings, secret, client)))
    }

    /// Checks a proof and returns the challenge to spend with it.
    ///
    /// # Errors
    ///
    /// When it is missing, refused or cannot be checked.
    pub(crate) async fn verify(&self, proof: Proof) -> Result<String, ApiError> {
        match self {
            Self::Altcha(challenges) => {
                let solution = proof.altcha.unwrap_or_default();
                if solution.is_empty() {
                    return Err(ApiError::InvalidInput(
                        "`altcha` is required: the solution of a challenge from \
                         /toolkit/api/captcha."
                            .to_owned(),
                    ));
                }
                challenges.verify(&solution, OffsetDateTime::now_utc()).await
            }
            Self::Turnstile(turnstile) => {
                let token = proof.turnstile.unwrap_or_default();
                if token.is_empty() || token.len() > TOKEN_BYTES_MAX {
                    return Err(ApiError::InvalidInput(format!(
                        "`turnstile_token` must be the token of the Turnstile widget: 1 to {TOKEN_BYTES_MAX} characters."
                    )));
                }
                turnstile.verify(&token).await?;
                Ok(token)
            }
        }
    }
}

/// The secret of the Turnstile widget, from either setting.
pub(crate) fn turnstile_secret(settings: &Settings) -> Option<&Secret> {
    if settings.captcha.kind == Some(CaptchaKind::Altcha) {
        return None;
    }
    let own = settings.captcha.secret.as_ref();
    own.or(settings.turnstile.secret.as_ref())
}

/// Whether a check is configured.
pub(crate) fn is_configured(settings: &Settings) -> bool {
    settings.captcha.kind == Some(CaptchaKind::Altcha) || turnstile_secret(settings).is_some()
}
