//! One tool of the catalog.

use serde::Serialize;

use crate::Category;

/// What is said of a tool. It is serialised as the API publishes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Entry {
    /// Identifies the tool: lower-case words joined by hyphens.
    pub slug: &'static str,
    /// What a person calls it.
    pub name: &'static str,
    /// What it is about.
    pub category: Category,
    /// One sentence that says what it does.
    pub description: &'static str,
    /// Other names that people search for; the API does not publish them.
    #[serde(skip)]
    pub keywords: &'static [&'static str],
    /// Whether the service runs it; otherwise it runs in a browser.
    pub server_side: bool,
}
