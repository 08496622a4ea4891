//! HTTP server: listens, serves and shuts down gracefully.
//!
//! actix-server accepts connections and spreads them over its workers; each worker speaks HTTP/1.1
//! with actix-http over a stream of our own, which keeps the deadlines. A stop is graceful: no new
//! connection is accepted, what is under way is answered with `Connection: close`, idle connections
//! are closed, and after the grace the rest is cut.

mod listener;
mod signal;
mod stop;

use std::fmt;
use std::future::{Ready, ready};
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use actix_http::{HttpService, KeepAlive, Request, Response};
use actix_server::ServerBuilder;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, ServerHandle, Service, ServiceFactory};
use actix_web::rt::net::TcpStream;
use tokio::task::JoinHandle;

pub use self::listener::{BindError, Listener};
pub use self::signal::Stop;
pub use self::stop::{Ended, last_words, run};
use crate::connection::deadlines::{Process, Watch};
use crate::connection::stream::Wire;
use crate::limits;

/// Longer than any grace: the end of the wait is ours to decide.
const ACTIX_GRACE_SECONDS: u64 = 3_600;

/// A server that is running.
pub struct Server {
    address: SocketAddr,
    handle: ServerHandle,
    task: JoinHandle<io::Result<()>>,
    process: Process,
}

impl Listener {
    /// Serves an app on so many worker threads, from now on.
    ///
    /// # Errors
    ///
    /// When the socket cannot be used.
    pub fn serve<F, I, S, B>(self, workers: usize, app: F) -> io::Result<Server>
    where
        F: Fn() -> I + Send + Clone + 'static,
        I: IntoServiceFactory<S, Request>,
        S: ServiceFactory<Request, Config = AppConfig> + 'static,
        S::Error: Into<Error> + 'static,
        S::InitError: fmt::Debug,
        S::Response: Into<Response<B>> + 'static,
        S::Service: 'static,
        <S::Service as Service<Request>>::Future: 'static,
        B: MessageBody + 'static,
    {
        let address = self.address();
        let process = Process::default();
        let shared = process.clone();
        let server = ServerBuilder::new()
            .disable_signals()
            .workers(workers)
            .max_concurrent_connections(limits::CONNECTIONS_MAX.div_ceil(workers))
            .shutdown_timeout(ACTIX_GRACE_SECONDS)
            .listen("http", self.into_socket(), move || {
                let watch = Watch::start(shared.clone());
                let app = app()
                    .into_factory()
                    .map_err(|error| error.into().error_response());
                let http = HttpService::build()
                    // Deadlines are kept by the wire, for less.
                    .keep_alive(KeepAlive::Os)
                    .client_request_timeout(Duration::ZERO)
                    .client_disconnect_timeout(limits::DISCARD_DEADLINE)
                    // A client that is gone cancels what it asked for.
                    .h1_allow_half_closed(false)
                    .on_connect_ext(|wire: &Wire, data| {
                        data.insert(wire.connection().clone());
                    })
                    .h1(map_config(app, |()| AppConfig::default()));
                fn_service(move |stream| accept(stream, &watch)).and_then(http)
            })?
            .run();
        let handle = server.handle();
        let task = tokio::spawn(server);
        Ok(Server {
            address,
            handle,
            task,
            process,
        })
    }
}

type Accepted = Ready<Result<(Wire, Option<SocketAddr>), actix_http::error::DispatchError>>;

fn accept(stream: TcpStream, watch: &std::rc::Rc<Watch>) -> Accepted {
    let peer = stream.peer_addr().ok();
    ready(Ok((Wire::new(stream, watch), peer)))
}

impl Server {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What others may know of it while it runs.
    pub fn state(&self) -> State {
        State(self.process.clone())
    }
}

/// What a server is doing.
#[derive(Clone, Debug)]
pub struct State(Process);

impl State {
    /// Whether it is stopping.
    pub fn is_draining(&self) -> bool {
        self.0.is_draining()
    }

    /// The number of open connections.
    pub fn connections(&self) -> usize {
        self.0.open()
    }
}
