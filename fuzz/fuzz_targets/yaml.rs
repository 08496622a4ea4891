//! Documents that were read are written so that they read the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolkit_core::{Warnings, yaml};

fuzz_target!(|text: &str| {
    let mut warnings = Warnings::new();
    let Ok(documents) = yaml::parse(text, &mut warnings) else {
        return;
    };
    let _ = yaml::pretty(text, 2, &mut warnings);
    for written in [yaml::write(&documents, 2), yaml::write_minified(&documents)] {
        if let Ok(written) = written {
            assert_eq!(
                yaml::parse(&written, &mut warnings).unwrap(),
                documents,
                "{written}"
            );
        }
    }
});
