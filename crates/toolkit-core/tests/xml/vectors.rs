//! Vectors: documents accepted, refused, formatted and converted (`vectors/xml.json`).
//!
//! The sections are those of XML 1.0 (fifth edition) and of Namespaces in XML 1.0.

use serde::Deserialize;
use toolkit_core::{Layout, ToolError, Warnings, xml};

use crate::nodes::{from_json, to_json};

#[derive(Deserialize)]
struct Vectors {
    refused: Vec<Refused>,
    laid_out: Vec<LaidOut>,
    converted: Vec<Converted>,
    written: Vec<Converted>,
    unwritable: Vec<Unwritable>,
}

#[derive(Deserialize)]
struct Refused {
    section: String,
    input: String,
    says: String,
}

#[derive(Deserialize)]
struct LaidOut {
    about: String,
    input: String,
    pretty: String,
    minified: String,
}

#[derive(Deserialize)]
struct Converted {
    about: String,
    xml: String,
    json: String,
    warnings: Vec<String>,
    /// Whether writing the JSON gives exactly that XML.
    #[serde(default)]
    back: bool,
}

#[derive(Deserialize)]
struct Unwritable {
    json: String,
    says: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../vectors/xml.json")).unwrap()
}

fn says<T: std::fmt::Debug>(result: Result<T, ToolError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn malformed_documents_are_refused_with_position_and_hint() {
    for case in vectors().refused {
        let expected = case.says;
        let about = format!("§{}: {:?}", case.section, case.input);
        let found = xml::check(&case.input, &mut Warnings::new());
        assert_eq!(says(found), expected, "{about}");
        let found = xml::parse(&case.input, &mut Warnings::new());
        assert_eq!(says(found), expected, "{about}");
        let found = xml::format(&case.input, Layout::Minified, &mut Warnings::new());
        assert_eq!(says(found), expected, "{about}");
    }
}

#[test]
fn a_document_is_formatted_without_changing_its_text() {
    for case in vectors().laid_out {
        let LaidOut { about, input, pretty, minified } = case;
        let mut warnings = Warnings::new();
        assert_eq!(
            xml::format(&input, Layout::spaces(2), &mut warnings).as_ref(),
            Ok(&pretty),
            "{about}"
        );
        assert_eq!(
            xml::format(&input, Layout::Minified, &mut warnings).as_ref(),
            Ok(&minified),
            "{about}"
        );
        assert_eq!(
            xml::format(&minified, Layout::spaces(2), &mut warnings).as_ref(),
            Ok(&pretty),
            "{about}"
        );
        assert_eq!(
            xml::format(&pretty, Layout::Minified, &mut warnings).as_ref(),
            Ok(&minified),
            "{about}"
        );
        assert!(warnings.is_empty(), "{about}");
    }
}

#[test]
fn a_document_becomes_the_expected_value() {
    for case in vectors().converted {
        let mut warnings = Warnings::new();
        let node = xml::parse(&case.xml, &mut warnings).unwrap();
        assert_eq!(to_json(&node), case.json, "{}", case.about);
        assert_eq!(warnings.sentences(), case.warnings, "{}", case.about);
        if case.back {
            let mut warnings = Warnings::new();
            let text = xml::write(&node, Layout::Minified, &mut warnings).unwrap();
            assert_eq!(text, case.xml, "{}", case.about);
            assert!(warnings.is_empty(), "{}", case.about);
        }
    }
}

#[test]
fn a_value_becomes_the_expected_document() {
    for case in vectors().written {
        let mut warnings = Warnings::new();
        let text = xml::write(&from_json(&case.json), Layout::Minified, &mut warnings);
        assert_eq!(text.as_ref(), Ok(&case.xml), "{}", case.about);
        assert_eq!(warnings.sentences(), case.warnings, "{}", case.about);
        let pretty = xml::write(&from_json(&case.json), Layout::spaces(2), &mut warnings);
        let formatted = xml::format(&case.xml, Layout::spaces(2), &mut warnings);
        assert_eq!(pretty, formatted, "{}", case.about);
        assert_eq!(xml::check(&case.xml, &mut warnings), Ok(()), "{}", case.about);
    }
}

#[test]
fn an_array_in_an_array_is_an_element_on_lines_of_its_own() {
    let value = from_json(r#"{"r":{"a":[[1,[]],[]]}}"#);
    let mut warnings = Warnings::new();
    let expected = "\
<r>
  <a>
    <item>1</item>
    <item/>
  </a>
  <a/>
</r>";
    let written = xml::write(&value, Layout::spaces(2), &mut warnings);
    assert_eq!(written.as_deref(), Ok(expected));
}

#[test]
fn a_value_that_no_document_can_represent_is_refused_with_its_position() {
    for case in vectors().unwritable {
        let found = xml::write(&from_json(&case.json), Layout::Minified, &mut Warnings::new());
        assert_eq!(says(found), case.says, "{}", case.json);
    }
}
