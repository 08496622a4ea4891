//! JSON reformatted.

use std::io;

use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use toolkit_bench::samples;
use toolkit_core::Warnings;
use toolkit_core::json::{Format, Layout, format};

use super::MB;
use super::peer::program;
use super::race::{Outcome, Race, Racer, Unit, function};
use crate::goals::Goal;
use crate::sections::Bench;

/// For programs, which take 20 ms and more to start.
const LARGE: usize = 16 * MB;

const PYTHON: &[&str] = &["python3", "-m", "json.tool"];
const PYTHON_COMPACT: &[&str] = &["python3", "-m", "json.tool", "--compact"];

pub(super) fn pretty(bench: &Bench) -> io::Result<Option<Outcome>> {
    let (text, large) = (samples::json(MB), samples::json(LARGE));
    Race::new(
        "JSON pretty, 1 MB",
        Unit::Megabytes,
        text.len(),
        ours(&text, Layout::spaces(2)),
    )
    .goal(Goal::JsonSpeed)
    .rival(
        Goal::JsonAgainstJq,
        "`jq .`",
        large.len(),
        of_program(&["jq", "."], &large)?,
    )
    .peer(
        "`python3 -m json.tool`",
        large.len(),
        of_program(PYTHON, &large)?,
    )
    .peer(
        "serde_json, text to text",
        text.len(),
        function(|| transcoded(&text, PrettyFormatter::new())),
    )
    .run(bench)
}

pub(super) fn minify(bench: &Bench) -> io::Result<Option<Outcome>> {
    let (text, large) = (indented(MB)?, indented(LARGE)?);
    Race::new(
        "JSON minify, 1 MB",
        Unit::Megabytes,
        text.len(),
        ours(&text, Layout::Minified),
    )
    .goal(Goal::JsonSpeed)
    .rival(
        Goal::JsonAgainstJq,
        "`jq -c .`",
        large.len(),
        of_program(&["jq", "-c", "."], &large)?,
    )
    .peer(
        "`python3 -m json.tool --compact`",
        large.len(),
        of_program(PYTHON_COMPACT, &large)?,
    )
    .peer(
        "serde_json, text to text",
        text.len(),
        function(|| transcoded(&text, CompactFormatter)),
    )
    .run(bench)
}

fn ours(text: &str, layout: Layout) -> Racer<'_> {
    function(move || format(text, unbounded(layout), &mut Warnings::new()))
}

fn of_program(command: &'static [&'static str], text: &str) -> io::Result<Racer<'static>> {
    program(command, text.as_bytes(), b"[]")
}

fn unbounded(layout: Layout) -> Format {
    Format {
        result_bytes_max: usize::MAX / 2,
        ..Format::new(layout)
    }
}

/// What there is to minify.
fn indented(length: usize) -> io::Result<String> {
    // Indentation is three tenths of such a text.
    let text = samples::json(length / 10 * 7);
    format(&text, unbounded(Layout::spaces(2)), &mut Warnings::new()).map_err(io::Error::other)
}

fn transcoded(text: &str, formatter: impl Formatter) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(2 * text.len());
    let mut reader = serde_json::Deserializer::from_str(text);
    let mut writer = serde_json::Serializer::with_formatter(&mut out, formatter);
    serde_transcode::transcode(&mut reader, &mut writer)?;
    Ok(out)
}
