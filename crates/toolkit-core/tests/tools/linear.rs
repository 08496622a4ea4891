//! Every tool on long texts of one repeated piece.

use std::time::Duration;

use cpu_time::ThreadTime;
use serde_json::json;
use toolkit_core::registry::TOOLS;

use crate::support::call;

/// What means something to one of the tools.
const PIECES: [&str; 34] = [
    "a",
    "0",
    " ",
    "\n",
    ".",
    ",",
    ":",
    "/",
    "-",
    "=",
    "&",
    "%",
    "%41",
    "+",
    "\"",
    "\\",
    "{\"a\":",
    "[",
    "[],",
    "- ",
    "a: 1\n",
    "&a *a ",
    "<a>",
    "<a b='1'/>",
    "eyJ",
    "=eyJ",
    "eyJ.eyJ.eyJ ",
    "Bearer ",
    "A=",
    "1,",
    "*/1 ",
    "1-2,",
    "::",
    "\u{301}",
];

const BYTES: usize = 100_000;

/// Far more than such a text takes in linear time, far less than it takes in quadratic time.
const DEADLINE: Duration = Duration::from_secs(5);

#[test]
fn no_tool_takes_more_than_linear_time() {
    for slug in TOOLS.iter().filter_map(|tool| tool.spec().slug) {
        for piece in PIECES {
            let text = piece.repeat(BYTES / piece.len());
            for input in [
                json!({"input": text}),
                json!({"input": text, "from_format": "yaml"}),
                json!({"input": text, "from_format": "xml"}),
                json!({"input": "a", "pattern": text}),
                json!({"pattern": "a", "text": text}),
            ] {
                let start = ThreadTime::now();
                let _ = call(slug, &input);
                let time = start.elapsed();
                assert!(time < DEADLINE, "{slug} of {piece:?}: {time:?}");
            }
        }
    }
}
