//! Regular expressions: every search ends, and its matches are within the text. The first two lines are the flags and
//! the pattern.
#![cfg_attr(feature = "libfuzzer", no_main)]

use std::time::{Duration, Instant};

use toolkit_core::Warnings;
use toolkit_core::regex::{Flags, Pattern};
use toolkit_fuzz::fuzz_target;

fuzz_target!(|data: &str| {
    let mut lines = data.splitn(3, '\n');
    let (Some(flags), Some(pattern), Some(text)) = (lines.next(), lines.next(), lines.next())
    else {
        return;
    };
    let Ok(flags) = Flags::parse(flags) else {
        return;
    };
    let Ok(pattern) = Pattern::new(pattern, flags) else {
        return;
    };
    let end = Instant::now() + Duration::from_millis(250);
    let is_over = || Instant::now() >= end;
    let found = pattern.search(text, Some("[$&$1]"), Some(&is_over), &mut Warnings::new());
    let Ok(found) = found else {
        return;
    };
    for found in &found.matches {
        assert_eq!(&text[found.start.bytes..found.end.bytes], found.text);
        for group in found.groups.iter().flatten() {
            assert_eq!(&text[group.start.bytes..group.end.bytes], group.text);
        }
    }
});
