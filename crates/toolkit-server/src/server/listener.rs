//! TCP listener.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use socket2::SockRef;

use crate::accounts::Accounts;
use crate::limits;

/// A listening socket that is not served yet.
#[derive(Debug)]
pub struct Listener {
    pub(super) socket: TcpListener,
    pub(super) accounts: Accounts,
    address: SocketAddr,
}

impl Listener {
    /// Listens on an address; port 0 picks a free one.
    ///
    /// # Errors
    ///
    /// When the address is in use, or does not belong to this machine.
    pub fn bind(address: SocketAddr) -> Result<Self, BindError> {
        listen(address).map_err(|source| BindError { address, source })
    }

    /// Serves clients with these accounts, instead of those with the default limits.
    #[must_use]
    pub fn serving(self, accounts: Accounts) -> Self {
        Self { accounts, ..self }
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

fn listen(address: SocketAddr) -> io::Result<Listener> {
    let socket = TcpListener::bind(address)?;
    // It lets 128 connections wait.
    SockRef::from(&socket).listen(limits::BACKLOG)?;
    let address = socket.local_addr()?;
    let accounts = Accounts::default();
    Ok(Listener { socket, accounts, address })
}

/// Listening on an address failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {}", reason(.source))]
pub struct BindError {
    address: SocketAddr,
    source: io::Error,
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => "it is in use".to_owned(),
        _ => error.to_string(),
    }
}

/// The address at which this machine reaches a listener: loopback, if it is on all interfaces.
pub(crate) fn reachable(listener: SocketAddr) -> SocketAddr {
    let ip = match listener.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, listener.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_0_picks_a_free_port_and_a_port_in_use_is_named() {
        let first = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        assert_ne!(first.address().port(), 0);
        let error = Listener::bind(first.address()).unwrap_err().to_string();
        assert_eq!(error, format!("cannot listen on {}: it is in use", first.address()));
    }

    #[cfg(unix)]
    #[test]
    fn a_port_can_be_bound_again_while_the_system_remembers_a_connection() {
        let first = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.address();
        let client = std::net::TcpStream::connect(address).unwrap();
        // The side that closes first is the one that remembers.
        drop(first.socket.accept().unwrap());
        drop((first, client));
        Listener::bind(address).unwrap();
    }
}
