#![doc = include_str!("../README.md")]

mod category;
mod entry;

pub use self::category::Category;
pub use self::entry::Entry;

/// Every tool, in the catalog's order.
pub static ENTRIES: &[Entry] = include!(concat!(env!("OUT_DIR"), "/entries.rs"));

/// Finds the entry of a slug.
pub fn find(slug: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.slug == slug)
}
