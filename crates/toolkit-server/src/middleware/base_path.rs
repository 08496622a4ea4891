//! Base path: stripped when a proxy passes it on, so that routes do without it.

use std::sync::Arc;

use actix_web::dev::ServiceRequest;
use actix_web::http::Uri;
use actix_web::http::uri::PathAndQuery;

/// A path without a trailing slash. Empty at the root.
pub(super) type BasePath = Arc<str>;

/// Strips the base path from the request path.
pub(super) fn strip(base: &BasePath, request: &mut ServiceRequest) {
    if base.is_empty() {
        return;
    }
    let uri = request.uri();
    let below = uri.path_and_query().map(PathAndQuery::as_str);
    let below = below.and_then(|path| path.strip_prefix(&**base));
    let Some(below) = below.filter(|rest| rest.is_empty() || rest.starts_with(['/', '?'])) else {
        return;
    };
    let below = if below.starts_with('/') { below.to_owned() } else { format!("/{below}") };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = PathAndQuery::try_from(below).ok();
    if let Ok(uri) = Uri::from_parts(parts) {
        request.match_info_mut().get_mut().update(&uri);
        request.head_mut().uri = uri;
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_path_below_the_base_loses_it_and_others_stay() {
        let stripped = |base: &str, path: &str| {
            let mut request = TestRequest::with_uri(path).to_srv_request();
            strip(&base.into(), &mut request);
            assert_eq!(request.match_info().unprocessed(), request.path());
            request.uri().to_string()
        };
        for (base, path, expected) in [
            ("/dev", "/dev/toolkit/api/tools?a=b", "/toolkit/api/tools?a=b"),
            ("/dev", "/dev", "/"),
            ("/dev", "/dev?a", "/?a"),
            ("/dev", "/dev/", "/"),
            ("/a/b", "/a/b/llms.txt", "/llms.txt"),
            ("/dev", "/toolkit/api/tools", "/toolkit/api/tools"),
            ("/dev", "/developers", "/developers"),
            ("", "/toolkit", "/toolkit"),
        ] {
            assert_eq!(stripped(base, path), expected, "{base} {path}");
        }
    }
}
