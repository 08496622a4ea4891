//! `choice!`: declares an option with a fixed set of values.

use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};

/// Compares two words, ignoring case, `-` and `_`.
pub(crate) fn same_word(given: &str, known: &str) -> bool {
    fn significant(word: &str) -> impl Iterator<Item = u8> {
        word.bytes()
            .filter(|byte| !matches!(byte, b'-' | b'_'))
            .map(|byte| byte.to_ascii_lowercase())
    }
    significant(given).eq(significant(known))
}

/// Error for an unknown word, with the accepted ones.
pub(crate) fn unknown_word(word: &str, words: &[&str]) -> ToolError {
    let words = words.join(", ");
    let refusal = ToolError::new(format!("is {}", Echo(word))).of(ErrorKind::Range);
    refusal.with_hint(format!("use one of {words}"))
}

/// Declares an option with a fixed set of values: an enum whose variants carry their spellings.
///
/// Ignores case, `-` and `_`. Words after `|` are accepted but not documented.
macro_rules! choice {
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident {
            $( $(#[doc = $doc:literal])+ $variant:ident = $word:literal $(| $other:literal)* ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl $name {
            /// Every variant, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The variant's word.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Finds the variant with this word.
            pub fn from_word(word: &str) -> Option<Self> {
                let same = |known: &str| $crate::choice::same_word(word, known);
                $( if same($word) $(|| same($other))* { return Some(Self::$variant); } )+
                None
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::error::ToolError;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                Self::from_word(word)
                    .ok_or_else(|| $crate::choice::unknown_word(word, &[$($word),+]))
            }
        }

        $crate::serde_text::serde_as_text!($name);

        #[cfg(feature = "tools")]
        impl<'de> $crate::input::Value<'de> for $name {
            fn schema() -> serde_json::Map<String, serde_json::Value> {
                let words: Vec<serde_json::Value> =
                    Self::ALL.iter().map(|choice| choice.word().into()).collect();
                $crate::input::schema([("type", "string".into()), ("enum", words.into())])
            }

            fn from_scalar(
                scalar: $crate::input::Scalar<'de>,
            ) -> Result<Self, $crate::error::ToolError> {
                let found = match &scalar {
                    $crate::input::Scalar::Text(word) => Self::from_word(word),
                    $crate::input::Scalar::Number(digits) => Self::from_word(digits),
                    _ => None,
                };
                found.ok_or_else(|| {
                    $crate::input::no_such_word(&scalar, &[$($word),+])
                })
            }

            fn to_json(&self) -> serde_json::Value {
                self.word().into()
            }
        }
    };
}
pub(crate) use choice;
