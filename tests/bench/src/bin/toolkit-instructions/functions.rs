//! Functions: instruction counts of the tools' functions on an input of 64 KiB.
//!
//! The count of a run of this program that calls a function twice, minus that of a run that calls
//! it once, is one call, without the start of the program and the preparation of the inputs.

use std::hint::black_box;

use toolkit_bench::Result;
use toolkit_bench::samples::sample;
use toolkit_core::base64::{Alphabet, encode};
use toolkit_core::digest::{Algorithm, digest};
use toolkit_core::json::{self, Format, Layout};
use toolkit_core::{Node, ToolError, Warnings, xml, yaml};

use crate::baseline::Counts;
use crate::callgrind;

const LENGTH: usize = 64 << 10;

type Function = fn(&str) -> Result<String, ToolError>;

/// Functions, each of a kind of sample.
const FUNCTIONS: [(&str, &str, Function); 6] = [
    ("JSON pretty", "json", |text| {
        format(text, Layout::spaces(2))
    }),
    ("JSON minify", "json", |text| format(text, Layout::Minified)),
    ("YAML to JSON", "yaml", |text| {
        let documents = yaml::parse_documents(text, &mut Warnings::new())?;
        json::write(&Node::Array(documents), Layout::Minified)
    }),
    ("XML to JSON", "xml", |text| {
        json::write(&xml::parse(text, &mut Warnings::new())?, Layout::Minified)
    }),
    // Callgrind's processor lacks instructions for digests, so this measures the fallback.
    ("SHA-256", "text", |text| {
        black_box(digest(Algorithm::Sha256, text.as_bytes()));
        Ok(String::new())
    }),
    ("Base64", "text", |text| {
        Ok(encode(text.as_bytes(), Alphabet::Standard))
    }),
];

fn format(text: &str, layout: Layout) -> Result<String, ToolError> {
    json::format(text, Format::new(layout), &mut Warnings::new())
}

/// Counts each function.
pub(crate) fn count() -> Result<Counts> {
    let me = std::env::current_exe()?;
    let of = |name: &str, times| callgrind::count(&me, &["call", name, times]);
    let counts = FUNCTIONS.iter().map(|(name, ..)| {
        let instructions = of(name, "2")? - of(name, "1")?;
        Ok((format!("{name}, 64 KiB"), instructions))
    });
    counts.collect()
}

/// Calls one function this many times.
pub(crate) fn call(name: &str, times: u32) -> Result<()> {
    let function = FUNCTIONS.iter().find(|(known, ..)| *known == name);
    let (_, kind, function) = function.ok_or("unknown function")?;
    let input = sample(kind, LENGTH);
    for _ in 0..times {
        black_box(function(black_box(&input))?);
    }
    Ok(())
}
