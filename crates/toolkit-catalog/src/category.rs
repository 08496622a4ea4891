//! The eight categories.

use serde::Serialize;

/// What a tool is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// From one notation of bytes or text to another and back.
    Encoders,
    /// Documents laid out, checked or converted.
    Formatters,
    /// Digests, tokens, keys and secrets.
    Crypto,
    /// Identifiers, filler and codes out of nothing.
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
    /// All of them, in the order in which they are published.
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
