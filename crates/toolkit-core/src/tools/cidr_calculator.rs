//! `cidr-calculator`, `cidr_info`: network, broadcast, masks and host range of a block.
//!
//! Standard: RFC 4632, RFC 3021 for `/31`, RFC 5952 for IPv6; see [`crate::cidr`].

use std::borrow::Cow;
use std::net::IpAddr;

use schemars::JsonSchema;
use serde::Serialize;

use crate::around;
use crate::cidr::{self, Block, Count, Scope};
use crate::context::Context;
use crate::error::ToolError;
use crate::input::input;
use crate::tool::{Answer, Example, Mcp, Spec, Tool};
use crate::warnings::{WarningKind, Warnings};

/// Computes network, broadcast, masks and host range of a block.
#[derive(Debug)]
pub struct CidrCalculator;

input! {
    /// Inputs of `cidr-calculator`.
    pub struct Input<'a> {
        /// The block: an IPv4 or IPv6 address, `/` and the prefix length (`10.0.0.0/8`), or for IPv4
        /// the netmask (`10.0.0.0/255.0.0.0`). Host bits may be set.
        cidr: Cow<'a, str>,
    }
}

/// The facts of a block.
#[derive(Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Output {
    /// The block as it is usually written: the network address and the prefix length.
    pub cidr: String,
    /// The IP version, 4 or 6.
    pub version: u8,
    /// The address that was given.
    pub address: String,
    /// The first address.
    pub network: String,
    /// The broadcast address; null for IPv6, /31 and /32.
    pub broadcast: Option<String>,
    /// The netmask.
    pub netmask: String,
    /// The wildcard mask: the inverse of the netmask.
    pub wildcard_mask: String,
    /// The prefix length, in bits.
    pub prefix_length: u8,
    /// The first usable host address.
    pub first_host: String,
    /// The last usable host address.
    pub last_host: String,
    /// The number of addresses: an integer, or above 2^53 a decimal string.
    pub total_addresses: Count,
    /// The number of usable host addresses, likewise.
    pub usable_hosts: Count,
    /// Scope of the addresses, according to the IANA registries.
    pub scope: Scope,
    /// Whether the block is for private networks (RFC 1918, RFC 4193).
    pub is_private: bool,
    /// The smallest reverse DNS zone that contains the block.
    pub reverse_dns: String,
}

impl Tool for CidrCalculator {
    const SPEC: Spec = Spec {
        slug: Some("cidr-calculator"),
        mcp: Some(Mcp {
            name: "cidr_info",
            title: "Details of a CIDR block",
            description: "Compute network, broadcast, netmask, host range, number of addresses and \
                scope of an IPv4 or IPv6 block in CIDR notation. Use it instead of doing \
                subnet arithmetic yourself. One block a call, with its prefix length (or IPv4 \
                netmask); not for ranges, nor for finding addresses in a text: that is for \
                regex_test. Example: \
                {\"cidr\": \"192.168.1.10/26\"} gives the network 192.168.1.0 with the hosts \
                192.168.1.1 to 192.168.1.62.",
            inputs: &["cidr"],
            idempotent: true,
        }),
        summary: "Computes network, broadcast, masks and host range of a CIDR block.",
        kinds: &["ipv4-cidr", "ipv6-cidr"],
        quick_bytes_max: usize::MAX,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Output;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Output>, ToolError> {
        let (block, address) =
            Block::parse_with_address(&input.cidr).map_err(|refusal| refusal.in_field("cidr"))?;
        let bare = around::bare(&input.cidr, cidr::WHAT, &mut ctx.warnings);
        if bare == input.cidr && bare.trim() != bare {
            let sentence = "White space around the block was dropped.";
            ctx.warnings.add(WarningKind::Dropped, sentence);
        }
        if address != block.network() {
            ctx.warn(format!("Host bits are set; the answer is for the block {block}."));
        }
        warn(&block, &mut ctx.warnings);
        let kind = if block.is_ipv4() { "ipv4-cidr" } else { "ipv6-cidr" };
        Ok(Answer::new(kind, facts(&block, address)))
    }
}

fn warn(block: &Block, warnings: &mut Warnings) {
    let within = block.scopes_within();
    if !within.is_empty() {
        let words: Vec<_> = within.iter().map(|scope| scope.word()).collect();
        warnings.push(format!("Parts of the block have another scope: {}.", words.join(", ")));
    }
    if let Some(mapped) = block.mapped_ipv4() {
        warnings.push(format!("The block is the IPv4 block {mapped}, mapped to IPv6."));
    }
}

fn facts(block: &Block, address: IpAddr) -> Output {
    Output {
        cidr: block.to_string(),
        version: if block.is_ipv4() { 4 } else { 6 },
        address: address.to_string(),
        network: block.network().to_string(),
        broadcast: block.broadcast().map(|broadcast| broadcast.to_string()),
        netmask: block.netmask().to_string(),
        wildcard_mask: block.wildcard_mask().to_string(),
        prefix_length: block.prefix_length(),
        first_host: block.first_host().to_string(),
        last_host: block.last_host().to_string(),
        total_addresses: block.total_addresses(),
        usable_hosts: block.usable_hosts(),
        scope: block.scope(),
        is_private: block.is_private(),
        reverse_dns: block.reverse_dns(),
    }
}

const EXAMPLES: &[Example] = &[
    Example { title: "An IPv4 block with host bits", input: r#"{"cidr": "192.168.1.10/26"}"# },
    Example { title: "An IPv6 block", input: r#"{"cidr": "2001:DB8::/32"}"# },
];
