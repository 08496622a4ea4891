//! Media types that count as JSON (`application/json`, `application/*+json`).
//!
//! Standard: RFC 9110, section 8.3.1 (case and parameters are ignored), RFC 6839, section 3.1
//! (`+json`).

/// Whether a `Content-Type` is `application/json` or `application/…+json`.
pub(super) fn is_json(value: &[u8]) -> bool {
    let essence = value.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
    let lower = essence.to_ascii_lowercase();
    let Some(subtype) = lower.strip_prefix(b"application/") else {
        return false;
    };
    let name = subtype.strip_suffix(b"+json");
    subtype == b"json"
        || name.is_some_and(|name| !name.is_empty() && name.iter().copied().all(is_token))
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::is_json;

    #[test]
    fn json_is_json_in_any_case_and_with_any_parameter() {
        for value in [
            "application/json",
            "Application/JSON",
            " application/json ; charset=utf-8",
            "application/json;x=\"a;b\"",
            "application/problem+json",
            "application/vnd.api+json; version=1",
        ] {
            assert!(is_json(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn types_that_only_look_like_json_are_refused() {
        for value in [
            "",
            "json",
            "text/json",
            "text/plain",
            "application/jsonp",
            "application/+json",
            "application/json+xml",
            "application/a b+json",
            "application/x-www-form-urlencoded",
            "application/json, text/plain",
        ] {
            assert!(!is_json(value.as_bytes()), "{value}");
        }
    }
}
