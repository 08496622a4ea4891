//! An answer that never changes while the process lives: made once, served as bytes.
//!
//! Standard: RFC 9110 §8.8.3 (`ETag`), §12.5.3 (`Accept-Encoding`), §13.1.2 (`If-None-Match`).

use std::io::Write as _;

use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest as _, Sha256};

/// Bytes of the digest that a validator shows: 96 bits tell any two versions apart.
const VALIDATOR_BYTES: usize = 12;
/// Good compression in about a millisecond and 2 MiB; higher levels take 33 MiB for a few per cent,
/// which the process would keep, and the highest fifty times as long.
const BROTLI_QUALITY: u32 = 6;
const BROTLI_WINDOW: u32 = 18;

/// A body in the encodings that clients ask for.
#[derive(Debug)]
pub struct Prepared {
    content_type: HeaderValue,
    cache_control: HeaderValue,
    /// What every validator of this answer begins with, behind the quotation mark.
    stem: String,
    plain: Variant,
    gzip: Option<Variant>,
    brotli: Option<Variant>,
}

#[derive(Debug)]
struct Variant {
    body: Bytes,
    etag: HeaderValue,
    encoding: Option<HeaderValue>,
}

impl Prepared {
    /// Prepares a body: compresses it, and makes a strong validator for each encoding.
    pub fn new(
        content_type: &'static str,
        cache_control: &'static str,
        body: impl Into<Bytes>,
    ) -> Self {
        let body = body.into();
        let digest = Sha256::digest(&body);
        let stem = BASE64URL_NOPAD.encode(digest.get(..VALIDATOR_BYTES).unwrap_or_default());
        let smaller = |encoding: &'static str, suffix: &str, compressed: Option<Vec<u8>>| {
            let compressed = compressed.filter(|compressed| compressed.len() < body.len())?;
            Variant::new(&stem, suffix, compressed.into(), Some(encoding))
        };
        Self {
            content_type: HeaderValue::from_static(content_type),
            cache_control: HeaderValue::from_static(cache_control),
            gzip: smaller("gzip", "-gz", gzip(&body)),
            brotli: smaller("br", "-br", brotli(&body)),
            plain: Variant::new(&stem, "", body.clone(), None).unwrap_or_else(|| Variant {
                body: body.clone(),
                etag: HeaderValue::from_static("\"0\""),
                encoding: None,
            }),
            stem,
        }
    }

    /// Answers a GET or HEAD: 304 where the client has this version, else the body in the smallest
    /// encoding that it takes.
    pub fn respond(&self, request: &HttpRequest) -> HttpResponse {
        let variant = self.variant(request.headers());
        if self.is_known(request.headers()) {
            return HttpResponse::NotModified()
                .insert_header((header::ETAG, variant.etag.clone()))
                .insert_header((header::CACHE_CONTROL, self.cache_control.clone()))
                .insert_header((header::VARY, HeaderValue::from_static("Accept-Encoding")))
                .finish();
        }
        let mut response = HttpResponse::Ok();
        response
            .insert_header((header::CONTENT_TYPE, self.content_type.clone()))
            .insert_header((header::ETAG, variant.etag.clone()))
            .insert_header((header::CACHE_CONTROL, self.cache_control.clone()))
            .insert_header((header::VARY, HeaderValue::from_static("Accept-Encoding")));
        if let Some(encoding) = &variant.encoding {
            response.insert_header((header::CONTENT_ENCODING, encoding.clone()));
        }
        response.body(variant.body.clone())
    }

    /// The body as it is without an encoding.
    pub fn body(&self) -> &Bytes {
        &self.plain.body
    }

    fn variant(&self, headers: &HeaderMap) -> &Variant {
        let mut accepted = headers.get_all(header::ACCEPT_ENCODING).peekable();
        if accepted.peek().is_none() {
            return &self.plain;
        }
        let accepted: Vec<&str> = accepted.filter_map(|value| value.to_str().ok()).collect();
        let best = |candidate: &Option<Variant>, name: &str| {
            candidate.is_some().then(|| quality(&accepted, name))
        };
        let brotli = best(&self.brotli, "br").unwrap_or(0);
        let gzip = best(&self.gzip, "gzip").unwrap_or(0);
        let chosen = match () {
            () if brotli > 0 && brotli >= gzip => self.brotli.as_ref(),
            () if gzip > 0 => self.gzip.as_ref(),
            () => None,
        };
        chosen.unwrap_or(&self.plain)
    }

    /// Whether `If-None-Match` names this answer, in any encoding (the weak comparison).
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let is_this = |tag: &str| {
            let tag = tag.trim();
            let opaque = tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"');
            tag == "*"
                || opaque
                    .strip_prefix(self.stem.as_str())
                    .is_some_and(|suffix| matches!(suffix, "" | "-gz" | "-br"))
        };
        headers
            .get_all(header::IF_NONE_MATCH)
            .filter_map(|value| value.to_str().ok())
            .any(|tags| tags.split(',').any(is_this))
    }
}

impl Variant {
    fn new(stem: &str, suffix: &str, body: Bytes, encoding: Option<&'static str>) -> Option<Self> {
        let etag = HeaderValue::try_from(format!("\"{stem}{suffix}\"")).ok()?;
        Some(Self {
            body,
            etag,
            encoding: encoding.map(HeaderValue::from_static),
        })
    }
}

/// The quality, in thousandths, that a client gives to a content coding; 0 refuses it.
fn quality(accepted: &[&str], coding: &str) -> u32 {
    let mut any = 0;
    for item in accepted.iter().flat_map(|value| value.split(',')) {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let quality = parts
            .find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")))
            .map_or(1000, thousandths);
        if name.eq_ignore_ascii_case(coding) {
            return quality;
        }
        if name == "*" {
            any = quality;
        }
    }
    any
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to 0..=1000"
)]
fn thousandths(weight: &str) -> u32 {
    let weight: f32 = weight.parse().unwrap_or(0.0);
    (weight.clamp(0.0, 1.0) * 1000.0) as u32
}

fn gzip(body: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}

fn brotli(body: &[u8]) -> Option<Vec<u8>> {
    let mut compressed = Vec::new();
    let mut encoder =
        brotli::CompressorWriter::new(&mut compressed, 4096, BROTLI_QUALITY, BROTLI_WINDOW);
    encoder.write_all(body).ok()?;
    encoder.flush().ok()?;
    drop(encoder);
    Some(compressed)
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use actix_web::test::TestRequest;

    use super::*;

    fn prepared() -> Prepared {
        Prepared::new(
            "text/plain",
            "no-cache",
            "a text that is long enough to shrink ".repeat(9),
        )
    }

    fn ask(header: (&str, &str)) -> HttpResponse {
        prepared().respond(
            &TestRequest::default()
                .insert_header(header)
                .to_http_request(),
        )
    }

    fn text(response: &HttpResponse, name: header::HeaderName) -> Option<String> {
        Some(response.headers().get(name)?.to_str().ok()?.to_owned())
    }

    #[test]
    fn the_smallest_encoding_that_the_client_takes_is_sent() {
        for (accepted, encoding) in [
            ("gzip, deflate, br", Some("br")),
            ("gzip", Some("gzip")),
            ("GZIP", Some("gzip")),
            ("br;q=0.1, gzip;q=0.9", Some("gzip")),
            ("br;q=0, *", Some("gzip")),
            ("*", Some("br")),
            ("identity", None),
            ("br;q=0, gzip;q=0.0", None),
            ("zstd", None),
            ("", None),
        ] {
            let response = ask(("accept-encoding", accepted));
            assert_eq!(
                text(&response, header::CONTENT_ENCODING).as_deref(),
                encoding,
                "{accepted}"
            );
            assert_eq!(
                text(&response, header::VARY).as_deref(),
                Some("Accept-Encoding")
            );
        }
    }

    #[test]
    fn a_client_that_has_this_version_gets_304_without_a_body() {
        let etag = text(&ask(("x", "y")), header::ETAG).unwrap();
        let stem = etag.trim_matches('"').to_owned();
        for known in [
            etag.clone(),
            format!("W/{etag}"),
            format!("\"other\", {etag}"),
            format!("\"{stem}-gz\""),
            "*".to_owned(),
        ] {
            let response = ask(("if-none-match", known.as_str()));
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{known}");
            assert_eq!(text(&response, header::ETAG), Some(etag.clone()));
        }
        for unknown in ["\"other\"", "", &format!("\"{stem}x\"")] {
            assert_eq!(
                ask(("if-none-match", unknown)).status(),
                StatusCode::OK,
                "{unknown}"
            );
        }
    }

    #[test]
    fn each_encoding_has_a_strong_validator_of_its_own() {
        let tags: Vec<_> = ["identity", "gzip", "br"]
            .map(|encoding| text(&ask(("accept-encoding", encoding)), header::ETAG).unwrap())
            .into();
        assert!(tags.iter().all(|tag| tag.starts_with('"')), "{tags:?}");
        assert!(
            tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2],
            "{tags:?}"
        );
    }
}
