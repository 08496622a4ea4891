//! JSON formatter: changes only white space, and accepts exactly what `serde_json` accepts, and a BOM.
#![cfg_attr(feature = "libfuzzer", no_main)]

use serde::de::IgnoredAny;
use toolkit_core::Warnings;
use toolkit_core::json::{self, Layout};
use toolkit_fuzz::fuzz_target;

/// Depth of nesting up to which both accept the same.
const DEPTH: usize = 100;

fuzz_target!(|text: &str| {
    let mut warnings = Warnings::new();
    let mut format = |text: &str, layout| json::format(text, layout, &mut warnings);
    let minified = format(text, Layout::Minified);
    let opened = text.bytes().filter(|byte| b"[{".contains(byte)).count();
    if opened <= DEPTH {
        // Unlike a `String`, an ignored value may contain a lone surrogate: RFC 8259, section 8.2.
        let theirs =
            serde_json::from_str::<IgnoredAny>(text.strip_prefix('\u{FEFF}').unwrap_or(text));
        assert_eq!(minified.is_ok(), theirs.is_ok(), "{minified:?}, {theirs:?}");
    }
    let Ok(minified) = minified else {
        return;
    };
    for layout in [Layout::spaces(2), Layout::TABS, Layout::Minified] {
        let laid_out = format(text, layout).unwrap();
        assert_eq!(format(&laid_out, Layout::Minified).unwrap(), minified);
    }
});
