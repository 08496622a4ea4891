//! Layout: the white space of written JSON, YAML and XML.

/// The white space of a text of JSON, YAML or XML.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Layout {
    /// A line for each item, member or element, indented by its depth.
    Pretty {
        /// The indentation of each level.
        indent: Indent,
    },
    /// As little white space as the format needs.
    Minified,
}

/// The indentation of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Indent {
    /// So many spaces. YAML takes 1 to 8; others count as the nearest of them.
    Spaces(u8),
    /// A tab. YAML does not allow one, and is indented by two spaces instead.
    Tab,
}

impl Layout {
    /// Pretty-printed with tabs.
    pub const TABS: Self = Self::Pretty {
        indent: Indent::Tab,
    };

    /// Pretty-printed with so many spaces for each level.
    ///
    /// ```
    /// use toolkit_core::{Indent, Layout};
    ///
    /// assert_eq!(Layout::spaces(2), Layout::Pretty { indent: Indent::Spaces(2) });
    /// assert_eq!(Layout::spaces(2), Layout::default());
    /// ```
    pub const fn spaces(count: u8) -> Self {
        Self::Pretty {
            indent: Indent::Spaces(count),
        }
    }
}

impl Default for Layout {
    /// Pretty-printed with two spaces for each level.
    fn default() -> Self {
        Self::spaces(2)
    }
}
