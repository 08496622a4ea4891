//! TCP proxy to the PostgreSQL server that a test can close or suspend.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Behavior of the proxy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Connections and bytes are forwarded.
    Forward,
    /// Connections are closed, new ones refused.
    Closed,
    /// Bytes are accepted and never forwarded.
    Hanging,
}

pub(crate) struct Proxy {
    address: SocketAddr,
    mode: Arc<watch::Sender<Mode>>,
    accepting: Option<JoinHandle<()>>,
    server: String,
}

impl Proxy {
    /// Listens on a free port, and returns the URL of a database through this proxy.
    pub(crate) async fn start(url: &str) -> (Self, String) {
        let (scheme_and_user, rest) = url.rsplit_once('@').unwrap();
        let (server, path) = rest.split_once('/').unwrap();
        let server =
            if server.contains(':') { server.to_owned() } else { format!("{server}:5432") };
        let mut proxy = Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            mode: Arc::new(watch::Sender::new(Mode::Forward)),
            accepting: None,
            server,
        };
        proxy.listen().await;
        let url = format!("{scheme_and_user}@{}/{path}", proxy.address);
        (proxy, url)
    }

    pub(crate) async fn set(&mut self, mode: Mode) {
        self.mode.send_replace(mode);
        if mode == Mode::Closed {
            if let Some(accepting) = self.accepting.take() {
                accepting.abort();
                let _ = accepting.await;
            }
        } else if self.accepting.is_none() {
            self.listen().await;
        }
    }

    async fn listen(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.address = listener.local_addr().unwrap();
        let (mode, server) = (Arc::clone(&self.mode), self.server.clone());
        self.accepting = Some(tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(forward(client, server.clone(), mode.subscribe()));
            }
        }));
    }
}

async fn forward(client: TcpStream, server: String, mut mode: watch::Receiver<Mode>) {
    let server = TcpStream::connect(server).await.unwrap();
    let (client_read, client_write) = client.into_split();
    let (server_read, server_write) = server.into_split();
    let copying = futures::future::join(
        copy(client_read, server_write, mode.clone()),
        copy(server_read, client_write, mode.clone()),
    );
    tokio::select! {
        _ = copying => {}
        _ = mode.wait_for(|mode| *mode == Mode::Closed) => {}
    }
}

async fn copy(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut mode: watch::Receiver<Mode>,
) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if mode.wait_for(|mode| *mode == Mode::Forward).await.is_err() {
            break;
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            break;
        }
    }
}
