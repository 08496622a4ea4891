//! Cost of middleware, rate limiter and access log: the same handler with and without them.
//!
//! `middleware_cost bare` is plain actix-web with its own extractor; `middleware_cost full` is the
//! stack of the servers. Both answer `POST /run/{slug}` with the body's text in Base64-sized JSON.
//! Load one after the other on one core and compare the processor time per request in
//! `/proc/PID/stat`:
//!
//! ```sh
//! taskset -c 0 target/release/examples/middleware_cost full > /dev/null &
//! taskset -c 1 wrk -t1 -c32 -d5 -s post.lua http://127.0.0.1:18080/run/hash
//! ```

use std::process::ExitCode;
use std::sync::Arc;

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use serde::{Deserialize, Serialize};
use toolkit_server::accounts::Account;
use toolkit_server::error_response::HttpError;
use toolkit_server::middleware::{self, Middleware};
use toolkit_server::process::{failed, run};
use toolkit_server::rate_limiter::Limiter;
use toolkit_server::server::{self, Listener, Stop};
use toolkit_server::settings::{Log, LogFormat, Origins};
use toolkit_server::telemetry::Telemetry;
use toolkit_server::{admin, body};

const ADDRESS: ([u8; 4], u16) = ([127, 0, 0, 1], 18080);

#[derive(Deserialize)]
struct Input {
    text: String,
}

#[derive(Serialize)]
struct Output<'a> {
    ok: bool,
    slug: &'a str,
    result: &'a str,
    r#type: &'a str,
}

fn answer(input: &Input) -> HttpResponse {
    let output = Output { ok: true, slug: "hash", result: &input.text, r#type: "text" };
    HttpResponse::Ok()
        .content_type("application/json")
        .body(serde_json::to_vec(&output).unwrap_or_default())
}

async fn bare(input: web::Json<Input>) -> HttpResponse {
    answer(&input)
}

async fn full(
    request: HttpRequest,
    payload: web::Payload,
    limiter: web::Data<Limiter>,
) -> Result<HttpResponse, HttpError> {
    limiter.admit(Account::of(&request).client()).await?;
    middleware::set_tool(&request, "hash");
    let bytes = body::read_json(&request, payload.into_inner(), 1 << 20).await?;
    let input = serde_json::from_slice(&bytes).map_err(|_| HttpError::internal())?;
    Ok(answer(&input))
}

async fn serve_full() -> Result<server::Ended, String> {
    let log = Log { format: Some(LogFormat::Json), ..Log::default() };
    let telemetry = Telemetry::start(&log);
    let metrics = admin::Metrics::start();
    drop(metrics);
    let middleware = Middleware::new().cors(Origins::Any);
    let limiter = web::Data::from(Arc::new(Limiter::new("run", 1_000_000, 1_000_000)));
    let listener = Listener::bind(ADDRESS.into()).map_err(|error| error.to_string())?;
    let app = move || {
        let app =
            App::new().app_data(limiter.clone()).service(web::resource("/run/{slug}").post(full));
        middleware.clone().wrap(app)
    };
    let stop = Stop::listen().map_err(|error| error.to_string())?;
    let server = listener.serve(1, app).map_err(|error| error.to_string())?;
    let grace = std::time::Duration::from_secs(1);
    let ended = server::run(stop, server, None, grace, async |_| ()).await;
    telemetry.flush();
    Ok(ended)
}

fn serve_bare() -> std::io::Result<()> {
    actix_web::rt::System::new().block_on(
        HttpServer::new(|| App::new().service(web::resource("/run/{slug}").post(bare)))
            .workers(1)
            .bind(std::net::SocketAddr::from(ADDRESS))?
            .run(),
    )
}

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("bare") => serve_bare().map_or_else(|error| failed(&error), |()| ExitCode::SUCCESS),
        _ => run(serve_full()),
    }
}
