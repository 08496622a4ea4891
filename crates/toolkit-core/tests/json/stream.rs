//! Streaming: input in pieces gives the same output as the whole text, in constant memory.

use std::io::{self, Read, Write};

use proptest::prelude::*;
use toolkit_core::json::{self, Layout, StreamError};
use toolkit_core::{Position, Warnings};

/// Returns a few bytes at a time, as a socket does.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(self.1);
        self.0.read(&mut out[..most])
    }
}

fn streamed(text: &str, step: usize, layout: Layout) -> Result<String, String> {
    let mut out = Vec::new();
    json::format_stream(Trickle(text.as_bytes(), step), &mut out, layout)
        .map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).unwrap())
}

fn layouts() -> impl Strategy<Value = Layout> {
    prop_oneof![
        (0..9_u8).prop_map(Layout::spaces),
        Just(Layout::TABS),
        Just(Layout::Minified)
    ]
}

fn nearly_json() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        8 => prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"\\u00e9\\n\"", "\"é😀\"", "1", "-0.5e+7", "true",
            "false", "null", " ", "\n", "\"\"", "[]", "{}", "[1,2]", "{\"a\":1}",
        ]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["01", "1.", "-", "\"", "\\", "tru", "\u{1}", "\"\\x\"", "'"])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(token, 0..12).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn a_stream_is_formatted_as_the_whole_text_is(
        text in nearly_json(),
        step in 1..20_usize,
        layout in layouts(),
    ) {
        let whole = json::format(&text, layout, &mut Warnings::new());
        let stream = streamed(&text, step, layout);
        prop_assert_eq!(stream.is_ok(), whole.is_ok(), "{:?} {:?}", &whole, &stream);
        if let (Ok(whole), Ok(stream)) = (whole, stream) {
            prop_assert_eq!(stream, whole);
        }
    }
}

#[test]
fn chunks_may_end_anywhere() {
    let member = r#""näme \"\u00e9\\": [ -12.50e-3 , true, false , null, {}, [ ], "😀" ]"#;
    let members: Vec<String> = (0..3_000)
        .map(|index| member.replace("näme", &index.to_string()))
        .collect();
    let text = format!("\u{FEFF}{{{}}}", members.join(",\n"));
    assert!(text.len() > 150_000);
    for layout in [Layout::spaces(2), Layout::Minified] {
        let whole = json::format(&text, layout, &mut Warnings::new()).unwrap();
        for step in [7, 65_535, usize::MAX] {
            assert_eq!(streamed(&text, step, layout).unwrap(), whole);
        }
    }
}

#[test]
fn white_space_may_stand_before_a_colon_and_a_chunk_may_end_there() {
    // Chunks are of 64 KiB: the shift moves each byte of a member to the end of one.
    let member = "\"a\" \n: 1,";
    let members = member.repeat((64 << 10) / member.len() + 2);
    for shift in 0..member.len() {
        let text = format!("{}{{{members}\"b\":2}}", " ".repeat(shift));
        let whole = json::format(&text, Layout::Minified, &mut Warnings::new()).unwrap();
        assert!(
            streamed(&text, usize::MAX, Layout::Minified).unwrap() == whole,
            "{shift}"
        );
    }
    assert_eq!(
        streamed(" {\"a\"\t: 1 }", 1, Layout::Minified).unwrap(),
        "{\"a\":1}"
    );
}

#[test]
fn a_refusal_gives_line_and_column() {
    let filler = format!("[\n{}\n\"é\", 01]", "1,\n".repeat(50_000));
    let mut out = Vec::new();
    let refused = json::format_stream(filler.as_bytes(), &mut out, Layout::Minified).unwrap_err();
    let StreamError::Text(error) = refused else {
        panic!("it is the text that is wrong");
    };
    assert_eq!(error.message(), "is not valid JSON: not a number of JSON");
    let place = Position::LineColumn {
        line: 50_003,
        column: 6,
    };
    assert_eq!(error.position(), Some(place));
    for (text, message) in [
        ("", "the text ends too early"),
        ("[1", "the text ends too early"),
        ("\"abc", "the text ends too early"),
        ("[1 2]", "a comma or `]` should stand here"),
        ("{\"a\" 1}", "a colon should stand here"),
        ("{1}", "a name in double quotes should begin here"),
        ("[1,]", "a value should begin here"),
        ("1 1", "text after the document"),
        ("\"\t\"", "a control character inside a string"),
        (
            "\"\\u12g4\"",
            "an escape \\u without four hexadecimal digits",
        ),
        (&"[".repeat(513), "nested deeper than 512 levels"),
    ] {
        let refused = streamed(text, 3, Layout::Minified).unwrap_err();
        assert!(refused.contains(message), "{text}: {refused}");
    }
    let refused = json::format_stream(&b"\"\xFF\""[..], io::sink(), Layout::Minified).unwrap_err();
    assert!(
        refused.to_string().contains("bytes that are not UTF-8"),
        "{refused}"
    );
}

/// Discards its input, and records the length of the largest piece.
struct Largest(usize);

impl Write for Largest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn indentation_and_long_strings_do_not_fill_the_memory() {
    let deep = format!(
        "{}{}{}",
        "[".repeat(500),
        "1,".repeat(2_000) + "1",
        "]".repeat(500)
    );
    let mut largest = Largest(0);
    json::format_stream(deep.as_bytes(), &mut largest, Layout::spaces(u8::MAX)).unwrap();
    assert!(largest.0 < 1 << 20, "{}", largest.0);
    let string = b"\""
        .chain(io::repeat(b'x').take(20 << 20))
        .chain(&b"\""[..]);
    let mut largest = Largest(0);
    json::format_stream(string, &mut largest, Layout::Minified).unwrap();
    assert!(largest.0 < 1 << 20, "{}", largest.0);
    let digits = io::repeat(b'1').take(3 << 20);
    let refused = json::format_stream(digits, io::sink(), Layout::Minified).unwrap_err();
    assert!(
        refused.to_string().contains("a number of over 1 MiB"),
        "{refused}"
    );
}
