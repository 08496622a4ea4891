//! Base64 and digests of bytes.

use std::io;

use toolkit_bench::samples;
use toolkit_core::Warnings;
use toolkit_core::base64::{Alphabet, decode, encode};
use toolkit_core::digest::{self, Algorithm};

use super::MB;
use super::peer::{openssl_speed, program};
use super::race::{Outcome, Race, Unit, function};
use crate::goals::Goal;
use crate::sections::Bench;

/// For programs: at a gigabyte a second, long beside their start.
const LARGE: usize = 128 * MB;

pub(super) fn encode_base64(bench: &Bench) -> io::Result<Option<Outcome>> {
    const COREUTILS: &[&str] = &["base64", "-w0"];
    let (bytes, large) = (samples::bytes(MB), samples::bytes(LARGE));
    let ours = || encode(&bytes, Alphabet::Standard);
    let simd = || base64_simd::STANDARD.encode_to_string(&bytes);
    Race::new("Base64 encode, 1 MB", Unit::Megabytes, MB, function(ours))
        .rival(
            Goal::Base64AgainstCoreutils,
            "`base64 -w0`",
            LARGE,
            program(COREUTILS, &large, b"")?,
        )
        .peer("base64-simd", MB, function(simd))
        .run(bench)
}

pub(super) fn decode_base64(bench: &Bench) -> io::Result<Option<Outcome>> {
    const COREUTILS: &[&str] = &["base64", "-d"];
    let text = |length| encode(&samples::bytes(length), Alphabet::Standard);
    let (text, large) = (text(MB / 4 * 3), text(LARGE / 4 * 3));
    let ours = || decode(&text, None, &mut Warnings::new());
    let simd = || base64_simd::STANDARD.decode_to_vec(&text);
    Race::new("Base64 decode, 1 MB", Unit::Megabytes, MB, function(ours))
        .rival(
            Goal::Base64AgainstCoreutils,
            "`base64 -d`",
            LARGE,
            program(COREUTILS, large.as_bytes(), b"")?,
        )
        .peer("base64-simd", MB, function(simd))
        .run(bench)
}

pub(super) fn sha1(bench: &Bench) -> io::Result<Option<Outcome>> {
    digest(
        bench,
        &Hash {
            work: "SHA-1, 1 MB",
            goal: Goal::Sha1Sha256AgainstOpenssl,
            ours: Algorithm::Sha1,
            openssl: "sha1",
            coreutils: &["sha1sum"],
            ring: Some(&ring::digest::SHA1_FOR_LEGACY_USE_ONLY),
        },
    )
}

pub(super) fn sha256(bench: &Bench) -> io::Result<Option<Outcome>> {
    digest(
        bench,
        &Hash {
            work: "SHA-256, 1 MB",
            goal: Goal::Sha1Sha256AgainstOpenssl,
            ours: Algorithm::Sha256,
            openssl: "sha256",
            coreutils: &["sha256sum"],
            ring: Some(&ring::digest::SHA256),
        },
    )
}

pub(super) fn sha512(bench: &Bench) -> io::Result<Option<Outcome>> {
    digest(
        bench,
        &Hash {
            work: "SHA-512, 1 MB",
            goal: Goal::Sha512Md5AgainstOpenssl,
            ours: Algorithm::Sha512,
            openssl: "sha512",
            coreutils: &["sha512sum"],
            ring: Some(&ring::digest::SHA512),
        },
    )
}

pub(super) fn md5(bench: &Bench) -> io::Result<Option<Outcome>> {
    digest(
        bench,
        &Hash {
            work: "MD5, 1 MB",
            goal: Goal::Sha512Md5AgainstOpenssl,
            ours: Algorithm::Md5,
            openssl: "md5",
            coreutils: &["md5sum"],
            ring: None,
        },
    )
}

struct Hash {
    work: &'static str,
    goal: Goal,
    ours: Algorithm,
    openssl: &'static str,
    coreutils: &'static [&'static str],
    /// It has no MD5.
    ring: Option<&'static ring::digest::Algorithm>,
}

fn digest(bench: &Bench, hash: &Hash) -> io::Result<Option<Outcome>> {
    let (bytes, large) = (samples::bytes(MB), samples::bytes(LARGE));
    let ours = || digest::digest(hash.ours, &bytes);
    let openssl = openssl_speed(hash.openssl, MB);
    let coreutils = program(hash.coreutils, &large, b"")?;
    let mut race = Race::new(hash.work, Unit::Megabytes, MB, function(ours))
        .rival(hash.goal, "`openssl speed`", MB, openssl)
        .peer("coreutils", LARGE, coreutils);
    if let Some(algorithm) = hash.ring {
        let ring = || ring::digest::digest(algorithm, &bytes);
        race = race.peer("ring", MB, function(ring));
    }
    race.run(bench)
}
