//! Regular expressions: every search ends, and its matches are within the text.
#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use toolkit_core::Warnings;
use toolkit_core::regex::{Flags, Pattern};

fuzz_target!(|data: (&str, &str, u8)| {
    let (pattern, text, choice) = data;
    let letters = ["g", "gi", "gm", "gs", "gx", "", "gims", "i"];
    let flags = Flags::parse(letters[usize::from(choice) % letters.len()]).unwrap();
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
