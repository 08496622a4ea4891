//! Alternative crates on the same inputs: `cargo bench --bench peers`. Compare only figures of the
//! same run.

#![expect(clippy::unwrap_used, reason = "a benchmark ends at the first failure")]

use std::fmt::Write as _;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};

const SIZE: usize = 1 << 20;

fn main() {
    divan::main();
}

fn bytes() -> Vec<u8> {
    (0..=250).cycle().take(SIZE).collect()
}

mod base64_encode {
    use super::{Bencher, BytesCount, SIZE, black_box, bytes};
    use toolkit_core::base64;

    #[divan::bench]
    fn toolkit_core(bencher: Bencher<'_, '_>) {
        let bytes = bytes();
        let bencher = bencher.counter(BytesCount::new(SIZE));
        bencher.bench(|| base64::encode(black_box(&bytes), base64::Alphabet::Standard));
    }

    #[divan::bench]
    fn data_encoding(bencher: Bencher<'_, '_>) {
        let bytes = bytes();
        let bencher = bencher.counter(BytesCount::new(SIZE));
        bencher.bench(|| data_encoding::BASE64.encode(black_box(&bytes)));
    }
}

mod base64_decode {
    use super::{Bencher, BytesCount, SIZE, black_box, bytes};
    use toolkit_core::{Warnings, base64};

    #[divan::bench]
    fn toolkit_core(bencher: Bencher<'_, '_>) {
        let text = data_encoding::BASE64.encode(&bytes());
        let bencher = bencher.counter(BytesCount::new(SIZE));
        bencher.bench(|| base64::decode(black_box(&text), None, &mut Warnings::new()).unwrap());
    }

    #[divan::bench]
    fn data_encoding(bencher: Bencher<'_, '_>) {
        let text = ::data_encoding::BASE64.encode(&bytes());
        let bencher = bencher.counter(BytesCount::new(SIZE));
        bencher.bench(|| ::data_encoding::BASE64.decode(black_box(text.as_bytes())).unwrap());
    }
}

/// Records as services send them, slightly over 1 MiB.
fn records() -> String {
    let mut text = String::from("[");
    for index in 0.. {
        let _ = write!(
            text,
            "{{\"id\":{index},\"name\":\"User {index}\",\"active\":true,\"score\":{}.5,\
             \"tags\":[\"alpha\",\"beta\"],\"address\":{{\"city\":\"Zürich\",\"zip\":\"80{index:05}\"}},\
             \"note\":null}}",
            index % 100
        );
        if text.len() > SIZE {
            break;
        }
        text.push(',');
    }
    text + "]"
}

mod json_pretty {
    use super::{Bencher, BytesCount, black_box, records};
    use toolkit_core::{Layout, Warnings, json};

    #[divan::bench]
    fn toolkit_core(bencher: Bencher<'_, '_>) {
        let text = records();
        let bencher = bencher.counter(BytesCount::of_str(&text));
        let layout = Layout::spaces(2);
        bencher.bench(|| json::format(black_box(&text), layout, &mut Warnings::new()).unwrap());
    }

    #[divan::bench]
    fn serde_json_value(bencher: Bencher<'_, '_>) {
        let text = records();
        let bencher = bencher.counter(BytesCount::of_str(&text));
        bencher.bench(|| {
            let value: serde_json::Value = serde_json::from_str(black_box(&text)).unwrap();
            serde_json::to_string_pretty(&value).unwrap()
        });
    }
}

mod json_check {
    use super::{Bencher, BytesCount, black_box, records};
    use toolkit_core::{Warnings, json};

    #[divan::bench]
    fn toolkit_core(bencher: Bencher<'_, '_>) {
        let text = records();
        let bencher = bencher.counter(BytesCount::of_str(&text));
        bencher.bench(|| json::check(black_box(&text), &mut Warnings::new()).unwrap());
    }

    #[divan::bench]
    fn serde_json_ignored(bencher: Bencher<'_, '_>) {
        let text = records();
        let bencher = bencher.counter(BytesCount::of_str(&text));
        bencher.bench(|| {
            serde_json::from_str::<serde::de::IgnoredAny>(black_box(&text)).unwrap();
        });
    }
}

mod cidr {
    use super::black_box;
    use std::net::Ipv4Addr;

    const BLOCK: &str = "10.1.0.0/16";
    const ADDRESS: Ipv4Addr = Ipv4Addr::new(10, 1, 2, 3);

    #[divan::bench]
    fn toolkit_core_parse_and_contains() -> bool {
        let block: toolkit_core::cidr::Block = black_box(BLOCK).parse().unwrap();
        block.contains(black_box(ADDRESS).into())
    }

    #[divan::bench]
    fn ipnet_parse_and_contains() -> bool {
        let block: ipnet::Ipv4Net = black_box(BLOCK).parse().unwrap();
        block.contains(&black_box(ADDRESS))
    }

    #[divan::bench]
    fn toolkit_core_hosts_of_16_bits() -> usize {
        let block: toolkit_core::cidr::Block = black_box(BLOCK).parse().unwrap();
        block.hosts().map(black_box).fold(0, |count, _| count + 1)
    }

    #[divan::bench]
    fn ipnet_hosts_of_16_bits() -> usize {
        let block: ipnet::IpNet = black_box(BLOCK).parse().unwrap();
        block.hosts().map(black_box).fold(0, |count, _| count + 1)
    }

    #[divan::bench]
    fn toolkit_core_subnets_of_16_bits() -> usize {
        let block: toolkit_core::cidr::Block = black_box(BLOCK).parse().unwrap();
        let subnets = block.subnets(24).map(black_box);
        subnets.fold(0, |count, _| count + 1)
    }

    #[divan::bench]
    fn ipnet_subnets_of_16_bits() -> usize {
        let block: ipnet::IpNet = black_box(BLOCK).parse().unwrap();
        let subnets = block.subnets(24).unwrap().map(black_box);
        subnets.fold(0, |count, _| count + 1)
    }
}

mod cron {
    use super::black_box;

    const EXPRESSION: &str = "*/5 9-17 * * MON-FRI";
    const NOW: i64 = 1_700_000_000;

    #[divan::bench]
    fn toolkit_core_parse() -> toolkit_core::cron::Schedule {
        black_box(EXPRESSION).parse().unwrap()
    }

    #[divan::bench]
    fn croner_parse() -> croner::Cron {
        black_box(EXPRESSION).parse().unwrap()
    }

    #[divan::bench]
    fn toolkit_core_fifty_runs() -> usize {
        let schedule: toolkit_core::cron::Schedule = black_box(EXPRESSION).parse().unwrap();
        let now = toolkit_core::time::OffsetDateTime::from_unix_timestamp(NOW).unwrap();
        let now = toolkit_core::time::PlainDateTime::new(now.date(), now.time());
        schedule.after(now).take(50).map(black_box).count()
    }

    #[divan::bench]
    fn croner_fifty_runs() -> usize {
        let schedule: croner::Cron = black_box(EXPRESSION).parse().unwrap();
        let now = chrono::DateTime::from_timestamp(NOW, 0).unwrap();
        schedule.iter_after(now).take(50).map(black_box).count()
    }
}

/// A thousand identifiers from a random source that costs nothing.
mod uuid_v7 {
    use super::black_box;
    use toolkit_core::ids::Sequence;
    use toolkit_core::time::OffsetDateTime;
    use toolkit_core::uuid::{Builder, Uuid};

    const MILLISECONDS: u64 = 1_700_000_000_000;

    #[divan::bench]
    fn toolkit_core() -> Vec<Uuid> {
        let now = OffsetDateTime::from_unix_timestamp(1_700_000_000).unwrap();
        Sequence::new().uuids_v7(black_box(now), &mut |bytes: &mut [u8]| bytes.fill(7), 1000)
    }

    /// Not monotonic within a millisecond.
    #[divan::bench]
    fn uuid() -> Vec<Uuid> {
        let next = |_| {
            let random = black_box([7; 10]);
            Builder::from_unix_timestamp_millis(black_box(MILLISECONDS), &random).into_uuid()
        };
        (0..1000).map(next).collect()
    }
}
