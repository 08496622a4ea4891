//! Admin port: liveness and readiness checks, and Prometheus metrics.
//!
//! It has its own listener and thread, so it answers even when the other workers are busy.
//!
//! Standard: the Prometheus text format, version 0.0.4. Paths follow Kubernetes conventions.

mod metrics;
#[cfg(target_os = "linux")]
pub(crate) mod process;

use std::io;
use std::sync::Arc;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, ContentType, HOST, HeaderValue};
use actix_web::middleware::{Next, from_fn};
use actix_web::{App, Error, HttpResponse, ResponseError as _, web};

pub use self::metrics::Metrics;
use crate::error_response::{self, HttpError};
use crate::middleware::Middleware;
use crate::server::{Listener, Server, State};
use crate::settings::{Hosts, is_local};

const METHODS: &str = "GET, HEAD";

/// Whether the database accepts writes, as far as we know.
pub type DatabaseCheck = Arc<dyn Fn() -> bool + Send + Sync>;

/// State of the admin port.
#[derive(Clone)]
pub struct Admin {
    /// The metrics.
    pub metrics: Metrics,
    /// The server it reports on.
    pub server: State,
    /// That server's database check, if it has a database.
    pub database: Option<DatabaseCheck>,
    /// Accepted host names, besides IP addresses and names without a dot.
    pub hosts: Hosts,
}

impl Admin {
    /// Serves the admin port.
    ///
    /// # Errors
    ///
    /// When the socket cannot be used.
    pub fn serve(self, listener: Listener) -> io::Result<Server> {
        let admin = web::Data::new(self);
        listener.serve(1, move || {
            let app = App::new()
                .app_data(admin.clone())
                .service(resource("/livez").get(livez))
                .service(resource("/readyz").get(readyz))
                .service(resource("/metrics").get(render))
                .service(resource("/clients/{id}").get(client))
                .default_service(error_response::not_found())
                .wrap(from_fn(check_host));
            Middleware::silent().wrap(app)
        })
    }
}

/// Refuses hosts that a web page could own, since DNS can point them at this port.
async fn check_host(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let host = request.headers().get(HOST).map_or(Ok(""), HeaderValue::to_str);
    let admin = request.app_data::<web::Data<Admin>>();
    let is_listed = |host| admin.is_some_and(|admin| admin.hosts.allows(host));
    if host.is_ok_and(|host| is_local(host) || is_listed(host)) {
        return next.call(request).await;
    }
    let detail = "The admin port does not accept this host name. The operator can add it to `http.admin_hosts`.";
    Ok(request.error_response(HttpError::new(StatusCode::MISDIRECTED_REQUEST, detail)))
}

fn resource(path: &str) -> actix_web::Resource {
    web::resource(path).default_service(error_response::only(METHODS))
}

async fn livez() -> HttpResponse {
    status(r#"{"status":"alive"}"#)
}

async fn readyz(admin: web::Data<Admin>) -> Result<HttpResponse, HttpError> {
    if admin.server.is_stopping() {
        let why = "The server is stopping.";
        return Err(HttpError::new(StatusCode::SERVICE_UNAVAILABLE, why));
    }
    // Ready even without a database. All replicas lose it together, and pages and tools work
    // without it.
    Ok(status(match admin.database.as_ref().map(|is_up| is_up()) {
        None => r#"{"status":"ready"}"#,
        Some(true) => r#"{"status":"ready","database":"ok"}"#,
        Some(false) => r#"{"status":"ready","database":"unavailable"}"#,
    }))
}

/// Tells `doctor` which client its request was counted for.
async fn client(admin: web::Data<Admin>, id: web::Path<String>) -> HttpResponse {
    let seen = admin.server.accounts().seen(&id);
    seen.map_or_else(
        || {
            HttpError::new(StatusCode::NOT_FOUND, "No request with this ID has arrived.")
                .error_response()
        },
        |seen| HttpResponse::Ok().json(seen),
    )
}

async fn render(admin: web::Data<Admin>) -> HttpResponse {
    let accounts = admin.server.accounts();
    let [open, most] = accounts.connections();
    ::metrics::gauge!("toolkit_http_connections").set(count(open));
    ::metrics::gauge!("toolkit_http_connections_limit").set(count(most));
    for (kind, bytes) in ["held", "limit"].into_iter().zip(accounts.memory()) {
        ::metrics::gauge!("toolkit_memory_budget_bytes", "kind" => kind).set(count(bytes));
    }
    ::metrics::gauge!("toolkit_http_requests_in_flight").set(count(admin.server.in_flight()));
    let text = admin.metrics.render();
    #[cfg(target_os = "linux")]
    let text = text + &process::render();
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(text)
}

fn status(body: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type(ContentType::json())
        .body(body)
}

#[expect(clippy::cast_precision_loss, reason = "connections and bytes are far below 2^52")]
fn count(number: usize) -> f64 {
    number as f64
}
