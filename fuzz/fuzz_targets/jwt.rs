//! JSON Web Tokens: any text is decoded or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use time::OffsetDateTime;
use toolkit_core::Warnings;
use toolkit_core::jwt::Token;

fuzz_target!(|text: &str| {
    if let Ok(token) = Token::decode(text, &mut Warnings::new()) {
        let _ = token.validity(OffsetDateTime::UNIX_EPOCH);
    }
});
