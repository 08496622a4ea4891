//! The check that a person sends a form: Turnstile or ALTCHA, as the operator has chosen.

use reqwest::Client;
use time::OffsetDateTime;
use tokio::sync::OnceCell;
use toolkit_server::error_response::HttpError;
use toolkit_server::settings::{CaptchaKind, Secret, Settings};
use toolkit_store::{Store, StoreError};

use crate::altcha::Altcha;
use crate::error::ApiError;
use crate::input;
use crate::turnstile::{TOKEN_BYTES_MAX, Turnstile};

/// The check that is configured.
pub(crate) enum Captcha {
    Turnstile(Turnstile),
    Altcha(Challenges),
}

/// What makes and checks the challenges of ALTCHA.
pub(crate) struct Challenges {
    signer: OnceCell<Altcha>,
    store: Store,
}

impl Challenges {
    /// The signer, with the key of the settings or of the database.
    pub(crate) async fn signer(&self) -> Result<&Altcha, StoreError> {
        let of_database = async || {
            let key = self.store.challenge_key(OffsetDateTime::now_utc()).await?;
            Ok(Altcha::new(&key))
        };
        self.signer.get_or_try_init(of_database).await
    }
}

/// What a request sends as its proof.
#[derive(Default)]
pub(crate) struct Proof {
    pub(crate) turnstile: Option<String>,
    pub(crate) altcha: Option<String>,
}

impl Proof {
    /// Takes the proof from the inputs of a request.
    ///
    /// # Errors
    ///
    /// 422 when the token of Turnstile is given twice.
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

/// The input that has the proof.
pub(crate) fn field(captcha: Option<&Captcha>) -> &'static str {
    match captcha {
        Some(Captcha::Altcha(_)) => "altcha",
        _ => "turnstile_token",
    }
}

impl Captcha {
    /// Prepares the check, if there is one.
    pub(crate) fn new(settings: &Settings, store: &Store, client: Client) -> Option<Self> {
        if settings.captcha.kind == Some(CaptchaKind::Altcha) {
            let own = settings.captcha.secret.as_ref();
            let signer = own.map(|secret| Altcha::new(secret.expose().as_bytes()));
            return Some(Self::Altcha(Challenges {
                signer: OnceCell::new_with(signer),
                store: store.clone(),
            }));
        }
        turnstile_secret(settings)
            .map(|secret| Self::Turnstile(Turnstile::new(settings, secret, client)))
    }

    /// Checks a proof, and returns what must be spent with what it proves.
    ///
    /// # Errors
    ///
    /// When it is missing or refused, or cannot be checked.
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
                let signer = challenges.signer().await;
                let signer = signer.map_err(|_| ApiError::DatabaseUnavailable)?;
                signer.verify(&solution, OffsetDateTime::now_utc())
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

    /// Whether requests with the key of a server need a proof on contact messages.
    pub(crate) fn is_for_servers(&self) -> bool {
        matches!(self, Self::Turnstile(_))
    }
}

/// The secret of the Turnstile widget, wherever it is set.
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
