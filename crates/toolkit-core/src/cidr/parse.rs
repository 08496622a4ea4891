//! Parser for blocks, stricter than the standard library: see the parent module.

use std::net::{IpAddr, Ipv4Addr};

use ipnetwork::ipv4_mask_to_prefix;

use super::{Block, bits_of};
use crate::error::{ErrorKind, Position, ToolError};

const HINT: &str = "write an address, `/` and a prefix length, as in `192.0.2.0/24`";

/// Parses an address and a prefix length, or an IPv4 netmask.
pub(super) fn block(text: &str) -> Result<(Block, IpAddr), ToolError> {
    let trimmed = text.trim_ascii();
    let start = text.len() - text.trim_ascii_start().len();
    let at = |index| Position::offset(text, start + index);
    if trimmed.is_empty() {
        return Err(ToolError::new("is empty").with_hint(HINT));
    }
    let (address, suffix) = match trimmed.split_once('/') {
        Some((address, suffix)) => (address, Some(suffix)),
        None => (trimmed, None),
    };
    let suffix_at = address.len() + 1;
    if let Some(refusal) = foreign(trimmed) {
        return Err(refusal);
    }
    let address = read_address(address, at)?;
    let bits = bits_of(address);
    let Some(suffix) = suffix else {
        let hint = format!("for this one address add `/{bits}`");
        return Err(ToolError::new("has no prefix length").with_hint(hint));
    };
    let prefix_length = if address.is_ipv4() && suffix.contains('.') {
        netmask(suffix)
    } else {
        prefix_length(suffix, bits)
    };
    prefix_length
        .and_then(|length| Block::new(address, length).map_err(|_| out_of_range(bits)))
        .map(|block| (block, address))
        .map_err(|refusal| refusal.at(at(suffix_at)))
}

/// Error for other notations of a block, and for several of them.
fn foreign(text: &str) -> Option<ToolError> {
    let is_separator = |c: char| c.is_ascii_whitespace() || matches!(c, ',' | ';');
    let is_address = |part: &str| part.trim_ascii().parse::<IpAddr>().is_ok();
    let is_block = |part: &str| {
        let part = part.trim_matches(is_separator);
        part.split(|c| c == '/' || is_separator(c))
            .next()
            .is_some_and(is_address)
    };
    let (message, hint) = if text
        .split_once('\\')
        .is_some_and(|(one, _)| is_address(one))
    {
        (
            "has a `\\` after the address",
            "write `/` before the prefix length",
        )
    } else if text.split_once('-').is_some_and(|(one, _)| is_address(one)) {
        (
            "is a range of addresses",
            "write a block, as in `192.0.2.0/24`",
        )
    } else if text.contains('/')
        && text
            .split_once(is_separator)
            .is_some_and(|(one, rest)| is_block(one) && is_block(rest))
    {
        ("has more than one block", "give one block a call")
    } else {
        return None;
    };
    Some(
        ToolError::new(message)
            .of(ErrorKind::Unsupported)
            .with_hint(hint),
    )
}

fn read_address(text: &str, at: impl Fn(usize) -> Position) -> Result<IpAddr, ToolError> {
    text.parse().map_err(|_| {
        let refusal = ToolError::new("does not start with an IP address");
        if let Some(index) = text.find('%') {
            return ToolError::new("has a zone")
                .of(ErrorKind::Unsupported)
                .at(at(index))
                .with_hint("leave the zone out: it is not part of a block");
        }
        if text.contains(':') {
            return refusal.with_hint("an IPv6 address is written as in `2001:db8::1`");
        }
        if let Some(index) = leading_zero(text) {
            return ToolError::new("has an octet with a leading zero")
                .at(at(index))
                .with_hint("leave the zero out: some readers take such a number for octal");
        }
        refusal.with_hint("an IPv4 address is four numbers from 0 to 255, as in `192.0.2.1`")
    })
}

/// Finds the first octet that has a leading zero.
fn leading_zero(text: &str) -> Option<usize> {
    let mut start = 0;
    for octet in text.split('.') {
        if octet.len() > 1 && octet.starts_with('0') && octet.bytes().all(|b| b.is_ascii_digit()) {
            return Some(start);
        }
        start += octet.len() + 1;
    }
    None
}

/// Parses a prefix length: no sign, no white space, no leading zero.
fn prefix_length(text: &str, bits: u32) -> Result<u8, ToolError> {
    let refusal = |what| refused_length(what, bits);
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(refusal("that is not a number"));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(refusal("with a leading zero"));
    }
    text.parse().map_err(|_| out_of_range(bits))
}

fn out_of_range(bits: u32) -> ToolError {
    refused_length("out of range", bits).of(ErrorKind::Range)
}

fn refused_length(what: &str, bits: u32) -> ToolError {
    ToolError::new(format!("has a prefix length {what}"))
        .with_hint(format!("use a whole number from 0 to {bits}"))
}

/// Parses a netmask: ones followed by zeros.
fn netmask(text: &str) -> Result<u8, ToolError> {
    let mask: Ipv4Addr = text.parse().map_err(|_| {
        ToolError::new("has no valid netmask after the `/`")
            .with_hint("a netmask is written as in `255.255.255.0`, without leading zeros")
    })?;
    ipv4_mask_to_prefix(mask).map_err(|_| {
        // 0.0.0.0 and 255.255.255.255 count as netmasks, not wildcard masks.
        match ipv4_mask_to_prefix(!mask) {
            Ok(length) => ToolError::new("has a wildcard mask after the `/`")
                .of(ErrorKind::Unsupported)
                .with_hint(format!("write the prefix length `/{length}`")),
            Err(_) => ToolError::new("has a netmask with holes")
                .with_hint("its ones must all stand in front of its zeros, as in `255.255.255.0`"),
        }
    })
}
