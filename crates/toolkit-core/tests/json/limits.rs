//! Texts crafted to exhaust the stack, the memory or the time.

use std::time::Duration;

use cpu_time::ThreadTime;
use toolkit_core::json::{self, Format, Layout};
use toolkit_core::limits::{NESTING_MAX, RESULT_BYTES_MAX};
use toolkit_core::{Warnings, json::parse};

use crate::{MINIFIED, PRETTY, SORTED, format, refusal};

/// Far more than these texts take in linear time, far less than they take in quadratic time.
const DEADLINE: Duration = Duration::from_secs(20);

/// Runs a test with half of a thread's usual stack.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    thread.spawn(test).unwrap().join().unwrap();
}

fn nested(depth: usize, open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn as_many_levels_as_are_allowed_pass_and_one_more_is_refused() {
    on_a_small_stack(|| {
        for (open, inside, close) in
            [("[", "", "]"), ("[", "0", "]"), ("{\"a\":", "0", "}"), ("[{\"a\":", "[]", "}]")]
        {
            let levels = open.matches(['[', '{']).count();
            let spare = usize::from(inside == "[]") * 2;
            let text = nested((NESTING_MAX - spare) / levels, open, inside, close);
            assert_eq!(format(&text, MINIFIED).as_ref(), Ok(&text));
            assert_eq!(format(&text, SORTED).as_ref(), Ok(&text));
            let pretty = format(&text, PRETTY).unwrap();
            assert_eq!(format(&pretty, SORTED).as_ref(), Ok(&text));
            let value = parse(&text, &mut Warnings::new()).unwrap();
            assert_eq!(json::write(&value, Layout::Minified).as_ref(), Ok(&text));
            drop(value.clone());
            let deeper = format!("[{}{text}{}]", "[".repeat(spare), "]".repeat(spare));
            let refused = refusal(&deeper);
            assert!(
                refused.starts_with("line 1, column ")
                    && refused.ends_with(": the input is nested deeper than 512 levels."),
                "{refused}"
            );
        }
    });
}

#[test]
fn half_a_million_brackets_are_refused_at_once() {
    on_a_small_stack(|| {
        for text in ["[".repeat(500_000), "{\"a\":".repeat(500_000), nested(500_000, "[", "", "]")]
        {
            assert!(refusal(&text).contains("nested deeper than 512 levels"));
        }
    });
}

#[test]
fn a_result_may_be_as_large_as_the_bound_and_no_larger() {
    let text = "[1,2,{\"a\":\"b\"},[]]";
    for layout in [Layout::spaces(2), Layout::spaces(100), Layout::TABS, Layout::Minified] {
        for sort_keys in [false, true] {
            let bounded = |bytes| {
                let bounded = Format::new(layout).sort_keys(sort_keys);
                format(text, bounded.result_bytes(bytes))
            };
            let whole = bounded(RESULT_BYTES_MAX).unwrap();
            assert_eq!(bounded(whole.len()).as_ref(), Ok(&whole));
            for less in 0..whole.len() {
                let refused = bounded(less).unwrap_err().to_string();
                assert_eq!(
                    refused,
                    format!(
                        "The input gives a result of over {less} bytes. Use a smaller indent, or send less at once."
                    )
                );
            }
        }
    }
}

#[test]
fn an_indent_cannot_amplify_over_the_bound() {
    let text = nested(NESTING_MAX, "[", &("0,".repeat(500_000) + "0"), "]");
    let started = ThreadTime::now();
    let refused = format(&text, Format::new(Layout::spaces(255))).unwrap_err();
    assert!(refused.to_string().contains("gives a result of over 8 MiB"), "{refused}");
    assert!(started.elapsed() < DEADLINE, "{:?}", started.elapsed());
}

#[test]
fn many_names_take_time_in_proportion() {
    let object = |name: &dyn Fn(usize) -> String| {
        let members: Vec<_> = (0..50_000).map(|index| format!("\"{}\":0", name(index))).collect();
        format!("{{{}}}", members.join(","))
    };
    for text in [
        object(&|index| index.to_string()),
        object(&|index| format!("\\u{index:04x}")),
        object(&|_| "same".to_owned()),
        object(&|index| format!("{}{index}", "n".repeat(100))),
    ] {
        for format_with in [PRETTY, SORTED] {
            let started = ThreadTime::now();
            format(&text, format_with).unwrap();
            assert!(started.elapsed() < DEADLINE, "{:?}", started.elapsed());
        }
    }
}

#[test]
fn a_number_and_a_string_may_be_of_any_length() {
    let digits = "7".repeat(500_000);
    for text in [digits.clone(), format!("-{digits}.{digits}e{digits}"), format!("\"{digits}\"")] {
        assert_eq!(format(&text, PRETTY).as_ref(), Ok(&text));
        let value = parse(&text, &mut Warnings::new()).unwrap();
        assert_eq!(json::write(&value, Layout::Minified).as_ref(), Ok(&text));
    }
    assert!(refusal(&format!("{digits}x")).len() < 300);
}
