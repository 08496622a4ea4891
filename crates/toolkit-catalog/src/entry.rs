//! Catalog entry: one tool.

use serde::Serialize;

use crate::Category;

/// Description of a tool, serialized as the API publishes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Entry {
    /// Identifies the tool: lower-case words joined by hyphens.
    pub slug: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Subject area.
    pub category: Category,
    /// One to three characters that represent it on its card. Not published by the API.
    #[serde(skip)]
    pub face: &'static str,
    /// One sentence that says what the tool does.
    pub description: &'static str,
    /// Search terms besides the name. Not published by the API.
    #[serde(skip)]
    pub keywords: &'static [&'static str],
    /// Whether the service runs the tool. If not, the browser does.
    pub server_side: bool,
    /// Slugs of the tools that its page links to. Not published by the API.
    #[serde(skip)]
    pub related: &'static [&'static str],
}

/// A plain `enum` of strings, for which client generators emit a union type.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for Category {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Category".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "enum": Self::ALL.map(Self::name)})
    }
}
