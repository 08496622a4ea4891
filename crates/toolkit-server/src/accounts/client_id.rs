//! Client ID: the IP address that a request is counted under, with trusted proxies taken into
//! account.
//!
//! Standard: the de facto `X-Forwarded-For` header, trusted only as far as trusted proxies wrote
//! it. `Forwarded` (RFC 7239, section 5.2) is read only from back ends. An IPv6 client is its /64,
//! the usual allocation of one customer, within a /56 and a /48, those of a site. An IPv4-mapped
//! IPv6 address (RFC 4291, section 2.5.5.2) counts as IPv4.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use actix_web::http::header::{FORWARDED, HeaderMap, HeaderName};

use crate::settings::Network;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The trusted proxies, and the client lookup through them.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    trusted: Vec<Network>,
}

impl Proxies {
    /// Creates the list of trusted proxies.
    pub fn new(trusted: Vec<Network>) -> Self {
        Self { trusted }
    }

    /// Returns the client of a request.
    ///
    /// The client is the peer. If the peer is a trusted proxy, it is the right-most untrusted
    /// address in `X-Forwarded-For`. An unreadable entry ends the search.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> ClientId {
        let peer = peer.to_canonical();
        if self.trusted.is_empty() || !self.trusts(peer) {
            return ClientId::new(peer);
        }
        self.right_most(peer, headers)
    }

    /// Returns the visitor that a back end forwards a request for: the right-most in `Forwarded`,
    /// or the right-most untrusted address in `X-Forwarded-For`. Without either, the back end
    /// itself.
    pub(crate) fn visitor(&self, peer: IpAddr, headers: &HeaderMap) -> ClientId {
        match headers.get_all(FORWARDED).last() {
            Some(line) => {
                let named = line.to_str().ok().and_then(forwarded_for);
                ClientId::new(named.unwrap_or(peer))
            }
            None => self.right_most(peer, headers),
        }
    }

    /// The right-most untrusted address in `X-Forwarded-For`, or the peer.
    fn right_most(&self, peer: IpAddr, headers: &HeaderMap) -> ClientId {
        let mut client = peer;
        let lines: Vec<_> = headers.get_all(X_FORWARDED_FOR).collect();
        let hops = lines.iter().rev().flat_map(|line| line.as_bytes().rsplit(|&byte| byte == b','));
        for hop in hops {
            let Some(address) = std::str::from_utf8(hop).ok().and_then(parse) else {
                break;
            };
            client = address;
            if !self.trusts(address) {
                break;
            }
        }
        ClientId::new(client)
    }

    /// Whether the address belongs to a trusted proxy.
    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted.iter().any(|network| network.contains(address))
    }
}

/// Stands for peers without an IP address, such as Unix sockets. They share one account.
pub(crate) const UNKNOWN: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// A client as the limits count it. Never logged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, derive_more::Debug)]
#[debug("ClientId")]
pub struct ClientId(u64, Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    V4,
    /// A network with a prefix of this many bits.
    V6(u8),
    Key,
}

impl ClientId {
    /// The holder of an API key, identified by part of the key's ID regardless of address.
    pub fn of_key(id: u128) -> Self {
        // The low bits of a ULID are random.
        Self(u64::try_from(id & u128::from(u64::MAX)).unwrap_or_default(), Kind::Key)
    }

    /// Maps an address to a client: IPv4 as is, IPv6 by its /64.
    pub fn new(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self(u64::from(address.to_bits()), Kind::V4),
            IpAddr::V6(address) => {
                let network = u64::try_from(address.to_bits() >> 64).unwrap_or_default();
                Self(network, Kind::V6(64))
            }
        }
    }

    /// The enclosing network, which counts too: the /56 of a /64, the /48 of a /56.
    pub fn prefix(self) -> Option<Self> {
        match self.1 {
            Kind::V6(64) => Some(Self(self.0 & !0xff, Kind::V6(56))),
            Kind::V6(56) => Some(Self(self.0 & !0xffff, Kind::V6(48))),
            Kind::V4 | Kind::V6(_) | Kind::Key => None,
        }
    }

    /// How many client shares the network gets.
    pub(crate) fn shares(self) -> usize {
        match self.1 {
            Kind::V6(56) => 2,
            Kind::V6(48) => 4,
            Kind::V4 | Kind::V6(_) | Kind::Key => 1,
        }
    }

    /// The address or network, shown only to the operator of this machine.
    pub(crate) fn address(self) -> String {
        match self.1 {
            Kind::V4 => Ipv4Addr::from_bits(u32::try_from(self.0).unwrap_or_default()).to_string(),
            Kind::V6(bits) => format!("{}/{bits}", Ipv6Addr::from_bits(u128::from(self.0) << 64)),
            Kind::Key => self.key(),
        }
    }

    /// A text that identifies the client to a counter outside this process.
    pub fn key(&self) -> String {
        match self.1 {
            Kind::V4 => format!("4:{:08x}", self.0),
            Kind::V6(64) => format!("6:{:016x}", self.0),
            Kind::V6(bits) => format!("6:{:016x}/{bits}", self.0),
            Kind::Key => format!("key:{:016x}", self.0),
        }
    }
}

/// The `for` of the last element of `Forwarded`.
fn forwarded_for(line: &str) -> Option<IpAddr> {
    let mut pairs = line.rsplit(',').next()?.split(';');
    let value = pairs.find_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        name.eq_ignore_ascii_case("for").then_some(value)
    });
    parse(value?.trim_matches('"'))
}

/// Parses one hop: an address with an optional port, brackets or zone.
fn parse(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let address = hop
        .parse()
        .ok()
        .or_else(|| hop.parse::<SocketAddr>().ok().map(|address| address.ip()))
        .or_else(|| bracketed_or_zoned(hop));
    address.map(|address| address.to_canonical())
}

fn bracketed_or_zoned(hop: &str) -> Option<IpAddr> {
    let inside = match hop.strip_prefix('[') {
        // Only a port can follow the bracket.
        Some(rest) => {
            let (inside, port) = rest.split_once(']')?;
            let digits = port.strip_prefix(':').unwrap_or(port).bytes();
            digits.into_iter().all(|byte| byte.is_ascii_digit()).then_some(inside)?
        }
        None => hop,
    };
    let address = inside.split_once('%').map_or(inside, |(address, _)| address);
    address.parse::<Ipv6Addr>().ok().map(IpAddr::V6)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn client(trusted: &[&str], peer: &str, lines: &[&str]) -> ClientId {
        let trusted = trusted.iter().map(|text| Network::parse(text).unwrap()).collect();
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        Proxies::new(trusted).client(peer.parse().unwrap(), &headers)
    }

    fn address(text: &str) -> ClientId {
        ClientId::new(text.parse().unwrap())
    }

    #[test]
    fn a_back_end_names_its_visitor() {
        let visitor = |trusted: &[&str], lines: &[(HeaderName, &'static str)]| {
            let trusted = trusted.iter().map(|text| Network::parse(text).unwrap());
            let mut headers = HeaderMap::new();
            for (name, value) in lines {
                headers.append(name.clone(), HeaderValue::from_static(value));
            }
            Proxies::new(trusted.collect()).visitor("192.0.2.1".parse().unwrap(), &headers)
        };
        let xff = |value| (X_FORWARDED_FOR, value);
        let forwarded = |value| (FORWARDED, value);
        for (trusted, lines, expected) in [
            (&[] as &[_], vec![xff("6.6.6.6, 203.0.113.9")], "203.0.113.9"),
            // One of our proxies is in between.
            (&["198.51.100.1/32"], vec![xff("203.0.113.9, 198.51.100.1")], "203.0.113.9"),
            (
                &[],
                vec![forwarded("for=6.6.6.6, For=\"[2001:db8::1]:80\";proto=https")],
                "2001:db8::1",
            ),
            (
                &[],
                vec![xff("6.6.6.6"), forwarded("by=1.1.1.1;for=203.0.113.9:4711")],
                "203.0.113.9",
            ),
            // No header, or one without an address.
            (&[], vec![], "192.0.2.1"),
            (&[], vec![xff("unknown")], "192.0.2.1"),
            (&[], vec![forwarded("for=_hidden")], "192.0.2.1"),
        ] {
            assert_eq!(visitor(trusted, &lines), address(expected), "{lines:?}");
        }
    }

    #[test]
    fn without_trusted_proxies_the_header_is_ignored() {
        assert_eq!(client(&[], "192.0.2.1", &["203.0.113.9"]), address("192.0.2.1"));
    }

    #[test]
    fn a_peer_outside_the_list_is_not_trusted() {
        let trusted = ["10.0.0.0/8"];
        assert_eq!(client(&trusted, "192.0.2.1", &["203.0.113.9"]), address("192.0.2.1"));
    }

    #[test]
    fn behind_a_trusted_proxy_the_right_most_untrusted_address_counts() {
        let trusted = ["10.0.0.0/8", "2001:db8::/32"];
        for (lines, expected) in [
            (&["203.0.113.9"] as &[_], "203.0.113.9"),
            (&["1.1.1.1, 203.0.113.9"], "203.0.113.9"),
            (&["1.1.1.1,203.0.113.9,10.1.1.1, 10.2.2.2"], "203.0.113.9"),
            (&["1.1.1.1", "203.0.113.9", "10.9.9.9"], "203.0.113.9"),
            (&["203.0.113.9, 2001:db8::5"], "203.0.113.9"),
            // All are ours, so the first one is the client.
            (&["10.3.3.3, 10.4.4.4"], "10.3.3.3"),
            (&[], "10.0.0.1"),
        ] {
            assert_eq!(client(&trusted, "10.0.0.1", lines), address(expected), "{lines:?}");
        }
    }

    #[test]
    fn an_unreadable_entry_ends_the_search_at_the_last_good_address() {
        let trusted = ["10.0.0.0/8"];
        for (line, expected) in [
            ("203.0.113.9, unknown", "10.0.0.1"),
            ("203.0.113.9, unknown, 10.7.7.7", "10.7.7.7"),
            ("203.0.113.9,", "10.0.0.1"),
            ("", "10.0.0.1"),
            ("010.1.1.1", "10.0.0.1"),
            ("203.0.113.9:99999", "10.0.0.1"),
            ("[2001:db8::1]x", "10.0.0.1"),
            ("\u{e4}", "10.0.0.1"),
        ] {
            assert_eq!(client(&trusted, "10.0.0.1", &[line]), address(expected), "{line}");
        }
    }

    #[test]
    fn every_spelling_of_an_address_is_the_same_client() {
        let trusted = ["10.0.0.0/8"];
        for line in ["203.0.113.9:51234", "::ffff:203.0.113.9", "[::FFFF:203.0.113.9]:80"] {
            assert_eq!(client(&trusted, "10.0.0.1", &[line]), address("203.0.113.9"), "{line}");
        }
        for line in [
            "2001:DB8:0:1::9",
            "[2001:db8:0:1::9]",
            "[2001:db8:0:1::9]:443",
            "2001:db8:0:1::9%eth0",
        ] {
            assert_eq!(client(&trusted, "10.0.0.1", &[line]), address("2001:db8:0:1::1"), "{line}");
        }
        assert_eq!(client(&trusted, "::ffff:10.0.0.1", &["203.0.113.9"]), address("203.0.113.9"));
    }

    #[test]
    fn a_whole_64_of_ipv6_is_one_client_and_the_next_another() {
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:ffff:ffff:ffff"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_ne!(address("203.0.113.9"), address("203.0.113.10"));
        // Numerically equal, but different address families.
        assert_ne!(address("0.0.0.0"), address("::"));
        assert_ne!(address("0.0.0.0").key(), address("::").key());
    }
}
