//! Admin port: health checks and metrics.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::{App, web};
use toolkit_http::admin::{Admin, Metrics};
use toolkit_http::error_response;
use toolkit_http::middleware::{Cors, Middleware};
use toolkit_http::server::{Ended, Listener, Server};
use toolkit_http::settings::Origins;

use crate::app::{Answer, Connection};

struct Both {
    server: Server,
    admin: Server,
    broken: Arc<AtomicBool>,
}

fn start() -> Both {
    let metrics = Metrics::start();
    let any = || Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let middleware = Middleware::new(Cors::new(Origins::Any), None, 1);
    let wrapped = middleware.clone();
    let app = move || {
        App::new()
            .service(web::resource("/hello").get(async || "hello"))
            .service(web::resource("/slow").get(slow))
            .default_service(error_response::not_found())
            .wrap(wrapped.clone())
    };
    let server = any().serve(1, app).unwrap();
    let broken = Arc::new(AtomicBool::new(false));
    let is_broken = Arc::clone(&broken);
    let readiness = Arc::new(move || {
        let broken = is_broken.load(Ordering::Relaxed);
        if broken {
            Err("The database is out of reach.".to_owned())
        } else {
            Ok(())
        }
    });
    let admin = Admin {
        metrics,
        server: server.state(),
        middleware,
        readiness,
    };
    let admin = admin.serve(any()).unwrap();
    Both {
        server,
        admin,
        broken,
    }
}

async fn slow() -> &'static str {
    tokio::time::sleep(Duration::from_secs(1)).await;
    "slow"
}

async fn get(address: SocketAddr, path: &'static str) -> Answer {
    tokio::task::spawn_blocking(move || Connection::open(address).get(path))
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn it_lives_and_is_ready_unless_it_says_otherwise() {
    let Both { admin, broken, .. } = start();
    let address = admin.address();
    assert_eq!(get(address, "/livez").await.body, r#"{"status":"alive"}"#);
    assert_eq!(get(address, "/readyz").await.body, r#"{"status":"ready"}"#);
    broken.store(true, Ordering::Relaxed);
    let answer = get(address, "/readyz").await;
    assert_eq!(
        (answer.status, answer.detail().as_str()),
        (503, "The database is out of reach.")
    );
    assert_eq!(get(address, "/livez").await.status, 200);
    let answer = get(address, "/hello").await;
    assert_eq!(answer.status, 404);
    answer.detail();
}

#[tokio::test(flavor = "multi_thread")]
async fn while_it_stops_it_is_alive_and_not_ready() {
    let Both { server, admin, .. } = start();
    let (address, admin) = (server.address(), admin.address());
    let slow = tokio::spawn(get(address, "/slow"));
    tokio::time::sleep(Duration::from_millis(200)).await;
    let stop = tokio::spawn(server.stop(Duration::from_secs(5)));
    tokio::time::sleep(Duration::from_millis(200)).await;
    let answer = get(admin, "/readyz").await;
    assert_eq!(
        (answer.status, answer.detail().as_str()),
        (503, "The server is stopping.")
    );
    assert_eq!(get(admin, "/livez").await.status, 200);
    assert_eq!(slow.await.unwrap().body, "slow");
    assert_eq!(stop.await.unwrap(), Ended::Drained);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_tell_of_requests_by_route_and_of_the_process() {
    let Both { server, admin, .. } = start();
    for path in ["/hello", "/hello", "/nowhere"] {
        get(server.address(), path).await;
    }
    let answer = get(admin.address(), "/metrics").await;
    assert_eq!(
        answer.header("content-type"),
        Some("text/plain; version=0.0.4; charset=utf-8")
    );
    for start in [
        "# TYPE toolkit_http_requests_total counter",
        "toolkit_http_requests_total{method=\"GET\",route=\"/hello\",tool=\"\",status=\"200\"} ",
        "toolkit_http_requests_total{method=\"GET\",route=\"-\",tool=\"\",status=\"404\"} ",
        "toolkit_http_request_duration_seconds_bucket{route=\"/hello\",tool=\"\",le=\"0.001\"} ",
        "toolkit_http_connections ",
        "toolkit_http_requests_in_flight 0",
        "process_resident_memory_bytes ",
        "process_open_fds ",
    ] {
        let found = answer.body.lines().any(|line| line.starts_with(start));
        assert!(found, "{start} is not in {}", answer.body);
    }
    assert!(
        !answer.body.contains("/metrics"),
        "the admin port counts itself"
    );
}
