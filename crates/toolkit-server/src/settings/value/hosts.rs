//! Allowed `Host` names.
//!
//! Standard: RFC 9110, section 7.2 (`Host`). An entry without a port allows every port.

use std::net::IpAddr;

use super::{HttpUrl, checked_text};

checked_text! {
    /// One entry of a list of hosts: `*`, or a host with an optional port.
    pub struct HostName: "hosts such as example.org or example.org:8443, or *",
    read |text| {
        let host = !text.contains('/') && HttpUrl::parse(&format!("http://{text}")).is_some();
        (text == Self::ANY || host).then(|| text.to_ascii_lowercase())
    }
}

impl HostName {
    const ANY: &'static str = "*";

    fn covers(&self, host: &str) -> bool {
        host.eq_ignore_ascii_case(&self.0)
            || without_port(host).is_some_and(|name| name.eq_ignore_ascii_case(&self.0))
    }
}

/// A rule for the `Host` header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(Vec<HostName>);

impl Hosts {
    /// Builds the rule from a list of settings.
    pub fn from_list(list: &[HostName]) -> Self {
        Self(list.to_vec())
    }

    /// Allows the server's own name and the loopback names.
    pub fn own_and_loopback(url: &HttpUrl) -> Self {
        let names = [url.host(), "localhost", "127.0.0.1", "[::1]"];
        Self(names.map(|name| HostName(name.to_ascii_lowercase())).into())
    }

    /// Whether a request with this `Host` is accepted.
    pub fn allows(&self, host: &str) -> bool {
        self.0.iter().any(|entry| entry.as_str() == HostName::ANY || entry.covers(host))
    }
}

/// Whether a host is an IP address or a name without a dot, which no web page of someone else can
/// have.
pub(crate) fn is_local(host: &str) -> bool {
    let name = without_port(host).unwrap_or(host);
    let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
    address.is_ok() || !name.contains('.')
}

fn without_port(host: &str) -> Option<&str> {
    let (name, port) = host.rsplit_once(':')?;
    (!port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_accepts_its_own_name_and_those_of_the_local_machine() {
        let hosts = Hosts::own_and_loopback(&HttpUrl::parse("https://tools.example.org").unwrap());
        for host in ["tools.example.org", "TOOLS.example.org:443", "localhost:8081", "[::1]:8081"] {
            assert!(hosts.allows(host), "{host}");
        }
        for host in ["", "example.org", "tools.example.org.evil.example", "localhost:", "evil:80"] {
            assert!(!hosts.allows(host), "{host}");
        }
    }

    #[test]
    fn an_entry_with_a_port_allows_that_port_only() {
        let hosts = Hosts::from_list(&[HostName::parse("example.org:8443").unwrap()]);
        assert!(hosts.allows("example.org:8443"));
        assert!(!hosts.allows("example.org"));
        assert!(!hosts.allows("example.org:80"));
    }

    #[test]
    fn an_address_and_a_name_without_a_dot_are_local() {
        for host in
            ["", "localhost:9080", "toolkit-api", "10.1.2.3:9080", "[::1]", "[fd00::1.2.3.4]:9080"]
        {
            assert!(is_local(host), "{host}");
        }
        for host in ["example.org", "example.org:9080", "10.1.2.3.example.org", "localhost."] {
            assert!(!is_local(host), "{host}");
        }
    }

    #[test]
    fn the_star_turns_the_check_off() {
        assert!(Hosts::from_list(&[HostName::parse("*").unwrap()]).allows("anything"));
    }
}
