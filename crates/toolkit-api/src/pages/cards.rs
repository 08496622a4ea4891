//! Cards: links to the pages of tools, by category or as a short list.

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

/// The sign of each tool: its slug and up to three characters, a line each.
const FACES: &str = include_str!("faces.txt");

/// The face of a tool: its sign on the hue of its category.
pub(crate) fn face(entry: &Entry) -> Markup {
    let mut faces = FACES.lines().filter_map(|line| line.split_once(' '));
    let sign = faces.find(|(slug, _)| *slug == entry.slug).map_or("", |(_, sign)| sign);
    html! { span.face aria-hidden="true" data-category=(entry.category.name()) { (sign) } }
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

#[cfg(test)]
mod tests {
    use toolkit_catalog::ENTRIES;

    use super::FACES;

    #[test]
    fn every_tool_has_a_face() {
        let faces: Vec<_> = FACES.lines().filter_map(|line| line.split_once(' ')).collect();
        assert_eq!(faces.len(), ENTRIES.len());
        for entry in ENTRIES {
            let face = faces.iter().find(|(slug, _)| *slug == entry.slug);
            assert!(
                face.is_some_and(|(_, sign)| (1..=3).contains(&sign.chars().count())),
                "{}",
                entry.slug
            );
        }
    }
}
