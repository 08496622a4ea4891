//! W3C XML Conformance Suite, if the folder that `TOOLKIT_SUITES` names has it.

use std::path::Path;

use serde_json::Value;
use toolkit_core::{Warnings, xml};

/// A label that contradicts the bytes: the transport decides, and the text is Unicode already.
const DECIDED_BY_TRANSPORT: &str = "xmlts-rmt-e2e-61";

/// An element and an attribute with a prefix that is not declared: kept, with a warning.
const UNDECLARED_PREFIXES: [&str; 2] = ["xmlts-rmt-ns10-025", "xmlts-rmt-ns10-026"];

#[test]
fn the_w3c_conformance_suite_passes() {
    let Some(folder) = std::env::var_os("TOOLKIT_SUITES") else {
        println!("skipped: TOOLKIT_SUITES does not name the folder of the public suites");
        return;
    };
    let text = std::fs::read_to_string(Path::new(&folder).join("xml_w3c.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut counts = Counts::default();
    let wrong: Vec<String> = cases.iter().filter_map(|case| counts.judge(case)).collect();
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts.accepted > 0 && counts.refused > 0 && counts.declaring > 0);
}

#[derive(Debug, Default)]
struct Counts {
    accepted: usize,
    refused: usize,
    either: usize,
    declaring: usize,
    no_text: usize,
}

impl Counts {
    /// Says what is wrong with the verdict on a case, if anything.
    fn judge(&mut self, case: &Value) -> Option<String> {
        let Some(text) = text(case) else {
            self.no_text += 1;
            return None;
        };
        let mut warnings = Warnings::new();
        let found = xml::check(&text, &mut warnings);
        let declares = text.contains("<!ENTITY") || text.contains("<!ATTLIST");
        // What an external DTD says, or has wrong, stays unknown.
        let is_external = case["entities"] != "none";
        let is_undeclared = (found.as_ref()).is_err_and(|error| error.message().contains('&'));
        let is_well_formed = match case["type"].as_str().unwrap() {
            _ if UNDECLARED_PREFIXES.iter().any(|id| case["id"] == *id) => {
                Some(!warnings.is_empty())
            }
            _ if case["id"] == DECIDED_BY_TRANSPORT => Some(true),
            _ if case["expect"] == "either" || case["namespace"] == "no" => None,
            "valid" | "invalid" if !(is_external && is_undeclared) => Some(true),
            "not-wf" if !is_external => Some(false),
            _ => None,
        };
        let (count, is_right) = match is_well_formed {
            _ if case["doctype"] == true && declares => (&mut self.declaring, found.is_err()),
            Some(true) => (&mut self.accepted, found.is_ok()),
            Some(false) => (&mut self.refused, found.is_err()),
            None => (&mut self.either, true),
        };
        *count += 1;
        let found = found.map_err(|error| error.to_string());
        (!is_right).then(|| format!("{} {}: {found:?} {text:?}", case["id"], case["type"]))
    }
}

/// The document as text; `None` if its bytes are not valid text.
fn text(case: &Value) -> Option<String> {
    if let Some(text) = case["input"].as_str() {
        return Some(text.to_owned());
    }
    if case["sections"] == "4.3.3" {
        return None;
    }
    let bytes = data_encoding::BASE64.decode(case["input_b64"].as_str()?.as_bytes()).unwrap();
    let (chunks, _) = bytes.as_chunks::<2>();
    let units =
        |read: fn([u8; 2]) -> u16| chunks.iter().map(|chunk| read(*chunk)).collect::<Vec<_>>();
    match bytes.as_slice() {
        [0xFF, 0xFE, ..] => String::from_utf16(&units(u16::from_le_bytes)).ok(),
        [0xFE, 0xFF, ..] => String::from_utf16(&units(u16::from_be_bytes)).ok(),
        _ => String::from_utf8(bytes).ok(),
    }
}
