//! Static response: a body prepared once and served with `ETag` and precompressed encodings.
//!
//! Standard: RFC 9110 §8.8.3 (`ETag`), §12.5.3 (`Accept-Encoding`), §13.1.2 (`If-None-Match`).

use std::io::Write as _;

use actix_web::http::header::{
    self, AcceptEncoding, ETag, Encoding, EntityTag, Header as _, HeaderValue, IfNoneMatch,
};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest as _, Sha256};

/// Bytes of the digest in an `ETag`: 96 bits tell any two versions apart.
const VALIDATOR_BYTES: usize = 12;
/// Compresses well in about a millisecond and 2 MiB. Higher levels take 33 MiB, which the process
/// would keep, for a few per cent, and the highest takes fifty times as long.
const BROTLI_QUALITY: u32 = 6;
const BROTLI_WINDOW: u32 = 18;

/// A body in the supported encodings.
#[derive(Debug)]
pub struct StaticResponse {
    content_type: HeaderValue,
    cache_control: HeaderValue,
    plain: Variant,
    /// The encodings that make it smaller.
    encoded: Vec<Variant>,
}

/// The body in one encoding, with its own `ETag`.
#[derive(Debug)]
struct Variant {
    body: Bytes,
    etag: EntityTag,
    encoding: Encoding,
}

impl StaticResponse {
    /// Compresses a body and makes a strong `ETag` for each encoding.
    pub fn new(
        content_type: &'static str,
        cache_control: &'static str,
        body: impl Into<Bytes>,
    ) -> Self {
        let body = body.into();
        let digest = Sha256::digest(&body);
        let stem = BASE64URL_NOPAD.encode(digest.get(..VALIDATOR_BYTES).unwrap_or_default());
        let variant = |encoding, suffix: &str, body: Bytes| {
            let etag = EntityTag::new_strong(format!("{stem}{suffix}"));
            Variant { body, etag, encoding }
        };
        let compressed =
            [(Encoding::gzip(), "-gz", gzip(&body)), (Encoding::brotli(), "-br", brotli(&body))];
        let smaller = |(encoding, suffix, compressed): (_, _, Option<Vec<u8>>)| {
            let compressed = compressed.filter(|compressed| compressed.len() < body.len())?;
            Some(variant(encoding, suffix, compressed.into()))
        };
        Self {
            content_type: HeaderValue::from_static(content_type),
            cache_control: HeaderValue::from_static(cache_control),
            encoded: compressed.into_iter().filter_map(smaller).collect(),
            plain: variant(Encoding::identity(), "", body),
        }
    }

    /// Answers a GET or HEAD: 304 if the client has the current version, otherwise the body in the
    /// best encoding it accepts.
    pub fn respond(&self, request: &HttpRequest) -> HttpResponse {
        let variant = self.variant(request);
        if variant.is_known(request) {
            return self.describe(HttpResponse::NotModified(), variant).finish();
        }
        let mut response = self.describe(HttpResponse::Ok(), variant);
        response.insert_header((header::CONTENT_TYPE, self.content_type.clone()));
        if variant.encoding != Encoding::identity() {
            response.insert_header((header::CONTENT_ENCODING, variant.encoding.to_string()));
        }
        response.body(variant.body.clone())
    }

    /// The unencoded body.
    pub fn body(&self) -> &Bytes {
        &self.plain.body
    }

    /// Sets the headers that a 304 shares with a 200 (RFC 9110, section 15.4.5).
    fn describe(
        &self,
        mut response: HttpResponseBuilder,
        variant: &Variant,
    ) -> HttpResponseBuilder {
        response
            .insert_header(ETag(variant.etag.clone()))
            .insert_header((header::CACHE_CONTROL, self.cache_control.clone()))
            .insert_header((header::VARY, HeaderValue::from_static("Accept-Encoding")));
        response
    }

    fn variant(&self, request: &HttpRequest) -> &Variant {
        let is_given = request.headers().contains_key(header::ACCEPT_ENCODING);
        // An unreadable header accepts only the unencoded body.
        let Some(Ok(accepted)) = is_given.then(|| AcceptEncoding::parse(request)) else {
            return &self.plain;
        };
        let all = self.encoded.iter().chain([&self.plain]);
        let chosen = accepted.negotiate(all.map(|variant| &variant.encoding));
        let mut encoded = self.encoded.iter();
        encoded.find(|variant| chosen.as_ref() == Some(&variant.encoding)).unwrap_or(&self.plain)
    }
}

impl Variant {
    /// Whether `If-None-Match` names this body, by weak comparison.
    fn is_known(&self, request: &HttpRequest) -> bool {
        let is_given = request.headers().contains_key(header::IF_NONE_MATCH);
        match is_given.then(|| IfNoneMatch::parse(request)) {
            Some(Ok(IfNoneMatch::Any)) => true,
            Some(Ok(IfNoneMatch::Items(tags))) => tags.iter().any(|tag| tag.weak_eq(&self.etag)),
            Some(Err(_)) | None => false,
        }
    }
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

    fn prepared() -> StaticResponse {
        StaticResponse::new(
            "text/plain",
            "no-cache",
            "a text that is long enough to shrink ".repeat(9),
        )
    }

    fn ask(header: (&str, &str)) -> HttpResponse {
        prepared().respond(&TestRequest::default().insert_header(header).to_http_request())
    }

    fn text(response: &HttpResponse, name: header::HeaderName) -> Option<String> {
        Some(response.headers().get(name)?.to_str().ok()?.to_owned())
    }

    #[test]
    fn the_smallest_accepted_encoding_is_sent() {
        for (accepted, encoding) in [
            ("gzip, deflate, br", Some("br")),
            ("gzip", Some("gzip")),
            ("GZIP", Some("gzip")),
            ("br;q=0.1, gzip;q=0.9", Some("gzip")),
            ("br;q=0, gzip;q=0.1", Some("gzip")),
            ("gzip;q=1, identity;q=0", Some("gzip")),
            ("gzip;q=x", None),
            ("*", None),
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
            assert_eq!(text(&response, header::VARY).as_deref(), Some("Accept-Encoding"));
        }
    }

    #[test]
    fn a_client_that_has_this_version_gets_304_without_a_body() {
        let etag = text(&ask(("x", "y")), header::ETAG).unwrap();
        let stem = etag.trim_matches('"').to_owned();
        for known in
            [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}"), "*".to_owned()]
        {
            let response = ask(("if-none-match", known.as_str()));
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{known}");
            assert_eq!(text(&response, header::ETAG), Some(etag.clone()));
        }
        let of_gzip = format!("\"{stem}-gz\"");
        for unknown in ["\"other\"", "", &format!("\"{stem}x\""), &of_gzip] {
            assert_eq!(ask(("if-none-match", unknown)).status(), StatusCode::OK, "{unknown}");
        }
    }

    #[test]
    fn each_encoding_has_its_own_strong_validator() {
        let tags: Vec<_> = ["identity", "gzip", "br"]
            .map(|encoding| text(&ask(("accept-encoding", encoding)), header::ETAG).unwrap())
            .into();
        assert!(tags.iter().all(|tag| tag.starts_with('"')), "{tags:?}");
        assert!(tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2], "{tags:?}");
    }
}
