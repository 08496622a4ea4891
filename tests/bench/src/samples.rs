//! Sample documents like those that services send and store, of about any length; a given length
//! always gives the same text.

use std::fmt::Write as _;

/// Returns a list of records as minified JSON.
pub fn json(length: usize) -> String {
    let mut out = String::from("[");
    for number in 1.. {
        let _ = write!(
            out,
            "{{\"id\":{number},\"name\":\"Record number {number}\",\"email\":\"user{number}@example.com\",\
             \"active\":true,\"score\":{number}.50,\"tags\":[\"new\",\"A & B\"],\
             \"address\":{{\"street\":\"{number} Main Street\",\"zip\":\"{number:05}\",\
             \"position\":{{\"latitude\":48.{number:06},\"longitude\":-11.{number:06}}}}},\
             \"created_at\":\"2024-01-01T12:00:00Z\",\"note\":null}}"
        );
        if out.len() >= length {
            break;
        }
        out.push(',');
    }
    out.push(']');
    out
}

/// Returns a list of records as YAML in block style.
pub fn yaml(length: usize) -> String {
    let mut out = String::new();
    for number in 1.. {
        let _ = write!(
            out,
            "- id: {number}\n  name: Record number {number}\n  price: {number}.50\n  active: true\n  \
             tags:\n    - new\n    - \"A & B\"\n  address:\n    street: {number} Main Street\n    \
             zip: '{number}'\n    note:\n"
        );
        if out.len() >= length {
            break;
        }
    }
    out
}

/// Returns a list of records as indented XML.
pub fn xml(length: usize) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root>");
    for number in 1.. {
        let _ = write!(
            out,
            "\n  <record id=\"{number}\">\n    <name>Record number {number}</name>\n    \
             <price currency=\"EUR\">{number}.50</price>\n    <tag>new</tag>\n    \
             <tag>A &amp; B</tag>\n    <note/>\n  </record>"
        );
        if out.len() >= length {
            break;
        }
    }
    out.push_str("\n</root>\n");
    out
}

/// Returns bytes of all values.
pub fn bytes(length: usize) -> Vec<u8> {
    (0..=250).cycle().take(length).collect()
}
