//! TLS server side, with a self-signed certificate.

use std::io::{Read, Result, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

/// A certificate, in a file for clients that should trust it.
pub(crate) struct Certificate {
    config: Arc<ServerConfig>,
    folder: TempDir,
}

impl Certificate {
    /// Returns one for `localhost`.
    pub(crate) fn new() -> Self {
        Self::of(&["localhost"])
    }

    /// Returns one for these hosts.
    pub(crate) fn of(hosts: &[&str]) -> Self {
        let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
        let CertifiedKey { cert, key_pair } = generate_simple_self_signed(hosts).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ca.pem"), cert.pem()).unwrap();
        let key = PrivateKeyDer::try_from(key_pair.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        Self { config: Arc::new(config), folder }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    pub(crate) fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.config)
    }
}

/// A connection that may become encrypted.
pub(crate) enum Connection {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
}

impl Connection {
    pub(crate) fn is_private(&self) -> bool {
        matches!(self, Self::Tls(_))
    }

    /// Returns the same connection, encrypted from now on.
    pub(crate) fn encrypted(self, config: Arc<ServerConfig>) -> Self {
        let Self::Plain(stream) = self else {
            panic!("the connection is encrypted already");
        };
        let connection = ServerConnection::new(config).unwrap();
        Self::Tls(Box::new(StreamOwned::new(connection, stream)))
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(buffer),
            Self::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        match self {
            Self::Plain(stream) => stream.write(bytes),
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> Result<()> {
        match self {
            Self::Plain(stream) => stream.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}
