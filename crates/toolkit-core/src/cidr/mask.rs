//! Netmasks: textual form.

use std::fmt;
use std::net::IpAddr;

/// A mask over the bits of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mask(pub IpAddr);

impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            // Dotted notation would make a mask of 48 bits an IPv4-mapped address.
            IpAddr::V6(mask) if mask.to_ipv4_mapped().is_some() => {
                let [.., high, low] = mask.segments();
                write!(f, "::ffff:{high:x}:{low:x}")
            }
            mask => mask.fmt(f),
        }
    }
}
