//! `GET /toolkit/api/tools` and its alias: the catalog, prepared once when the server starts.

use std::io::Write as _;

use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use toolkit_catalog::{Category, ENTRIES, Entry};

use crate::state::State;

/// How long a cache may serve the catalog without asking: it changes with a release only.
const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=300");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The tools of the service.
#[derive(Debug, Serialize)]
struct Catalog<'a> {
    tools: &'static [Entry],
    count: usize,
    categories: [Category; 8],
    mcp: &'a str,
    docs: &'a str,
}

/// A body in the encodings that clients ask for, each with its validator.
#[derive(Debug)]
pub(crate) struct Prepared {
    plain: Variant,
    gzip: Variant,
    brotli: Variant,
    /// What all the validators begin with.
    stem: String,
}

#[derive(Debug)]
struct Variant {
    body: Bytes,
    etag: HeaderValue,
    encoding: Option<HeaderValue>,
}
