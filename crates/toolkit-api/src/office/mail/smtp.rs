//! Mail transport `smtp`.
//!
//! Standard: RFC 5321 (SMTP) and RFC 6531 (internationalized addresses), with lettre.

mod connection;
mod message;

use std::error::Error as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{io, iter};

use lettre::message::Message;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use tokio::time::{Instant, sleep, timeout};
use toolkit_server::settings::Mail;
use toolkit_store::Failure;

use self::connection::Server;
pub(crate) use self::connection::{ConfigError, check};
pub(super) use self::message::message;
use super::Unsent;
use crate::error::with_causes;

/// Maximum wait for the server's greeting and the login.
const GREETING_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum time for a whole mail, well below the worker's lease.
const MAIL_TIMEOUT: Duration = Duration::from_secs(90);

/// How long a connection is kept for the next mail.
const IDLE_MAX: Duration = Duration::from_mins(1);

/// A mail server and its idle connections.
pub(super) struct Smtp {
    server: Server,
    idle: Arc<Mutex<Vec<(Instant, AsyncSmtpConnection)>>>,
}

impl Smtp {
    /// Prepares the server, without connecting.
    ///
    /// # Errors
    ///
    /// The first unusable setting.
    pub(super) fn new(mail: &Mail) -> Result<Self, ConfigError> {
        let server = Server::of(mail)?.ok_or(ConfigError::Url)?;
        if server.is_readable() {
            tracing::warn!(
                "mail is sent to the mail server without TLS: others on the network can read it"
            );
        }
        Ok(Self { server, idle: Arc::default() })
    }

    /// Returns a connection that is logged in.
    ///
    /// # Errors
    ///
    /// The reason there is none. A retry may help, since no mail was refused.
    pub(super) async fn connection(&self) -> Result<AsyncSmtpConnection, Unsent> {
        let connection = async {
            while let Some(mut connection) = take(&self.idle, |_| true) {
                // Leaves half of the time to reconnect if the other end has silently gone.
                let answer = timeout(GREETING_TIMEOUT / 2, connection.test_connected());
                if answer.await == Ok(true) {
                    return Ok(connection);
                }
            }
            self.server.connect().await
        };
        match timeout(GREETING_TIMEOUT, connection).await {
            Ok(connection) => connection.map_err(|error| Unsent {
                failure: Failure::Transient(class(&error)),
                cause: error.status().is_none().then(|| with_causes(&error)),
            }),
            Err(_) => Err(Failure::Transient("timeout".to_owned()).into()),
        }
    }

    /// Sends a mail, and keeps the connection if nothing failed. Otherwise late replies could be
    /// taken for replies to the next mail.
    ///
    /// # Errors
    ///
    /// The failure's class, and whether a retry may help.
    pub(super) async fn send(
        &self,
        mut connection: AsyncSmtpConnection,
        message: &Message,
    ) -> Result<(), Unsent> {
        let text = message.formatted();
        let sent = connection.send(message.envelope(), &text);
        match timeout(MAIL_TIMEOUT, sent).await {
            Ok(Ok(_)) => {
                self.keep(connection);
                Ok(())
            }
            Ok(Err(error)) => Err(Unsent {
                failure: match failure(&error, is_ascii(message)) {
                    Failure::Permanent(class) if self.refuses_all(&error).await => {
                        Failure::Transient(class)
                    }
                    failure => failure,
                },
                cause: error.status().is_none().then(|| with_causes(&error)),
            }),
            Err(_) => Err(Failure::Transient("timeout".to_owned()).into()),
        }
    }

    /// Keeps a connection for the next mail, for a while.
    fn keep(&self, connection: AsyncSmtpConnection) {
        let idle = Arc::clone(&self.idle);
        let since = Instant::now();
        idle.lock().unwrap_or_else(PoisonError::into_inner).push((since, connection));
        tokio::spawn(async move {
            sleep(IDLE_MAX).await;
            if let Some(mut connection) = take(&idle, |at| at == since) {
                // It is closed even if the server does not answer.
                let _ = timeout(GREETING_TIMEOUT, connection.quit()).await;
            }
        });
    }

    /// Whether a refusal is about the sender or the connection rather than the mail, for the
    /// operator to fix. A mail server reports a refused sender by an enhanced status code (RFC
    /// 3463, section 3.2).
    async fn refuses_all(&self, error: &Error) -> bool {
        let words = with_causes(error);
        let is_of_sender = [" 5.1.7 ", " 5.1.8 "].iter().any(|code| words.contains(code));
        error.status().is_some() && (is_of_sender || self.connection().await.is_err())
    }
}

/// Takes an idle connection, by the time since which it has been idle.
fn take(
    idle: &Mutex<Vec<(Instant, AsyncSmtpConnection)>>,
    is_meant: impl Fn(Instant) -> bool,
) -> Option<AsyncSmtpConnection> {
    let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
    let index = idle.iter().rposition(|(since, _)| is_meant(*since))?;
    Some(idle.swap_remove(index).1)
}

/// Whether every mail server accepts the message's addresses.
fn is_ascii(message: &Message) -> bool {
    let envelope = message.envelope();
    let mut addresses = envelope.from().into_iter().chain(envelope.to());
    addresses.all(|address| AsRef::<str>::as_ref(address).is_ascii())
}

/// Classifies a failure, for a message with or without non-ASCII addresses.
fn failure(error: &Error, is_ascii: bool) -> Failure {
    let class = class(error);
    match error.status().map(u16::from) {
        // The login or its encryption. The operator fixes that, and the mail is fine.
        Some(530 | 534 | 535 | 538) => Failure::Transient(class),
        Some(500..600) => Failure::Permanent(class),
        // The server does not support such addresses. RFC 6531 is an extension.
        None if error.is_client() && !is_ascii => Failure::Permanent(class),
        _ => Failure::Transient(class),
    }
}

/// The class of a failure. The server's text is dropped, since it repeats addresses.
fn class(error: &Error) -> String {
    if let Some(code) = error.status() {
        return format!("smtp {}", u16::from(code));
    }
    let class = if error.is_client() {
        // No STARTTLS or no supported login. The operator must fix that, or a man in the middle has
        // removed it.
        "not supported"
    } else if error.is_timeout() {
        "timeout"
    } else if is_tls(error) {
        "tls"
    } else if error.is_response() {
        "response"
    } else {
        "connection"
    };
    class.to_owned()
}

/// Whether TLS failed: an untrusted certificate, or a server without TLS.
fn is_tls(error: &Error) -> bool {
    let mut causes = iter::successors(error.source(), |&cause| cause.source());
    error.is_tls()
        || causes.any(|cause| {
            let inner = cause.downcast_ref().and_then(io::Error::get_ref);
            inner.and_then(|inner| inner.downcast_ref::<rustls::Error>()).is_some()
        })
}
