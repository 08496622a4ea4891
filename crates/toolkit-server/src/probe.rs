//! Liveness probe: asks the admin port of a server on this machine. For container health checks,
//! since the images have no HTTP client.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

pub use crate::accounts::{DOCTOR, Seen};
use crate::server::reachable;

/// Below the usual two seconds of a health check.
const TIMEOUT: Duration = Duration::from_millis(1_500);

/// Maximum response size.
const ANSWER_BYTES_MAX: u64 = 16 << 10;

/// Requests `/livez`. If the listener is on all interfaces, uses loopback.
///
/// # Errors
///
/// When there is no admin port or it does not answer 200.
pub fn probe(admin: Option<SocketAddr>) -> io::Result<()> {
    let off = || io::Error::other("the admin port is off: `admin_bind` is empty");
    get(admin.ok_or_else(off)?, "/livez").map(drop)
}

/// Returns which client the request with this ID was counted for, if it has arrived.
///
/// # Errors
///
/// When the admin port does not answer.
pub fn seen(admin: SocketAddr, id: &str) -> io::Result<Option<Seen>> {
    match get(admin, &format!("/clients/{id}")) {
        Ok(body) => Ok(serde_json::from_str(&body).ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the body of a small response.
fn get(admin: SocketAddr, path: &str) -> io::Result<String> {
    let address = reachable(admin);
    let of_address = |error: io::Error| io::Error::new(error.kind(), format!("{address}: {error}"));
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT).map_err(of_address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    // In one write, since a server may answer and close after reading only part.
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.take(ANSWER_BYTES_MAX).read_to_string(&mut answer)?;
    let status = answer.get(..12).unwrap_or(&answer);
    let kind = match status {
        "HTTP/1.1 200" => {
            let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
            return Ok(body.to_owned());
        }
        "HTTP/1.1 404" => io::ErrorKind::NotFound,
        _ => io::ErrorKind::Other,
    };
    Err(io::Error::new(kind, format!("{address} answers {status}")))
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    fn server(answer: &'static str) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream);
            let mut line = String::new();
            while line != "\r\n" {
                line.clear();
                assert_ne!(reader.read_line(&mut line).unwrap(), 0);
            }
            reader.get_mut().write_all(answer.as_bytes()).unwrap();
        });
        address
    }

    #[test]
    fn a_server_that_answers_200_is_alive() {
        let address = server("HTTP/1.1 200 OK\r\n\r\n");
        probe(Some(address)).unwrap();
    }

    #[test]
    fn any_other_answer_and_no_answer_are_failures() {
        let address = server("HTTP/1.1 503 Service Unavailable\r\n\r\n");
        assert!(probe(Some(address)).unwrap_err().to_string().ends_with("answers HTTP/1.1 503"));
        assert!(probe(None).is_err());
    }
}
