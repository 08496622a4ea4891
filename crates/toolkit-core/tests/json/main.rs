//! JSON through the library's public interface.

#![cfg(test)]

mod limits;
mod properties;
mod suite;
mod values;
mod vectors;

use toolkit_core::json::{self, Format, Layout};
use toolkit_core::{ToolError, Warnings};

const PRETTY: Format = Format::new(Layout::spaces(2));
const MINIFIED: Format = Format::new(Layout::Minified);
const SORTED: Format = MINIFIED.sort_keys(true);

fn format(text: &str, format: Format) -> Result<String, ToolError> {
    json::format(text, format, &mut Warnings::new())
}

/// The error for a text, which must be the same for every operation.
fn refusal(text: &str) -> String {
    let refusals = [
        format(text, PRETTY).map(drop),
        format(text, MINIFIED).map(drop),
        format(text, SORTED).map(drop),
        json::check(text, &mut Warnings::new()).map(drop),
        json::parse(text, &mut Warnings::new()).map(drop),
    ];
    let [first, ..] = &refusals;
    assert!(refusals.iter().all(|other| other == first), "{refusals:?}");
    first.clone().expect_err("it is refused").to_string()
}
