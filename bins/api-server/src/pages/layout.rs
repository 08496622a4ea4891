//! What all pages share.

use maud::{DOCTYPE, Markup, html};

/// A whole page. `style` is the path of the stylesheet.
pub(crate) fn page(title: &str, style: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="stylesheet" href=(style);
                link rel="icon" href="data:,";
            }
            body {
                main { (content) }
                footer { "Toolkit " (env!("CARGO_PKG_VERSION")) }
            }
        }
    }
}

/// JSON in a box, indented.
pub(crate) fn json(value: &serde_json::Value) -> Markup {
    code(&serde_json::to_string_pretty(value).unwrap_or_default())
}

/// Text in a box, as it is.
pub(crate) fn code(text: &str) -> Markup {
    html! { pre tabindex="0" { code { (text) } } }
}
