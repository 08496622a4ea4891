//! Bare handler, the baseline: parses the same body and sends the same bytes, with nothing else
//! around it.

use std::fs;

use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::{self, Bytes, Data};
use actix_web::{App, HttpResponse, HttpServer};
use serde::Deserialize;
use serde_json::value::RawValue;
use toolkit_measure::Result;
use toolkit_measure::client::head_length;

/// The largest body: more than any measured one.
const BODY_BYTES_MAX: usize = 8 << 20;

/// The members of any measured body, as named by a handler of that one endpoint.
#[derive(Deserialize)]
#[expect(dead_code, reason = "a handler would parse them; nothing is done with them")]
struct Body {
    text: Option<String>,
    mode: Option<String>,
    algorithm: Option<String>,
    from_format: Option<String>,
    to_format: Option<String>,
    token: Option<String>,
    version: Option<String>,
    id_type: Option<String>,
    pattern: Option<String>,
    value: Option<String>,
    expression: Option<String>,
    cidr: Option<String>,
    // The members of a message to an MCP server.
    jsonrpc: Option<String>,
    id: Option<u64>,
    method: Option<String>,
    params: Option<Box<Self>>,
    name: Option<String>,
    arguments: Option<Box<Self>>,
    #[serde(rename = "_meta")]
    meta: Option<Box<RawValue>>,
}

/// The response to every request.
#[derive(Clone)]
struct Answer {
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

/// Serves the head and the body in a file, to every POST with a parsable body, and to every GET.
pub(crate) fn serve(port: u16, file: &str) -> Result<()> {
    let mut bytes = fs::read(file)?;
    let body = bytes.split_off(head_length(&bytes));
    let head = String::from_utf8(bytes)?;
    let headers = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.parse().ok()?, value.trim().parse().ok()?))
    });
    let answer = Answer { headers: headers.collect(), body: body.into() };
    let server = HttpServer::new(move || {
        App::new()
            .app_data(Data::new(answer.clone()))
            .app_data(web::PayloadConfig::new(BODY_BYTES_MAX))
            .default_service(web::route().to(handle))
    });
    let server = server.workers(1).tcp_nodelay(true);
    let server = server.bind(("127.0.0.1", port))?;
    Ok(actix_web::rt::System::new().block_on(server.run())?)
}

async fn handle(body: Bytes, answer: Data<Answer>) -> HttpResponse {
    if !body.is_empty() && serde_json::from_slice::<Body>(&body).is_err() {
        return HttpResponse::BadRequest().finish();
    }
    let mut response = HttpResponse::Ok();
    for header in &answer.headers {
        response.insert_header(header.clone());
    }
    response.body(answer.body.clone())
}
