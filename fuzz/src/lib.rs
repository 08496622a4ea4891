//! Runs the targets without `libfuzzer-sys`, on stable Rust and without a C++ compiler: each gets random changes of its
//! seeds for a time, so that continuous integration builds and runs every target. It measures no coverage and reduces
//! no failing input; `cargo fuzz`, with the default feature, does.
//!
//! Usage of a target: `TARGET SECONDS FOLDER`, where each file of the folder is a seed.

#[cfg(feature = "libfuzzer")]
pub use libfuzzer_sys::fuzz_target;

use std::time::{Duration, Instant};
use std::{env, fs, process};

/// A type that a target reads its input as.
pub trait Input<'a>: Sized {
    /// The input, unless these bytes are none.
    fn read(bytes: &'a [u8]) -> Option<Self>;
}

impl<'a> Input<'a> for &'a [u8] {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        Some(bytes)
    }
}

impl<'a> Input<'a> for &'a str {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        std::str::from_utf8(bytes).ok()
    }
}

/// Declares the program of a target.
#[cfg(not(feature = "libfuzzer"))]
#[macro_export]
macro_rules! fuzz_target {
    (|$input:ident: $type:ty| $body:block) => {
        fn main() {
            $crate::run(|bytes| {
                if let Some($input) = <$type as $crate::Input>::read(bytes) {
                    // The body of a target may return early.
                    (|| $body)();
                }
            });
        }
    };
}

/// Numbers that are the same in each run (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((value ^ (value >> 31)) % end.max(1) as u64) as usize
    }
}

/// Runs a target on changed seeds until its time is over. A panic prints the input and ends the process.
pub fn run(target: impl Fn(&[u8])) {
    let mut arguments = env::args().skip(1);
    let (Some(Ok(seconds)), Some(folder)) =
        (arguments.next().map(|text| text.parse()), arguments.next())
    else {
        eprintln!("usage: TARGET SECONDS FOLDER");
        process::exit(2);
    };
    let mut seeds: Vec<Vec<u8>> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{folder}: {error}"))
        .map(|entry| fs::read(entry.unwrap().path()).unwrap())
        .collect();
    seeds.sort();
    let (mut random, mut runs) = (Random(1), 0_u64);
    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        let mut input = seeds[random.below(seeds.len())].clone();
        for _ in 0..random.below(5) {
            change(&mut input, &seeds, &mut random);
        }
        let report = Report(&input);
        target(&input);
        std::mem::forget(report);
        runs += 1;
    }
    println!("{runs} runs");
}

/// Bytes with a meaning in one of the formats, and parts of characters.
const SYNTAX: &[u8] = b" \t\n\r\0\"'\\/<>&;:,.-+*#?!|{}[]()0919aAzZ_=%$@~`^\x7f\xc3\xa9\xff";

/// Prints the input when a target panics.
struct Report<'a>(&'a [u8]);

impl Drop for Report<'_> {
    fn drop(&mut self) {
        eprintln!("failed on {:?}", String::from_utf8_lossy(self.0));
    }
}

/// Replaces, repeats or removes a part, or takes a part of another seed.
fn change(input: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = (at + random.below(8)).min(input.len());
    let part = match random.below(5) {
        0 => vec![SYNTAX[random.below(SYNTAX.len())]],
        1 => input[at..end].repeat(1 + random.below(40)),
        2 => Vec::new(),
        3 => {
            let seed = &seeds[random.below(seeds.len())];
            let from = random.below(seed.len());
            seed[from..(from + random.below(16)).min(seed.len())].to_vec()
        }
        _ => char::from_u32(random.below(0x11_0000) as u32)
            .unwrap_or('\u{FEFF}')
            .to_string()
            .into_bytes(),
    };
    let keeps = random.below(3) == 0;
    input.splice(at..if keeps { at } else { end }, part);
    input.truncate(64 << 10);
}
