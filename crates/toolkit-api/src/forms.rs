//! Forms of web sites: their fields, and what a page says about them.
//!
//! Standard: HTML, `application/x-www-form-urlencoded` and `multipart/form-data` (RFC 7578). A form
//! becomes the JSON object of its endpoint. Not supported: files, several fields of one name.

use actix_web::HttpMessage as _;
use actix_web::HttpRequest;
use actix_web::web::{Bytes, Query};
use futures_util::stream;
use multer::Multipart;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};
use toolkit_server::error_response::HttpError;

use crate::error::ApiError;
use crate::input;

const URLENCODED: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";

/// Names and values.
pub(crate) type Fields = Vec<(String, String)>;

/// Whether a request is a form.
pub(crate) fn is_form(request: &HttpRequest) -> bool {
    let kind = request.content_type();
    [URLENCODED, MULTIPART].iter().any(|form| kind.eq_ignore_ascii_case(form))
}

/// The fields of a form.
///
/// # Errors
///
/// 422 when it cannot be read, or has a field twice.
pub(crate) async fn fields(request: &HttpRequest, body: Bytes) -> Result<Fields, ApiError> {
    let unreadable = || refused("The form cannot be read; its fields must be UTF-8.");
    let fields = if request.content_type().eq_ignore_ascii_case(MULTIPART) {
        multipart(request, body).await.ok_or_else(unreadable)?
    } else {
        let text = str::from_utf8(&body).map_err(|_| unreadable())?;
        let pairs = Query::<Fields>::from_query(text).map_err(|_| unreadable())?;
        pairs.into_inner()
    };
    for (place, (name, _)) in fields.iter().enumerate() {
        if fields.iter().skip(place + 1).any(|(other, _)| other == name) {
            let name = toolkit_core::input::Echo(name);
            return Err(refused(&format!("The form has the field {name} twice.")));
        }
    }
    Ok(fields)
}

async fn multipart(request: &HttpRequest, body: Bytes) -> Option<Fields> {
    let kind = request.headers().get("content-type")?.to_str().ok()?;
    let boundary = multer::parse_boundary(kind).ok()?;
    let whole = stream::iter([Ok::<_, std::io::Error>(body)]);
    let mut parts = Multipart::new(whole, boundary);
    let mut fields = Fields::new();
    while let Some(part) = parts.next_field().await.ok()? {
        let name = part.name()?.to_owned();
        let value = part.bytes().await.ok()?;
        fields.push((name, str::from_utf8(&value).ok()?.to_owned()));
    }
    Some(fields)
}

/// The input that a form is.
///
/// # Errors
///
/// 422, as for the same as JSON.
pub(crate) fn read<I: DeserializeOwned>(fields: &Fields) -> Result<I, HttpError> {
    let members = fields.iter().filter(|(name, _)| name != "key");
    let members = members.map(|(name, value)| (name.clone(), Json::String(value.clone())));
    let object = Json::Object(members.collect::<Map<_, _>>());
    input::read(object.to_string().as_bytes())
}

/// The value of a field; empty if it is absent.
pub(crate) fn value<'f>(fields: &'f Fields, wanted: &str) -> &'f str {
    let mut fields = fields.iter();
    let found = fields.find(|(name, _)| name == wanted);
    found.map_or("", |(_, value)| value)
}

fn refused(detail: &str) -> ApiError {
    ApiError::InvalidInput(detail.to_owned())
}
