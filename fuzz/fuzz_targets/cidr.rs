//! CIDR blocks: a block contains its address, and is the same when its network is written and parsed.
#![cfg_attr(feature = "libfuzzer", no_main)]

use toolkit_core::cidr::Block;
use toolkit_fuzz::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok((block, address)) = Block::parse_with_address(text) else {
        return;
    };
    assert!(block.contains(address));
    assert!(block.network() <= address && address <= block.last());
    let written = format!("{}/{}", block.network(), block.prefix_length());
    let (network, first) = Block::parse_with_address(&written).unwrap();
    assert_eq!((network, first), (block, block.network()));
    assert_eq!(network.reverse_dns(), block.reverse_dns());
});
