//! The few HTML pages: plain, without scripts, and with nothing from elsewhere.

pub(crate) mod layout;
pub(crate) mod rest;
mod schema;

/// The stylesheet of all pages.
pub(crate) const STYLE: &str = include_str!("../assets/style.css");
