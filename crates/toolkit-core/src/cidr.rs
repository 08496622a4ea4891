//! Blocks of addresses in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3).
//!
//! Accepted: an address, `/`, and a prefix length or an IPv4 netmask. IPv4 has four decimal octets,
//! IPv6 any form of RFC 4291 §2.2. Host bits may be set. Refused is everything that parsers
//! disagree on: leading zeros (octal to some), fewer octets, signs, zones, non-contiguous masks,
//! wildcard masks.
//!
//! In an IPv4 block up to /30, the first and last address are not usable hosts. In a /31 both are
//! (RFC 3021). IPv6 has no broadcast, so all addresses count, including the subnet-router anycast
//! address (RFC 4291 §2.6.1). IPv6 is written as in RFC 5952.

mod count;
mod mask;
mod parse;
mod reverse;
mod scope;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnetwork::IpNetwork;

pub use self::count::Count;
pub use self::mask::Mask;
#[cfg(feature = "tools")]
pub(crate) use self::parse::WHAT;
pub use self::scope::Scope;
use crate::error::{ErrorKind, ToolError};
use crate::serde_text::serde_as_text;

/// A block of addresses: its network address and its prefix length.
///
/// It has no host bits. [`parse_with_address`](Self::parse_with_address) returns the address with
/// its host bits separately.
///
/// ```
/// use toolkit_core::cidr::{Block, Scope};
///
/// let block = Block::parse("10.1.2.3/8")?;
/// assert_eq!(block.to_string(), "10.0.0.0/8");
/// assert_eq!(block.network().to_string(), "10.0.0.0");
/// assert_eq!(block.last().to_string(), "10.255.255.255");
/// assert_eq!((block.prefix_length(), block.is_ipv4()), (8, true));
/// assert_eq!(block.scope(), Scope::Private);
/// assert_eq!(block, Block::parse("10.0.0.0/255.0.0.0")?);
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(IpNetwork);

impl Block {
    /// Parses a block such as `10.0.0.0/8`, `10.0.0.0/255.0.0.0` or `2001:db8::/32`, ignoring white
    /// space, quotes and commas around it.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// assert_eq!(Block::parse("10.1.2.3/255.0.0.0")?.to_string(), "10.0.0.0/8");
    /// let refused = Block::parse("10.0.0.0/33").unwrap_err();
    /// assert_eq!(refused.kind(), toolkit_core::ErrorKind::Range);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Says what is wrong, and where.
    pub fn parse(text: &str) -> Result<Self, ToolError> {
        Self::parse_with_address(text).map(|(block, _)| block)
    }

    /// Parses a block, and also returns the address that was given, with its host bits.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let (block, address) = Block::parse_with_address("192.0.2.7/24")?;
    /// assert_eq!(block.to_string(), "192.0.2.0/24");
    /// assert_eq!(address.to_string(), "192.0.2.7");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Block::parse`].
    pub fn parse_with_address(text: &str) -> Result<(Self, IpAddr), ToolError> {
        parse::block(text)
    }

    /// Creates the block of a given prefix length that contains an address.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::new([192, 0, 2, 7].into(), 24)?;
    /// assert_eq!(block.to_string(), "192.0.2.0/24");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the prefix is longer than an address of that version.
    pub fn new(address: IpAddr, prefix_length: u8) -> Result<Self, ToolError> {
        let refusal = |_| {
            let bits = bits_of(address);
            ToolError::new(format!("has the prefix length {prefix_length}"))
                .of(ErrorKind::Range)
                .with_hint(format!("use 0 to {bits}"))
        };
        let given = IpNetwork::new(address, prefix_length).map_err(refusal)?;
        let network = IpNetwork::new(given.network(), prefix_length);
        network.map(Self).map_err(refusal)
    }

    /// Whether the block contains an address.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block: Block = "192.0.2.0/24".parse()?;
    /// assert!(block.contains([192, 0, 2, 7].into()));
    /// assert!(!block.contains([192, 0, 3, 7].into()));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(address)
    }

    /// Usable host addresses, in order: all but the network and broadcast address of an IPv4 block.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block: Block = "192.0.2.0/30".parse()?;
    /// let hosts: Vec<_> = block.hosts().map(|host| host.to_string()).collect();
    /// assert_eq!(hosts, ["192.0.2.1", "192.0.2.2"]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn hosts(&self) -> impl DoubleEndedIterator<Item = IpAddr> + use<> {
        let is_ipv4 = self.is_ipv4();
        let hosts = bits(self.first_host())..=bits(self.last_host());
        hosts.map(move |host| address(host, is_ipv4))
    }

    /// Splits the block into subnets with a longer prefix, in order. There are none if the prefix
    /// is shorter than its own, or longer than an address.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block: Block = "192.0.2.0/24".parse()?;
    /// let halves: Vec<_> = block.subnets(25).map(|half| half.to_string()).collect();
    /// assert_eq!(halves, ["192.0.2.0/25", "192.0.2.128/25"]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn subnets(&self, prefix_length: u8) -> impl DoubleEndedIterator<Item = Self> + use<> {
        let (first, is_ipv4) = (bits(self.network()), self.is_ipv4());
        let host_bits = bits_of(self.network()).checked_sub(prefix_length.into());
        let split_bits = prefix_length.checked_sub(self.prefix_length());
        let subnets = host_bits.zip(split_bits).map(|(host_bits, split_bits)| {
            let last = u128::MAX.checked_shr(128 - u32::from(split_bits));
            (0..=last.unwrap_or(0)).filter_map(move |index| {
                // Without a prefix there is one subnet, whose index is 0.
                let start = first | index.checked_shl(host_bits).unwrap_or(0);
                Self::new(address(start, is_ipv4), prefix_length).ok()
            })
        });
        subnets.into_iter().flatten()
    }

    /// Whether this is an IPv4 block.
    pub fn is_ipv4(&self) -> bool {
        self.0.is_ipv4()
    }

    /// Prefix length: the number of bits that all addresses share.
    pub fn prefix_length(&self) -> u8 {
        self.0.prefix()
    }

    /// Network address: the first address.
    pub fn network(&self) -> IpAddr {
        self.0.ip()
    }

    /// The last address.
    pub fn last(&self) -> IpAddr {
        self.0.broadcast()
    }

    /// Broadcast address. `None` for IPv6, and for blocks too small to have one.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let broadcast = |text: &str| Block::parse(text).map(|block| block.broadcast());
    /// assert_eq!(broadcast("192.0.2.0/24")?, Some([192, 0, 2, 255].into()));
    /// assert_eq!(broadcast("192.0.2.0/31")?, None);
    /// assert_eq!(broadcast("2001:db8::/32")?, None);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn broadcast(&self) -> Option<Ipv4Addr> {
        match self.last() {
            IpAddr::V4(last) if self.loses_two() => Some(last),
            _ => None,
        }
    }

    /// Netmask: set bits are those that all addresses share.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("192.0.2.0/24")?;
    /// assert_eq!(block.netmask().to_string(), "255.255.255.0");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn netmask(&self) -> Mask {
        Mask(self.0.mask())
    }

    /// Wildcard mask: set bits are those in which the addresses differ.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("192.0.2.0/24")?;
    /// assert_eq!(block.wildcard_mask().to_string(), "0.0.0.255");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn wildcard_mask(&self) -> Mask {
        Mask(match self.0.mask() {
            IpAddr::V4(mask) => IpAddr::V4(!mask),
            IpAddr::V6(mask) => IpAddr::V6(!mask),
        })
    }

    /// The first usable host address.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("192.0.2.0/24")?;
    /// assert_eq!(block.first_host().to_string(), "192.0.2.1");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn first_host(&self) -> IpAddr {
        match self.network() {
            IpAddr::V4(first) if self.loses_two() => {
                Ipv4Addr::from_bits(first.to_bits() | 1).into()
            }
            first => first,
        }
    }

    /// The last usable host address.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("192.0.2.0/24")?;
    /// assert_eq!(block.last_host().to_string(), "192.0.2.254");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn last_host(&self) -> IpAddr {
        match self.last() {
            IpAddr::V4(last) if self.loses_two() => Ipv4Addr::from_bits(last.to_bits() & !1).into(),
            last => last,
        }
    }

    /// Number of addresses.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("2001:db8::/32")?;
    /// assert_eq!(block.total_addresses().get(), Some(1 << 96));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn total_addresses(&self) -> Count {
        Count::of_bits(self.host_bits())
    }

    /// Number of usable host addresses.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block: Block = "192.0.2.0/24".parse()?;
    /// assert_eq!(block.total_addresses().get(), Some(256));
    /// assert_eq!(block.usable_hosts().get(), Some(254));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn usable_hosts(&self) -> Count {
        let total = self.total_addresses();
        if self.loses_two() { total.less_two() } else { total }
    }

    /// Scope of the block according to the IANA registries.
    ///
    /// A block only partly within a special-purpose one has the scope of the space around that.
    ///
    /// ```
    /// use toolkit_core::cidr::{Block, Scope};
    ///
    /// let block: Block = "10.1.0.0/16".parse()?;
    /// assert_eq!(block.scope(), Scope::Private);
    /// assert!(block.is_private());
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn scope(&self) -> Scope {
        scope::of(self.network(), self.prefix_length())
    }

    /// Other scopes that some of the addresses have.
    ///
    /// ```
    /// use toolkit_core::cidr::{Block, Scope};
    ///
    /// let block = Block::parse("192.168.0.0/15")?;
    /// assert_eq!(block.scope(), Scope::Global);
    /// assert_eq!(block.scopes_within(), [Scope::Private]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn scopes_within(&self) -> Vec<Scope> {
        scope::within(self.network(), self.prefix_length())
    }

    /// Whether the block is for private networks: RFC 1918, or unique local (RFC 4193).
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("fd00::/8")?;
    /// assert!(block.is_private());
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn is_private(&self) -> bool {
        matches!(self.scope(), Scope::Private | Scope::UniqueLocal)
    }

    /// The IPv4 block that this IPv4-mapped block denotes (`::ffff:0:0/96`, RFC 4291 §2.5.5.2).
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("::ffff:192.0.2.0/120")?;
    /// let ipv4 = block.mapped_ipv4().map(|block| block.to_string());
    /// assert_eq!(ipv4.as_deref(), Some("192.0.2.0/24"));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn mapped_ipv4(&self) -> Option<Self> {
        let IpAddr::V6(network) = self.network() else {
            return None;
        };
        let prefix_length = self.prefix_length().checked_sub(96)?;
        Self::new(network.to_ipv4_mapped()?.into(), prefix_length).ok()
    }

    /// The smallest reverse zone that contains the block (RFC 1035 §3.5, RFC 3596 §2.5). For a
    /// single address, its name.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block: Block = "192.0.2.0/24".parse()?;
    /// assert_eq!(block.reverse_dns(), "2.0.192.in-addr.arpa");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn reverse_dns(&self) -> String {
        reverse::zone(self.network(), self.prefix_length())
    }

    /// Number of bits in which the addresses differ.
    fn host_bits(&self) -> u32 {
        bits_of(self.network()) - u32::from(self.prefix_length())
    }

    /// Whether the network and broadcast addresses are reserved.
    fn loses_two(&self) -> bool {
        self.is_ipv4() && self.host_bits() >= 2
    }
}

serde_as_text!(Block);

impl std::str::FromStr for Block {
    type Err = ToolError;

    fn from_str(text: &str) -> Result<Self, ToolError> {
        Self::parse(text)
    }
}

impl std::fmt::Display for Block {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.network(), self.prefix_length())
    }
}

/// Number of bits in an address.
fn bits_of(address: IpAddr) -> u32 {
    match address {
        IpAddr::V4(_) => Ipv4Addr::BITS,
        IpAddr::V6(_) => Ipv6Addr::BITS,
    }
}

/// Number of leading bits that two addresses of one version share.
fn shared_bits(one: IpAddr, other: IpAddr) -> Option<u32> {
    let unused = u128::BITS - bits_of(one);
    let is_one_version = one.is_ipv4() == other.is_ipv4();
    is_one_version.then(|| (bits(one) ^ bits(other)).leading_zeros() - unused)
}

/// The address as an integer.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_bits().into(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// The address with this integer value.
fn address(bits: u128, is_ipv4: bool) -> IpAddr {
    match u32::try_from(bits) {
        Ok(bits) if is_ipv4 => Ipv4Addr::from_bits(bits).into(),
        _ => Ipv6Addr::from_bits(bits).into(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Block;

    fn block(text: &str) -> Block {
        Block::parse(text).unwrap()
    }

    #[test]
    fn a_block_is_the_same_however_it_was_given() {
        let given = ["10.1.2.3/8", "10.0.0.0/8", "10.9.9.9/255.0.0.0"].map(block);
        assert_eq!(HashSet::from(given).len(), 1);
        for one in given {
            assert_eq!(one.to_string().parse(), Ok(one));
        }
        let (first, second) = (block("2001:db8::1/64"), block("2001:db8::2/64"));
        assert_eq!(first, second);
        assert_eq!(first.to_string().parse(), Ok(second));
    }

    #[test]
    fn a_block_has_as_many_subnets_as_its_bits_allow() {
        for (around, prefix_length, first, last, count) in [
            ("10.0.0.0/8", 16, "10.0.0.0/16", "10.255.0.0/16", 256),
            ("10.1.2.3/32", 32, "10.1.2.3/32", "10.1.2.3/32", 1),
            ("0.0.0.0/0", 0, "0.0.0.0/0", "0.0.0.0/0", 1),
            ("0.0.0.0/0", 1, "0.0.0.0/1", "128.0.0.0/1", 2),
            ("::/0", 0, "::/0", "::/0", 1),
            ("::/0", 1, "::/1", "8000::/1", 2),
            ("2001:db8::/32", 48, "2001:db8::/48", "2001:db8:ffff::/48", 65_536),
        ] {
            let subnets = || block(around).subnets(prefix_length);
            assert_eq!(subnets().next(), Some(block(first)));
            assert_eq!(subnets().next_back(), Some(block(last)));
            assert_eq!(subnets().count(), count, "{around}");
        }
    }

    #[test]
    fn a_prefix_that_does_not_fit_has_no_subnets() {
        assert_eq!(block("10.0.0.0/8").subnets(7).next(), None);
        assert_eq!(block("10.0.0.0/8").subnets(33).next(), None);
        assert_eq!(block("::/0").subnets(129).next(), None);
        let every_address = block("::/0").subnets(128).next_back();
        assert_eq!(every_address, Some(block("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128")));
    }

    #[test]
    fn hosts_leave_out_the_network_and_the_broadcast_address() {
        let hosts = || block("10.0.0.0/16").hosts();
        assert_eq!(hosts().count(), (1 << 16) - 2);
        assert_eq!(hosts().nth(255), "10.0.1.0".parse().ok());
        assert_eq!(hosts().next_back(), "10.0.255.254".parse().ok());
        assert_eq!(block("10.0.0.0/31").hosts().count(), 2);
        assert_eq!(block("10.0.0.1/32").hosts().rev().count(), 1);
        assert_eq!(block("255.255.255.254/31").hosts().count(), 2);
        let last = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff".parse().ok();
        assert_eq!(block("::/0").hosts().next_back(), last);
    }
}
