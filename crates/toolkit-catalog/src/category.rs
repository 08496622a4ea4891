//! Catalog categories: the eight subject areas of tools.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Subject area of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Category {
    /// Conversion between notations of bytes or text.
    Encoders,
    /// Formatting, validation and conversion of documents.
    Formatters,
    /// Digests, tokens, keys and secrets.
    Crypto,
    /// Generated identifiers, placeholder content and codes.
    Generators,
    /// Addresses, URLs and HTTP.
    Network,
    /// Dates, times and schedules.
    Datetime,
    /// Plain text.
    Text,
    /// Colors and images.
    Design,
}

impl Category {
    /// All categories, in the order in which they are published.
    pub const ALL: [Self; 8] = [
        Self::Encoders,
        Self::Formatters,
        Self::Crypto,
        Self::Generators,
        Self::Network,
        Self::Datetime,
        Self::Text,
        Self::Design,
    ];

    /// The name on the wire.
    ///
    /// ```
    /// use toolkit_catalog::Category;
    ///
    /// assert_eq!(Category::Datetime.name(), "datetime");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Encoders => "encoders",
            Self::Formatters => "formatters",
            Self::Crypto => "crypto",
            Self::Generators => "generators",
            Self::Network => "network",
            Self::Datetime => "datetime",
            Self::Text => "text",
            Self::Design => "design",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl AsRef<str> for Category {
    fn as_ref(&self) -> &str {
        self.name()
    }
}

/// Error: no category has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownCategory;

impl fmt::Display for UnknownCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Category::ALL.map(Category::name).join(", ");
        write!(f, "There is no such category; use one of {names}.")
    }
}

impl std::error::Error for UnknownCategory {}

impl FromStr for Category {
    type Err = UnknownCategory;

    fn from_str(name: &str) -> Result<Self, UnknownCategory> {
        let mut all = Self::ALL.into_iter();
        all.find(|category| category.name() == name).ok_or(UnknownCategory)
    }
}
