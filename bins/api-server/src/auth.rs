//! Who may call: the key in `X-Api-Key`, checked before the body is looked at.
//!
//! Standard: RFC 9110, section 15.5.2 (401) and section 11.6.1 (`WWW-Authenticate`). A key that is
//! missing, malformed, unknown, revoked or given twice gets the same answer, so that it tells nothing.

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use toolkit_http::detail::Refusal;
use toolkit_store::KeyRing;

/// The header that carries the key.
const HEADER: &str = "x-api-key";

/// How to prove who asks.
const CHALLENGE: &str = "ApiKey realm=\"toolkit\", header=\"X-Api-Key\"";

/// Lets a request with a key that works pass.
///
/// # Errors
///
/// 401 for any other.
pub(crate) async fn check(request: &HttpRequest, keys: &KeyRing) -> Result<(), Refusal> {
    let mut values = request.headers().get_all(HEADER);
    let presented = match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().unwrap_or_default(),
        _ => "",
    };
    match keys.check(presented).await {
        Some(_) => Ok(()),
        None => Err(refusal()),
    }
}

fn refusal() -> Refusal {
    let detail = "A valid API key is needed in the header `X-Api-Key`; the operator issues it.";
    Refusal::new(StatusCode::UNAUTHORIZED, detail).authenticate(CHALLENGE)
}
