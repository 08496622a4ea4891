//! What is laid out anew is well-formed, and stays as it is the second time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolkit_core::{Warnings, xml};

fuzz_target!(|text: &str| {
    let mut warnings = Warnings::new();
    let is_well_formed = xml::check(text, &mut warnings).is_ok();
    if let Ok(node) = xml::parse(text, &mut warnings) {
        assert!(is_well_formed);
        let _ = xml::write(&node, toolkit_core::xml::Layout::Minified, &mut warnings);
    }
    let Ok(minified) = xml::minify(text, &mut warnings) else {
        return;
    };
    assert!(is_well_formed);
    assert_eq!(xml::minify(&minified, &mut warnings).unwrap(), minified);
    if let Ok(pretty) = xml::pretty(text, 2, &mut warnings) {
        assert_eq!(xml::pretty(&pretty, 2, &mut warnings).unwrap(), pretty);
    }
});
