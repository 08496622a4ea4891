//! Identifiers: form, order and uniqueness.

use std::collections::HashSet;
use std::sync::Arc;
use std::thread;

use crate::support::{call, call_in};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use time::{Duration, OffsetDateTime};
use toolkit_core::Context;
use toolkit_core::ids::{Alphabet, Sequence, nanoids, uuids_v4};
use ulid::Ulid;
use uuid::{Uuid, Variant};

const NOW: OffsetDateTime = time::macros::datetime!(2023-11-14 22:13:20.5 UTC);

/// Random bytes of xorshift64*, good enough to keep identifiers distinct.
fn random(seed: u64) -> impl FnMut(&mut [u8]) + Send {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |bytes| {
        for byte in bytes {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            *byte = state.wrapping_mul(0x2545_F491_4F6C_DD1D).to_be_bytes()[0];
        }
    }
}

fn results(tool: &str, input: &Json) -> Vec<String> {
    let mut ctx = Context::new(NOW, random(7), Arc::default());
    let answer = call_in(&mut ctx, tool, input).unwrap();
    serde_json::from_value(answer["result"].clone()).unwrap()
}

#[test]
fn version_and_variant_are_those_of_rfc_9562() {
    for (version, number) in [("v4", 4), ("v7", 7)] {
        for text in results("uuid-generator", &json!({"version": version, "count": 1000})) {
            let uuid: Uuid = text.parse().unwrap();
            assert_eq!(uuid.to_string(), text);
            assert_eq!((uuid.get_version_num(), uuid.get_variant()), (number, Variant::RFC4122));
        }
    }
}

#[test]
fn time_ordered_identifiers_carry_the_millisecond() {
    let v7: Uuid = results("uuid-generator", &json!({"version": "v7"}))[0].parse().unwrap();
    assert_eq!(v7.get_timestamp().unwrap().to_unix(), (1_700_000_000, 500_000_000));
    let ulid: Ulid = results("ulid-generator", &json!({}))[0].parse().unwrap();
    assert_eq!(ulid.timestamp_ms(), 1_700_000_000_500);
}

#[test]
fn ulids_are_upper_case_crockford_base32() {
    for text in results("ulid-generator", &json!({"count": 1000})) {
        let ulid: Ulid = text.parse().unwrap();
        assert_eq!((text.len(), ulid.to_string()), (26, text));
    }
}

#[test]
fn a_version_has_several_names() {
    for (version, kind) in [
        (json!("v4"), "uuid-v4"),
        (json!("4"), "uuid-v4"),
        (json!(4), "uuid-v4"),
        (json!(null), "uuid-v4"),
        (json!("v7"), "uuid-v7"),
        (json!("7"), "uuid-v7"),
        (json!(7), "uuid-v7"),
    ] {
        let answer = call("uuid-generator", &json!({"version": version})).unwrap();
        assert_eq!((&answer["type"], &answer["count"]), (&json!(kind), &json!(1)));
    }
    for (version, shown) in
        [(json!("v1"), "`v1`"), (json!(5), "5"), (json!(4.5), "4.5"), (json!(""), "``")]
    {
        let refused = call("uuid-generator", &json!({"version": version})).unwrap_err();
        assert_eq!(refused, format!("`version` is {shown}. Use one of v4, v7."));
    }
}

#[test]
fn counts_and_sizes_have_limits_and_are_never_cut() {
    for (tool, field, least, most, others) in [
        ("uuid-generator", "count", 1, 1000, json!({})),
        ("ulid-generator", "count", 1, 1000, json!({})),
        ("nanoid-generator", "count", 1, 1000, json!({})),
        ("nanoid-generator", "size", 2, 256, json!({})),
        ("generate_id", "count", 1, 100, json!({"id_type": "ulid"})),
    ] {
        let with = |value: Json| {
            let mut input = others.clone();
            input[field] = value;
            call(tool, &input)
        };
        for value in [json!(least), json!(most), json!(most.to_string())] {
            assert!(with(value).is_ok(), "{tool}");
        }
        for value in [
            json!(least - 1),
            json!(most + 1),
            json!(-1),
            json!(1.5),
            json!("1.5"),
            json!(""),
            json!(u64::MAX),
            json!("18446744073709551616"),
        ] {
            let refused = with(value).unwrap_err();
            let range = format!(". Use a whole number from {least} to {most}.");
            assert!(
                refused.starts_with(&format!("`{field}` is ")) && refused.ends_with(&range),
                "{refused}"
            );
        }
    }
    let nanoids = results("nanoid-generator", &json!({"count": 1000, "size": 256}));
    assert!(nanoids.len() == 1000 && nanoids.iter().all(|id| id.len() == 256));
}

#[test]
fn a_kind_is_found_in_any_case_and_with_any_hyphens() {
    for (word, kind) in [
        ("uuid_v4", "uuid-v4"),
        ("UUIDv4", "uuid-v4"),
        ("uuid-V7", "uuid-v7"),
        ("Ulid", "ulid"),
        ("UUID", "uuid-v4"),
        ("guid", "uuid-v4"),
        ("NanoID", "nanoid"),
        ("nano_id", "nanoid"),
    ] {
        let answer = call("generate_id", &json!({"id_type": word, "count": 100})).unwrap();
        assert_eq!((&answer["type"], &answer["count"]), (&json!(kind), &json!(100)));
    }
    let refused = call("generate_id", &json!({"id_type": "snowflake"})).unwrap_err();
    assert_eq!(refused, "`id_type` is `snowflake`. Use one of uuid_v4, uuid_v7, ulid, nanoid.");
    let refused = call("generate_id", &json!({})).unwrap_err();
    assert_eq!(refused, "`id_type` is required. Use one of uuid_v4, uuid_v7, ulid, nanoid.");
}

#[test]
fn nanoids_are_made_of_their_alphabet() {
    for id in results("nanoid-generator", &json!({"count": 1000})) {
        let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        assert!(id.len() == 21 && id.bytes().all(is_safe), "{id}");
    }
    // A character is a code point, so a size counts code points too.
    for id in results("nanoid-generator", &json!({"alphabet": "äß😀", "count": 9, "size": 5})) {
        assert!(id.chars().count() == 5 && id.chars().all(|character| "äß😀".contains(character)));
    }
    for (alphabet, refusal) in [
        ("", "`alphabet` has no character"),
        ("a", "`alphabet` has one character"),
        ("aa", "offset 1: `alphabet` repeats `a`"),
        ("ab😀cb", "offset 4: `alphabet` repeats `b`"),
    ] {
        let refused = call("nanoid-generator", &json!({"alphabet": alphabet})).unwrap_err();
        let expected = format!("{refusal}. Give 2 to 255 different characters.");
        assert_eq!(refused, expected);
    }
}

#[test]
fn no_two_of_a_hundred_thousand_are_the_same() {
    let sequence = Sequence::new();
    let mut source = random(1);
    let distinct = |ids: Vec<u128>| ids.into_iter().collect::<HashSet<_>>().len();
    let v4 = uuids_v4(&mut source, 100_000).iter().map(Uuid::as_u128).collect();
    let v7 = sequence.uuids_v7(NOW, &mut source, 100_000).iter().map(Uuid::as_u128).collect();
    let ulids = sequence.ulids(NOW, &mut source, 100_000).iter().map(|ulid| ulid.0).collect();
    assert_eq!([distinct(v4), distinct(v7), distinct(ulids)], [100_000; 3]);
    let nanoids = nanoids(&mut source, &Alphabet::default(), 21, 100_000);
    assert_eq!(nanoids.into_iter().collect::<HashSet<_>>().len(), 100_000);
}

#[test]
fn identifiers_are_unique_and_increase_in_each_thread() {
    let sequence = Sequence::new();
    let given = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|seed| {
                let sequence = &sequence;
                scope.spawn(move || {
                    let mut source = random(seed);
                    let mut given = Vec::new();
                    for call in 0..500 {
                        let now = NOW + Duration::milliseconds(call % 7 - 3);
                        given.extend(sequence.uuids_v7(now, &mut source, 5));
                    }
                    assert!(given.is_sorted_by(|one, next| one < next));
                    given
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<HashSet<_>>()
    });
    assert_eq!(given.len(), 4 * 500 * 5);
}

proptest! {
    #[test]
    fn time_ordered_identifiers_increase_whatever_the_clock_does(
        calls in prop::collection::vec((-100_000_i64..100_000, 1..20_usize), 1..50),
        seed: u64,
    ) {
        let sequence = Sequence::new();
        let mut source = random(seed);
        let (mut uuids, mut ulids) = (Vec::new(), Vec::new());
        for (milliseconds, count) in calls {
            let now = NOW + Duration::milliseconds(milliseconds);
            uuids.extend(sequence.uuids_v7(now, &mut source, count).iter().map(ToString::to_string));
            ulids.extend(sequence.ulids(now, &mut source, count).iter().map(ToString::to_string));
        }
        prop_assert!(uuids.is_sorted_by(|one, next| one < next));
        prop_assert!(ulids.is_sorted_by(|one, next| one < next));
    }
}
