//! JSON Web Tokens: any text is decoded or refused.
#![cfg_attr(feature = "libfuzzer", no_main)]

use time::OffsetDateTime;
use toolkit_core::Warnings;
use toolkit_core::jwt::Token;
use toolkit_fuzz::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(token) = Token::decode(text, &mut Warnings::new()) {
        let _ = token.validity(OffsetDateTime::UNIX_EPOCH);
    }
});
