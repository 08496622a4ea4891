//! Keys that are not XML names, written as names and read back.
//!
//! A character that a name cannot hold becomes `_x` with its code point in four hexadecimal digits,
//! or eight, and `_`: `$ref` is `_x0024_ref`. A key that looks like the result gets its `_`
//! escaped, so every key comes back. This is the notation of ISO/IEC 9075-14 (SQL/XML) and .NET. An
//! empty key, which they leave out, is `_x_`.

use std::collections::{HashMap, HashSet};

use super::character::{is_name, is_name_start};
use crate::node::Node;

/// An empty key.
const EMPTY: &str = "_x_";
/// Member that holds an element's text.
const TEXT: &str = "#text";

/// Encodes every key of a value that is not an XML name, for [`write`](super::write).
///
/// A key that begins with `@` stays an attribute if it has a scalar. A colon stays if its prefix is
/// declared by an `@xmlns:` around it.
///
/// ```
/// use toolkit_core::{Layout, Warnings, json, xml};
///
/// let mut warnings = Warnings::new();
/// let node = json::parse(r#"{"a": {"$ref": "b/c", "1": null}}"#, &mut warnings)?;
/// let text = xml::write(&xml::encode_names(node.clone()), Layout::Minified, &mut warnings)?;
/// assert_eq!(text, "<a><_x0024_ref>b/c</_x0024_ref><_x0031_/></a>");
/// assert_eq!(xml::decode_names(xml::parse(&text, &mut warnings)?), node);
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
pub fn encode_names(node: Node) -> Node {
    encode(node, &mut HashMap::new())
}

/// Decodes the keys of a parsed document that [`encode_names`] has encoded.
///
/// A key is kept if its decoded form is already in the same object.
pub fn decode_names(node: Node) -> Node {
    match node {
        Node::Array(items) => Node::Array(items.into_iter().map(decode_names).collect()),
        Node::Object(members) => {
            let mut decoded: Vec<(String, Node)> = Vec::with_capacity(members.len());
            let mut seen = HashSet::new();
            for (key, value) in members {
                let name = match key.strip_prefix('@') {
                    Some(name) => ["@", &decoded_name(name)].concat(),
                    None => decoded_name(&key),
                };
                let name = if seen.contains(&name) { key } else { name };
                seen.insert(name.clone());
                decoded.push((name, decode_names(value)));
            }
            Node::Object(decoded)
        }
        scalar => scalar,
    }
}

/// Encodes the keys of a value inside elements that declare some prefixes.
fn encode(node: Node, prefixes: &mut HashMap<String, usize>) -> Node {
    let members = match node {
        Node::Array(items) => {
            let items = items.into_iter().map(|item| encode(item, prefixes));
            return Node::Array(items.collect());
        }
        Node::Object(members) => members,
        scalar => return scalar,
    };
    let declared: Vec<String> = declared_prefixes(&members).map(str::to_owned).collect();
    for prefix in &declared {
        *prefixes.entry(prefix.clone()).or_default() += 1;
    }
    let encoded = members.into_iter().map(|(key, value)| {
        let is_scalar = !matches!(value, Node::Array(_) | Node::Object(_));
        // The prefixes of an element may be declared by the element itself.
        let own: HashSet<_> = declared_prefixes(value.as_object().unwrap_or_default()).collect();
        let is_declared =
            |prefix: &str| prefix == "xml" || own.contains(prefix) || prefixes.contains_key(prefix);
        let name = match key.strip_prefix('@') {
            _ if key == TEXT && is_scalar => key,
            Some(name) if is_scalar && (name == "xmlns" || name.starts_with("xmlns:")) => key,
            Some(name) if is_scalar => ["@", &encoded_name(name, is_declared)].concat(),
            _ => encoded_name(&key, is_declared),
        };
        (name, encode(value, prefixes))
    });
    let encoded = encoded.collect();
    for prefix in declared {
        let count = prefixes.remove(&prefix).unwrap_or_default();
        if count > 1 {
            prefixes.insert(prefix, count - 1);
        }
    }
    Node::Object(encoded)
}

/// The prefixes that the attributes of an element declare.
fn declared_prefixes(members: &[(String, Node)]) -> impl Iterator<Item = &str> {
    let keys = members.iter().map(|(key, _)| key);
    keys.filter_map(|key| key.strip_prefix("@xmlns:"))
}

/// The name for a key, unchanged if the key is a name.
pub(super) fn encoded_name(key: &str, is_declared: impl Fn(&str) -> bool) -> String {
    if key.is_empty() || key == EMPTY {
        return if key.is_empty() { EMPTY } else { "_x005F_x_" }.to_owned();
    }
    let colon = key.find(':').filter(|&colon| {
        let (prefix, local) = (&key[..colon], &key[colon + 1..]);
        is_declared(prefix) && !local.contains(':') && local.starts_with(is_name_start)
    });
    let mut name = String::new();
    for (at, character) in key.char_indices() {
        let is_allowed = match character {
            ':' => colon == Some(at),
            '_' => !is_escape(&key[at..]),
            _ if at == 0 => is_name_start(character),
            _ => is_name(character),
        };
        if is_allowed {
            name.push(character);
        } else {
            let code = u32::from(character);
            let digits = if code > 0xFFFF { 8 } else { 4 };
            name.extend(["_x", &format!("{code:0digits$X}"), "_"]);
        }
    }
    name
}

/// Whether text could be taken for an escape.
fn is_escape(text: &str) -> bool {
    let digits = text.strip_prefix("_x").and_then(|rest| rest.get(..4));
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The key that a name encodes.
fn decoded_name(name: &str) -> String {
    if name == EMPTY {
        return String::new();
    }
    let mut key = String::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once("_x") {
        key.push_str(before);
        let escape = [4, 8].into_iter().find_map(|digits| {
            let (hex, rest) = after.split_at_checked(digits)?;
            let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            let code = u32::from_str_radix(hex, 16).ok().filter(|_| is_hex)?;
            Some((char::from_u32(code)?, rest.strip_prefix('_')?))
        });
        if let Some((character, after)) = escape {
            key.push(character);
            rest = after;
        } else {
            key.push_str("_x");
            rest = after;
        }
    }
    key + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::name::Name;
    use super::*;

    #[test]
    fn a_character_that_a_name_cannot_hold_is_written_as_its_code_point() {
        for (key, name) in [
            ("a", "a"),
            ("größe_1", "größe_1"),
            ("$ref", "_x0024_ref"),
            ("1a", "_x0031_a"),
            ("a b", "a_x0020_b"),
            ("@types/node", "_x0040_types_x002F_node"),
            ("", "_x_"),
            ("_x_", "_x005F_x_"),
            ("_x0024_", "_x005F_x0024_"),
            ("_x", "_x"),
            ("a_xylophone", "a_xylophone"),
            ("\u{1}", "_x0001_"),
            ("\u{F0000}", "_x000F0000_"),
            ("b:c", "b:c"),
            ("d:c", "d_x003A_c"),
            ("b:1", "b_x003A_1"),
            (":", "_x003A_"),
        ] {
            let encoded = encoded_name(key, |prefix| prefix == "b");
            assert_eq!(encoded, name, "{key}");
            assert_eq!(decoded_name(name), key, "{name}");
        }
        for name in ["_x002_", "_xD800_", "_x0024", "_x00110000_", "a_x_"] {
            assert_eq!(decoded_name(name), name);
        }
    }

    proptest! {
        #[test]
        fn every_key_is_written_as_a_name_and_comes_back(
            key in "(_|x|0|1|a|:|\\$|_x|0024|_x0024_|005F|\\PC|\\x01){0,8}",
        ) {
            let name = encoded_name(&key, |_| false);
            prop_assert!(Name::new(&name).is_ok(), "{} {}", key, name);
            prop_assert_eq!(decoded_name(&name), key.as_str());
        }
    }
}
