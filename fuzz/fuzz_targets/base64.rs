//! Base64 round trip: decoded bytes, encoded again, decode to the same bytes.
#![cfg_attr(feature = "libfuzzer", no_main)]

use toolkit_core::Warnings;
use toolkit_core::base64::{Alphabet, decode, decode_exact, encode};
use toolkit_fuzz::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for alphabet in [Alphabet::Standard, Alphabet::Url] {
        let text = encode(bytes, alphabet);
        let mut warnings = Warnings::new();
        assert_eq!(decode(&text, Some(alphabet), &mut warnings).unwrap(), bytes);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let lenient = decode(text, None, &mut Warnings::new());
        if let Ok(exact) = decode_exact(text) {
            assert_eq!(lenient.unwrap(), exact);
        }
    }
});
