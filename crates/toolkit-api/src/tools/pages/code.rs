//! Code blocks of the documentation pages.

use maud::{Markup, html};
use toolkit_core::Warnings;
use toolkit_core::json::{self, Format, Layout};

/// Text in a block, unchanged.
///
/// The block is focusable, since long lines scroll in it.
pub(crate) fn code(language: &str, text: &str) -> Markup {
    html! {
        div.code { pre tabindex="0" { code class={ "language-" (language) } { (text) } } }
    }
}

/// Indented JSON in a block, with its members in order.
pub(crate) fn json(text: &str) -> Markup {
    let layout = Format::new(Layout::spaces(2));
    let pretty = json::format(text, layout, &mut Warnings::new());
    code("json", &in_rows(pretty.as_deref().unwrap_or(text)))
}

/// Indented JSON with each list of numbers in one row.
fn in_rows(pretty: &str) -> String {
    let mut rows = String::with_capacity(pretty.len());
    let mut lines = pretty.lines().peekable();
    while let Some(line) = lines.next() {
        rows.push_str(line);
        if line.ends_with('[') {
            let is_number =
                |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
            while let Some(number) = lines.next_if(is_number) {
                rows.push_str(number.trim_start());
                rows.push_str(if number.ends_with(',') {
                    " "
                } else {
                    lines.next().map_or("", str::trim_start)
                });
            }
        }
        rows.push('\n');
    }
    rows.truncate(rows.trim_end().len());
    rows
}

/// A call and its response, with a clause that describes them.
pub(crate) fn example(title: &str, call: &Markup, answer: &str) -> Markup {
    html! {
        figure.example {
            figcaption { (title) }
            (call)
            (json(answer))
        }
    }
}

/// Quotes a text as one POSIX shell word.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_quotation_mark_is_escaped_outside_the_quotes() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(r#"{"a": "$b `c` \n"}"#), r#"'{"a": "$b `c` \n"}'"#);
    }
}
