//! Error responses to requests so malformed that no handler receives them.

use actix_web::http::StatusCode;
use actix_web::rt::net::TcpStream;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::error_response::{Detail, sentence};
use crate::limits;
use crate::request_id::RequestId;

/// Longest response that the HTTP layer generates by itself.
const BARE_BYTES_MAX: usize = 160;

/// Bytes read from a client before it is cut off.
const LINGER_BYTES_MAX: usize = 1 << 20;

/// Whether these bytes are an error response without a body, which only the HTTP layer writes.
pub(super) fn is_bare_refusal(bytes: &[u8]) -> Option<u16> {
    if bytes.len() > BARE_BYTES_MAX || !bytes.starts_with(b"HTTP/1.") {
        return None;
    }
    let status = match bytes.get(9..12)? {
        b"400" => 400,
        b"431" => 431,
        _ => return None,
    };
    let text = std::str::from_utf8(bytes).ok()?;
    let bare = text.contains("\r\ncontent-length: 0\r\n") && text.ends_with("\r\n\r\n");
    bare.then_some(status)
}

/// A complete error response in wire format.
pub(super) fn refusal(status: u16) -> Vec<u8> {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    metrics::counter!("toolkit_http_broken_requests_total", "status" => status.as_str().to_owned())
        .increment(1);
    let detail = sentence(status);
    let body = Detail { detail }.to_json();
    format!(
        "HTTP/1.1 {} {}\r\ncontent-length: {}\r\ncontent-type: application/json\r\n\
         x-content-type-options: nosniff\r\nx-request-id: {}\r\nconnection: close\r\n\r\n{body}",
        status.as_u16(),
        status.canonical_reason().unwrap_or_default(),
        body.len(),
        RequestId::make(),
    )
    .into_bytes()
}

/// Closes a stream whose client may still be sending: closing at once would discard the unread
/// response.
pub(super) async fn close(mut stream: TcpStream, last: Vec<u8>) {
    let until_gone = async {
        let _ = stream.write_all(&last).await;
        let _ = stream.shutdown().await;
        let mut left = LINGER_BYTES_MAX;
        let mut scratch = [0; 4096];
        while left > 0 {
            match stream.read(&mut scratch).await {
                Ok(0) | Err(_) => return,
                Ok(bytes) => left = left.saturating_sub(bytes),
            }
        }
    };
    let _ = actix_web::rt::time::timeout(limits::DISCARD_DEADLINE, until_gone).await;
}

#[cfg(test)]
mod tests {
    use super::is_bare_refusal;

    #[test]
    fn only_an_error_without_a_body_is_replaced() {
        let head = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\ndate: Fri, 21 Nov 2025 07:45:00 GMT\r\n\r\n";
        assert_eq!(is_bare_refusal(head.as_bytes()), Some(400));
        assert_eq!(
            is_bare_refusal(head.replace("400", "431").as_bytes()),
            Some(431)
        );
        for other in [
            head.replace("400", "200"),
            head.replace("content-length: 0", "content-length: 2"),
            head.replace("\r\n\r\n", "\r\n"),
            format!("{head}{head}"),
            String::new(),
        ] {
            assert_eq!(is_bare_refusal(other.as_bytes()), None, "{other}");
        }
    }
}
