//! Forms of web sites, as sent by browsers.
//!
//! Standard: HTML, `application/x-www-form-urlencoded` and `multipart/form-data` (RFC 7578). A form
//! becomes the JSON object of its endpoint. Leaves out files and several fields with one name.

use actix_web::HttpMessage as _;
use actix_web::HttpRequest;
use actix_web::web::{Bytes, Query};
use futures_util::stream;
use multer::Multipart;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use toolkit_server::error_response::HttpError;
use toolkit_store::Scope;

use crate::error::ApiError;
use crate::input;

const URLENCODED: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";

/// Maximum fields of a form: its own, and those that web frameworks and mail programs add.
const FIELDS_MAX: usize = 64;

/// Names and values.
pub(crate) type Fields = Vec<(String, String)>;

/// The endpoint of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Contact,
    Subscribe,
}

impl Kind {
    /// The last segment of the endpoint's path.
    pub(crate) fn as_str(self) -> &'static str {
        self.scope().as_str()
    }

    /// The scope that a key must have.
    pub(crate) fn scope(self) -> Scope {
        match self {
            Self::Contact => Scope::Contact,
            Self::Subscribe => Scope::Subscribe,
        }
    }

    /// The fields that a person fills in.
    pub(crate) fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Contact => &["name", "email", "subject", "message"],
            Self::Subscribe => &["email"],
        }
    }
}

/// Whether a request is a form.
pub(crate) fn is_form(request: &HttpRequest) -> bool {
    let kind = request.content_type();
    [URLENCODED, MULTIPART].iter().any(|form| kind.eq_ignore_ascii_case(form))
}

/// Appends the fields of a form, as far as they can be read.
///
/// # Errors
///
/// When some cannot be read.
pub(crate) async fn fields(
    request: &HttpRequest,
    body: &Bytes,
    fields: &mut Fields,
) -> Result<(), Unreadable> {
    if request.content_type().eq_ignore_ascii_case(MULTIPART) {
        multipart(request, body.clone(), fields).await.unwrap_or(Err(Unreadable::Encoding))
    } else {
        urlencoded(body, fields)
    }
}

fn urlencoded(body: &[u8], fields: &mut Fields) -> Result<(), Unreadable> {
    let mut end = Ok(());
    for pair in body.split(|&byte| byte == b'&') {
        let pair =
            str::from_utf8(pair).ok().and_then(|pair| Query::<Fields>::from_query(pair).ok());
        match pair {
            Some(pairs) => pairs
                .into_inner()
                .into_iter()
                .try_for_each(|(name, value)| add(fields, name, value))?,
            None => end = Err(Unreadable::Encoding),
        }
    }
    end
}

async fn multipart(
    request: &HttpRequest,
    body: Bytes,
    fields: &mut Fields,
) -> Option<Result<(), Unreadable>> {
    let kind = request.headers().get("content-type")?.to_str().ok()?;
    let boundary = multer::parse_boundary(kind).ok()?;
    let whole = stream::iter([Ok::<_, std::io::Error>(body)]);
    let mut parts = Multipart::new(whole, boundary);
    while let Some(part) = parts.next_field().await.ok()? {
        let name = part.name()?.to_owned();
        let value = part.bytes().await.ok()?;
        if let Err(fault) = add(fields, name, str::from_utf8(&value).ok()?.to_owned()) {
            return Some(Err(fault));
        }
    }
    Some(Ok(()))
}

fn add(fields: &mut Fields, name: String, value: String) -> Result<(), Unreadable> {
    if fields.len() == FIELDS_MAX {
        return Err(Unreadable::TooMany);
    }
    fields.push((name, value));
    Ok(())
}

/// The reason a form was not read completely.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Encoding,
    TooMany,
}

impl From<Unreadable> for ApiError {
    fn from(fault: Unreadable) -> Self {
        match fault {
            Unreadable::Encoding => refused("The form cannot be read; its fields must be UTF-8."),
            Unreadable::TooMany => refused(&format!("The form has more than {FIELDS_MAX} fields.")),
        }
    }
}

/// Reads a form as an endpoint's input. Its fields are appended as far as they can be read.
///
/// # Errors
///
/// 422, as for the same input in JSON, when it cannot be read completely, and when a field is given
/// twice.
pub(crate) async fn read<I: DeserializeOwned>(
    request: &HttpRequest,
    body: &Bytes,
    fields: &mut Fields,
) -> Result<I, HttpError> {
    self::fields(request, body, fields).await.map_err(ApiError::from)?;
    for (place, (name, _)) in fields.iter().enumerate() {
        if fields.iter().skip(place + 1).any(|(other, _)| other == name) {
            let name = toolkit_core::input::Echo(name);
            return Err(refused(&format!("The form has the field {name} twice.")).into());
        }
    }
    let members = fields.iter().filter(|(name, _)| name != "key");
    let members = members.map(|(name, value)| (name.clone(), Json::String(value.clone())));
    input::read_fields(members.collect())
}

/// The value of a field, if given.
pub(crate) fn given<'f>(fields: &'f Fields, wanted: &str) -> Option<&'f str> {
    fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
}

/// The value of a field. Empty if absent.
pub(crate) fn value<'f>(fields: &'f Fields, wanted: &str) -> &'f str {
    given(fields, wanted).unwrap_or_default()
}

fn refused(detail: &str) -> ApiError {
    ApiError::InvalidInput(detail.to_owned())
}
