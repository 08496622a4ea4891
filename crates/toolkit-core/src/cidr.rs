//! Blocks of addresses in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3).
//!
//! Accepted: an address, `/`, and a prefix length or an IPv4 netmask. IPv4 has four decimal octets;
//! IPv6 has any form of RFC 4291 §2.2. Host bits may be set. Refused is whatever parsers disagree
//! on: leading zeros (octal to some), fewer octets, signs, zones, non-contiguous masks, wildcard
//! masks.
//!
//! In an IPv4 block up to /30 the first and last address are not usable hosts; in a /31 both are
//! (RFC 3021). IPv6 has no broadcast, so all addresses count, including the subnet-router anycast
//! address (RFC 4291 §2.6.1). IPv6 is written as in RFC 5952.

mod addresses;
mod count;
mod mask;
mod parse;
mod reverse;
mod scope;
mod subnets;

use std::net::{IpAddr, Ipv4Addr};

use ipnetwork::IpNetwork;

pub use self::addresses::Addresses;
use self::addresses::bits_of;
pub use self::count::Count;
pub use self::mask::Mask;
pub use self::scope::Scope;
pub use self::subnets::Subnets;
use crate::error::{ErrorKind, ToolError};

/// A block of addresses, and the address it was given as.
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
    /// Parses a block such as `10.0.0.0/8`, `10.0.0.0/255.0.0.0` or `2001:db8::/32`, ignoring white
    /// space around it.
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
        let given = IpNetwork::new(address, prefix_length).map_err(|_| {
            let bits = bits_of(address);
            ToolError::new(format!("has the prefix length {prefix_length}"))
                .of(ErrorKind::Range)
                .with_hint(format!("use 0 to {bits}"))
        })?;
        Ok(Self { given })
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
        self.given.contains(address)
    }

    /// Whether the block contains another one entirely.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let (whole, half) = (Block::parse("10.0.0.0/8")?, Block::parse("10.128.0.0/9")?);
    /// assert!(whole.contains_block(&half) && whole.contains_block(&whole));
    /// assert!(!half.contains_block(&whole));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn contains_block(&self, other: &Self) -> bool {
        self.prefix_length() <= other.prefix_length() && self.contains(other.network())
    }

    /// Whether two blocks share addresses: one of them then contains the other.
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

    /// The enclosing block with a shorter prefix.
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
    pub fn hosts(&self) -> Addresses {
        Addresses::between(self.first_host(), self.last_host())
    }

    /// All addresses of the block, in order.
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

    /// Whether this is an IPv4 block.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("2001:db8::/32")?;
    /// assert!(!block.is_ipv4());
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn is_ipv4(&self) -> bool {
        self.given.is_ipv4()
    }

    /// The address as given, including its host bits.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("192.0.2.7/24")?;
    /// assert_eq!(block.address().to_string(), "192.0.2.7");
    /// assert_eq!(block.network().to_string(), "192.0.2.0");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn address(&self) -> IpAddr {
        self.given.ip()
    }

    /// Prefix length: the number of bits that all addresses share.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("192.0.2.0/255.255.255.0")?;
    /// assert_eq!(block.prefix_length(), 24);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn prefix_length(&self) -> u8 {
        self.given.prefix()
    }

    /// Whether the given address has host bits set.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("192.0.2.7/24")?;
    /// assert!(block.has_host_bits());
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn has_host_bits(&self) -> bool {
        self.address() != self.network()
    }

    /// Network address: the first address.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("2001:db8:1::7/32")?;
    /// assert_eq!(block.network().to_string(), "2001:db8::");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn network(&self) -> IpAddr {
        self.given.network()
    }

    /// The last address.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block = Block::parse("192.0.2.0/24")?;
    /// assert_eq!(block.last().to_string(), "192.0.2.255");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn last(&self) -> IpAddr {
        self.given.broadcast()
    }

    /// Broadcast address; `None` for IPv6, and for blocks too small to have one.
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
        Mask(self.given.mask())
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
        Mask(match self.given.mask() {
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
        if self.loses_two() {
            total.less_two()
        } else {
            total
        }
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
        let IpAddr::V6(address) = self.address() else {
            return None;
        };
        let prefix_length = self.prefix_length().checked_sub(96)?;
        let given = IpNetwork::new(address.to_ipv4_mapped()?.into(), prefix_length).ok()?;
        Some(Self { given })
    }

    /// The smallest reverse zone that contains the block (RFC 1035 §3.5, RFC 3596 §2.5); for a
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
        bits_of(self.address()) - u32::from(self.prefix_length())
    }

    /// Whether the network and broadcast addresses are reserved.
    fn loses_two(&self) -> bool {
        self.is_ipv4() && self.host_bits() >= 2
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
