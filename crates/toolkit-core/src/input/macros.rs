//! The two declarations that a tool's file makes: its inputs, and the words an input can be.

/// Declares the inputs of a tool: a struct whose field docs become the schema's descriptions.
///
/// `name: Type` is required, `name: Option<Type>` is not, `name: Type = default` has a default. The
/// first field is the main input, unless the index of another stands behind `main =`.
macro_rules! input {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident $(<$life:lifetime>)? $(, main = $main:literal)? {
            $( $(#[doc = $doc:literal])+ $field:ident: $type:ty $(= $default:expr)? ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone)]
        pub struct $name $(<$life>)? {
            $( $(#[doc = $doc])+ pub $field: $type, )+
        }

        $crate::input::input! {
            @impl $name, $crate::input::input!(@main $($main)?), [$($life)?],
            $( ($field: $type, concat!($($doc, "\n"),+) $(, $default)?) )+
        }
    };
    (@impl $name:ident, $main:expr, [], $($fields:tt)+) => {
        impl<'de> $crate::input::Input<'de> for $name {
            $crate::input::input!(@body 'de, $main, $($fields)+);
        }
    };
    (@impl $name:ident, $main:expr, [$life:lifetime], $($fields:tt)+) => {
        impl<$life> $crate::input::Input<$life> for $name<$life> {
            $crate::input::input!(@body $life, $main, $($fields)+);
        }
    };
    (
        @body $life:lifetime, $main:expr,
        $( ($field:ident: $type:ty, $doc:expr $(, $default:expr)?) )+
    ) => {
        const FIELDS: &'static [$crate::input::Field] = &[$(
            $crate::input::Field {
                name: stringify!($field),
                description: $doc,
                required: $crate::input::input!(@required $life, $type $(, $default)?),
                schema: || {
                    let schema = <$type as $crate::input::Value<$life>>::schema();
                    $(
                        let default: $type = $default;
                        let schema = $crate::input::with_default(schema, &default);
                    )?
                    schema
                },
            },
        )+];
        const MAIN: usize = $main;

        fn from_scalars(
            values: &mut dyn Iterator<Item = $crate::input::Scalar<$life>>,
        ) -> Result<Self, $crate::error::ToolError> {
            Ok(Self {
                $(
                    $field: $crate::input::convert(
                        stringify!($field),
                        values.next(),
                        $crate::input::input!(@default $($default)?),
                    )?,
                )+
            })
        }
    };
    (@main) => { 0 };
    (@main $main:literal) => { $main };
    (@required $life:lifetime, $type:ty) => {
        <$type as $crate::input::Value<$life>>::REQUIRED
    };
    (@required $life:lifetime, $type:ty, $default:expr) => { false };
    (@default) => { None };
    (@default $default:expr) => { Some($default) };
}
pub(crate) use input;

/// Declares an input that is one of several words: an enum whose variants carry their spellings.
///
/// `folded` in front of the words ignores case, `-` and `_`; words behind `|` are accepted, but not
/// shown.
macro_rules! choice {
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident $(: $folded:ident)? {
            $( $(#[doc = $doc:literal])+ $variant:ident = $word:literal $(| $other:literal)* ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl $name {
            /// Every one of them, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its word.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Finds the one that a word names.
            pub fn from_word(word: &str) -> Option<Self> {
                let folded = false $(|| $crate::input::choice!(@ $folded))?;
                let same = |known: &str| $crate::input::same_word(word, known, folded);
                $( if same($word) $(|| same($other))* { return Some(Self::$variant); } )+
                None
            }
        }

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
                    $crate::input::Scalar::Integer(number) => Self::from_word(&number.to_string()),
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
    (@ folded) => { true };
}
pub(crate) use choice;
