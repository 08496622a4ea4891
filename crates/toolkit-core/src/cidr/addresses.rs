//! Address iterators: the addresses of a block, without a list in memory.

use std::iter::FusedIterator;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Consecutive addresses; `nth` and `size_hint` take constant time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    is_ipv4: bool,
    /// The first and last of the remaining addresses.
    left: Option<(u128, u128)>,
}

impl Addresses {
    pub(super) fn between(first: IpAddr, last: IpAddr) -> Self {
        Self {
            is_ipv4: first.is_ipv4(),
            left: Some((bits(first), bits(last))),
        }
    }
}

/// Number of bits in an address.
pub(super) fn bits_of(address: IpAddr) -> u32 {
    match address {
        IpAddr::V4(_) => Ipv4Addr::BITS,
        IpAddr::V6(_) => Ipv6Addr::BITS,
    }
}

/// The address as an integer.
pub(super) fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_bits().into(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// The address with this integer value.
pub(super) fn address(bits: u128, is_ipv4: bool) -> IpAddr {
    if is_ipv4 {
        Ipv4Addr::from_bits(u32::try_from(bits).unwrap_or(u32::MAX)).into()
    } else {
        Ipv6Addr::from_bits(bits).into()
    }
}

/// Returns the value `index` steps of size `step` into the range; the range then starts after it.
pub(super) fn nth(left: &mut Option<(u128, u128)>, index: usize, step: u128) -> Option<u128> {
    let (first, last) = left.take()?;
    let found = first.checked_add((index as u128).checked_mul(step)?)?;
    if found > last {
        return None;
    }
    *left = found
        .checked_add(step)
        .filter(|next| *next <= last)
        .map(|next| (next, last));
    Some(found)
}

/// Number of remaining values; `None` if it does not fit a `usize`.
pub(super) fn count(left: Option<(u128, u128)>, step: u128) -> Option<usize> {
    let Some((first, last)) = left else {
        return Some(0);
    };
    usize::try_from((last - first) / step).ok()?.checked_add(1)
}

impl Iterator for Addresses {
    type Item = IpAddr;

    fn next(&mut self) -> Option<IpAddr> {
        self.nth(0)
    }

    fn nth(&mut self, index: usize) -> Option<IpAddr> {
        nth(&mut self.left, index, 1).map(|bits| address(bits, self.is_ipv4))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = count(self.left, 1);
        (count.unwrap_or(usize::MAX), count)
    }
}

impl DoubleEndedIterator for Addresses {
    fn next_back(&mut self) -> Option<IpAddr> {
        let (first, last) = self.left.take()?;
        self.left = last
            .checked_sub(1)
            .filter(|before| *before >= first)
            .map(|before| (first, before));
        Some(address(last, self.is_ipv4))
    }
}

impl FusedIterator for Addresses {}
