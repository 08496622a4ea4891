//! Reverse DNS names (`in-addr.arpa`, `ip6.arpa`).

use std::net::IpAddr;

/// The smallest zone that contains a whole block: delegation is by octets in `in-addr.arpa` (RFC
/// 1035 §3.5) and by half octets in `ip6.arpa` (RFC 3596 §2.5).
pub(super) fn zone(network: IpAddr, prefix_length: u8) -> String {
    let prefix_length = usize::from(prefix_length);
    let (mut labels, tree): (Vec<String>, _) = match network {
        IpAddr::V4(network) => {
            let octets = network.octets().into_iter().take(prefix_length / 8);
            (octets.map(|octet| octet.to_string()).collect(), "in-addr.arpa")
        }
        IpAddr::V6(network) => {
            let halves = network.octets().into_iter().flat_map(|octet| [octet >> 4, octet & 0xF]);
            let halves = halves.take(prefix_length / 4);
            (halves.map(|half| format!("{half:x}")).collect(), "ip6.arpa")
        }
    };
    labels.reverse();
    labels.push(tree.to_owned());
    labels.join(".")
}
