//! Conversion between JSON, YAML and XML in one call.

use crate::choice::choice;
use crate::error::ToolError;
use crate::layout::Options;
use crate::node::Node;
use crate::warnings::Warnings;
use crate::{json, xml, yaml};

choice! {
    /// A format of structured data.
    pub enum Language {
        /// RFC 8259.
        Json = "json",
        /// YAML 1.2.
        Yaml = "yaml" | "yml",
        /// XML 1.0.
        Xml = "xml",
    }
}

impl Language {
    /// Checks text.
    ///
    /// ```
    /// use toolkit_core::{Language, Warnings};
    ///
    /// assert!(Language::Yaml.check("a: [1, 2", &mut Warnings::new()).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `check` of the format's module.
    pub fn check(self, text: &str, warnings: &mut Warnings) -> Result<(), ToolError> {
        match self {
            Self::Json => json::check(text, warnings),
            Self::Yaml => yaml::check(text, warnings),
            Self::Xml => xml::check(text, warnings),
        }
    }

    /// Parses text as one value.
    ///
    /// ```
    /// use toolkit_core::{Language, Node, Warnings};
    ///
    /// let node = Language::Xml.parse("<a>b</a>", &mut Warnings::new())?;
    /// assert_eq!(node.pointer("/a").and_then(Node::as_str), Some("b"));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `parse` of the format's module.
    pub fn parse(self, text: &str, warnings: &mut Warnings) -> Result<Node, ToolError> {
        match self {
            Self::Json => json::parse(text, warnings),
            Self::Yaml => yaml::parse(text, warnings),
            Self::Xml => xml::parse(text, warnings),
        }
    }

    /// Writes a value.
    ///
    /// ```
    /// use toolkit_core::{Language, Layout, Node, Warnings};
    ///
    /// let node = Node::Array(vec![Node::from(1)]);
    /// let text = Language::Yaml.write(&node, Layout::default(), &mut Warnings::new())?;
    /// assert_eq!(text, "- 1\n");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `write` of the format's module.
    pub fn write(
        self,
        node: &Node,
        options: impl Into<Options>,
        warnings: &mut Warnings,
    ) -> Result<String, ToolError> {
        match self {
            Self::Json => json::write(node, options.into()),
            Self::Yaml => yaml::write(node, options),
            Self::Xml => xml::write(node, options, warnings),
        }
    }

    /// Formats text in another layout, without converting anything: JSON keeps every token, YAML its
    /// documents and comments, XML its comments.
    ///
    /// ```
    /// use toolkit_core::{Language, Layout, Warnings};
    ///
    /// let text = Language::Json.format("[1.0, 2]", Layout::Minified, &mut Warnings::new())?;
    /// assert_eq!(text, "[1.0,2]");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of `format` of the format's module.
    pub fn format(
        self,
        text: &str,
        options: impl Into<Options>,
        warnings: &mut Warnings,
    ) -> Result<String, ToolError> {
        match self {
            Self::Json => json::format(text, options.into(), warnings),
            Self::Yaml => yaml::format(text, options, warnings),
            Self::Xml => xml::format(text, options, warnings),
        }
    }
}

/// Converts text to another language or, if both are the same, formats it.
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
/// Those of [`Language::parse`] and [`Language::write`], or of [`Language::format`].
pub fn convert(
    text: &str,
    from: Language,
    to: Language,
    options: impl Into<Options>,
    warnings: &mut Warnings,
) -> Result<String, ToolError> {
    if from == to {
        return to.format(text, options, warnings);
    }
    to.write(&from.parse(text, warnings)?, options, warnings)
}
