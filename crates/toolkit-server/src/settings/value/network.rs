//! Networks in CIDR notation, for the trusted proxies.
//!
//! Standard: RFC 4632 and RFC 4291, section 2.3 (address and prefix length); stricter than
//! `ipnetwork`, which also accepts `/024` and `/+8`.

use std::net::IpAddr;

use ipnetwork::IpNetwork;

use super::Textual;

/// A block of addresses, or a single one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNetwork);

impl Network {
    /// Parses a block such as `10.0.0.0/8`, or one address.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text)
    }

    /// Whether it contains an address, which must be in canonical form.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(address)
    }
}

impl Textual for Network {
    const EXPECTED: &'static str =
        "networks such as 10.0.0.0/8 or 2001:db8::/32, or single addresses";

    fn read(text: &str) -> Option<Self> {
        let Some((address, prefix)) = text.split_once('/') else {
            let address: IpAddr = text.parse().ok()?;
            return Some(Self(IpNetwork::from(address)));
        };
        let digits = prefix.bytes().all(|byte| byte.is_ascii_digit());
        if !digits || (prefix.len() > 1 && prefix.starts_with('0')) {
            return None;
        }
        IpNetwork::new(address.parse().ok()?, prefix.parse().ok()?)
            .ok()
            .map(Self)
    }

    fn shown(&self) -> String {
        self.0.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_single_addresses_are_read() {
        for (text, inside, outside) in [
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"),
            ("10.1.2.3/8", "10.9.9.9", "9.0.0.1"),
            ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("2001:db8::/32", "2001:db8:1::1", "2001:db9::1"),
            ("::1", "::1", "127.0.0.1"),
            ("0.0.0.0/0", "203.0.113.1", "::1"),
        ] {
            let network = Network::parse(text).unwrap();
            assert!(network.contains(inside.parse().unwrap()), "{text}");
            assert!(!network.contains(outside.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_block_is_refused() {
        for text in [
            "",
            "10.0.0.0/33",
            "10.0.0.0/08",
            "10.0.0.0/+8",
            "10.0.0.0/",
            "10.0.0/8",
            "010.0.0.1",
            "::/129",
            "proxy",
        ] {
            assert_eq!(Network::parse(text), None, "{text}");
        }
    }
}
