//! Each limit at the limit and one past it, and inputs crafted to do harm.

use std::fmt::Write;
use std::time::Duration;

use cpu_time::ThreadTime;
use toolkit_core::limits::{NESTING_MAX, RESULT_BYTES_MAX, YAML_ALIASED_NODES_MAX};
use toolkit_core::{Layout, Node, Warnings, yaml};

/// A stack just large enough for the deepest document, even without optimization: three quarters of
/// a thread's usual one.
const STACK_BYTES: usize = 3 << 19;

/// Far more than a megabyte takes in linear time, far less than it takes in quadratic time.
const DEADLINE: Duration = Duration::from_secs(20);

/// Far more than a refusal takes that builds nothing.
const AT_ONCE: Duration = Duration::from_secs(2);

fn parse(text: &str) -> Result<Vec<Node>, String> {
    yaml::parse_documents(text, &mut Warnings::new()).map_err(|error| error.to_string())
}

fn pretty(text: &str) -> Result<String, String> {
    yaml::format(text, Layout::spaces(2), &mut Warnings::new()).map_err(|error| error.to_string())
}

fn minify(text: &str) -> Result<String, String> {
    yaml::format(text, Layout::Minified, &mut Warnings::new()).map_err(|error| error.to_string())
}

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(test).unwrap();
    thread.join().unwrap();
}

/// Nested collections, in each notation that YAML has.
fn shapes(depth: usize) -> [String; 6] {
    let each = |range: std::ops::Range<usize>, line: fn(usize) -> String| {
        range.map(line).collect::<String>()
    };
    let indented = each(0..depth, |level| " ".repeat(level) + "a:\n");
    let chain = each(1..depth, |level| format!("- &a{level} [*a{}]\n", level - 1));
    [
        "- ".repeat(depth),
        ["[".repeat(depth), "]".repeat(depth)].concat(),
        ["{a: ".repeat(depth), "}".repeat(depth)].concat(),
        indented,
        ["- ".repeat(depth - depth / 2), "[".repeat(depth / 2), "]".repeat(depth / 2)].concat(),
        // The list around the chain is one level too.
        format!("- &a0 a\n{chain}"),
    ]
}

#[test]
fn collections_nest_as_deep_as_the_bound_and_no_deeper() {
    on_a_small_stack(|| {
        for text in shapes(NESTING_MAX) {
            let documents = parse(&text).unwrap();
            let minified = minify(&text).unwrap();
            assert_eq!(parse(&minified).as_ref(), Ok(&documents));
            assert_eq!(parse(&pretty(&text).unwrap()).as_ref(), Ok(&documents));
            let written = yaml::write_documents(&documents, Layout::spaces(1)).unwrap();
            assert_eq!(parse(&written).as_ref(), Ok(&documents));
            let written = yaml::write_documents(&documents, Layout::Minified).unwrap();
            assert_eq!(parse(&written).as_ref(), Ok(&documents));
        }
        for text in shapes(NESTING_MAX + 1) {
            for refusal in [parse(&text).unwrap_err(), pretty(&text).unwrap_err()] {
                let says = ": the input is nested deeper than 512 levels.";
                assert!(refusal.starts_with("line ") && refusal.contains(says), "{refusal}");
            }
        }
    });
}

#[test]
fn nesting_without_end_is_refused_at_once() {
    on_a_small_stack(|| {
        let lines: String = (0..1500).map(|level| " ".repeat(level) + "a:\n").collect();
        let pieces = ["- ", "[", "{a: ", "? ", "[? ", "- - ? - "];
        let endless = pieces.iter().map(|piece| piece.repeat(400_000 / piece.len()));
        for text in endless.chain([lines]) {
            let start = ThreadTime::now();
            let refusal = parse(&text).unwrap_err();
            assert!(refusal.contains("deeper than 512 levels"), "{refusal}");
            assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
        }
    });
}

#[test]
fn a_value_is_written_as_deep_as_the_bound_and_no_deeper() {
    on_a_small_stack(|| {
        let mut node = Node::Null;
        for _ in 0..NESTING_MAX {
            node = Node::Array(vec![node]);
        }
        let deepest = [node];
        assert!(yaml::write_documents(&deepest, Layout::spaces(1)).is_ok());
        let [node] = deepest;
        let refusal =
            yaml::write_documents(&[Node::Array(vec![node])], Layout::Minified).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "The input is nested deeper than 512 levels. Send an inner part alone."
        );
    });
}

/// Beginning of the error for aliases that expand to too much.
const TOO_MUCH: &str =
    ": the input has aliases that expand to over 250000 values or 8 MiB of text in all.";

#[test]
fn alias_bombs_are_refused_before_anything_is_built() {
    let mut laughs = String::from("a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for (inner, outer) in "abcdefgh".chars().zip("bcdefghi".chars()) {
        let aliases = format!("*{inner}, ").repeat(9);
        writeln!(laughs, "{outer}: &{outer} [{aliases}]").unwrap();
    }
    let long = format!("- &a {}\n{}", "x".repeat(100_000), "- *a\n".repeat(3000));
    let wide = numbered(10_000, |number| format!("  k{number}: 1\n"));
    let merges = format!("a: &a\n{wide}b:\n{}", "  - <<: *a\n".repeat(3000));
    let merged_again = format!("a: &a\n{wide}b:\n  <<: [{}]\n", "*a, ".repeat(3000));
    let keys = format!("- &a {}\n{}", "x".repeat(100_000), "- {*a : 1}\n".repeat(3000));
    for text in [laughs, long, merges, merged_again, keys] {
        let start = ThreadTime::now();
        for refusal in
            [parse(&text).unwrap_err(), pretty(&text).unwrap_err(), minify(&text).unwrap_err()]
        {
            assert!(refusal.contains(TOO_MUCH), "{refusal}");
        }
        assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
    }
}

#[test]
fn aliases_expand_up_to_the_limit_and_no_further() {
    // A list of 249 items is 250 values.
    let items = "1,".repeat(249);
    let text = |count: usize| format!("- &a [{items}]\n{}", "- *a\n".repeat(count));
    let count = YAML_ALIASED_NODES_MAX / 250;
    assert!(parse(&text(count)).is_ok());
    assert!(parse(&text(count + 1)).unwrap_err().contains(TOO_MUCH));

    let long = "x".repeat(1 << 20);
    let text = |count: usize| format!("- &a {long}\n{}", "- *a\n".repeat(count));
    let count = RESULT_BYTES_MAX >> 20;
    assert!(parse(&text(count)).is_ok());
    assert!(parse(&text(count + 1)).unwrap_err().contains(TOO_MUCH));
}

#[test]
fn a_result_is_as_long_as_the_bound_and_no_longer() {
    let says = "The input gives a result of over 8 MiB. Send less at once.";
    let text = |length: usize| [Node::Text("x".repeat(length))];
    let length = |documents: &[Node]| {
        let written =
            yaml::write_documents(documents, Layout::spaces(2)).map_err(|error| error.to_string());
        written.map(|text| text.len())
    };
    assert_eq!(length(&text(RESULT_BYTES_MAX - 1)), Ok(RESULT_BYTES_MAX));
    assert_eq!(length(&text(RESULT_BYTES_MAX)), Err(says.to_owned()));
    let length = |documents: &[Node]| {
        let written =
            yaml::write_documents(documents, Layout::Minified).map_err(|error| error.to_string());
        written.map(|text| text.len())
    };
    assert_eq!(length(&text(RESULT_BYTES_MAX)), Ok(RESULT_BYTES_MAX));
    assert_eq!(length(&text(RESULT_BYTES_MAX + 1)), Err(says.to_owned()));
}

#[test]
fn indentation_cannot_multiply_a_document() {
    let brackets = |inner: &str| ["[".repeat(500), inner.to_owned(), "]".repeat(500)].concat();
    let lines = format!("{:?}", "x\n".repeat(300_000));
    for inner in ["1,".repeat(400_000), lines] {
        let text = brackets(&inner);
        let start = ThreadTime::now();
        let documents = parse(&text).unwrap();
        let refusal = yaml::write_documents(&documents, Layout::spaces(8)).unwrap_err();
        assert!(refusal.to_string().contains("over 8 MiB"), "{refusal}");
        assert!(start.elapsed() < DEADLINE, "{:?}", start.elapsed());
    }
    let comments = brackets(&"# c\n".repeat(200_000));
    assert!(yaml::format(&comments, Layout::spaces(8), &mut Warnings::new()).is_err());
}

/// Numbered pieces up to a given length in bytes.
fn numbered(bytes: usize, piece: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for number in 0.. {
        if out.len() > bytes {
            break;
        }
        out.push_str(&piece(number));
    }
    out
}

fn megabyte(piece: impl Fn(usize) -> String) -> String {
    numbered(1_000_000, piece)
}

#[test]
fn a_megabyte_of_anything_is_read_and_formatted_in_linear_time() {
    let deep = "- ".repeat(500);
    let sound = [
        megabyte(|number| format!("k{number}: 1\n")),
        megabyte(|number| format!("- &a{number} x\n- *a{number}\n")),
        megabyte(|number| format!("- !t{number} x\n")),
        megabyte(|_| "---\n".to_owned()),
        megabyte(|_| "- 0x".to_owned() + &"f".repeat(1024) + "\n"),
        megabyte(|_| "# c\n".to_owned()),
        megabyte(|_| "- a # c\n# d\n\n".to_owned()),
        megabyte(|_| deep.clone() + "a\n# c\n"),
        format!("[{}]", megabyte(|_| "{a: b}, # c\n".to_owned())),
        format!("[{}]", megabyte(|_| "{a: b},".to_owned())),
        format!("a: |\n{}", megabyte(|_| "  x\n".to_owned())),
        format!("a: >\n{}", megabyte(|_| "  x\n\n".to_owned())),
        format!("a: \"{}\"", megabyte(|_| "x\n  ".to_owned())),
        format!("a: {}", "x ".repeat(500_000)),
        format!("a: b\n{}", megabyte(|_| "  x\n".to_owned())),
        format!("a:{}b", " ".repeat(1_000_000)),
        "\n".repeat(1_000_000),
    ];
    for text in &sound {
        let start = ThreadTime::now();
        let about: String = text.chars().take(40).collect();
        let documents = parse(text).unwrap_or_else(|error| panic!("{about}: {error}"));
        assert!(yaml::write_documents(&documents, Layout::spaces(2)).is_ok(), "{about}");
        assert!(pretty(text).is_ok(), "{about}");
        assert!(start.elapsed() < DEADLINE, "{about}: {:?}", start.elapsed());
    }
}

#[test]
fn keys_are_compared_in_nearly_linear_time() {
    let list = "a,".repeat(200);
    let lists = |number: usize| format!("? [{list} {number}]\n: 1\n");
    let mappings = |number: usize| format!("? {{a: {number}}}\n: 1\n");
    let names = |number: usize| format!("k{number}: 1\n");
    for (text, first) in [
        (numbered(250_000, lists), lists(0)),
        (numbered(250_000, mappings), mappings(0)),
        (numbered(250_000, names), names(0)),
    ] {
        let start = ThreadTime::now();
        assert!(pretty(&text).is_ok());
        let refusal = pretty(&(text + &first)).unwrap_err();
        assert!(refusal.contains(": the input repeats the key"), "{refusal}");
        assert!(start.elapsed() < DEADLINE, "{:?}", start.elapsed());
    }
}
