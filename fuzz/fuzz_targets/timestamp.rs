//! Timestamp round trip: a parsed timestamp, written and parsed again, is the same.
#![cfg_attr(feature = "libfuzzer", no_main)]

use toolkit_core::{Warnings, timestamp};
use toolkit_fuzz::fuzz_target;

fuzz_target!(|text: &str| {
    let mut warnings = Warnings::new();
    let Ok(parsed) = timestamp::parse(text, None, &mut warnings) else {
        return;
    };
    let moment = parsed.moment;
    let written = timestamp::to_iso8601(moment);
    assert_eq!(timestamp::parse_iso8601(&written, &mut warnings).unwrap(), moment);
    let _ = timestamp::to_rfc2822(moment);
});
