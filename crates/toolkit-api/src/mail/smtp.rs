//! Mail transport `smtp`.
//!
//! Standard: RFC 5321 (SMTP) and RFC 6531 (internationalized addresses), with lettre.

mod connection;
mod message;

use std::error::Error as _;
use std::time::Duration;
use std::{io, iter};

use lettre::message::Message;
use lettre::transport::smtp::{Error, PoolConfig};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use tokio::time::timeout;
use toolkit_server::settings::{Mail, Mailbox};
use toolkit_store::{Failure, Ulid};

pub(crate) use self::connection::{ConfigError, check};
use self::message::message;
use super::Unsent;
use super::draft::Draft;

/// Longest wait for a reply to one command.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);

/// Longest time for a whole mail; far below the worker's lease.
const MAIL_TIMEOUT: Duration = Duration::from_secs(90);

/// A mail server.
pub(super) struct Smtp(AsyncSmtpTransport<Tokio1Executor>);

impl Smtp {
    /// Creates the transport, without connecting.
    ///
    /// # Errors
    ///
    /// The first unusable setting.
    pub(super) fn new(mail: &Mail) -> Result<Self, ConfigError> {
        let builder = connection::builder(mail)?.ok_or(ConfigError::Url)?;
        if connection::is_readable(mail) {
            tracing::warn!(
                "mail is sent to the mail server without TLS: others on the network can read it"
            );
        }
        let pool = PoolConfig::new().max_size(mail.parallel);
        let transport = builder.timeout(Some(COMMAND_TIMEOUT)).pool_config(pool).build();
        Ok(Self(transport))
    }

    /// Sends a mail.
    ///
    /// # Errors
    ///
    /// Its class, and whether a retry may help.
    pub(super) async fn send(&self, id: Ulid, from: &Mailbox, draft: &Draft) -> Result<(), Unsent> {
        let message = message(id, from, draft)?;
        let is_ascii = is_ascii(&message);
        match timeout(MAIL_TIMEOUT, self.0.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(Unsent {
                failure: match failure(&error, is_ascii) {
                    Failure::Permanent(class) if self.refuses_all(&error).await => {
                        Failure::Transient(class)
                    }
                    failure => failure,
                },
                cause: error.status().is_none().then(|| words(&error)),
            }),
            Err(_) => Err(Failure::Transient("timeout".to_owned()).into()),
        }
    }
}

impl Smtp {
    /// Connects and logs in, without a mail.
    pub(super) async fn connect(&self) -> Result<(), Unsent> {
        match self.0.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Failure::Transient("connection".to_owned()).into()),
            Err(error) => Err(Unsent {
                failure: failure(&error, true),
                cause: error.status().is_none().then(|| words(&error)),
            }),
        }
    }

    /// Whether a refusal is about the sender or the connection, and not about the mail: the operator
    /// corrects that. A mail server reports the sender by an enhanced code (RFC 3463, section 3.2).
    async fn refuses_all(&self, error: &Error) -> bool {
        let words = words(error);
        let is_of_sender = [" 5.1.7 ", " 5.1.8 "].iter().any(|code| words.contains(code));
        let is_answer = error.status().is_some();
        is_answer && (is_of_sender || !self.0.test_connection().await.unwrap_or(false))
    }
}

/// Whether every mail server accepts the addresses of a message.
fn is_ascii(message: &Message) -> bool {
    let envelope = message.envelope();
    let mut addresses = envelope.from().into_iter().chain(envelope.to());
    addresses.all(|address| AsRef::<str>::as_ref(address).is_ascii())
}

/// Classifies a failure for a message with or without ASCII addresses. Nothing of the server's text
/// is kept: it repeats addresses.
fn failure(error: &Error, is_ascii: bool) -> Failure {
    if let Some(code) = error.status() {
        let code = u16::from(code);
        let class = format!("smtp {code}");
        return match code {
            // The login or its encryption: the operator fixes that, and the mail itself is fine.
            530 | 534 | 535 | 538 => Failure::Transient(class),
            500..600 => Failure::Permanent(class),
            _ => Failure::Transient(class),
        };
    }
    if error.is_client() {
        let class = "not supported".to_owned();
        return if is_ascii {
            // The server offers no STARTTLS, or no supported login: its operator fixes that, or a
            // man in the middle removed it.
            Failure::Transient(class)
        } else {
            // The server does not support such an address: RFC 6531 is an extension.
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

/// The words of an error and of its causes, each once: some have their cause in their words.
fn words(error: &Error) -> String {
    let mut words = error.to_string();
    for cause in iter::successors(error.source(), |&cause| cause.source()) {
        let cause = cause.to_string();
        if !words.ends_with(&cause) {
            words = format!("{words}: {cause}");
        }
    }
    words
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
