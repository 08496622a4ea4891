#![doc = include_str!("../README.md")]

mod category;
mod entry;

pub use self::category::{Category, UnknownCategory};
pub use self::entry::Entry;

/// Every tool, in the catalog's order.
pub static ENTRIES: &[Entry] = include!(concat!(env!("OUT_DIR"), "/entries.rs"));

/// Finds the entry with a slug.
///
/// ```
/// let entry = toolkit_catalog::find("cidr-calculator").expect("it is in the catalog");
/// assert_eq!((entry.name, entry.server_side), ("CIDR Calculator", true));
/// ```
pub fn find(slug: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.slug == slug)
}

/// Returns the entries of a category, in the catalog's order.
///
/// ```
/// use toolkit_catalog::{Category, by_category};
///
/// let mut network = by_category(Category::Network);
/// assert!(network.any(|entry| entry.slug == "cidr-calculator"));
/// ```
pub fn by_category(category: Category) -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().filter(move |entry| entry.category == category)
}
