//! Blocks of addresses in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3).
//!
//! Read are an address, `/`, and a prefix length or an IPv4 netmask. IPv4 has four decimal octets;
//! IPv6 has any form of RFC 4291 §2.2. Host bits may be set. Refused are what readers disagree on:
//! leading zeros (octal to some), fewer octets, signs, zones, masks with holes, wildcard masks.
//!
//! An IPv4 block of up to /30 loses its first and its last address, of /31 none (RFC 3021). IPv6
//! has no broadcast, so no address is lost there; the subnet-router anycast address (RFC 4291
//! §2.6.1) is counted in. IPv6 is written as RFC 5952 has it.

mod addresses;
mod count;
mod mask;
mod parse;
mod reverse;
mod scope;
mod subnets;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnetwork::IpNetwork;

pub use self::addresses::Addresses;
pub use self::count::Count;
pub use self::mask::Mask;
pub use self::scope::Scope;
pub use self::subnets::Subnets;
use crate::error::{ErrorKind, ToolError};

/// A block of addresses, and the address in it that was given.
///
/// ```
/// use toolkit_core::cidr::{Block, Scope};
///
/// let block = Block::parse("10.1.2.3/8")?;
/// assert_eq!(block.to_string(), "10.0.0.0/8");
/// assert_eq!(block.broadcast(), Some([10, 255, 255, 255].into()));
/// assert_eq!(block.scope(), Scope::Private);
/// assert!(block.has_host_bits());
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block {
    given: IpNetwork,
}

impl Block {
    /// Reads a block such as `10.0.0.0/8`, `10.0.0.0/255.0.0.0` or `2001:db8::/32`, without regard
    /// to white space around it.
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
        parse::block(text).map(|given| Self { given })
    }

    /// Makes a block of an address in it and the number of bits that all its addresses share.
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
    /// Says that an address of its version does not have so many bits.
    pub fn new(address: IpAddr, prefix_length: u8) -> Result<Self, ToolError> {
        let given = IpNetwork::new(address, prefix_length).map_err(|_| {
            let bits = bits_of(address);
            ToolError::new(format!("has the prefix length {prefix_length}"))
                .of(ErrorKind::Range)
                .with_hint(format!("use 0 to {bits}"))
        })?;
        Ok(Self { given })
    }

    /// Whether an address is one of its own.
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
        self.given.contains(address)
    }

    /// Whether all addresses of another block are its own.
    pub fn contains_block(&self, other: &Self) -> bool {
        self.prefix_length() <= other.prefix_length() && self.contains(other.network())
    }

    /// Whether some addresses are in both blocks: one of them then contains the other.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let (whole, half): (Block, Block) = ("10.0.0.0/8".parse()?, "10.128.0.0/9".parse()?);
    /// assert!(half.overlaps(&whole) && whole.contains_block(&half));
    /// assert!(!half.contains_block(&whole));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn overlaps(&self, other: &Self) -> bool {
        self.contains_block(other) || other.contains_block(self)
    }

    /// The block around it that has a shorter prefix.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block: Block = "192.0.2.128/25".parse()?;
    /// assert_eq!(block.supernet(24).map(|around| around.to_string()).as_deref(), Some("192.0.2.0/24"));
    /// assert_eq!(block.supernet(26), None);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn supernet(&self, prefix_length: u8) -> Option<Self> {
        if prefix_length > self.prefix_length() {
            return None;
        }
        let around = Self::new(self.network(), prefix_length).ok()?;
        Self::new(around.network(), prefix_length).ok()
    }

    /// The addresses that hosts can have, in order: all but the network's and the broadcast address
    /// of an IPv4 block.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block: Block = "192.0.2.0/30".parse()?;
    /// let hosts: Vec<_> = block.hosts().map(|host| host.to_string()).collect();
    /// assert_eq!(hosts, ["192.0.2.1", "192.0.2.2"]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn hosts(&self) -> Addresses {
        Addresses::between(self.first_host(), self.last_host())
    }

    /// All its addresses, in order.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block: Block = "2001:db8::/64".parse()?;
    /// let last = block.addresses().next_back().map(|last| last.to_string());
    /// assert_eq!(last.as_deref(), Some("2001:db8::ffff:ffff:ffff:ffff"));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn addresses(&self) -> Addresses {
        Addresses::between(self.network(), self.last())
    }

    /// Whether it is an IPv4 block.
    pub fn is_ipv4(&self) -> bool {
        self.given.is_ipv4()
    }

    /// The address as it was given, with its host bits.
    pub fn address(&self) -> IpAddr {
        self.given.ip()
    }

    /// Bits that all its addresses share.
    pub fn prefix_length(&self) -> u8 {
        self.given.prefix()
    }

    /// Whether the address given is not the block's first.
    pub fn has_host_bits(&self) -> bool {
        self.address() != self.network()
    }

    /// Its first address.
    pub fn network(&self) -> IpAddr {
        self.given.network()
    }

    /// Its last address.
    pub fn last(&self) -> IpAddr {
        self.given.broadcast()
    }

    /// The address that reaches all hosts: none in IPv6, nor where a block has no room for it.
    pub fn broadcast(&self) -> Option<Ipv4Addr> {
        match self.last() {
            IpAddr::V4(last) if self.loses_two() => Some(last),
            _ => None,
        }
    }

    /// The mask of the bits that all its addresses share.
    pub fn netmask(&self) -> Mask {
        Mask(self.given.mask())
    }

    /// The mask of the bits in which its addresses differ.
    pub fn wildcard_mask(&self) -> Mask {
        Mask(match self.given.mask() {
            IpAddr::V4(mask) => IpAddr::V4(!mask),
            IpAddr::V6(mask) => IpAddr::V6(!mask),
        })
    }

    /// The first address that a host can have.
    pub fn first_host(&self) -> IpAddr {
        match self.network() {
            IpAddr::V4(first) if self.loses_two() => {
                Ipv4Addr::from_bits(first.to_bits() | 1).into()
            }
            first => first,
        }
    }

    /// The last address that a host can have.
    pub fn last_host(&self) -> IpAddr {
        match self.last() {
            IpAddr::V4(last) if self.loses_two() => Ipv4Addr::from_bits(last.to_bits() & !1).into(),
            last => last,
        }
    }

    /// How many addresses it has.
    pub fn total_addresses(&self) -> Count {
        Count::of_bits(self.host_bits())
    }

    /// How many of them a host can have.
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
        if self.loses_two() {
            total.less_two()
        } else {
            total
        }
    }

    /// What its addresses are for, by the IANA registries.
    ///
    /// A block that is only in part within a special one has the scope of what is around.
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

    /// The other scopes that some of its addresses have.
    pub fn scopes_within(&self) -> Vec<Scope> {
        scope::within(self.network(), self.prefix_length())
    }

    /// Whether it is for private networks: RFC 1918, or unique local (RFC 4193).
    pub fn is_private(&self) -> bool {
        matches!(self.scope(), Scope::Private | Scope::UniqueLocal)
    }

    /// The IPv4 block that is written as this IPv6 block (`::ffff:0:0/96`, RFC 4291 §2.5.5.2).
    pub fn mapped_ipv4(&self) -> Option<Self> {
        let IpAddr::V6(address) = self.address() else {
            return None;
        };
        let prefix_length = self.prefix_length().checked_sub(96)?;
        let given = IpNetwork::new(address.to_ipv4_mapped()?.into(), prefix_length).ok()?;
        Some(Self { given })
    }

    /// The smallest reverse zone with all its addresses (RFC 1035 §3.5, RFC 3596 §2.5): for a
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

    /// Bits in which its addresses differ.
    fn host_bits(&self) -> u32 {
        bits_of(self.address()) - u32::from(self.prefix_length())
    }

    /// Whether network and broadcast address are taken.
    fn loses_two(&self) -> bool {
        self.is_ipv4() && self.host_bits() >= 2
    }
}

/// Bits of an address.
fn bits_of(address: IpAddr) -> u32 {
    match address {
        IpAddr::V4(_) => Ipv4Addr::BITS,
        IpAddr::V6(_) => Ipv6Addr::BITS,
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Block {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}/{}", self.address(), self.prefix_length()))
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Block {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

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
