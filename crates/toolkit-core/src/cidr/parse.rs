//! Parser for blocks, stricter than the standard library: see the parent module.

use std::net::{IpAddr, Ipv4Addr};

use ipnetwork::ipv4_mask_to_prefix;

use super::{Block, bits_of, shared_bits};
use crate::around;
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::Warnings;

/// The block's name in warnings.
pub(crate) const WHAT: &str = "the block";
const HINT: &str = "write an address, `/` and a prefix length, as in `192.0.2.0/24`";

/// Parses an address and a prefix length, or an IPv4 netmask.
pub(super) fn block(text: &str) -> Result<(Block, IpAddr), ToolError> {
    let trimmed = around::bare(text, WHAT, &mut Warnings::new()).trim();
    let start = trimmed.as_ptr().addr() - text.as_ptr().addr();
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

/// Error for other notations of a block, with the block to write, and for several of them.
fn foreign(text: &str) -> Option<ToolError> {
    let is_address = |part: &str| part.trim_ascii().parse::<IpAddr>().is_ok();
    let written =
        |message: &str, block: String| Some((message.to_owned(), format!("write `{block}`")));
    let (message, hint) = if text.split_once('\\').is_some_and(|(one, _)| is_address(one)) {
        let message = "has a `\\` after the address".to_owned();
        Some((message, "write `/` before the prefix length".to_owned()))
    } else if text.contains("://") {
        Some(("is a URL".to_owned(), HINT.to_owned()))
    } else if let Some((address, rest)) = text.split_once(':').filter(|(one, _)| is_address(one)) {
        let message = "has a `:` after the address";
        match rest.parse::<u8>().ok().filter(|length| *length <= 32) {
            Some(length) => written(message, format!("{address}/{length}")),
            None => Some((message.to_owned(), "leave the port out".to_owned())),
        }
    } else if let Some((first, last)) = range(text) {
        let hint = last.and_then(|last| enclosing(first, last)).map_or_else(
            || "write a block, as in `192.0.2.0/24`".to_owned(),
            |block| format!("the smallest block around it is `{block}`"),
        );
        Some(("is a range of addresses".to_owned(), hint))
    } else if let Some(block) = spaced(text) {
        written("has a space in place of the `/`, or beside it", block)
    } else if let Some((address, suffix)) =
        text.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        && is_address(address)
    {
        written("has brackets around its address", format!("{address}{suffix}"))
    } else if let Some((count, block)) = short(text) {
        let octets = if count == 1 { "octet" } else { "octets" };
        written(&format!("has {count} {octets} where an IPv4 address has four"), block)
    } else if text.contains('/') && addresses(text) > 1 {
        Some(("has more than one block".to_owned(), "send one per call".to_owned()))
    } else {
        None
    }?;
    Some(ToolError::new(message).of(ErrorKind::Unsupported).with_hint(hint))
}

/// The number of addresses and blocks in a text, whatever is between them.
fn addresses(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_hexdigit() || ":./".contains(c);
    let starts = text.split(|c| !is_part(c)).filter_map(|part| part.split('/').next());
    starts.filter(|address| address.parse::<IpAddr>().is_ok()).count()
}

/// The first address of a range, and the last if it can be read, also as a last octet alone.
fn range(text: &str) -> Option<(IpAddr, Option<IpAddr>)> {
    let separators = ["-", "–", "—", "..", " to ", " through "];
    let mut separators = separators.iter();
    let named = separators.find_map(|separator| text.split_once(separator));
    let (first, last) = named.or_else(|| text.split_once(|c: char| c.is_ascii_whitespace()))?;
    let first: IpAddr = first.trim_ascii().parse().ok()?;
    let last = last.trim_ascii();
    let octet = last.parse::<u8>().ok().filter(|_| named.is_some());
    let last = last.parse().ok().or_else(|| match first {
        IpAddr::V4(first) => {
            let [a, b, c, _] = first.octets();
            octet.map(|octet| [a, b, c, octet].into())
        }
        IpAddr::V6(_) => None,
    });
    let is_mask = matches!(last, Some(IpAddr::V4(mask)) if length_of_mask(mask).is_some());
    (named.is_some() || last.is_some() && !is_mask).then_some((first, last))
}

/// The smallest block that contains two addresses.
fn enclosing(first: IpAddr, last: IpAddr) -> Option<Block> {
    Block::new(first, shared_bits(first, last)?.try_into().ok()?).ok()
}

/// The block of an address and a prefix length or mask with a space between them.
fn spaced(text: &str) -> Option<String> {
    let mut words = text.split(|c: char| c == '/' || c.is_ascii_whitespace());
    let mut words = words.by_ref().filter(|word| {
        !word.is_empty() && !["netmask", "mask"].contains(&word.to_ascii_lowercase().as_str())
    });
    let (address, suffix) = (words.next()?, words.next()?);
    if words.next().is_some() || !text.contains(|c: char| c.is_ascii_whitespace()) {
        return None;
    }
    let address: IpAddr = address.parse().ok()?;
    let length = match suffix.parse() {
        Ok(mask) => u32::from(length_of_mask(mask)?),
        Err(_) => suffix.parse().ok().filter(|length| *length <= bits_of(address))?,
    };
    Some(format!("{address}/{length}"))
}

/// Prefix length of a netmask or a wildcard mask.
fn length_of_mask(mask: Ipv4Addr) -> Option<u8> {
    let length = ipv4_mask_to_prefix(mask).or_else(|_| ipv4_mask_to_prefix(!mask));
    length.ok()
}

/// The number of octets of a shortened IPv4 block, or one with `*` in the last ones, and the block in
/// full.
fn short(text: &str) -> Option<(usize, String)> {
    let (address, length) = text.split_once('/').unwrap_or((text, ""));
    let octets: Vec<_> = address.trim_end_matches(".*").trim_end_matches('.').split('.').collect();
    let count = octets.len();
    let has_star = address.ends_with(".*");
    let length = if has_star && length.is_empty() { 8 * count } else { length.parse().ok()? };
    let is_octet = |octet: &&str| {
        let is_plain = *octet == "0" || !octet.starts_with('0');
        is_plain && octet.bytes().all(|byte| byte.is_ascii_digit()) && octet.parse::<u8>().is_ok()
    };
    let is_short = count < 4 && length <= 32 && octets.iter().all(is_octet);
    is_short.then(|| {
        let filled = octets.into_iter().chain(["0"; 4]).take(4);
        (count, format!("{}/{length}", filled.collect::<Vec<_>>().join(".")))
    })
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
        if text.contains(':') && text.chars().all(|c| c.is_ascii_hexdigit() || ":.".contains(c)) {
            return refusal.with_hint("an IPv6 address is written as in `2001:db8::1`");
        }
        if let Some(index) = leading_zero(text) {
            return ToolError::new("has an octet with a leading zero")
                .at(at(index))
                .with_hint("leave the zero out: some readers take such a number for octal");
        }
        if text.contains(':') {
            return refusal.with_hint(HINT);
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
