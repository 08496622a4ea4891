//! The yardstick: an actix-web handler that parses the same body and answers the same bytes, with
//! nothing else around it.

use std::io;

use actix_web::web::{self, Bytes, Data};
use actix_web::{App, HttpResponse, HttpServer};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The members that any of the measured bodies has, as a handler of that one endpoint would name them.
#[derive(Deserialize)]
#[expect(
    dead_code,
    reason = "they are parsed, as a handler would, and then not used"
)]
struct Body {
    text: Option<String>,
    mode: Option<String>,
    scope: Option<String>,
    action: Option<String>,
    indent: Option<u32>,
    from_format: Option<String>,
    to_format: Option<String>,
    algorithm: Option<String>,
    key: Option<String>,
    token: Option<String>,
    version: Option<String>,
    count: Option<u32>,
    size: Option<u32>,
    pattern: Option<String>,
    flags: Option<String>,
    value: Option<String>,
    expression: Option<String>,
    cidr: Option<String>,
    // The members of a message to an MCP server.
    jsonrpc: Option<String>,
    id: Option<u64>,
    method: Option<String>,
    params: Option<Params>,
}

#[derive(Deserialize)]
#[expect(
    dead_code,
    reason = "they are parsed, as a handler would, and then not used"
)]
struct Params {
    name: Option<String>,
    arguments: Option<Box<Self>>,
    #[serde(rename = "_meta")]
    meta: Option<Box<RawValue>>,
    text: Option<String>,
    mode: Option<String>,
    from_format: Option<String>,
    to_format: Option<String>,
    algorithm: Option<String>,
    token: Option<String>,
    id_type: Option<String>,
    pattern: Option<String>,
    value: Option<String>,
    expression: Option<String>,
    cidr: Option<String>,
}

/// The largest body: more than any that is measured.
const BODY_BYTES_MAX: usize = 8 << 20;

/// Serves the bytes of the file `answer`, as the arguments of the program say.
pub(crate) fn main(port: &str, workers: &str, answer: &str) -> io::Result<()> {
    let answer = std::fs::read(answer)?;
    let port = port.parse().map_err(io::Error::other)?;
    let workers = workers.parse().map_err(io::Error::other)?;
    actix_web::rt::System::new().block_on(serve(port, workers, answer.into()))
}

/// Serves one fixed answer to every POST whose body can be parsed, and to every GET.
async fn serve(port: u16, workers: usize, answer: Bytes) -> io::Result<()> {
    HttpServer::new(move || {
        App::new()
            .app_data(Data::new(answer.clone()))
            .app_data(web::PayloadConfig::new(BODY_BYTES_MAX))
            .default_service(web::route().to(handle))
    })
    .workers(workers)
    .tcp_nodelay(true)
    .bind(("127.0.0.1", port))?
    .run()
    .await
}

async fn handle(body: Bytes, answer: Data<Bytes>) -> HttpResponse {
    if !body.is_empty() && serde_json::from_slice::<Body>(&body).is_err() {
        return HttpResponse::BadRequest().finish();
    }
    HttpResponse::Ok()
        .content_type("application/json")
        .body(answer.get_ref().clone())
}
