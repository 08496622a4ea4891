//! YAML round trip: parsed documents, written and parsed again, are the same.
#![cfg_attr(feature = "libfuzzer", no_main)]

use toolkit_core::{Layout, Warnings, yaml};
use toolkit_fuzz::fuzz_target;

fuzz_target!(|text: &str| {
    let mut warnings = Warnings::new();
    let Ok(documents) = yaml::parse_documents(text, &mut warnings) else {
        return;
    };
    let _ = yaml::format(text, Layout::spaces(2), &mut warnings);
    for written in [
        yaml::write_documents(&documents, Layout::spaces(2)),
        yaml::write_documents(&documents, Layout::Minified),
    ] {
        if let Ok(written) = written {
            assert_eq!(
                yaml::parse_documents(&written, &mut warnings).unwrap(),
                documents,
                "{written}"
            );
        }
    }
});
