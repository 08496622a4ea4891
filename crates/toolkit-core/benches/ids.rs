//! Identifiers: the maximum number per call, with their JSON.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rand::Rng as _;
use time::OffsetDateTime;
use time::macros::datetime;
use toolkit_core::ids::{Alphabet, NANOID_SIZE, Sequence, nanoids, uuids_v4};

const NOW: OffsetDateTime = datetime!(2023-11-14 22:13:20 UTC);
const COUNTS: [usize; 2] = [1, 1000];

fn main() {
    divan::main();
}

fn random(bytes: &mut [u8]) {
    rand::rng().fill_bytes(bytes);
}

fn json<I: ToString>(identifiers: &[I]) -> Vec<u8> {
    let texts: Vec<String> = identifiers.iter().map(ToString::to_string).collect();
    serde_json::to_vec(&texts).unwrap_or_default()
}

#[divan::bench(args = COUNTS)]
fn uuid_v4(bencher: Bencher<'_, '_>, count: usize) {
    bencher
        .counter(ItemsCount::new(count))
        .bench(|| json(&uuids_v4(&mut random, black_box(count))));
}

#[divan::bench(args = COUNTS)]
fn uuid_v7(bencher: Bencher<'_, '_>, count: usize) {
    let sequence = Sequence::new();
    bencher
        .counter(ItemsCount::new(count))
        .bench(|| json(&sequence.uuids_v7(NOW, &mut random, black_box(count))));
}

#[divan::bench(args = COUNTS)]
fn ulid(bencher: Bencher<'_, '_>, count: usize) {
    let sequence = Sequence::new();
    bencher
        .counter(ItemsCount::new(count))
        .bench(|| json(&sequence.ulids(NOW, &mut random, black_box(count))));
}

#[divan::bench(args = COUNTS)]
fn nanoid(bencher: Bencher<'_, '_>, count: usize) {
    bencher.counter(ItemsCount::new(count)).bench(|| {
        let ids = nanoids(
            &mut random,
            &Alphabet::default(),
            NANOID_SIZE,
            black_box(count),
        );
        json(&ids)
    });
}

#[divan::bench]
fn nanoid_the_most_that_a_call_gives(bencher: Bencher<'_, '_>) {
    let alphabet = Alphabet::new(&('\u{100}'..).take(129).collect::<String>());
    let alphabet = alphabet.unwrap_or_default();
    bencher.counter(ItemsCount::new(1000_usize)).bench(|| {
        let ids = nanoids(&mut random, &alphabet, 256, black_box(1000));
        json(&ids)
    });
}
