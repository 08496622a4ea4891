//! XML formatting: the result is well-formed and formatting it again changes nothing.
#![cfg_attr(feature = "libfuzzer", no_main)]

use toolkit_core::{Layout, Warnings, xml};
use toolkit_fuzz::fuzz_target;

fuzz_target!(|text: &str| {
    let mut warnings = Warnings::new();
    let is_well_formed = xml::check(text, &mut warnings).is_ok();
    if let Ok(node) = xml::parse(text, &mut warnings) {
        assert!(is_well_formed);
        let _ = xml::write(&node, Layout::Minified, &mut warnings);
    }
    let Ok(minified) = xml::format(text, Layout::Minified, &mut warnings) else {
        return;
    };
    assert!(is_well_formed);
    assert_eq!(xml::format(&minified, Layout::Minified, &mut warnings).unwrap(), minified);
    if let Ok(pretty) = xml::format(text, Layout::spaces(2), &mut warnings) {
        assert_eq!(xml::format(&pretty, Layout::spaces(2), &mut warnings).unwrap(), pretty);
    }
});
