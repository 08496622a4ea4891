//! TCP listener.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use socket2::{Domain, Socket, Type};

use crate::accounts::Accounts;
use crate::connections::State;
use crate::limits;

/// An address reserved for this process. It accepts connections once it is served.
#[derive(Debug)]
pub struct Listener {
    socket: Socket,
    pub(super) state: State,
    address: SocketAddr,
}

impl Listener {
    /// Reserves an address. Port 0 picks a free one.
    ///
    /// # Errors
    ///
    /// When the address is in use, or does not belong to this machine.
    pub fn bind(address: SocketAddr) -> Result<Self, BindError> {
        bind(address).map_err(|source| BindError { address, source })
    }

    /// Uses these accounts instead of those with default limits.
    #[must_use]
    pub fn serving(self, accounts: Accounts) -> Self {
        Self { state: State::new(accounts), ..self }
    }

    /// State of the server, for other tasks.
    pub fn state(&self) -> State {
        self.state.clone()
    }

    /// Starts accepting connections.
    pub(super) fn listen(self) -> io::Result<TcpListener> {
        let address = self.address;
        // Another process may have reserved the address and listened first.
        let fault =
            |source: io::Error| io::Error::new(source.kind(), BindError { address, source });
        self.socket.listen(limits::BACKLOG).map_err(fault)?;
        Ok(self.socket.into())
    }

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

fn bind(address: SocketAddr) -> io::Result<Listener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    // On Windows it would let other processes take an address in use.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    let address = socket.local_addr()?.as_socket().ok_or(io::ErrorKind::AddrNotAvailable)?;
    Ok(Listener { socket, state: State::default(), address })
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
        io::ErrorKind::AddrInUse => {
            "the port is in use; stop the other process, or set another port \
             (`api.bind` and `api.admin_bind`, or `mcp.bind` and `mcp.admin_bind`)"
                .to_owned()
        }
        _ => error.to_string(),
    }
}

/// The address at which this machine reaches a listener: loopback if it is on all interfaces.
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
        let [first, second] =
            [0, 0].map(|_| Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap());
        let address = first.address();
        assert_ne!(address.port(), 0);
        let in_use = format!("cannot listen on {address}: the port is in use; ");
        // Reserved, but not listening yet.
        let late = Listener::bind(address).unwrap();
        let _socket = first.listen().unwrap();
        assert!(Listener::bind(address).unwrap_err().to_string().starts_with(&in_use));
        assert!(late.listen().unwrap_err().to_string().starts_with(&in_use));
        second.listen().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_port_can_be_bound_again_while_the_system_remembers_a_connection() {
        let first = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.address();
        let socket = first.listen().unwrap();
        let client = std::net::TcpStream::connect(address).unwrap();
        // The side that closes first keeps the address in TIME_WAIT.
        drop(socket.accept().unwrap());
        drop((socket, client));
        Listener::bind(address).unwrap();
    }
}
