//! Mail transport `smtp`.
//!
//! Standard: RFC 5321 (SMTP) and RFC 6531 (addresses beyond ASCII), by lettre.

mod connection;
mod message;

use std::error::Error as _;
use std::time::Duration;
use std::{io, iter};

use lettre::message::Message;
use lettre::transport::smtp::{Error, PoolConfig};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use tokio::time::timeout;
use toolkit_http::settings::Mail;
use toolkit_store::{Failure, Ulid};

pub(crate) use self::connection::{ConfigError, check};
use self::message::message;
use super::draft::{Draft, Mailbox};
use super::worker::AT_ONCE;

/// Longest wait for a reply to one command.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);

/// Longest time for a whole mail; far below the lease that the worker has on it.
const MAIL_TIMEOUT: Duration = Duration::from_secs(90);

/// A mail server.
pub(super) struct Smtp(AsyncSmtpTransport<Tokio1Executor>);

impl Smtp {
    /// Sets it up, without a connection.
    ///
    /// # Errors
    ///
    /// The first setting that cannot work.
    pub(super) fn new(mail: &Mail) -> Result<Self, ConfigError> {
        let builder = connection::builder(mail)?.ok_or(ConfigError::Url)?;
        if connection::is_readable(mail) {
            tracing::warn!("mail goes to the mail server without TLS: anyone between can read it");
        }
        let pool = PoolConfig::new().max_size(AT_ONCE);
        let transport = builder
            .timeout(Some(COMMAND_TIMEOUT))
            .pool_config(pool)
            .build();
        Ok(Self(transport))
    }

    /// Sends a mail.
    ///
    /// # Errors
    ///
    /// Its class, and whether trying again may help.
    pub(super) async fn send(
        &self,
        id: Ulid,
        from: &Mailbox,
        draft: &Draft,
    ) -> Result<(), Failure> {
        let message = message(id, from, draft)?;
        let is_ascii = is_ascii(&message);
        match timeout(MAIL_TIMEOUT, self.0.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(failure(&error, is_ascii)),
            Err(_) => Err(Failure::Transient("timeout".to_owned())),
        }
    }
}

/// Whether every mail server can take the addresses of a message.
fn is_ascii(message: &Message) -> bool {
    let envelope = message.envelope();
    let mut addresses = envelope.from().into_iter().chain(envelope.to());
    addresses.all(|address| AsRef::<str>::as_ref(address).is_ascii())
}

/// Judges what went wrong with a message whose addresses are ASCII or not. Nothing of what the
/// server said is kept: it repeats addresses.
fn failure(error: &Error, is_ascii: bool) -> Failure {
    if let Some(code) = error.status() {
        let code = u16::from(code);
        let class = format!("smtp {code}");
        return match code {
            // The login or its encryption: the operator fixes that, and the mail is as good as
            // before.
            530 | 534 | 535 | 538 => Failure::Transient(class),
            500..600 => Failure::Permanent(class),
            _ => Failure::Transient(class),
        };
    }
    if error.is_client() {
        let class = "not supported".to_owned();
        return if is_ascii {
            // The server offers no STARTTLS, or no login that we know: its operator fixes that, or
            // it was somebody between who took it out.
            Failure::Transient(class)
        } else {
            // The server cannot take such an address at all: RFC 6531 is an extension.
            Failure::Permanent(class)
        };
    }
    let class = if error.is_timeout() {
        "timeout"
    } else if is_tls(error) {
        "tls"
    } else if error.is_response() {
        "response"
    } else {
        "connection"
    };
    Failure::Transient(class.to_owned())
}

/// Whether TLS failed: a certificate that is not trusted, or a server that speaks none.
fn is_tls(error: &Error) -> bool {
    let mut causes = iter::successors(error.source(), |&cause| cause.source());
    error.is_tls()
        || causes.any(|cause| {
            let inner = cause.downcast_ref().and_then(io::Error::get_ref);
            inner
                .and_then(|inner| inner.downcast_ref::<rustls::Error>())
                .is_some()
        })
}
