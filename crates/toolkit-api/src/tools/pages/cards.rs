//! Cards: links to tool pages, by category or as a short list.

use maud::{Markup, html};
use toolkit_catalog::{Category, Entry};

use super::layout::Paths;
use super::prose::capitalized;

/// Display name of a category.
pub(crate) fn category_name(category: Category) -> String {
    match category {
        Category::Datetime => "Date and time".to_owned(),
        _ => capitalized(category.name()),
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

/// A tool's face, in its category's hue.
pub(crate) fn face(entry: &Entry) -> Markup {
    html! { span.face aria-hidden="true" data-category=(entry.category.name()) { (entry.face) } }
}

fn card(paths: &Paths<'_>, entry: &Entry) -> Markup {
    html! {
        a.card data-card data-slug=(entry.slug) href=(paths.tool(entry.slug)) {
            (face(entry))
            strong { (entry.name) }
            span { (entry.description) }
        }
    }
}
