//! Cards: links to the pages of tools, by category or as a short list.

use maud::{Markup, html};
use toolkit_catalog::{Category, Entry};

use super::layout::Paths;

/// Display name of a category.
pub(crate) const fn category_name(category: Category) -> &'static str {
    match category {
        Category::Encoders => "Encoders",
        Category::Formatters => "Formatters",
        Category::Crypto => "Crypto",
        Category::Generators => "Generators",
        Category::Network => "Network",
        Category::Datetime => "Date and time",
        Category::Text => "Text",
        Category::Design => "Design",
        _ => category.name(),
    }
}

/// A list of cards.
pub(crate) fn cards<'a>(paths: &Paths<'_>, entries: impl IntoIterator<Item = &'a Entry>) -> Markup {
    html! {
        ul.cards {
            @for entry in entries { li { (card(paths, entry)) } }
        }
    }
}

fn card(paths: &Paths<'_>, entry: &Entry) -> Markup {
    html! {
        a.card data-card data-slug=(entry.slug) data-server[entry.server_side] href=(paths.tool(entry.slug)) {
            strong { (entry.name) }
            span { (entry.description) }
        }
    }
}
