//! HTTP server: listens, serves and shuts down gracefully.
//!
//! actix-server accepts connections and distributes them over its workers. Each worker speaks
//! HTTP/1.1 with actix-http over our own stream, which enforces the deadlines. A graceful stop
//! accepts no new connections, answers requests in progress with `Connection: close`, closes idle
//! connections and, after the grace period, all others.

mod listener;
mod signal;
mod stop;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpService, KeepAlive, Request, Response};
use actix_server::ServerBuilder;
use actix_service::{
    IntoServiceFactory, ServiceFactoryExt, apply_fn_factory, fn_service, map_config,
};
use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, ServerHandle, Service, ServiceFactory};
use actix_web::rt::net::TcpStream;
use tokio::task::{JoinHandle, yield_now};

pub(crate) use self::listener::reachable;
pub use self::listener::{BindError, Listener};
pub use self::signal::Stop;
pub use self::stop::{Ended, exit_reserve, run};
use crate::accounts::UNKNOWN;
pub use crate::connections::State;
use crate::connections::{Exchange, GuardedStream, Worker};
use crate::limits;

/// Longer than any grace period, since we decide when the wait ends.
const ACTIX_GRACE_SECONDS: u64 = 3_600;

/// Connections that workers may still look at when descriptors have run out.
const CONNECTIONS_SPARE: usize = 16;

/// A running server.
pub struct Server {
    address: SocketAddr,
    handle: ServerHandle,
    task: JoinHandle<io::Result<()>>,
    state: State,
    /// The listening socket, until the stop.
    socket: std::net::TcpListener,
}

impl Listener {
    /// Serves an app on this many worker threads.
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
        let (state, shared) = (self.state(), self.state());
        let socket = self.listen()?;
        let listened = socket.try_clone()?;
        // actix-server stops accepting at its own limit, and no connection could be closed for a
        // new one.
        let connections_max = limits::connections_max() + CONNECTIONS_SPARE;
        let server = ServerBuilder::new()
            .disable_signals()
            .workers(workers)
            .max_concurrent_connections(connections_max.div_ceil(workers))
            .shutdown_timeout(ACTIX_GRACE_SECONDS)
            .listen("http", listened, move || {
                let worker = Worker::start(shared.clone());
                let app = app().into_factory();
                let app = app.map_err(|error| error.into().error_response());
                let app = map_config(app, |()| AppConfig::default());
                let app = apply_fn_factory(app, |mut request: Request, app| {
                    let exchange = Exchange::begin(&mut request);
                    let response = app.call(request);
                    async move {
                        let response = match response.await {
                            Ok(response) => Response::<B>::map_into_boxed_body(response.into()),
                            Err(refusal) => refusal.into(),
                        };
                        Ok(exchange.answer(response).await)
                    }
                });
                let http = HttpService::build()
                    // The stream enforces shorter deadlines.
                    .keep_alive(KeepAlive::Os)
                    .client_request_timeout(Duration::ZERO)
                    .client_disconnect_timeout(limits::DISCARD_DEADLINE)
                    .h1_write_buffer_size(limits::WRITE_BURST)
                    // A client that disconnects cancels its request.
                    .h1_allow_half_closed(false)
                    .on_connect_ext(|stream: &GuardedStream, data| {
                        data.insert(stream.connection().clone());
                    })
                    .h1(app);
                fn_service(move |stream| accept(stream, Rc::clone(&worker))).and_then(http)
            })?
            .run();
        let handle = server.handle();
        let task = tokio::spawn(server);
        Ok(Server { address, handle, task, state, socket })
    }
}

type Accepted = Result<(GuardedStream, Option<SocketAddr>), DispatchError>;

/// Accepts a connection. One too many is closed.
async fn accept(stream: TcpStream, worker: Rc<Worker>) -> Accepted {
    let peer = stream.peer_addr().ok();
    let address = peer.map_or(UNKNOWN, |peer| peer.ip());
    let mut connection = worker.accept(address);
    if connection.is_none() {
        // Connections that made room, or whose clients have gone, close when their tasks run.
        yield_now().await;
        connection = worker.accept(address);
    }
    let connection = connection.ok_or(DispatchError::DisconnectTimeout)?;
    Ok((GuardedStream::new(stream, connection, worker), peer))
}

impl Server {
    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Server state, for other tasks.
    pub fn state(&self) -> State {
        self.state.clone()
    }
}
