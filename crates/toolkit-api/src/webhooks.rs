//! Webhooks: tells receivers of events.
//!
//! Standard: Standard Webhooks (<https://www.standardwebhooks.com>): `webhook-id`, `webhook-timestamp` and
//! `webhook-signature` with HMAC-SHA256. Delivery is at least once. A receiver in a private network is
//! refused unless the settings allow it, by the address that is connected to, whatever its name.
//! Redirects are not followed.

mod body;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, StatusCode, Url};
use sha2::Sha256;
use time::OffsetDateTime;
use toolkit_core::cidr::Scope;
use toolkit_server::settings::{HttpUrl, Network, Settings, Webhook};
use toolkit_server::tls;
use toolkit_store::{Event, Failure, Notice, Receivers, Ulid};

/// Longest time for a receiver to answer.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The receivers of the settings.
pub(crate) struct Webhooks(Vec<Hook>);

struct Hook {
    settings: Webhook,
    client: Client,
}

/// What is posted.
struct Message {
    id: Ulid,
    body: String,
}

impl Webhooks {
    /// Prepares the receivers, without connecting.
    ///
    /// # Errors
    ///
    /// When TLS is needed and the system has no root certificates.
    pub(crate) fn new(settings: &Settings) -> Result<Self, reqwest::Error> {
        let hook = |webhook: &Webhook| {
            let guard = Guard(webhook.allow_networks.clone().into());
            let builder = toolkit_llm::client_builder().timeout(TIMEOUT);
            let builder = builder.dns_resolver(Arc::new(guard)).pool_max_idle_per_host(1);
            Ok(Hook {
                client: tls::client(builder, webhook.url.as_str().starts_with("https:"))?,
                settings: webhook.clone(),
            })
        };
        settings.webhooks.iter().map(hook).collect::<Result<_, _>>().map(Self)
    }

    /// Who is told of what.
    pub(crate) fn receivers(settings: &Settings) -> Receivers {
        let mut receivers = Receivers::new();
        for &event in Event::ALL {
            let mut hooks = settings.webhooks.iter().collect::<Vec<_>>();
            hooks.retain(|hook| hook.events.iter().any(|name| name.as_str() == event.as_str()));
            let urls = hooks.iter().map(|hook| hook.url.as_str().to_owned());
            receivers.insert(event, urls.collect());
        }
        receivers
    }

    /// Tells a receiver.
    ///
    /// # Errors
    ///
    /// The class of the failure. `http 410` means that the receiver is gone.
    pub(crate) async fn send(
        &self,
        id: Ulid,
        queued_at: OffsetDateTime,
        notice: &Notice,
    ) -> Result<(), Failure> {
        let hook = self.0.iter().find(|hook| hook.settings.url.as_str() == notice.url);
        let Some(hook) = hook else {
            return Err(Failure::Permanent("not in the settings".to_owned()));
        };
        let body = body::of(hook.settings.format, notice, queued_at);
        hook.post(&Message { id, body }).await.map_err(Failure::Transient)
    }

    /// Tells receivers that this is a test, all of them or one, and returns what each answered.
    pub(crate) async fn test(&self, url: Option<&HttpUrl>) -> Vec<(String, Result<(), String>)> {
        let mut answers = Vec::new();
        for hook in &self.0 {
            if url.is_none_or(|url| *url == hook.settings.url) {
                let now = OffsetDateTime::now_utc();
                let id = Ulid::from_parts(0, rand::random());
                let body = body::test(hook.settings.format, now);
                let answer = hook.post(&Message { id, body }).await;
                answers.push((hook.settings.url.as_str().to_owned(), answer));
            }
        }
        answers
    }
}

impl Hook {
    async fn post(&self, message: &Message) -> Result<(), String> {
        // As the client reads it: `0x7f.1` is an address.
        let url = Url::parse(self.settings.url.as_str()).map_err(|_| "connection".to_owned())?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        // No name is looked up for an address.
        if host.parse().is_ok_and(|ip| !is_allowed(ip, &self.settings.allow_networks)) {
            return Err("private address".to_owned());
        }
        let timestamp = OffsetDateTime::now_utc().unix_timestamp();
        let mut request = self
            .client
            .post(url)
            .header("content-type", "application/json")
            .header("webhook-id", message.id.to_string())
            .header("webhook-timestamp", timestamp);
        if let Some(secret) = &self.settings.secret {
            let key = secret.key();
            let signature = sign(&key, message, timestamp);
            request = request.header("webhook-signature", signature);
        }
        let answer = request.body(message.body.clone()).send().await;
        match answer.map(|answer| answer.status()) {
            Ok(status) if status.is_success() => Ok(()),
            Ok(status) => Err(format!("http {}", status.as_u16())),
            Err(error) => Err(class(&error).to_owned()),
        }
    }
}

/// The class of a receiver that wants no more.
pub(crate) fn is_gone(class: &str) -> bool {
    class == format!("http {}", StatusCode::GONE.as_u16())
}

fn class(error: &reqwest::Error) -> &'static str {
    let mut causes =
        std::iter::successors(std::error::Error::source(error), |&cause| cause.source());
    if causes.any(<dyn std::error::Error>::is::<PrivateAddress>) {
        "private address"
    } else if error.is_timeout() {
        "timeout"
    } else {
        "connection"
    }
}

/// The signature of a message (Standard Webhooks, "Signature scheme").
fn sign(key: &[u8], message: &Message, timestamp: i64) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(key).map(|mac| {
        let mac = mac.chain_update(format!("{}.{timestamp}.", message.id));
        mac.chain_update(&message.body).finalize().into_bytes()
    });
    // A key of any length is accepted.
    mac.map(|mac| format!("v1,{}", BASE64.encode(&mac))).unwrap_or_default()
}

/// Looks names up, and leaves out the addresses that are not allowed.
struct Guard(Arc<[Network]>);

/// All addresses of a receiver are private.
#[derive(Debug, thiserror::Error)]
#[error("the receiver is in a private network that `allow_networks` does not name")]
struct PrivateAddress;

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let allowed = Arc::clone(&self.0);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let found = found.filter(|address| is_allowed(address.ip(), &allowed));
            let found: Vec<SocketAddr> = found.collect();
            if found.is_empty() {
                return Err(PrivateAddress.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn is_allowed(ip: IpAddr, networks: &[Network]) -> bool {
    let ip = ip.to_canonical();
    let bits = if ip.is_ipv4() { 32 } else { 128 };
    let is_global = Network::new(ip, bits).is_ok_and(|host| host.scope() == Scope::Global);
    is_global || networks.iter().any(|network| network.contains(ip))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_standard() {
        // The example of the specification, with an id of ours.
        let key = BASE64.decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let message = Message { id: Ulid::nil(), body: "{\"test\": 2432232314}".to_owned() };
        let signature = sign(&key, &message, 1_614_265_330);
        assert_eq!(signature, "v1,UThqVJ5QqQ2+GFdtrnTkLFJRfkSWPMUTfC62ahf49OY=");
    }

    #[test]
    fn private_addresses_are_refused_unless_they_are_named() {
        let own = [Network::parse("10.1.0.0/16").unwrap()];
        for (text, expected) in [
            ("93.184.215.14", true),
            ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", true),
            ("10.1.2.3", true),
            ("10.2.2.3", false),
            ("127.0.0.1", false),
            ("::1", false),
            ("::ffff:127.0.0.1", false),
            ("169.254.169.254", false),
            ("fd00::1", false),
            ("0.0.0.0", false),
            ("100.64.0.1", false),
        ] {
            assert_eq!(is_allowed(text.parse().unwrap(), &own), expected, "{text}");
        }
    }
}
