//! Address scopes: the IANA special-purpose address registries (RFC 6890, both families), the
//! multicast blocks, and the reserved parts of the IPv6 address space registry.
//!
//! The registries as of 2025. Entries marked globally reachable are listed if a larger entry around
//! them is not. "N/A" (6to4, Teredo) counts as reserved.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::shared_bits;

/// Scope of a block's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "tools", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Scope {
    /// Private-use networks (RFC 1918).
    Private,
    /// Loopback: the host itself (RFC 1122, RFC 4291).
    Loopback,
    /// Link-local: one link (RFC 3927, RFC 4291).
    LinkLocal,
    /// Multicast groups (RFC 5771, RFC 4291).
    Multicast,
    /// Documentation examples (RFC 5737, RFC 3849, RFC 9637).
    Documentation,
    /// Shared address space: between carrier-grade NAT and customers (RFC 6598).
    Shared,
    /// Benchmarking of network devices (RFC 2544, RFC 5180).
    Benchmarking,
    /// "This network" (RFC 791).
    ThisNetwork,
    /// Reserved, or for a protocol that is not globally reachable.
    Reserved,
    /// Unique local: private networks (RFC 4193).
    UniqueLocal,
    /// The absence of an address (RFC 4291).
    Unspecified,
    /// Globally reachable.
    Global,
}

impl Scope {
    /// Name in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Loopback => "loopback",
            Self::LinkLocal => "link_local",
            Self::Multicast => "multicast",
            Self::Documentation => "documentation",
            Self::Shared => "shared",
            Self::Benchmarking => "benchmarking",
            Self::ThisNetwork => "this_network",
            Self::Reserved => "reserved",
            Self::UniqueLocal => "unique_local",
            Self::Unspecified => "unspecified",
            Self::Global => "global",
        }
    }
}

type Entry = (IpAddr, u8, Scope);

const fn v4(octets: [u8; 4], prefix_length: u8, scope: Scope) -> Entry {
    let [a, b, c, d] = octets;
    (IpAddr::V4(Ipv4Addr::new(a, b, c, d)), prefix_length, scope)
}

const fn v6(first: [u16; 4], last: u16, prefix_length: u8, scope: Scope) -> Entry {
    let [a, b, c, d] = first;
    let address = Ipv6Addr::new(a, b, c, d, 0, 0, 0, last);
    (IpAddr::V6(address), prefix_length, scope)
}

const REGISTRY: &[Entry] = &[
    v4([0, 0, 0, 0], 0, Scope::Global),
    v4([0, 0, 0, 0], 8, Scope::ThisNetwork),
    v4([10, 0, 0, 0], 8, Scope::Private),
    v4([100, 64, 0, 0], 10, Scope::Shared),
    v4([127, 0, 0, 0], 8, Scope::Loopback),
    v4([169, 254, 0, 0], 16, Scope::LinkLocal),
    v4([172, 16, 0, 0], 12, Scope::Private),
    v4([192, 0, 0, 0], 24, Scope::Reserved),
    v4([192, 0, 0, 9], 32, Scope::Global),
    v4([192, 0, 0, 10], 32, Scope::Global),
    v4([192, 0, 2, 0], 24, Scope::Documentation),
    v4([192, 88, 99, 0], 24, Scope::Reserved),
    v4([192, 168, 0, 0], 16, Scope::Private),
    v4([198, 18, 0, 0], 15, Scope::Benchmarking),
    v4([198, 51, 100, 0], 24, Scope::Documentation),
    v4([203, 0, 113, 0], 24, Scope::Documentation),
    v4([224, 0, 0, 0], 4, Scope::Multicast),
    v4([240, 0, 0, 0], 4, Scope::Reserved),
    v6([0, 0, 0, 0], 0, 0, Scope::Global),
    // Of the IPv6 space, only 2000::/3 has been assigned.
    v6([0, 0, 0, 0], 0, 3, Scope::Reserved),
    v6([0x4000, 0, 0, 0], 0, 2, Scope::Reserved),
    v6([0x8000, 0, 0, 0], 0, 1, Scope::Reserved),
    v6([0, 0, 0, 0], 0, 128, Scope::Unspecified),
    v6([0, 0, 0, 0], 1, 128, Scope::Loopback),
    v6([0x64, 0xff9b, 0, 0], 0, 96, Scope::Global),
    v6([0x2001, 0, 0, 0], 0, 23, Scope::Reserved),
    v6([0x2001, 1, 0, 0], 1, 128, Scope::Global),
    v6([0x2001, 1, 0, 0], 2, 128, Scope::Global),
    v6([0x2001, 1, 0, 0], 3, 128, Scope::Global),
    v6([0x2001, 2, 0, 0], 0, 48, Scope::Benchmarking),
    v6([0x2001, 3, 0, 0], 0, 32, Scope::Global),
    v6([0x2001, 4, 0x112, 0], 0, 48, Scope::Global),
    v6([0x2001, 0x20, 0, 0], 0, 28, Scope::Global),
    v6([0x2001, 0x30, 0, 0], 0, 28, Scope::Global),
    v6([0x2001, 0xdb8, 0, 0], 0, 32, Scope::Documentation),
    v6([0x2002, 0, 0, 0], 0, 16, Scope::Reserved),
    v6([0x3fff, 0, 0, 0], 0, 20, Scope::Documentation),
    v6([0xfc00, 0, 0, 0], 0, 7, Scope::UniqueLocal),
    v6([0xfe80, 0, 0, 0], 0, 10, Scope::LinkLocal),
    v6([0xff00, 0, 0, 0], 0, 8, Scope::Multicast),
];

/// The scope of the smallest registry entry that contains a block.
pub(super) fn of(network: IpAddr, prefix: u8) -> Scope {
    let around = REGISTRY.iter().filter(|(address, prefix_length, _)| {
        *prefix_length <= prefix && shares(*address, network, *prefix_length)
    });
    around
        .max_by_key(|(_, prefix_length, _)| *prefix_length)
        .map_or(Scope::Global, |(_, _, scope)| *scope)
}

/// The scopes of the entries within a block that differ from its own, without repetition.
pub(super) fn within(network: IpAddr, prefix: u8) -> Vec<Scope> {
    let own = of(network, prefix);
    let mut scopes = Vec::new();
    for (address, prefix_length, scope) in REGISTRY {
        let is_inside = *prefix_length > prefix && shares(*address, network, prefix);
        if is_inside && *scope != own && !scopes.contains(scope) {
            scopes.push(*scope);
        }
    }
    scopes
}

/// Whether two addresses of one family share a prefix.
fn shares(one: IpAddr, other: IpAddr, prefix_length: u8) -> bool {
    shared_bits(one, other).is_some_and(|bits| bits >= prefix_length.into())
}
