//! SMTP connection: server address and TLS mode.
//!
//! Standard: RFC 8314 (implicit TLS), RFC 3207 (STARTTLS). The URL selects the mode. With
//! `smtps://` or `smtp://…?tls=required`, a server without TLS gets neither password nor mail.
//! `smtp://` alone is plain text.

use std::net::IpAddr;
use std::path::Path;

use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, Certificate, CertificateStore, Tls, TlsParameters,
};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{SMTP_PORT, SUBMISSION_PORT, SUBMISSIONS_PORT};
use reqwest::Url;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use toolkit_core::{Warnings, percent};
use toolkit_server::settings::{Mail, Mailbox, Settings};

use super::message;

/// Mail settings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The mail server URL. It may contain a password, so it is not shown.
    #[error(
        "`mail.smtp_url` cannot be used. Write smtps://user:password@host, or smtp://host with \
         ?tls=required for STARTTLS"
    )]
    Url,
    /// The certificate authorities.
    #[error(
        "`mail.smtp_ca_file` cannot be used. It must be a PEM file with certificates of authorities"
    )]
    CaFile,
    /// Certificate authorities, without a client certificate.
    #[error(
        "`mail.smtp_ca_file` is set, but `mail.smtp_url` asks for no TLS. Write smtps://host, or \
         smtp://host?tls=required"
    )]
    CaWithoutTls,
    /// The sender.
    #[error("`mail.from` is not a valid mail address")]
    From,
    /// The recipient of contact messages.
    #[error("`mail.operator` is not a valid mail address")]
    Operator,
    /// The sender or the recipient of an app.
    #[error("`from` or `operator` of the app `{0}` is not a valid mail address")]
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
    Server::of(&settings.mail).map(drop)
}

/// A mail server and its login.
pub(super) struct Server {
    host: String,
    port: u16,
    /// How the client introduces itself.
    hello: ClientId,
    tls: Tls,
    credentials: Option<Credentials>,
}

impl Server {
    /// The configured mail server, if any.
    ///
    /// # Errors
    ///
    /// The first unusable setting.
    pub(super) fn of(mail: &Mail) -> Result<Option<Self>, ConfigError> {
        check_addresses(mail)?;
        let Some(url) = &mail.smtp_url else {
            return Ok(None);
        };
        let url = Url::parse(url.expose()).map_err(|_| ConfigError::Url)?;
        let host = url.host_str().ok_or(ConfigError::Url)?;
        let trusted = match &mail.smtp_ca_file {
            Some(ca_file) => trusting(ca_file, host).ok_or(ConfigError::CaFile)?,
            None => TlsParameters::new(host.to_owned()).map_err(|_| ConfigError::Url)?,
        };
        let server = Self::at(&url, host, trusted).ok_or(ConfigError::Url)?;
        if mail.smtp_ca_file.is_some() && !server.is_always_encrypted() {
            return Err(ConfigError::CaWithoutTls);
        }
        Ok(Some(server))
    }

    fn at(url: &Url, host: &str, trusted: TlsParameters) -> Option<Self> {
        let mode = url.query_pairs().find(|(key, _)| key == "tls").map(|(_, mode)| mode);
        let (port, tls) = match (url.scheme(), mode.as_deref()) {
            ("smtps", _) => (SUBMISSIONS_PORT, Tls::Wrapper(trusted)),
            ("smtp", None) => (SMTP_PORT, Tls::None),
            ("smtp", Some("required")) => (SUBMISSION_PORT, Tls::Required(trusted)),
            ("smtp", Some("opportunistic")) => (SUBMISSION_PORT, Tls::Opportunistic(trusted)),
            _ => return None,
        };
        let decoded =
            |text| percent::decode(text, percent::Scope::Component, &mut Warnings::default()).ok();
        let credentials = match url.password() {
            Some(password) => Some(Credentials::new(decoded(url.username())?, decoded(password)?)),
            None => None,
        };
        let hello = url.path().trim_matches('/');
        Some(Self {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port().unwrap_or(port),
            hello: match hello {
                "" => ClientId::default(),
                name => ClientId::Domain(name.to_owned()),
            },
            tls,
            credentials,
        })
    }

    fn is_always_encrypted(&self) -> bool {
        matches!(self.tls, Tls::Wrapper(_) | Tls::Required(_))
    }

    /// Whether mail may cross a network as plain text.
    pub(super) fn is_readable(&self) -> bool {
        let is_loopback = |ip: IpAddr| ip.is_loopback();
        let is_here = self.host == "localhost" || self.host.parse().is_ok_and(is_loopback);
        !is_here && !self.is_always_encrypted()
    }

    /// Connects and logs in. The caller limits the time.
    pub(super) async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let implicit = match &self.tls {
            Tls::Wrapper(tls) => Some(tls.clone()),
            _ => None,
        };
        let address = (self.host.as_str(), self.port);
        let connected =
            AsyncSmtpConnection::connect_tokio1(address, None, &self.hello, implicit, None);
        let mut connection = connected.await?;
        match &self.tls {
            Tls::Required(tls) => connection.starttls(tls.clone(), &self.hello).await?,
            Tls::Opportunistic(tls) if connection.can_starttls() => {
                connection.starttls(tls.clone(), &self.hello).await?;
            }
            _ => {}
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(connection)
    }
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

/// TLS with a server whose certificate comes from an authority in a file.
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
            let server = Server::of(&settings.mail).unwrap().unwrap();
            assert_eq!(server.is_readable(), expected, "{url}");
        }
        assert!(Server::of(&Mail::default()).unwrap().is_none());
    }
}
