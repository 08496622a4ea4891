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
    /// Spaces. YAML accepts 1 to 8 and clamps other values.
    Spaces(u8),
    /// A tab. YAML does not allow tabs, and is indented by two spaces instead.
    Tab,
}

impl Layout {
    /// Pretty-printed with tabs.
    pub const TABS: Self = Self::Pretty { indent: Indent::Tab };

    /// Pretty-printed with `count` spaces per level.
    ///
    /// ```
    /// use toolkit_core::{Indent, Layout};
    ///
    /// assert_eq!(Layout::spaces(2), Layout::Pretty { indent: Indent::Spaces(2) });
    /// assert_eq!(Layout::spaces(2), Layout::default());
    /// ```
    pub const fn spaces(count: u8) -> Self {
        Self::Pretty { indent: Indent::Spaces(count) }
    }

    /// The indentation character and its count per level. `None` if minified.
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

/// Layout of written YAML or XML, and the limit on its length.
///
/// Made of a [`Layout`], it has the limit [`RESULT_BYTES_MAX`](crate::limits::RESULT_BYTES_MAX).
///
/// ```
/// # #[cfg(feature = "xml")] {
/// use toolkit_core::{Layout, Options, Warnings, xml};
///
/// let options = Options::from(Layout::spaces(2)).result_bytes(10);
/// let mut warnings = Warnings::new();
/// assert!(xml::format("<a> <b/></a>", options, &mut warnings).is_err());
/// assert!(xml::format("<a> <b/></a>", options.result_bytes(64 << 20), &mut warnings).is_ok());
/// # }
/// ```
#[cfg(any(feature = "xml", feature = "yaml"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
    pub(crate) layout: Layout,
    pub(crate) result_bytes: usize,
}

#[cfg(any(feature = "xml", feature = "yaml"))]
impl Options {
    /// Sets the maximum length of a result, in bytes. `usize::MAX` means no limit.
    #[must_use]
    pub const fn result_bytes(mut self, bytes: usize) -> Self {
        self.result_bytes = bytes;
        self
    }
}

#[cfg(any(feature = "xml", feature = "yaml"))]
impl From<Layout> for Options {
    fn from(layout: Layout) -> Self {
        Self { layout, result_bytes: crate::limits::RESULT_BYTES_MAX }
    }
}
