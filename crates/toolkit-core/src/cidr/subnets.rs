//! Subnet iterators: the blocks of one prefix length inside a larger block.

use std::iter::FusedIterator;

use super::Block;
use super::addresses::{address, bits, count, nth};

/// Iterator over the blocks of one prefix length within another block, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subnets {
    is_ipv4: bool,
    prefix_length: u8,
    step: u128,
    /// First addresses of the first and the last remaining block.
    left: Option<(u128, u128)>,
}

impl Block {
    /// Splits the block into subnets with a longer prefix, in order; empty if the prefix is shorter
    /// than its own, or longer than an address.
    ///
    /// ```
    /// use toolkit_core::cidr::Block;
    ///
    /// let block: Block = "192.0.2.0/24".parse()?;
    /// let halves: Vec<_> = block.subnets(25).map(|half| half.to_string()).collect();
    /// assert_eq!(halves, ["192.0.2.0/25", "192.0.2.128/25"]);
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn subnets(&self, prefix_length: u8) -> Subnets {
        let longest: u8 = if self.is_ipv4() { 32 } else { 128 };
        let fits = (self.prefix_length()..=longest).contains(&prefix_length);
        let host_bits = longest.saturating_sub(prefix_length);
        // The only block without prefix bits: one step leads beyond all addresses.
        let step = 1_u128.checked_shl(host_bits.into()).unwrap_or(u128::MAX);
        let first = bits(self.network());
        let last = bits(self.last()) & !(step - 1);
        Subnets {
            is_ipv4: self.is_ipv4(),
            prefix_length,
            step,
            left: fits.then_some((first, last.max(first))),
        }
    }
}

impl Iterator for Subnets {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        self.nth(0)
    }

    fn nth(&mut self, index: usize) -> Option<Block> {
        let first = nth(&mut self.left, index, self.step)?;
        Block::new(address(first, self.is_ipv4), self.prefix_length).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = count(self.left, self.step);
        (count.unwrap_or(usize::MAX), count)
    }
}

impl FusedIterator for Subnets {}

#[cfg(test)]
mod tests {
    use super::Block;

    fn block(text: &str) -> Block {
        Block::parse(text).unwrap()
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
            (
                "2001:db8::/32",
                48,
                "2001:db8::/48",
                "2001:db8:ffff::/48",
                65_536,
            ),
        ] {
            let subnets = block(around).subnets(prefix_length);
            assert_eq!(subnets.size_hint(), (count, Some(count)), "{around}");
            assert_eq!(subnets.clone().next(), Some(block(first)));
            assert_eq!(subnets.clone().nth(count - 1), Some(block(last)));
            assert_eq!(subnets.clone().nth(count), None);
            assert_eq!(subnets.count(), count);
        }
    }

    #[test]
    fn a_prefix_that_does_not_fit_has_no_subnets() {
        assert_eq!(block("10.0.0.0/8").subnets(7).next(), None);
        assert_eq!(block("10.0.0.0/8").subnets(33).next(), None);
        assert_eq!(block("::/0").subnets(129).next(), None);
    }

    #[test]
    fn hosts_are_counted_without_iteration() {
        let all = block("::/0").addresses();
        assert_eq!(all.size_hint(), (usize::MAX, None));
        assert_eq!(
            all.clone().next_back(),
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff".parse().ok()
        );
        let hosts = block("10.0.0.0/8").hosts();
        assert_eq!(hosts.size_hint().0, (1 << 24) - 2);
        assert_eq!(hosts.clone().nth(255), "10.0.1.0".parse().ok());
        assert_eq!(hosts.clone().next_back(), "10.255.255.254".parse().ok());
        assert_eq!(block("10.0.0.0/31").hosts().count(), 2);
        assert_eq!(block("10.0.0.1/32").hosts().rev().count(), 1);
        assert_eq!(block("255.255.255.254/31").hosts().count(), 2);
    }

    #[test]
    fn blocks_overlap_where_one_contains_the_other() {
        let (wide, narrow, beside) = (
            block("10.0.0.0/8"),
            block("10.1.0.0/16"),
            block("11.0.0.0/8"),
        );
        assert!(wide.contains_block(&narrow) && !narrow.contains_block(&wide));
        assert!(wide.overlaps(&narrow) && narrow.overlaps(&wide));
        assert!(!wide.overlaps(&beside) && !block("::/0").overlaps(&wide));
        assert!(!block("::/0").contains("10.0.0.1".parse().unwrap()));
        let mut sorted = [beside, narrow, wide];
        sorted.sort_unstable();
        assert_eq!(sorted, [wide, narrow, beside]);
    }
}
