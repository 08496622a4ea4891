//! A complete server: settings, log, limits, an app behind the middleware, admin port, graceful
//! stop.
//!
//! The tests of the process (signals, exit codes, closed standard output) run this one.

use std::process::ExitCode;

use actix_web::{App, HttpRequest, HttpResponse, web};
use clap::Parser;
use toolkit_server::accounts::{Account, Accounts};
use toolkit_server::admin::{Admin, Metrics};
use toolkit_server::error_response::{self, HttpError};
use toolkit_server::middleware::Middleware;
use toolkit_server::process::{self, ConfigArgs};
use toolkit_server::rate_limiter::{Limiter, Redis};
use toolkit_server::server::{self, Ended, Listener, Stop};
use toolkit_server::settings::{Hosts, Settings};
use toolkit_server::{body, telemetry::Telemetry};

/// Echoes JSON.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    config: ConfigArgs,
}

fn main() -> ExitCode {
    let settings = match Arguments::parse().config.load() {
        Ok(settings) => settings,
        Err(error) => return process::misused(&error),
    };
    let telemetry = Telemetry::start(&settings.log);
    let code = process::run(serve(settings, &telemetry));
    telemetry.flush();
    code
}

async fn serve(
    settings: Settings,
    telemetry: &Telemetry,
) -> Result<Ended, Box<dyn std::error::Error>> {
    // Before anything is counted.
    let metrics = Metrics::start().with_log(telemetry);
    let stop = Stop::listen()?;
    let workers = settings.http.worker_count();
    let listener = Listener::bind(settings.api.bind)?;
    let listener = listener.serving(Accounts::new(&settings.limits, &settings.http));
    let admin_listener = settings.api.admin_bind.map(Listener::bind).transpose()?;
    let middleware = Middleware::new().cors(settings.http.origins());
    let redis = settings.limits.redis_url.as_ref().map(Redis::connect).transpose()?;
    let limits = &settings.limits;
    let limiter = Limiter::new("run", limits.run_per_minute, limits.run_burst).shared(redis);
    let state = web::Data::new(State { limiter, body_limit: settings.http.body_limit_bytes });
    let app = move || {
        let app = App::new()
            .app_data(state.clone())
            .service(
                web::resource("/echo").post(echo).default_service(error_response::only("POST")),
            )
            .service(
                web::resource("/panic")
                    .get(panic)
                    .default_service(error_response::only("GET, HEAD")),
            )
            .default_service(error_response::not_found());
        middleware.clone().wrap(app)
    };
    let admin =
        Admin { metrics, server: listener.state(), database: None, hosts: Hosts::from_list(&[]) };
    let admin = admin_listener.map(|listener| admin.serve(listener)).transpose()?;
    if let Some(admin) = &admin {
        tracing::info!(address = %admin.address(), "admin port listening");
    }
    let server = listener.serve(workers, app)?;
    tracing::info!(address = %server.address(), "listening");
    Ok(server::run(stop, server, admin, settings.http.shutdown_grace(), async |_| ()).await)
}

struct State {
    limiter: Limiter,
    body_limit: usize,
}

async fn echo(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<State>,
) -> Result<HttpResponse, HttpError> {
    state.limiter.admit(Account::of(&request).client()).await?;
    let bytes = body::read_json(&request, payload.into_inner(), state.body_limit).await?;
    Ok(HttpResponse::Ok().content_type("application/json").body(bytes))
}

#[expect(clippy::panic, reason = "what a panic does is to be seen")]
async fn panic() -> &'static str {
    panic!("as it was asked to")
}
