//! Prose: text with code in backticks, as in doc comments, rendered as HTML.

use maud::{Markup, html};

/// Text in which backticks mark code.
pub(crate) fn prose(text: &str) -> Markup {
    let parts: Vec<_> = text.split('`').collect();
    // With an odd number of backticks, none of them marks code.
    if parts.len() % 2 == 0 {
        return html! { (text) };
    }
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// Capitalizes a text.
pub(crate) fn capitalized(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn backticks_become_code() {
        assert_eq!(prose("`a<b` or c").into_string(), "<code>a&lt;b</code> or c");
    }

    #[test]
    fn a_backtick_alone_is_a_backtick() {
        assert_eq!(prose("a ` b").into_string(), "a ` b");
    }
}
