//! Percent-encoding round trip, in each set of characters.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolkit_core::Warnings;
use toolkit_core::percent::{Scope, decode, encode};

fuzz_target!(|text: &str| {
    for scope in [Scope::Component, Scope::Form] {
        let encoded = encode(text, scope);
        assert!(encoded.is_ascii());
        assert_eq!(decode(&encoded, scope, &mut Warnings::new()).unwrap(), text);
        let _ = decode(text, scope, &mut Warnings::new());
    }
});
