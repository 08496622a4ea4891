//! Functions: instruction counts of the tools' functions on an input of 64 KiB.
//!
//! The count of a run of this program that calls a function twice, minus that of a run that calls
//! it once, is one call, without the start of the program and the preparation of the inputs.

use std::hint::black_box;
use std::io;
use std::process::ExitCode;

use toolkit_bench::samples;
use toolkit_core::base64::{self, Alphabet};
use toolkit_core::digest::{self, Algorithm};
use toolkit_core::json::{self, Format, Layout};
use toolkit_core::{Node, ToolError, Warnings, xml, yaml};

use crate::{Count, callgrind};

const LENGTH: usize = 64 << 10;

struct Inputs {
    json: String,
    yaml: String,
    xml: String,
    bytes: Vec<u8>,
}

/// A function of one of the inputs.
type Function = fn(&Inputs) -> Result<Vec<u8>, ToolError>;

const FUNCTIONS: [(&str, Function); 6] = [
    ("JSON pretty", |inputs| {
        format_json(&inputs.json, Layout::spaces(2))
    }),
    ("JSON minify", |inputs| {
        format_json(&inputs.json, Layout::Minified)
    }),
    ("YAML to JSON", |inputs| {
        let documents = yaml::parse_documents(&inputs.yaml, &mut Warnings::new())?;
        write_json(&Node::Array(documents))
    }),
    ("XML to JSON", |inputs| {
        write_json(&xml::parse(&inputs.xml, &mut Warnings::new())?)
    }),
    // Callgrind's processor lacks instructions for digests, so this measures the fallback.
    ("SHA-256", |inputs| {
        let digest = digest::digest(Algorithm::Sha256, &inputs.bytes);
        Ok(digest.as_bytes().to_vec())
    }),
    ("Base64", |inputs| {
        Ok(base64::encode(&inputs.bytes, Alphabet::Standard).into_bytes())
    }),
];

fn format_json(text: &str, layout: Layout) -> Result<Vec<u8>, ToolError> {
    json::format(text, Format::new(layout), &mut Warnings::new()).map(String::into_bytes)
}

fn write_json(value: &Node) -> Result<Vec<u8>, ToolError> {
    json::write(value, Layout::Minified).map(String::into_bytes)
}

/// Counts each function.
pub(crate) fn count() -> io::Result<Vec<Count>> {
    let me = std::env::current_exe()?;
    let of = |name: &str, times| callgrind::count(&me, &["call", name, times]);
    FUNCTIONS
        .iter()
        .map(|(name, _)| {
            Ok(Count {
                name: format!("{name}, 64 KiB"),
                instructions: of(name, "2")?.saturating_sub(of(name, "1")?),
            })
        })
        .collect()
}

/// Calls one function this many times.
pub(crate) fn call(name: &str, times: &str) -> io::Result<ExitCode> {
    let (_, function) = FUNCTIONS
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| io::Error::other("there is no such function"))?;
    let inputs = Inputs {
        json: samples::json(LENGTH),
        yaml: samples::yaml(LENGTH),
        xml: samples::xml(LENGTH),
        bytes: samples::bytes(LENGTH),
    };
    let times: u32 = times.parse().map_err(io::Error::other)?;
    for _ in 0..times {
        black_box(function(black_box(&inputs)).map_err(io::Error::other)?);
    }
    Ok(ExitCode::SUCCESS)
}
