//! The `smtp` transport.
//!
//! Standard: RFC 5321 (SMTP), RFC 5322 (messages), RFC 2045 (MIME), RFC 2369 and RFC 8058
//! (`List-Unsubscribe` and its one click), RFC 6531 (addresses beyond ASCII), by lettre. The URL says how:
//! `smtps://` is TLS from the start, `smtp://…?tls=required` is STARTTLS, `smtp://` alone is plain.

use std::net::IpAddr;
use std::time::Duration;

use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MultiPart};
use lettre::transport::smtp::{AsyncSmtpTransportBuilder, PoolConfig};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use reqwest::Url;
use tokio::time::timeout;
use toolkit_http::settings::Mail;
use toolkit_store::{Failure, Ulid};

use super::Draft;
use super::worker::AT_ONCE;

/// Longest wait for a reply to one command.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);

/// Longest time for a whole mail; far below the lease that the worker has on it.
const MAIL_TIMEOUT: Duration = Duration::from_secs(90);

/// A mail server.
pub(super) struct Smtp(AsyncSmtpTransport<Tokio1Executor>);

/// The settings of mail that cannot work.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The URL of the mail server. It may hold a password, so nothing of it is shown.
    #[error(
        "`mail.smtp_url` cannot be used; it is smtps://user:password@host, or smtp://host with \
         ?tls=required for STARTTLS"
    )]
    Url,
    /// The sender.
    #[error("`mail.from` is no address that mail can have")]
    From,
    /// The recipient of contact messages.
    #[error("`mail.operator` is no address that mail can have")]
    Operator,
}

/// Checks the settings of mail, without a connection.
///
/// # Errors
///
/// The first setting that cannot work.
pub(crate) fn check(mail: &Mail) -> Result<(), ConfigError> {
    builder(mail).map(drop)
}

fn builder(mail: &Mail) -> Result<Option<AsyncSmtpTransportBuilder>, ConfigError> {
    let is_address = |address: Option<&toolkit_http::settings::EmailAddress>| {
        address.is_none_or(|address| self::address(address.as_str()).is_some())
    };
    if !is_address(mail.from.as_ref()) {
        return Err(ConfigError::From);
    }
    if !is_address(mail.operator.as_ref()) {
        return Err(ConfigError::Operator);
    }
    let Some(url) = &mail.smtp_url else {
        return Ok(None);
    };
    let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.expose());
    builder.map(Some).map_err(|_| ConfigError::Url)
}

impl Smtp {
    pub(super) fn new(mail: &Mail) -> Result<Self, ConfigError> {
        let builder = builder(mail)?.ok_or(ConfigError::Url)?;
        if mail
            .smtp_url
            .as_ref()
            .is_some_and(|url| is_readable(url.expose()))
        {
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
    pub(super) async fn send(&self, id: Ulid, from: &str, draft: &Draft) -> Result<(), Failure> {
        let message = message(id, from, draft)?;
        match timeout(MAIL_TIMEOUT, self.0.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(failure(&error)),
            Err(_) => Err(Failure::Transient("timeout".to_owned())),
        }
    }
}

/// Whether mail would cross a network as plain text.
fn is_readable(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else {
        return false;
    };
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let is_here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    let is_tls = url.scheme() == "smtps"
        || url
            .query_pairs()
            .any(|(key, value)| key == "tls" && value == "required");
    !is_here && !is_tls
}

/// Judges what went wrong. Nothing of what the server said is kept: it repeats addresses.
fn failure(error: &lettre::transport::smtp::Error) -> Failure {
    if let Some(code) = error.status() {
        let code = u16::from(code);
        let class = format!("smtp {code}");
        return match code {
            // The login or its encryption: the operator mends that, and the mail is as good as before.
            530 | 534 | 535 | 538 => Failure::Transient(class),
            500..600 => Failure::Permanent(class),
            _ => Failure::Transient(class),
        };
    }
    if error.is_client() {
        // The server cannot take such an address at all: RFC 6531 is an extension.
        return Failure::Permanent("not supported".to_owned());
    }
    let class = if error.is_timeout() {
        "timeout"
    } else if error.is_tls() {
        "tls"
    } else if error.is_response() {
        "response"
    } else {
        "connection"
    };
    Failure::Transient(class.to_owned())
}

fn message(id: Ulid, from: &str, draft: &Draft) -> Result<Message, Failure> {
    let refused = |what: &str| Failure::Permanent(what.to_owned());
    let mailbox = |text: &str| address(text).map(|address| Mailbox::new(None, address));
    let from = mailbox(from).ok_or_else(|| refused("sender"))?;
    let domain = from.email.domain();
    let mut builder = Message::builder()
        // The same at each attempt, so that a mailbox can tell a mail that came twice.
        .message_id(Some(format!("<{id}@{domain}>")))
        .to(mailbox(&draft.to).ok_or_else(|| refused("recipient"))?)
        .subject(draft.subject)
        .header(AutoSubmitted);
    let ascii = draft.reply_to.as_deref().and_then(mailbox);
    // An address beyond ASCII cannot stand in a header everywhere; it stands in the text.
    if let Some(reply_to) = ascii.filter(|mailbox| mailbox.email.user().is_ascii()) {
        builder = builder.reply_to(reply_to);
    }
    if let Some(url) = &draft.unsubscribe_url {
        builder = builder
            .header(ListUnsubscribe(url.clone()))
            .header(OneClick);
    }
    let body = MultiPart::alternative_plain_html(draft.text.clone(), draft.html.clone());
    builder
        .from(from)
        .multipart(body)
        .map_err(|_| refused("message"))
}

/// An address as mail servers know it: a domain beyond ASCII in the form of RFC 5891 (`xn--…`).
fn address(text: &str) -> Option<Address> {
    let (local, domain) = text.rsplit_once('@')?;
    if domain.is_ascii() {
        return Address::new(local, domain).ok();
    }
    let url = Url::parse(&format!("http://{domain}")).ok()?;
    Address::new(local, url.domain()?).ok()
}

/// A header whose value is ASCII without spaces, and longer than a line may be folded.
fn plain(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(
        HeaderName::new_from_ascii_str(name),
        value.clone(),
        value,
    )
}

/// Declares a header that is only ever written.
macro_rules! header {
    ($(#[$about:meta])* $type:ident $(($inner:ty))?, $name:literal, |$this:ident| $value:expr) => {
        $(#[$about])*
        #[derive(Clone)]
        struct $type $(($inner))?;

        impl Header for $type {
            fn name() -> HeaderName {
                HeaderName::new_from_ascii_str($name)
            }

            fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
                Err("this header is only written".into())
            }

            fn display(&self) -> HeaderValue {
                let $this = self;
                plain($name, $value)
            }
        }
    };
}

header!(
    /// RFC 2369, section 3.2.
    ListUnsubscribe(String), "List-Unsubscribe", |this| format!("<{}>", this.0)
);
header!(
    /// RFC 8058, section 3.1.
    OneClick, "List-Unsubscribe-Post", |_this| "List-Unsubscribe=One-Click".to_owned()
);
header!(
    /// RFC 3834, section 5: no vacation notice answers it.
    AutoSubmitted, "Auto-Submitted", |_this| "auto-generated".to_owned()
);
