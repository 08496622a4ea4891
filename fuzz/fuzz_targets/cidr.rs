//! CIDR blocks: the network of a block has the same addresses, and no host bits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolkit_core::cidr::Block;

fuzz_target!(|text: &str| {
    let Ok(block) = Block::parse(text) else {
        return;
    };
    let written = format!("{}/{}", block.network(), block.prefix_length());
    let network = Block::parse(&written).unwrap();
    assert!(!network.has_host_bits());
    assert_eq!(
        (network.network(), network.last()),
        (block.network(), block.last())
    );
    assert_eq!(network.reverse_dns(), block.reverse_dns());
    assert!(block.network() <= block.address() && block.address() <= block.last());
});
