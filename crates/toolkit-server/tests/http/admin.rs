//! Admin port: health checks and metrics.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::{App, web};
use toolkit_server::admin::{Admin, DatabaseCheck, Metrics};
use toolkit_server::error_response;
use toolkit_server::middleware::Middleware;
use toolkit_server::server::{Ended, Listener, Server};
use toolkit_server::settings::{Hosts, Settings};

use crate::app::{Gate, until};
use crate::client::{Answer, Connection};

struct Both {
    server: Server,
    admin: Server,
    broken: Arc<AtomicBool>,
    /// Gate that `/held` waits for.
    gate: Gate,
}

fn start() -> Both {
    let metrics = Metrics::start();
    let any = || Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let middleware = Middleware::new();
    let gate = Gate::closed();
    let held_by = web::Data::new(gate.clone());
    let app = move || {
        let app = App::new()
            .service(web::resource("/hello").get(async || "hello"))
            .app_data(held_by.clone())
            .service(web::resource("/held").get(held))
            .default_service(error_response::not_found());
        middleware.clone().wrap(app)
    };
    let server = any().serve(1, app).unwrap();
    let broken = Arc::new(AtomicBool::new(false));
    let is_broken = Arc::clone(&broken);
    let database: DatabaseCheck = Arc::new(move || !is_broken.load(Ordering::Relaxed));
    let settings = Settings::parse("[http]\nadmin_hosts = ['toolkit.example.org']", []).unwrap();
    let admin = Admin {
        metrics,
        server: server.state(),
        database: Some(database),
        hosts: Hosts::from_list(&settings.http.admin_hosts),
    };
    let admin = admin.serve(any()).unwrap();
    Both { server, admin, broken, gate }
}

async fn held(gate: web::Data<Gate>) -> &'static str {
    gate.pass().await;
    "held"
}

async fn get(address: SocketAddr, path: &'static str) -> Answer {
    tokio::task::spawn_blocking(move || Connection::open(address).get(path)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_database_the_server_is_alive_and_ready_and_says_so() {
    let Both { admin, broken, .. } = start();
    let address = admin.address();
    assert_eq!(get(address, "/livez").await.body, r#"{"status":"alive"}"#);
    assert_eq!(get(address, "/readyz").await.body, r#"{"status":"ready","database":"ok"}"#);
    broken.store(true, Ordering::Relaxed);
    let answer = get(address, "/readyz").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body, r#"{"status":"ready","database":"unavailable"}"#);
    assert_eq!(get(address, "/livez").await.status, 200);
    let answer = get(address, "/hello").await;
    assert_eq!(answer.status, 404);
    answer.detail();
}

#[tokio::test(flavor = "multi_thread")]
async fn during_shutdown_the_probes_report_alive_and_not_ready() {
    let both = start();
    let (address, admin, state) =
        (both.server.address(), both.admin.address(), both.server.state());
    let held = tokio::spawn(get(address, "/held"));
    until("the request", || both.server.state().in_flight() == 1);
    let stop = tokio::spawn(both.server.stop(Duration::from_mins(1)));
    until("the stop", || state.is_stopping());
    let answer = get(admin, "/readyz").await;
    assert_eq!((answer.status, answer.detail().as_str()), (503, "The server is stopping."));
    assert_eq!(get(admin, "/livez").await.status, 200);
    both.gate.open();
    assert_eq!(held.await.unwrap().body, "held");
    assert_eq!(stop.await.unwrap(), Ended::Drained);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_cover_requests_by_route_and_the_process() {
    let Both { server, admin, .. } = start();
    for path in ["/hello", "/hello", "/nowhere"] {
        get(server.address(), path).await;
    }
    let address = server.address();
    for method in ["PUT", "PATCH", "DELETE", "PURGE"] {
        let request = format!("{method} /nowhere HTTP/1.1\r\nhost: x\r\n\r\n");
        let ask = move || {
            let mut connection = Connection::open(address);
            connection.write(request.as_bytes());
            connection.answer()
        };
        tokio::task::spawn_blocking(ask).await.unwrap();
    }
    let answer = get(admin.address(), "/metrics").await;
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    for start in [
        "# TYPE toolkit_http_requests_total counter",
        "toolkit_http_requests_total{method=\"GET\",route=\"/hello\",tool=\"\",status=\"200\"} ",
        "toolkit_http_requests_total{method=\"GET\",route=\"-\",tool=\"\",status=\"404\"} ",
        "toolkit_http_requests_total{method=\"PUT\",route=\"-\",tool=\"\",status=\"404\"} ",
        "toolkit_http_requests_total{method=\"PATCH\",route=\"-\",tool=\"\",status=\"404\"} ",
        "toolkit_http_requests_total{method=\"DELETE\",route=\"-\",tool=\"\",status=\"404\"} ",
        "toolkit_http_requests_total{method=\"other\",route=\"-\",tool=\"\",status=\"404\"} ",
        "# HELP toolkit_http_requests_total Requests by method, route, tool and status",
        "toolkit_panics_total ",
        "toolkit_log_dropped_lines_total ",
        "toolkit_traces_dropped_total ",
        "toolkit_http_request_duration_seconds_bucket{route=\"/hello\",tool=\"\",le=\"0.001\"} ",
        "toolkit_http_connections ",
        "toolkit_http_requests_in_flight 0",
        "process_resident_memory_bytes ",
        "process_open_fds ",
    ] {
        let found = answer.body.lines().any(|line| line.starts_with(start));
        assert!(found, "{start} is not in {}", answer.body);
    }
    assert!(!answer.body.contains("/metrics"), "requests to the admin port are counted");
}

/// A page whose name resolves to this machine sends its own name.
#[tokio::test(flavor = "multi_thread")]
async fn the_admin_port_answers_to_addresses_single_names_and_listed_ones_alone() {
    let Both { admin, .. } = start();
    let address = admin.address();
    let ask = move |host: &str| {
        let mut connection = Connection::open(address);
        connection.write(format!("GET /metrics HTTP/1.1\r\nhost: {host}\r\n\r\n").as_bytes());
        connection.answer()
    };
    let statuses = tokio::task::spawn_blocking(move || {
        let hosts = [
            "10.0.0.7:9080",
            "[::1]:9080",
            "localhost",
            "toolkit-api:9080",
            "toolkit.example.org:9080",
        ];
        let pages = ["page.example", "page.example:9080", "127.0.0.1.page.example"];
        (hosts.map(|host| ask(host).status), pages.map(|page| ask(page).status))
    });
    assert_eq!(statuses.await.unwrap(), ([200; 5], [421; 3]));
}
