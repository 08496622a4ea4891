//! Serializer: turns a [`Node`] into tokens.

use super::token::{Bracket, Sink};
use crate::json_string;
use crate::node::Node;

/// Writes a value; `scratch` holds strings while they are quoted and escaped.
pub(super) fn write_value(value: &Node, scratch: &mut Vec<u8>, sink: &mut impl Sink) {
    match value {
        Node::Null => sink.scalar(b"null", 0, 4),
        Node::Bool(true) => sink.scalar(b"true", 0, 4),
        Node::Bool(false) => sink.scalar(b"false", 0, 5),
        Node::Number(digits) => sink.scalar(digits.as_bytes(), 0, digits.len()),
        Node::Text(text) => {
            quote(text, scratch);
            sink.scalar(scratch, 0, scratch.len());
        }
        Node::Array(items) if items.is_empty() => sink.empty(Bracket::Array),
        Node::Array(items) => {
            sink.open(Bracket::Array);
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    sink.comma();
                }
                write_value(item, scratch, sink);
            }
            sink.close(Bracket::Array);
        }
        Node::Object(members) if members.is_empty() => sink.empty(Bracket::Object),
        Node::Object(members) => {
            sink.open(Bracket::Object);
            for (index, (name, value)) in members.iter().enumerate() {
                if index > 0 {
                    sink.comma();
                }
                quote(name, scratch);
                sink.name(scratch, 0, scratch.len());
                write_value(value, scratch, sink);
            }
            sink.close(Bracket::Object);
        }
    }
}

/// Writes a string with quotes and escapes, replacing the content of `out`.
fn quote(text: &str, out: &mut Vec<u8>) {
    out.clear();
    json_string::append(text, out);
}
