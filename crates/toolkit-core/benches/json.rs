//! JSON throughput, in bytes of source per second.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use toolkit_core::json::{self, Format, Layout};
use toolkit_core::{Node, Warnings};

fn main() {
    divan::main();
}

/// Documents to measure, as services send and store them.
const DOCUMENTS: [Document; 6] = [
    Document("records, 1 MB, minified", records, 3_400, Layout::Minified),
    Document(
        "records, 10 MB, minified",
        records,
        34_000,
        Layout::Minified,
    ),
    Document("records, 10 MB, pretty", records, 22_000, Layout::spaces(2)),
    Document(
        "messages, 5 MB, minified",
        messages,
        9_000,
        Layout::Minified,
    ),
    Document(
        "coordinates, 5 MB, minified",
        coordinates,
        130_000,
        Layout::Minified,
    ),
    Document("one object, 50,000 names", names, 50_000, Layout::Minified),
];

struct Document(
    &'static str,
    fn(&mut Numbers, usize) -> String,
    usize,
    Layout,
);

impl std::fmt::Display for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.0)
    }
}

impl Document {
    fn text(&self) -> String {
        let items: Vec<_> = (0..self.2)
            .map(|index| (self.1)(&mut Numbers(index as u64), index))
            .collect();
        let items = items.join(",");
        let text = if items.starts_with('"') {
            format!("{{{items}}}")
        } else {
            format!("[{items}]")
        };
        lay_out(&text, unbounded(self.3))
    }
}

const fn unbounded(layout: Layout) -> Format {
    Format {
        layout,
        sort_keys: false,
        result_bytes_max: usize::MAX / 2,
    }
}

fn lay_out(text: &str, format: Format) -> String {
    json::format(text, format, &mut Warnings::new()).expect("it is JSON")
}

/// Pseudorandom numbers, the same in each run (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) % bound
    }

    fn words(&mut self, count: usize) -> String {
        const WORDS: [&str; 8] = [
            "alpha",
            "of",
            "consectetur",
            "dolor",
            "sit",
            "elit",
            "tempor",
            "ut",
        ];
        let mut words = Vec::new();
        while words.len() < count {
            let skipped = self.below(3);
            words.extend(
                WORDS
                    .iter()
                    .skip(usize::try_from(skipped).unwrap_or(0))
                    .step_by(2)
                    .copied(),
            );
        }
        words.truncate(count);
        words.join(" ")
    }
}

fn records(numbers: &mut Numbers, index: usize) -> String {
    format!(
        "{{\"id\":{index},\"name\":\"{}\",\"email\":\"user{index}@example.com\",\"active\":{},\
         \"score\":{}.{},\"tags\":[\"{}\",\"{}\"],\
         \"address\":{{\"street\":\"{} {}\",\"zip\":\"{:05}\",\
         \"position\":{{\"latitude\":{}.{:06},\"longitude\":-{}.{:06}}}}},\
         \"created_at\":\"2024-01-{:02}T12:00:00Z\",\"manager\":null}}",
        numbers.words(2),
        numbers.below(2) == 0,
        numbers.below(1000),
        numbers.below(100),
        numbers.words(1),
        numbers.words(1),
        numbers.below(999),
        numbers.words(1),
        numbers.below(100_000),
        numbers.below(90),
        numbers.below(1_000_000),
        numbers.below(180),
        numbers.below(1_000_000),
        1 + numbers.below(28),
    )
}

fn messages(numbers: &mut Numbers, index: usize) -> String {
    let (user, likes) = (numbers.below(1_000_000_000), numbers.below(10_000));
    format!(
        "{{\"id\":5058749240958{index:05},\"text\":\"{} \\\"quoted\\\"\\n\\nПривет, мир: 名前を教えて 😀 https:\\/\\/example.com\\/{user:x}\",\
         \"source\":\"<a href=\\\"https:\\/\\/example.com\\\" rel=\\\"nofollow\\\">Web<\\/a>\",\"truncated\":false,\
         \"user\":{{\"id\":{user},\"name\":\"{}\",\"description\":\"最高の夏をありがとう…\",\"verified\":true}},\
         \"entities\":{{\"tags\":[],\"links\":[],\"mentions\":[{{\"from\":0,\"to\":9}}]}},\"likes\":{likes},\"place\":null}}",
        numbers.words(14),
        numbers.words(2),
    )
}

fn coordinates(numbers: &mut Numbers, _: usize) -> String {
    let mut number = || {
        format!(
            "-{}.{:015}",
            numbers.below(180),
            numbers.below(1_000_000_000_000_000)
        )
    };
    format!("[{},{}]", number(), number())
}

fn names(numbers: &mut Numbers, index: usize) -> String {
    format!("\"name{index}\":{}", numbers.below(100_000))
}

fn bench(bencher: Bencher<'_, '_>, document: &Document, run: impl Fn(&str) -> usize + Sync) {
    let text = document.text();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| run(black_box(&text)));
}

#[divan::bench(args = DOCUMENTS)]
fn pretty(bencher: Bencher<'_, '_>, document: &Document) {
    bench(bencher, document, |text| {
        lay_out(text, unbounded(Layout::spaces(2))).len()
    });
}

#[divan::bench(args = DOCUMENTS)]
fn minify(bencher: Bencher<'_, '_>, document: &Document) {
    bench(bencher, document, |text| {
        lay_out(text, unbounded(Layout::Minified)).len()
    });
}

#[divan::bench(args = DOCUMENTS)]
fn validate(bencher: Bencher<'_, '_>, document: &Document) {
    bench(bencher, document, |text| {
        json::check(text, &mut Warnings::new()).expect("it is JSON");
        text.len()
    });
}

#[divan::bench(args = DOCUMENTS)]
fn sort_keys(bencher: Bencher<'_, '_>, document: &Document) {
    let format = Format {
        sort_keys: true,
        ..unbounded(Layout::spaces(2))
    };
    bench(bencher, document, |text| lay_out(text, format).len());
}

#[divan::bench(args = DOCUMENTS)]
fn parse(bencher: Bencher<'_, '_>, document: &Document) {
    bench(bencher, document, |text| {
        usize::from(json::parse(text, &mut Warnings::new()).expect("it is JSON") != Node::Null)
    });
}
