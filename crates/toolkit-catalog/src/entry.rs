//! One tool of the catalog.

use serde::Serialize;

use crate::Category;

/// What is said of a tool. It is serialised as the API publishes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Identifies the tool: lower-case words joined by hyphens.
    pub slug: &'static str,
    /// What a person calls it.
    pub name: &'static str,
    /// What it is about.
    pub category: Category,
    /// One sentence that says what it does.
    pub description: &'static str,
    /// Whether the service runs it; otherwise it runs in a browser.
    pub server_side: bool,
}
