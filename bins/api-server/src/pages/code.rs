//! Code blocks.

use maud::{Markup, html};
use toolkit_core::Warnings;
use toolkit_core::json::{self, Format, Layout};

/// What a box of code is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Shell,
    Json,
    Toml,
    TypeScript,
    Python,
    /// What a program prints.
    Text,
}

impl Language {
    const fn name(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Json => "json",
            Self::Toml => "toml",
            Self::TypeScript => "typescript",
            Self::Python => "python",
            Self::Text => "text",
        }
    }
}

/// Text in a box, as it is.
///
/// The box can be reached with the keyboard, since a long line scrolls in it.
pub(crate) fn code(language: Language, text: &str) -> Markup {
    html! {
        div.code { pre tabindex="0" { code class={ "language-" (language.name()) } { (text) } } }
    }
}

/// JSON in a box, laid out as a person writes it, with its members in their order.
pub(crate) fn json(text: &str) -> Markup {
    let layout = Format::new(Layout::spaces(2));
    let pretty = json::format(text, layout, &mut Warnings::new());
    code(Language::Json, pretty.as_deref().unwrap_or(text))
}

/// A call and its answer, with a clause that says what they show.
pub(crate) fn example(title: &str, call: &Markup, answer: &str) -> Markup {
    html! {
        figure.example {
            figcaption { (title) }
            (call)
            (json(answer))
        }
    }
}

/// A word of a POSIX shell that stands for exactly this text.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_quotation_mark_leaves_the_quotes_and_comes_back() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(r#"{"a": "$b `c` \n"}"#), r#"'{"a": "$b `c` \n"}'"#);
    }
}
