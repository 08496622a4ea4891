//! Encoders and digests on one mebibyte; tools with small inputs on a small one.

use std::fmt::Write as _;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use toolkit_core::base64::{self, Alphabet};
use toolkit_core::digest::{self, Algorithm};
use toolkit_core::percent::{self, Scope};
use toolkit_core::{Warnings, cidr, jwt};

const SIZE: usize = 1 << 20;

fn main() {
    divan::main();
}

fn bytes() -> Vec<u8> {
    (0..=250).cycle().take(SIZE).collect()
}

#[divan::bench(args = [Alphabet::Standard, Alphabet::Url])]
fn base64_encode(bencher: Bencher<'_, '_>, alphabet: Alphabet) {
    let bytes = bytes();
    bencher
        .counter(BytesCount::new(SIZE))
        .bench(|| base64::encode(black_box(&bytes), alphabet));
}

#[divan::bench(args = ["clean", "url", "wrapped", "foreign at the end"])]
fn base64_decode(bencher: Bencher<'_, '_>, kind: &str) {
    let alphabet = if kind == "url" {
        Alphabet::Url
    } else {
        Alphabet::Standard
    };
    let mut text = base64::encode(&bytes(), alphabet);
    match kind {
        "wrapped" => {
            let lines: Vec<_> = text
                .as_bytes()
                .chunks(76)
                .map(String::from_utf8_lossy)
                .collect();
            text = lines.join("\r\n");
        }
        "foreign at the end" => text.push('!'),
        _ => {}
    }
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| base64::decode(black_box(&text), None, &mut Warnings::new()));
}

fn text(kind: &str) -> String {
    let unit = if kind == "plain" {
        "abcdefghij klmnopqrst/uvwxyz0123"
    } else {
        "äöü€😀 "
    };
    unit.repeat(SIZE / unit.len())
}

#[divan::bench(args = ["plain", "foreign"])]
fn percent_encode(bencher: Bencher<'_, '_>, kind: &str) {
    let text = text(kind);
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| percent::encode(black_box(&text), Scope::Component));
}

#[divan::bench(args = ["plain", "foreign"])]
fn percent_decode(bencher: Bencher<'_, '_>, kind: &str) {
    let text = percent::encode(&text(kind), Scope::Component);
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| percent::decode(black_box(&text), Scope::Component, &mut Warnings::new()));
}

#[divan::bench(args = Algorithm::ALL)]
fn digest_of_a_mebibyte(bencher: Bencher<'_, '_>, algorithm: Algorithm) {
    let bytes = bytes();
    bencher
        .counter(BytesCount::new(SIZE))
        .bench(|| digest::digest(algorithm, black_box(&bytes)));
}

#[divan::bench]
fn hmac_sha256_of_32_bytes() -> digest::Digest {
    digest::hmac(Algorithm::Sha256, black_box(b"key"), black_box(&[7; 32]))
}

const TOKEN: &str = "Bearer eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjE\
                     zMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.\
                     dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

#[divan::bench]
fn jwt_of_the_rfc() {
    let _ = black_box(jwt::Token::decode(black_box(TOKEN), &mut Warnings::new()));
}

#[divan::bench]
fn jwt_of_a_mebibyte(bencher: Bencher<'_, '_>) {
    let mut members = String::new();
    for index in 0..40_000 {
        let _ = write!(members, "\"claim{index}\":{index},");
    }
    let claims = base64::encode(format!("{{{members}\"exp\":1}}").as_bytes(), Alphabet::Url);
    let token = format!("eyJhbGciOiJIUzI1NiJ9.{claims}.c2ln");
    bencher
        .counter(BytesCount::new(token.len()))
        .bench(|| jwt::Token::decode(black_box(&token), &mut Warnings::new()));
}

#[divan::bench(args = ["192.0.2.7/26", "2001:db8::7/64"])]
fn cidr_parse_and_scope(block: &str) -> Option<cidr::Scope> {
    let block = cidr::Block::parse(black_box(block));
    block.ok().map(|block| block.scope())
}
