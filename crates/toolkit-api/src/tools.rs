//! Tools: their runs, the catalog, and the web pages.

pub(crate) mod assets;
pub(crate) mod catalog;
pub(crate) mod not_found;
pub(crate) mod pages;
pub(crate) mod response_cache;
pub(crate) mod run;
pub(crate) mod site_pages;
