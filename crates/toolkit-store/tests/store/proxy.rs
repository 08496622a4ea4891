//! A wire to the PostgreSQL server that a test can cut, or let hang.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    Whole,
    /// Connections end, new ones are refused.
    Cut,
    /// Bytes are taken and never arrive.
    Hanging,
}

pub(crate) struct Proxy {
    address: SocketAddr,
    wire: Arc<watch::Sender<Wire>>,
    accepting: Option<JoinHandle<()>>,
    server: String,
}

impl Proxy {
    /// Listens on a free port, and returns the URL of a database with this wire to its server.
    pub(crate) async fn start(url: &str) -> (Self, String) {
        let (scheme_and_user, rest) = url.rsplit_once('@').unwrap();
        let (server, path) = rest.split_once('/').unwrap();
        let server = if server.contains(':') {
            server.to_owned()
        } else {
            format!("{server}:5432")
        };
        let mut proxy = Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            wire: Arc::new(watch::Sender::new(Wire::Whole)),
            accepting: None,
            server,
        };
        proxy.listen().await;
        let url = format!("{scheme_and_user}@{}/{path}", proxy.address);
        (proxy, url)
    }

    pub(crate) async fn set(&mut self, wire: Wire) {
        self.wire.send_replace(wire);
        if wire == Wire::Cut {
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
        let (wire, server) = (Arc::clone(&self.wire), self.server.clone());
        self.accepting = Some(tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(forward(client, server.clone(), wire.subscribe()));
            }
        }));
    }
}

async fn forward(client: TcpStream, server: String, mut wire: watch::Receiver<Wire>) {
    let server = TcpStream::connect(server).await.unwrap();
    let (client_read, client_write) = client.into_split();
    let (server_read, server_write) = server.into_split();
    let copying = futures::future::join(
        copy(client_read, server_write, wire.clone()),
        copy(server_read, client_write, wire.clone()),
    );
    tokio::select! {
        _ = copying => {}
        _ = wire.wait_for(|wire| *wire == Wire::Cut) => {}
    }
}

async fn copy(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut wire: watch::Receiver<Wire>,
) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if wire.wait_for(|wire| *wire == Wire::Whole).await.is_err() {
            break;
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            break;
        }
    }
}
