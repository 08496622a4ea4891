//! CIDR blocks against their RFCs and the IANA registries, through `cidr-calculator`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::support::{about, call};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use toolkit_core::cidr::Block;

fn info(cidr: &str) -> Result<Json, String> {
    call("cidr-calculator", &json!({"cidr": cidr}))
}

fn warnings(cidr: &str) -> Vec<String> {
    let answer = info(cidr).unwrap_or_else(|refusal| panic!("{cidr}: {refusal}"));
    serde_json::from_value(answer["warnings"].clone()).unwrap()
}

#[test]
fn the_facts_of_a_block_are_those_of_the_rfcs() {
    let vectors: Vec<Json> = serde_json::from_str(include_str!("../vectors/cidr.json")).unwrap();
    for mut vector in vectors {
        let members = vector.as_object_mut().unwrap();
        let source = members.remove("source").unwrap();
        let given = members.remove("given").unwrap();
        let answer = info(given.as_str().unwrap()).unwrap();
        let kind = if vector["version"] == 4 { "ipv4-cidr" } else { "ipv6-cidr" };
        assert_eq!(answer["type"], kind);
        assert_eq!(answer["result"], vector, "{source}");
    }
}

#[derive(Deserialize)]
struct Scoped {
    block: String,
    scope: String,
}

#[test]
fn the_scope_is_that_of_the_iana_registries() {
    let blocks: Vec<Scoped> =
        serde_json::from_str(include_str!("../vectors/cidr_scopes.json")).unwrap();
    for Scoped { block, scope } in blocks {
        let answer = info(&block).unwrap();
        assert_eq!(answer["result"]["scope"], scope, "{block}");
        assert_eq!(Block::parse(&block).unwrap().scope().word(), scope);
        let is_private = scope == "private" || scope == "unique_local";
        assert_eq!(answer["result"]["is_private"], is_private, "{block}");
    }
}

#[test]
fn tolerated_input_is_reported() {
    for (cidr, said) in [
        ("10.0.0.0/8", vec![]),
        ("10.0.0.1/8", vec!["Host bits are set; the answer is for the block 10.0.0.0/8."]),
        ("10.0.0.1/32", vec![]),
        ("2001:db8::1/64", vec!["Host bits are set; the answer is for the block 2001:db8::/64."]),
        ("10.0.0.0/8\u{A0}", vec!["White space around the block was dropped."]),
        (" 10.0.0.0/8\n", vec!["White space around the block was dropped."]),
        ("172.0.0.0/8", vec!["Parts of the block have another scope: private."]),
        (
            "192.0.0.0/8",
            vec!["Parts of the block have another scope: reserved, documentation, private."],
        ),
        (
            "fc00::/6",
            vec!["Parts of the block have another scope: unique_local, link_local, multicast."],
        ),
        ("::ffff:10.0.0.0/104", vec!["The block is the IPv4 block 10.0.0.0/8, mapped to IPv6."]),
    ] {
        assert_eq!(warnings(cidr), said, "{cidr}");
    }
}

#[test]
fn an_ipv4_mask_is_a_prefix_length_too() {
    for (mask, length) in [
        ("0.0.0.0", 0),
        ("128.0.0.0", 1),
        ("255.0.0.0", 8),
        ("255.255.255.254", 31),
        ("255.255.255.255", 32),
    ] {
        let answer = info(&format!("192.0.2.1/{mask}")).unwrap();
        assert_eq!(answer["result"]["prefix_length"], length);
    }
}

/// Invalid blocks and the message that refuses each.
const REFUSED: &[(&str, &str)] = &[
    ("", "is empty. Write an address, `/` and a prefix length"),
    (" ", "is empty. "),
    ("10.0.0.0", "has no prefix length. For this one address add `/32`."),
    ("::1", "has no prefix length. For this one address add `/128`."),
    (
        "10.0.0.0/",
        "offset 9: `cidr` has a prefix length that is not a number. Use a whole number from 0 to 32.",
    ),
    ("10.0.0.0/x", "offset 9: `cidr` has a prefix length that is not a number"),
    ("10.0.0.0/-1", "offset 9: `cidr` has a prefix length that is not a number"),
    ("10.0.0.0/+8", "offset 9: `cidr` has a prefix length that is not a number"),
    ("10.0.0.0/8/8", "offset 9: `cidr` has a prefix length that is not a number"),
    ("10.0.0.0/٨", "offset 9: `cidr` has a prefix length that is not a number"),
    ("  10.0.0.0/08", "offset 11: `cidr` has a prefix length with a leading zero"),
    ("10.0.0.0/00", "offset 9: `cidr` has a prefix length with a leading zero"),
    (
        "10.0.0.0/33",
        "offset 9: `cidr` has a prefix length out of range. Use a whole number from 0 to 32.",
    ),
    ("10.0.0.0/256", "offset 9: `cidr` has a prefix length out of range"),
    ("10.0.0.0/99999999999999999999", "offset 9: `cidr` has a prefix length out of range"),
    (
        "::/129",
        "offset 3: `cidr` has a prefix length out of range. Use a whole number from 0 to 128.",
    ),
    ("::/064", "offset 3: `cidr` has a prefix length with a leading zero"),
    ("::/ffff::", "offset 3: `cidr` has a prefix length that is not a number"),
    ("::/255.0.0.0", "offset 3: `cidr` has a prefix length that is not a number"),
    ("10.0.0.0/255.0.255.0", "offset 9: `cidr` has a netmask with holes"),
    (
        "10.0.0.0/0.255.255.255",
        "offset 9: `cidr` has a wildcard mask after the `/`. Write the prefix length `/8`.",
    ),
    (
        "10.0.0.0/0.0.0.255",
        "offset 9: `cidr` has a wildcard mask after the `/`. Write the prefix length `/24`.",
    ),
    ("10.0.0.0/255.255.255.00", "offset 9: `cidr` has no valid netmask after the `/`"),
    ("10.0.0.0/255.255", "offset 9: `cidr` has no valid netmask after the `/`"),
    ("010.0.0.1/8", "offset 0: `cidr` has an octet with a leading zero"),
    (" 10.0.00.1/8", "offset 6: `cidr` has an octet with a leading zero"),
    ("256.0.0.0/8", "does not start with an IP address"),
    ("1.2.3.4.5/8", "does not start with an IP address"),
    ("0x0a.0.0.0/8", "does not start with an IP address"),
    ("a.b.c.d/8", "does not start with an IP address"),
    ("１０.0.0.0/8", "does not start with an IP address"),
    ("/8", "does not start with an IP address"),
    ("fe80::1%eth0/64", "offset 7: `cidr` has a zone"),
    ("[::1]/64", "has brackets around its address. Write `::1/64`."),
    ("1::2::3/64", "does not start with an IP address"),
    ("12345::/64", "does not start with an IP address"),
    ("::010.0.0.1/96", "does not start with an IP address"),
    (r"10.0.0.0\24", r"has a `\` after the address. Write `/` before the prefix length."),
    ("192.168.1.1 - 192.168.1.50", "is a range of addresses. "),
    ("192.168.1.1-50", "is a range of addresses. "),
    ("10.0.0.0/8, 192.168.0.0/16", "has more than one block. Send one per call."),
    ("10.0.0.0/8 192.168.0.0/16", "has more than one block. "),
    (r#"["10.0.0.0/24","10.1.0.0/24"]"#, "has more than one block. "),
    ("10.0.0.0/24 and 10.1.0.0/24", "has more than one block. "),
    ("10.0.0.0/24|2001:db8::/32", "has more than one block. "),
    ("http://10.0.0.1/24", "is a URL. Write an address, `/` and a prefix length, as in"),
    ("10.0.0.5:8080/24", "has a `:` after the address. Leave the port out."),
    ("cidr: 10.0.0.0/8", "does not start with an IP address. Write an address, `/` and"),
    ("1:2/64", "does not start with an IP address. An IPv6 address is written as in"),
    ("10.0.0.0/8\n\n2001:db8::/32;::1/128", "has more than one block. "),
];

/// Another notation, what is said of it, and the block that is named.
const NOTATIONS: &[(&str, &str, &str)] = &[
    ("192.168.1.1 255.255.255.0", SPACE, "Write `192.168.1.1/24`"),
    ("192.168.1.1 0.0.0.255", SPACE, "Write `192.168.1.1/24`"),
    ("192.168.1.1 netmask 255.255.240.0", SPACE, "Write `192.168.1.1/20`"),
    ("10.0.0.0 /24", SPACE, "Write `10.0.0.0/24`"),
    ("10.0.0.0/ 8", SPACE, "Write `10.0.0.0/8`"),
    ("10.0.0.0 8", SPACE, "Write `10.0.0.0/8`"),
    ("2001:db8:: /32", SPACE, "Write `2001:db8::/32`"),
    ("10.11.192/18", "has 3 octets where an IPv4 address has four", "Write `10.11.192.0/18`"),
    ("10.0.0.0 / 255.0.0.0", SPACE, "Write `10.0.0.0/8`"),
    ("10.0.0.5:24", "has a `:` after the address", "Write `10.0.0.5/24`"),
    ("10/8", "has 1 octet where an IPv4 address has four", "Write `10.0.0.0/8`"),
    ("10.1.*.*", "has 2 octets where an IPv4 address has four", "Write `10.1.0.0/16`"),
    ("192.168.1.0-192.168.1.255", RANGE, "The smallest block around it is `192.168.1.0/24`"),
    ("192.168.1.1-50", RANGE, "The smallest block around it is `192.168.1.0/26`"),
    ("10.0.0.1 to 10.0.0.20", RANGE, "The smallest block around it is `10.0.0.0/27`"),
    ("10.0.0.1 – 10.0.0.20", RANGE, "The smallest block around it is `10.0.0.0/27`"),
    ("10.0.0.1 10.0.0.20", RANGE, "The smallest block around it is `10.0.0.0/27`"),
    ("2001:db8::1 - 2001:db8::ff", RANGE, "The smallest block around it is `2001:db8::/120`"),
    ("192.168.1.1-x", RANGE, "Write a block, as in `192.0.2.0/24`"),
];
const SPACE: &str = "has a space in place of the `/`, or beside it";
const RANGE: &str = "is a range of addresses";

#[test]
fn other_notations_are_refused_with_the_block_to_write() {
    for (cidr, what, hint) in NOTATIONS {
        let refused = info(cidr).expect_err(cidr);
        assert_eq!(refused, format!("`cidr` {what}. {hint}."), "{cidr}");
    }
}

#[test]
fn quotes_and_commas_around_a_block_are_dropped_with_a_warning() {
    for (cidr, taken) in [
        ("\"10.0.0.0/8\"", "quotes"),
        ("'10.0.0.0/8',", "a comma or semicolon, quotes"),
        (" `10.0.0.0/8` ", "quotes"),
        ("“10.0.0.0/8”;", "a comma or semicolon, quotes"),
        ("[10.0.0.0/8]", "brackets"),
        ("```\n10.0.0.0/8\n```", "a code fence"),
    ] {
        let answer = info(cidr).unwrap();
        assert_eq!(answer["result"]["cidr"], "10.0.0.0/8", "{cidr}");
        let warning = format!("Left out around the block: {taken}.");
        assert_eq!(answer["warnings"], serde_json::json!([warning]), "{cidr}");
    }
}

#[test]
fn invalid_blocks_are_refused() {
    for (cidr, refusal) in REFUSED {
        let refused = info(cidr).expect_err(cidr);
        assert!(refused.starts_with(&about("cidr", refusal)), "{cidr}: {refused}");
    }
}

#[test]
fn ipv6_is_written_as_rfc_5952_requires() {
    for (given, written) in [
        ("2001:0db8::0001/128", "2001:db8::1/128"),        // §4.1
        ("2001:db8:0:0:0:0:2:1/128", "2001:db8::2:1/128"), // §4.2.1
        ("2001:db8::1:1:1:1:1/128", "2001:db8:0:1:1:1:1:1/128"), // §4.2.2
        ("2001:0:0:1:0:0:0:1/128", "2001:0:0:1::1/128"),   // §4.2.3
        ("2001:db8:0:0:1:0:0:1/128", "2001:db8::1:0:0:1/128"), // §4.2.3
        ("2001:DB8::AAAA/128", "2001:db8::aaaa/128"),      // §4.3
        ("0:0:0:0:0:ffff:192.0.2.1/128", "::ffff:192.0.2.1/128"), // §5
    ] {
        assert_eq!(Block::parse(given).unwrap().to_string(), written);
    }
}

/// Computes counts and bounds by treating the block as a range of integers.
fn check(block: &Block, address: u128, bits: u32) {
    let host_bits = bits - u32::from(block.prefix_length());
    let last_bits = u128::MAX.checked_shr(128 - host_bits).unwrap_or(0);
    let number = |address: IpAddr| match address {
        IpAddr::V4(address) => address.to_bits().into(),
        IpAddr::V6(address) => address.to_bits(),
    };
    let (first, last) = (number(block.network()), number(block.last()));
    assert_eq!((first, last), (address & !last_bits, address | last_bits));
    assert_eq!(block.total_addresses().get(), (last - first).checked_add(1));
    let hosts = number(block.last_host()) - number(block.first_host());
    assert_eq!(block.usable_hosts().get(), hosts.checked_add(1));
    assert_eq!(Block::parse(&block.to_string()).as_ref(), Ok(block));
}

proptest! {
    #[test]
    fn an_ipv4_block_is_a_range(address: u32, length in 0..=32_u8) {
        let block = Block::parse(&format!("{}/{length}", Ipv4Addr::from_bits(address))).unwrap();
        check(&block, address.into(), 32);
        let masked = Block::parse(&format!("{}/{}", Ipv4Addr::from_bits(address), block.netmask())).unwrap();
        prop_assert_eq!(masked, block);
        let zone = block.reverse_dns();
        prop_assert_eq!(zone.split('.').count(), usize::from(length) / 8 + 2);
    }

    #[test]
    fn an_ipv6_block_is_a_range(address: u128, length in 0..=128_u8) {
        let block = Block::parse(&format!("{}/{length}", Ipv6Addr::from_bits(address))).unwrap();
        check(&block, address, 128);
        let zone = block.reverse_dns();
        prop_assert_eq!(zone.split('.').count(), usize::from(length) / 4 + 2);
        let mask: Ipv6Addr = block.netmask().to_string().parse().unwrap();
        let wildcard: Ipv6Addr = block.wildcard_mask().to_string().parse().unwrap();
        prop_assert_eq!(mask.to_bits(), !wildcard.to_bits());
        prop_assert_eq!(mask.to_bits().count_ones(), u32::from(length));
    }

    #[test]
    fn any_text_is_a_block_or_refused(text in "\\PC*|[0-9a-f.:/% ]{0,20}") {
        if let Ok(block) = Block::parse(&text) {
            prop_assert!(info(&text).is_ok() && block.prefix_length() <= 128);
        }
    }
}
