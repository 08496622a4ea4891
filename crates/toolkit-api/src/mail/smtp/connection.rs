//! SMTP connection: server address and TLS mode.
//!
//! Standard: RFC 8314 (implicit TLS), RFC 3207 (STARTTLS). The URL selects the mode: `smtps://`, or
//! `smtp://…?tls=required`, where a server without STARTTLS gets neither password nor mail;
//! `smtp://` alone is plain text.

use std::net::IpAddr;
use std::path::Path;

use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::transport::smtp::client::{Certificate, CertificateStore, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, Tokio1Executor};
use reqwest::Url;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use toolkit_server::settings::{Mail, Mailbox, Settings, SmtpUrl};

use super::message;

/// Unusable mail settings.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The URL of the mail server. It may contain a password, so no part of it is shown.
    #[error(
        "`mail.smtp_url` cannot be used; it is smtps://user:password@host, or smtp://host with \
         ?tls=required for STARTTLS"
    )]
    Url,
    /// The certificate authorities.
    #[error(
        "`mail.smtp_ca_file` cannot be used; it is a PEM file with certificates of authorities"
    )]
    CaFile,
    /// Certificate authorities, without a client certificate.
    #[error(
        "`mail.smtp_ca_file` is set, and `mail.smtp_url` asks for no TLS; it is smtps://host, or \
         smtp://host?tls=required"
    )]
    CaWithoutTls,
    /// The sender.
    #[error("`mail.from` is not an address that mail can have")]
    From,
    /// The recipient of contact messages.
    #[error("`mail.operator` is not an address that mail can have")]
    Operator,
    /// The sender or the recipient of an app.
    #[error("`from` or `operator` of the app `{0}` is not an address that mail can have")]
    App(String),
}

/// Checks the mail settings, without connecting.
///
/// # Errors
///
/// The first unusable setting.
pub(crate) fn check(settings: &Settings) -> Result<(), ConfigError> {
    for app in &settings.apps {
        if !is_address(app.from.as_ref()) || !is_address(app.operator.as_ref()) {
            return Err(ConfigError::App(app.id.as_str().to_owned()));
        }
    }
    builder(&settings.mail).map(drop)
}

/// Prepares the connections to the mail server, if configured.
///
/// # Errors
///
/// The first unusable setting.
pub(super) fn builder(mail: &Mail) -> Result<Option<AsyncSmtpTransportBuilder>, ConfigError> {
    check_addresses(mail)?;
    let url = mail.smtp_url.as_ref().map(SmtpUrl::expose);
    url.map(|url| reach(url, mail.smtp_ca_file.as_deref())).transpose()
}

fn check_addresses(mail: &Mail) -> Result<(), ConfigError> {
    if !is_address(mail.from.as_ref()) {
        return Err(ConfigError::From);
    }
    if !is_address(mail.operator.as_ref()) {
        return Err(ConfigError::Operator);
    }
    Ok(())
}

fn is_address(mailbox: Option<&Mailbox>) -> bool {
    mailbox.is_none_or(|mailbox| message::address(mailbox.address()).is_some())
}

fn reach(url: &str, ca_file: Option<&Path>) -> Result<AsyncSmtpTransportBuilder, ConfigError> {
    let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url);
    let builder = builder.map_err(|_| ConfigError::Url)?;
    let Some(ca_file) = ca_file else {
        return Ok(builder);
    };
    let url = Url::parse(url).map_err(|_| ConfigError::Url)?;
    let trusted = trusting(ca_file, url.host_str().unwrap_or_default());
    let trusted = trusted.ok_or(ConfigError::CaFile)?;
    let encrypted = tls(&url).ok_or(ConfigError::CaWithoutTls)?;
    Ok(builder.tls(encrypted(trusted)))
}

/// TLS with a server whose certificate is issued by an authority in a file.
fn trusting(ca_file: &Path, host: &str) -> Option<TlsParameters> {
    let mut tls = TlsParameters::builder(host.to_owned()).certificate_store(CertificateStore::None);
    let mut is_empty = true;
    for certificate in CertificateDer::pem_file_iter(ca_file).ok()? {
        let certificate = Certificate::from_der(certificate.ok()?.to_vec()).ok()?;
        tls = tls.add_root_certificate(certificate);
        is_empty = false;
    }
    tls.build().ok().filter(|_| !is_empty)
}

/// Encryption of a connection: implicit TLS, or STARTTLS before anything confidential. With `None`
/// there is none, or it is opportunistic.
fn tls(url: &Url) -> Option<fn(TlsParameters) -> Tls> {
    let mut options = url.query_pairs();
    if url.scheme() == "smtps" {
        Some(Tls::Wrapper)
    } else if options.any(|(key, value)| key == "tls" && value == "required") {
        Some(Tls::Required)
    } else {
        None
    }
}

/// Whether mail would cross a network as plain text.
pub(super) fn is_readable(mail: &Mail) -> bool {
    let url = mail.smtp_url.as_ref();
    let Some(url) = url.and_then(|url| Url::parse(url.expose()).ok()) else {
        return false;
    };
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let is_here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    !is_here && tls(&url).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_is_readable_on_its_way_to_another_machine_without_tls() {
        for (url, expected) in [
            ("smtp://mail.example.org", true),
            ("smtp://192.0.2.1:25", true),
            ("smtp://[2001:db8::1]", true),
            ("smtp://mail.example.org?tls=opportunistic", true),
            ("smtp://mail.example.org?tls=required", false),
            ("smtps://mail.example.org", false),
            ("smtp://localhost:1025", false),
            ("smtp://127.0.0.1:1025", false),
            ("smtp://[::1]:1025", false),
        ] {
            let settings = Settings::parse(&format!("mail.smtp_url = \"{url}\""), []).unwrap();
            assert_eq!(is_readable(&settings.mail), expected, "{url}");
        }
        assert!(!is_readable(&Mail::default()));
    }
}
