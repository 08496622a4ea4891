//! Percent-encoding round trip, in each set of characters.
#![cfg_attr(feature = "libfuzzer", no_main)]

use toolkit_core::Warnings;
use toolkit_core::percent::{Scope, decode, encode};
use toolkit_fuzz::fuzz_target;

fuzz_target!(|text: &str| {
    for scope in [Scope::Component, Scope::Form] {
        let encoded = encode(text, scope);
        assert!(encoded.is_ascii());
        assert_eq!(decode(&encoded, scope, &mut Warnings::new()).unwrap(), text);
        let _ = decode(text, scope, &mut Warnings::new());
    }
});
