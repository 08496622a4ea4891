//! Works whose inputs or results are small.

use std::io;
use std::time::{Duration, Instant};

use rand::Rng as _;
use toolkit_core::Warnings;
use toolkit_core::base64::{Alphabet, encode};
use toolkit_core::ids::{Identifiers, uuids_v4};
use toolkit_core::limits::{MATCHES_MAX, RUN_MILLISECONDS_MAX};
use toolkit_core::regex::{Flags, Pattern};

use super::peer::{process, python};
use super::race::{Outcome, Race, Unit, function};
use crate::sections::Bench;

const LOG_LINE: &str =
    "127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] \"GET /a.gif HTTP/1.0\" 200 2326\n";
const LOG_PATTERN: &str =
    r#"(?m)^(\S+) \S+ (\S+) \[([^\]]+)\] "(GET|POST) ([^"]+) HTTP/1\.\d" (\d{3}) (\d+)$"#;

/// Every match with its groups, and for ours their places as lines and columns.
pub(super) fn search(bench: &Bench) -> io::Result<Option<Outcome>> {
    let text = LOG_LINE.repeat(MATCHES_MAX);
    let flags = Flags::parse("g").map_err(io::Error::other)?;
    let pattern = Pattern::new(LOG_PATTERN, flags).map_err(io::Error::other)?;
    let ours = || {
        let end = Instant::now() + Duration::from_millis(RUN_MILLISECONDS_MAX);
        let is_over = || Instant::now() >= end;
        let found = pattern.search(&text, None, Some(&is_over), &mut Warnings::new());
        found.map(|found| found.matches.len())
    };
    if ours().map_err(io::Error::other)? != MATCHES_MAX {
        return Err(io::Error::other("a line was not found"));
    }
    Race::new(
        "a log of 1,000 lines by a regular expression",
        Unit::Megabytes,
        text.len(),
        function(ours),
    )
    .peer("Python's `re`", text.len(), python("regex", &text)?)
    .run(bench)
}

/// Random UUIDs with their text.
pub(super) fn identifiers(bench: &Bench) -> io::Result<Option<Outcome>> {
    const COUNT: usize = 1_000;
    let ours = || {
        let mut random = |bytes: &mut [u8]| rand::rng().fill_bytes(bytes);
        serde_json::to_vec(&Identifiers::Uuid(uuids_v4(&mut random, COUNT)))
    };
    Race::new(
        "1,000 UUIDs, version 4",
        Unit::Thousands,
        COUNT,
        function(ours),
    )
    .peer("Python's `uuid`", COUNT, python("uuid", "")?)
    // A process for each, which is how it is used.
    .peer("`uuidgen`, start-up included", 1, process(&["uuidgen"]))
    .run(bench)
}

pub(super) fn encode_base64(bench: &Bench) -> io::Result<Option<Outcome>> {
    let bytes = [7; 32];
    let ours = || encode(&bytes, Alphabet::Standard);
    let simd = || base64_simd::STANDARD.encode_to_string(bytes);
    Race::new(
        "Base64 encode, 32 B",
        Unit::Megabytes,
        bytes.len(),
        function(ours),
    )
    .peer("base64-simd", bytes.len(), function(simd))
    .run(bench)
}
