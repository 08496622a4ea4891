//! Catalog module: the entries as JavaScript, for search and the home page.

use std::sync::LazyLock;

use serde_json::json;
use toolkit_catalog::ENTRIES;

/// The path of the module.
pub(crate) const PATH: &str = "catalog.js";

/// The text of the module.
pub(crate) fn module() -> &'static str {
    static MODULE: LazyLock<String> = LazyLock::new(|| {
        let entries: Vec<_> = ENTRIES
            .iter()
            .map(|entry| {
                json!({
                    "slug": entry.slug,
                    "name": entry.name,
                    "category": entry.category,
                    "description": entry.description,
                    "keywords": entry.keywords,
                })
            })
            .collect();
        format!("export default {};\n", json!(entries))
    });
    &MODULE
}
