//! Sample documents like those that services send and store, of about any length; a given length
//! always gives the same text.

/// Returns a list of records as minified JSON, as YAML in block style or as indented XML, or else
/// plain text.
pub fn sample(kind: &str, length: usize) -> String {
    match kind {
        "json" => records("[", json, ",", length) + "]",
        "yaml" => records("", yaml, "", length),
        "xml" => {
            let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root>";
            records(start, xml, "", length) + "\n</root>\n"
        }
        _ => "Hello, World! ".chars().cycle().take(length).collect(),
    }
}

/// Appends records to a start, until there are this many bytes.
fn records(start: &str, record: fn(u32) -> String, separator: &str, length: usize) -> String {
    let mut out = start.to_owned() + &record(1);
    for number in 2.. {
        if out.len() >= length {
            break;
        }
        out += separator;
        out += &record(number);
    }
    out
}

fn json(number: u32) -> String {
    format!(
        "{{\"id\":{number},\"name\":\"Record number {number}\",\"email\":\"user{number}@example.com\",\
         \"active\":true,\"score\":{number}.50,\"tags\":[\"new\",\"A & B\"],\
         \"address\":{{\"street\":\"{number} Main Street\",\"zip\":\"{number:05}\",\
         \"position\":{{\"latitude\":48.{number:06},\"longitude\":-11.{number:06}}}}},\
         \"created_at\":\"2024-01-01T12:00:00Z\",\"note\":null}}"
    )
}

fn yaml(number: u32) -> String {
    format!(
        "- id: {number}\n  name: Record number {number}\n  price: {number}.50\n  active: true\n  \
         tags:\n    - new\n    - \"A & B\"\n  address:\n    street: {number} Main Street\n    \
         zip: '{number}'\n    note:\n"
    )
}

fn xml(number: u32) -> String {
    format!(
        "\n  <record id=\"{number}\">\n    <name>Record number {number}</name>\n    \
         <price currency=\"EUR\">{number}.50</price>\n    <tag>new</tag>\n    \
         <tag>A &amp; B</tag>\n    <note/>\n  </record>"
    )
}
