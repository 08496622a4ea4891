//! Measured functions of this process: those of the tools, and of other crates.

use std::time::{Duration, Instant};

use base64_simd::STANDARD;
use quick_xml::events::Event;
use rand::Rng as _;
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512, digest as ring};
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use toolkit_bench::Result;
use toolkit_bench::samples::sample;
use toolkit_core::base64::{Alphabet, decode, encode};
use toolkit_core::digest::{Algorithm, digest};
use toolkit_core::ids::uuids_v4;
use toolkit_core::json::{self, Format, Layout};
use toolkit_core::limits::RUN_MILLISECONDS_MAX;
use toolkit_core::regex::{Flags, Pattern};
use toolkit_core::{Node, Warnings, xml, yaml};

use super::racer::{Racer, function};

const LOG_LINE: &str =
    "127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] \"GET /a.gif HTTP/1.0\" 200 2326\n";
const LOG_PATTERN: &str =
    r#"(?m)^(\S+) \S+ (\S+) \[([^\]]+)\] "(GET|POST) ([^"]+) HTTP/1\.\d" (\d{3}) (\d+)$"#;

/// Returns an input of a kind, of about this many bytes.
pub(super) fn input(kind: &str, bytes: usize) -> Vec<u8> {
    match kind {
        // Three tenths of such a text are indentation.
        "indented JSON" => formatted(&sample("json", bytes / 10 * 7), Layout::spaces(2))
            .unwrap_or_default()
            .into_bytes(),
        "Base64" => encode(&input("bytes", bytes / 4 * 3), Alphabet::Standard).into_bytes(),
        "log" => LOG_LINE.repeat(bytes / LOG_LINE.len()).into_bytes(),
        "bytes" => (0..=250).cycle().take(bytes).collect(),
        _ => sample(kind, bytes).into_bytes(),
    }
}

/// Returns the function of a crate, ours or another one, that does a work on an input.
pub(super) fn call<'a>(work: &str, who: &str, bytes: &'a [u8]) -> Result<Racer<'a>> {
    let text = str::from_utf8(bytes).unwrap_or_default();
    let work = work.split(", ").next().unwrap_or_default();
    Ok(match (who, work) {
        ("ours", "JSON pretty") => function(move || formatted(text, Layout::spaces(2))),
        ("ours", "JSON minify") => function(move || formatted(text, Layout::Minified)),
        ("ours", "Base64 encode") => function(move || encode(bytes, Alphabet::Standard)),
        ("ours", "Base64 decode") => function(move || decode(text, None, &mut Warnings::new())),
        ("ours", "SHA-1") => function(move || digest(Algorithm::Sha1, bytes)),
        ("ours", "SHA-256") => function(move || digest(Algorithm::Sha256, bytes)),
        ("ours", "SHA-512") => function(move || digest(Algorithm::Sha512, bytes)),
        ("ours", "MD5") => function(move || digest(Algorithm::Md5, bytes)),
        ("ours", "YAML to JSON") => function(move || {
            let documents = yaml::parse_documents(text, &mut Warnings::new())?;
            json::write(&Node::Array(documents), Layout::Minified)
        }),
        ("ours", "XML to JSON") => function(move || {
            json::write(&xml::parse(text, &mut Warnings::new())?, Layout::Minified)
        }),
        ("ours", "a log of 1,000 lines by a regular expression") => search(text)?,
        ("ours", "1,000 UUIDs") => function(move || {
            let mut random = |bytes: &mut [u8]| rand::rng().fill_bytes(bytes);
            let uuids = uuids_v4(&mut random, 1_000);
            serde_json::to_vec(&uuids.iter().map(ToString::to_string).collect::<Vec<_>>())
        }),
        ("serde_json, text to text", "JSON pretty") => {
            function(move || transcoded(text, PrettyFormatter::new()))
        }
        ("serde_json, text to text", _) => function(move || transcoded(text, CompactFormatter)),
        ("base64-simd", "Base64 encode") => function(move || STANDARD.encode_to_string(bytes)),
        ("base64-simd", _) => function(move || STANDARD.decode_to_vec(bytes)),
        ("ring", "SHA-1") => function(move || ring(&SHA1_FOR_LEGACY_USE_ONLY, bytes)),
        ("ring", "SHA-256") => function(move || ring(&SHA256, bytes)),
        ("ring", _) => function(move || ring(&SHA512, bytes)),
        ("granit-parser, events alone", _) => {
            function(move || granit_parser::Parser::new_from_str(text).flatten().count())
        }
        ("quick-xml, events alone", _) => function(move || xml_events(text)),
        _ => return Err(format!("no function of {who} for {work}").into()),
    })
}

fn formatted(text: &str, layout: Layout) -> Result<String> {
    let format = Format {
        result_bytes_max: usize::MAX / 2,
        ..Format::new(layout)
    };
    Ok(json::format(text, format, &mut Warnings::new())?)
}

fn transcoded(text: &str, formatter: impl Formatter) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::with_capacity(2 * text.len());
    let mut reader = serde_json::Deserializer::from_str(text);
    let mut writer = serde_json::Serializer::with_formatter(&mut out, formatter);
    serde_transcode::transcode(&mut reader, &mut writer)?;
    Ok(out)
}

/// Finds every match with its groups, and their positions as lines and columns.
fn search(text: &str) -> Result<Racer<'_>> {
    let pattern = Pattern::new(LOG_PATTERN, Flags::parse("g")?)?;
    let search = move || {
        let end = Instant::now() + Duration::from_millis(RUN_MILLISECONDS_MAX);
        let is_over = || Instant::now() >= end;
        let found = pattern.search(text, None, Some(&is_over), &mut Warnings::new());
        found.map(|found| found.matches.len())
    };
    if search().ok() == Some(text.lines().count()) {
        return Ok(function(search));
    }
    Err("a line was not found".into())
}

/// Reads everything that a parser must read: names, attributes, and text with references resolved.
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
