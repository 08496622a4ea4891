//! YAML and XML turned into JSON.

use std::io;

use quick_xml::events::Event;
use toolkit_bench::samples;
use toolkit_core::json::{self, Layout};
use toolkit_core::{Node, ToolError, Warnings, xml, yaml};

use super::MB;
use super::peer::{program, python};
use super::race::{Outcome, Race, Unit, function};
use crate::goals::Goal;
use crate::sections::Bench;

pub(super) fn yaml_to_json(bench: &Bench) -> io::Result<Option<Outcome>> {
    let text = samples::yaml(MB);
    let ours = || {
        let documents = yaml::parse_documents(&text, &mut Warnings::new())?;
        written(&Node::Array(documents))
    };
    let events = || granit_parser::Parser::new_from_str(&text).flatten().count();
    // So slow that its start does not matter.
    let yq = program(&["yq", "-c", "."], text.as_bytes(), b"[]")?;
    Race::new(
        "YAML to JSON, 1 MB",
        Unit::Megabytes,
        text.len(),
        function(ours),
    )
    .goal(Goal::YamlSpeed)
    .rival(
        Goal::ConversionAgainstParser,
        "granit-parser, events alone",
        text.len(),
        function(events),
    )
    .peer(
        "Python's `yaml.CSafeLoader`",
        text.len(),
        python("yaml", &text)?,
    )
    .peer("`yq -c .` on PyYAML", text.len(), yq)
    .run(bench)
}

pub(super) fn xml_to_json(bench: &Bench) -> io::Result<Option<Outcome>> {
    let (text, large) = (samples::xml(MB), samples::xml(16 * MB));
    let ours = || written(&xml::parse(&text, &mut Warnings::new())?);
    let xmllint = program(&["xmllint", "--noout", "-"], large.as_bytes(), b"<a/>")?;
    Race::new(
        "XML to JSON, 1 MB",
        Unit::Megabytes,
        text.len(),
        function(ours),
    )
    .goal(Goal::XmlSpeed)
    .rival(
        Goal::ConversionAgainstParser,
        "quick-xml, events alone",
        text.len(),
        function(|| xml_events(&text)),
    )
    .peer("`xmllint --noout`, no conversion", large.len(), xmllint)
    .peer(
        "Python's ElementTree, no conversion",
        text.len(),
        python("xml", &text)?,
    )
    .run(bench)
}

fn written(value: &Node) -> Result<String, ToolError> {
    json::write(value, Layout::Minified)
}

/// Reads all that a parser must look at: names, attributes, and text without its references.
fn xml_events(text: &str) -> usize {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut seen = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Eof) | Err(_) => return seen,
            Ok(Event::Start(tag) | Event::Empty(tag)) => seen += 1 + tag.attributes().count(),
            Ok(_) => seen += 1,
        }
    }
}
