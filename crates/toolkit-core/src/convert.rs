//! Conversion between JSON, YAML and XML in one call.

use crate::choice::choice;
use crate::error::ToolError;
use crate::layout::Layout;
use crate::node::Node;
use crate::warnings::Warnings;
use crate::{json, xml, yaml};

choice! {
    /// A format of structured data.
    pub enum Language {
        /// RFC 8259.
        Json = "json",
        /// YAML 1.2.
        Yaml = "yaml",
        /// XML 1.0.
        Xml = "xml",
    }
}

/// Converts text to another format or, if both are the same, to another layout.
///
/// Within one format nothing is converted: JSON keeps every token, YAML its documents, XML its
/// comments.
///
/// ```
/// use toolkit_core::{Language, Layout, Warnings, convert};
///
/// let yaml = "a: [1.50, x]";
/// let mut warnings = Warnings::new();
/// let json = convert(yaml, Language::Yaml, Language::Json, Layout::Minified, &mut warnings)?;
/// assert_eq!(json, r#"{"a":[1.50,"x"]}"#);
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
///
/// # Errors
///
/// Those of `parse` of the source format and `write` of the target.
pub fn convert(
    text: &str,
    from: Language,
    to: Language,
    layout: Layout,
    warnings: &mut Warnings,
) -> Result<String, ToolError> {
    if from == to {
        return match to {
            Language::Json => json::format(text, layout, warnings),
            Language::Yaml => yaml::format(text, layout, warnings),
            Language::Xml => xml::format(text, layout, warnings),
        };
    }
    let value = read(text, from, warnings)?;
    match to {
        Language::Json => json::write(&value, layout),
        Language::Yaml => yaml::write(&value, layout),
        Language::Xml => xml::write(&value, layout, warnings),
    }
}

/// Like [`convert`] to JSON, but as a JSON string.
#[cfg(feature = "tools")]
pub(crate) fn convert_to_quoted_json(
    text: &str,
    from: Language,
    layout: Layout,
    warnings: &mut Warnings,
) -> Result<Vec<u8>, ToolError> {
    if from == Language::Json {
        return json::format_as::<true>(text, layout.into(), warnings);
    }
    json::write_as::<true>(&read(text, from, warnings)?, layout.into())
}

/// Parses text as one value.
fn read(text: &str, format: Language, warnings: &mut Warnings) -> Result<Node, ToolError> {
    match format {
        Language::Json => json::parse(text, warnings),
        Language::Yaml => yaml::parse(text, warnings),
        Language::Xml => xml::parse(text, warnings),
    }
}
