//! Webhooks: sends events to receivers.
//!
//! Standard: Standard Webhooks (<https://www.standardwebhooks.com>): `webhook-id`,
//! `webhook-timestamp` and `webhook-signature` with HMAC-SHA256. Delivery is at least once.
//! Receivers in private networks are refused unless the settings allow them. The check uses the
//! address connected to, whatever the host name. Redirects are not followed.

mod body;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, StatusCode, Url};
use sha2::Sha256;
use time::OffsetDateTime;
use toolkit_core::cidr::Scope;
use toolkit_server::settings::{Network, Settings, Webhook};
use toolkit_server::tls;
use toolkit_store::{Event, Failure, Notice, Receivers, Ulid};

use super::mail::{Unsent, reason};
use crate::error::with_causes;
use crate::http_client::USER_AGENT;

/// Maximum time for a receiver to answer.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The configured receivers.
pub(crate) struct Webhooks(Vec<Hook>);

struct Hook {
    /// Stands for the URL, which is a secret.
    name: String,
    settings: Webhook,
    client: Client,
}

/// The message to post.
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
            let builder = toolkit_llm::client_builder().user_agent(USER_AGENT).timeout(TIMEOUT);
            let builder = builder.dns_resolver(Arc::new(guard)).pool_max_idle_per_host(1);
            Ok(Hook {
                name: webhook.url.name(),
                client: tls::client(builder, webhook.url.expose().starts_with("https:"))?,
                settings: webhook.clone(),
            })
        };
        settings.webhooks.iter().map(hook).collect::<Result<_, _>>().map(Self)
    }

    /// Which receiver gets which events.
    pub(crate) fn receivers(settings: &Settings) -> Receivers {
        let mut receivers = Receivers::new();
        for &event in Event::ALL {
            let mut hooks = settings.webhooks.iter().collect::<Vec<_>>();
            hooks.retain(|hook| hook.events.iter().any(|name| name.as_str() == event.as_str()));
            receivers.insert(event, hooks.iter().map(|hook| hook.url.name()).collect());
        }
        receivers
    }

    /// The receivers' names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|hook| &*hook.name)
    }

    /// Sends an event to its receiver.
    ///
    /// # Errors
    ///
    /// The failure's class. `http 410` means that the receiver is gone.
    pub(crate) async fn send(
        &self,
        id: Ulid,
        queued_at: OffsetDateTime,
        notice: &Notice,
    ) -> Result<(), Unsent> {
        // Only events of known receivers are leased.
        let hook = self.0.iter().find(|hook| hook.name == notice.receiver);
        let hook = hook.ok_or_else(|| Failure::Transient("not in the settings".to_owned()))?;
        let body = body::of(hook.settings.format, notice, queued_at);
        hook.post(&Message { id, body }).await
    }

    /// Sends a test event to all receivers or to one, and returns each answer, or the failure in
    /// words.
    pub(crate) async fn test(&self, name: Option<&str>) -> Vec<(String, Result<(), String>)> {
        let mut answers = Vec::new();
        for hook in &self.0 {
            if name.is_none_or(|name| name == hook.name) {
                let now = OffsetDateTime::now_utc();
                let id = Ulid::from_parts(0, rand::random());
                let body = body::test(hook.settings.format, now);
                let answer = hook.post(&Message { id, body }).await;
                answers.push((hook.name.clone(), answer.map_err(reason)));
            }
        }
        answers
    }
}

impl Hook {
    async fn post(&self, message: &Message) -> Result<(), Unsent> {
        let failed = |class: &str| Unsent::from(Failure::Transient(class.to_owned()));
        // As the client parses it: `0x7f.1` is an address.
        let url = Url::parse(self.settings.url.expose()).map_err(|_| failed("connection"))?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        // Addresses skip the name lookup, so they are checked here.
        if host.parse().is_ok_and(|ip| !is_allowed(ip, &self.settings.allow_networks)) {
            return Err(failed("private address"));
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
            Ok(status) => Err(failed(&format!("http {}", status.as_u16()))),
            Err(error) => {
                let class = failed(class(&error));
                Err(Unsent { cause: Some(with_causes(&error.without_url())), ..class })
            }
        }
    }
}

/// Whether a class means that the receiver is gone.
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

/// A message's signature (Standard Webhooks, "Signature scheme").
fn sign(key: &[u8], message: &Message, timestamp: i64) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(key).map(|mac| {
        let mac = mac.chain_update(format!("{}.{timestamp}.", message.id));
        mac.chain_update(&message.body).finalize().into_bytes()
    });
    // HMAC accepts keys of any length.
    mac.map(|mac| format!("v1,{}", BASE64.encode(&mac))).unwrap_or_default()
}

/// A resolver that leaves out addresses that are not allowed.
struct Guard(Arc<[Network]>);

/// All of a receiver's addresses are private.
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
    let target = embedded(ip).map_or(ip, IpAddr::V4);
    let bits = if target.is_ipv4() { 32 } else { 128 };
    let is_global = Network::new(target, bits).is_ok_and(|host| host.scope() == Scope::Global);
    is_global || networks.iter().any(|network| network.contains(ip) || network.contains(target))
}

/// The IPv4 address that an IPv6 address leads to: IPv4-mapped and compatible (RFC 4291), NAT64
/// (RFC 6052) and 6to4 (RFC 3056). Teredo and local NAT64 prefixes are not global anyway.
fn embedded(ip: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(ip) = ip else { return None };
    match ip.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            let [.., a, b, c, d] = ip.octets();
            Some(Ipv4Addr::new(a, b, c, d))
        }
        [0x2002, ..] => {
            let [_, _, a, b, c, d, ..] = ip.octets();
            Some(Ipv4Addr::new(a, b, c, d))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use toolkit_server::settings::EVENTS;

    use super::*;

    #[test]
    fn a_signature_is_that_of_the_standard() {
        // The specification's example, with our own ID.
        let key = BASE64.decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let message = Message { id: Ulid::nil(), body: "{\"test\": 2432232314}".to_owned() };
        let signature = sign(&key, &message, 1_614_265_330);
        assert_eq!(signature, "v1,UThqVJ5QqQ2+GFdtrnTkLFJRfkSWPMUTfC62ahf49OY=");
    }

    #[test]
    fn the_events_are_those_of_the_settings() {
        let events: Vec<_> = Event::ALL.iter().map(|event| event.as_str()).collect();
        assert_eq!(events, EVENTS);
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
            // The embedded IPv4 address decides.
            ("64:ff9b::127.0.0.1", false),
            ("64:ff9b::10.1.2.3", true),
            ("64:ff9b::10.2.2.3", false),
            ("64:ff9b::93.184.215.14", true),
            ("64:ff9b:1::93.184.215.14", false),
            ("2002:7f00:1::1", false),
            ("2002:0a02:0203::1", false),
            ("2002:5db8:d70e::1", true),
            ("::127.0.0.1", false),
            ("::10.1.2.3", true),
            ("::ffff:10.2.2.3", false),
            ("::ffff:0:127.0.0.1", false),
            ("2001:0:4136:e378:8000:63bf:80ff:fffe", false),
        ] {
            assert_eq!(is_allowed(text.parse().unwrap(), &own), expected, "{text}");
        }
    }
}
