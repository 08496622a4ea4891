//! Layout: white space of written JSON, YAML and XML.

/// White space of JSON, YAML or XML.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Layout {
    /// One line per item, member or element, indented by its depth.
    Pretty {
        /// Indentation per level.
        indent: Indent,
    },
    /// No more white space than the format requires.
    Minified,
}

/// Indentation of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Indent {
    /// Spaces. YAML accepts 1 to 8; other values are clamped.
    Spaces(u8),
    /// A tab. YAML does not allow tabs, and is indented by two spaces instead.
    Tab,
}

impl Layout {
    /// Pretty-printed with tabs.
    pub const TABS: Self = Self::Pretty {
        indent: Indent::Tab,
    };

    /// Pretty-printed with `count` spaces per level.
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

    /// The character that indents, and how often it does so per level; `None` if minified.
    #[inline]
    pub(crate) fn indentation(self) -> Option<(u8, usize)> {
        match self {
            Self::Minified => None,
            Self::Pretty { indent } => Some(match indent {
                Indent::Spaces(count) => (b' ', count.into()),
                Indent::Tab => (b'\t', 1),
            }),
        }
    }
}

impl Default for Layout {
    /// Pretty-printed with two spaces per level.
    fn default() -> Self {
        Self::spaces(2)
    }
}
