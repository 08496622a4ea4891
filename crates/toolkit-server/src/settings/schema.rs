//! Settings schema: name, meaning, default, example and accepted values of every setting.
//!
//! [`section!`] declares a section once, as a struct. The loader, the reference page, the example
//! file and `config check` all derive from it, so none of them can omit a setting.

use std::sync::LazyLock;

use toml::Value;

use super::Settings;

/// Suffix of keys whose value is the path of a file with the actual value.
pub(super) const FILE_SUFFIX: &str = "_file";

/// Suffix of keys whose value names a variable with the actual value.
pub(super) const ENV_SUFFIX: &str = "_env";

/// A key, or a section as a key of the root.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a key")]
pub struct Key {
    /// Name in the file.
    pub name: &'static str,
    /// Meaning.
    pub description: String,
    /// Accepted values.
    pub kind: Kind,
    /// Whether it may be unset.
    pub optional: bool,
    /// Whether it is required.
    pub required: bool,
    /// Whether its value is secret.
    pub secret: bool,
    /// Whether its value may come from a file, because it is a secret or has a password.
    pub is_in_file: bool,
    /// Default value, if it is a constant.
    pub default: Option<Value>,
    /// Default value, if it is derived.
    pub default_note: Option<&'static str>,
    /// Example.
    pub example: Option<Value>,
    /// Whether its type can parse a value.
    pub(super) is_read: fn(&Value) -> bool,
}

/// Type of a key, before its own rules.
#[derive(Debug)]
pub enum Kind {
    /// Text in this form.
    Text(&'static str),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number within bounds.
    Integer {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// A list of texts in this form.
    List(&'static str),
    /// A table with these keys.
    Table(Vec<Key>),
    /// A list of tables with these keys.
    Tables(Vec<Key>),
    /// A table with arbitrary keys.
    Map(&'static str),
}

/// The type of a setting.
pub(super) trait Setting: Sized + PartialEq {
    /// Accepted values, if an empty text turns an optional setting off.
    const EXPECTED_OR_EMPTY: Option<&'static str> = None;
    /// Whether it may be unset.
    const OPTIONAL: bool = false;
    /// Whether its value is secret.
    const SECRET: bool = false;
    /// Whether its value may come from a file.
    const IN_FILE: bool = Self::SECRET;

    /// Accepted values.
    fn kind() -> Kind;

    /// Parses a value. `None` refuses it.
    fn read(value: &Value) -> Option<Self>;

    /// The value with secrets masked. `None` if unset.
    fn shown(&self) -> Option<Value>;

    /// The keys whose values differ in `new`. `path` is this setting's own.
    fn changes(&self, new: &Self, path: &str) -> Vec<String> {
        if self == new { Vec::new() } else { vec![path.to_owned()] }
    }
}

impl Key {
    pub(super) fn new<T: Setting>(name: &'static str, meaning: &[&str], default: &T) -> Self {
        // The lines of a doc comment become one line of the reference.
        let lines: Vec<_> = meaning.iter().map(|line| line.trim()).collect();
        Self {
            name,
            description: lines.join(" "),
            kind: T::kind(),
            optional: T::OPTIONAL,
            required: false,
            secret: T::SECRET,
            is_in_file: T::IN_FILE,
            default: default.shown(),
            default_note: None,
            example: None,
            is_read: |value| T::read(value).is_some(),
        }
    }

    /// Accepted values, worded to follow "expected".
    pub fn expected(&self) -> String {
        match &self.kind {
            Kind::Text(accepts) | Kind::Map(accepts) => (*accepts).to_owned(),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Flag => "true or false".to_owned(),
            Kind::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Kind::List(accepts) => format!("a list of {accepts}"),
            Kind::Table(_) => "a table".to_owned(),
            Kind::Tables(_) => "a list of tables".to_owned(),
        }
    }

    /// The keys of a table, or of each element of a list.
    pub fn keys(&self) -> &[Self] {
        match &self.kind {
            Kind::Table(keys) | Kind::Tables(keys) => keys,
            _ => &[],
        }
    }

    /// Finds a key by name.
    pub(super) fn key(&self, name: &str) -> Option<&Self> {
        self.keys().iter().find(|key| key.name == name)
    }

    /// The names of the keys, as listed in errors.
    pub(super) fn names(&self) -> String {
        let names: Vec<_> = self.keys().iter().map(|key| key.name).collect();
        names.join(", ")
    }

    /// Whether this value, read from an empty text, unsets the key.
    pub(super) fn is_unset_by(&self, value: &Value) -> bool {
        self.optional || self.required || !self.accepts(value)
    }

    /// Whether a value has the key's type and is within its bounds.
    pub(super) fn accepts(&self, value: &Value) -> bool {
        let is_within = match (&self.kind, value) {
            (Kind::Integer { min, max }, Value::Integer(number)) => (min..=max).contains(&number),
            _ => true,
        };
        is_within && (self.is_read)(value)
    }
}

/// The root. Its keys are the sections, in the struct's order.
pub(super) static WHOLE: LazyLock<Key> = LazyLock::new(|| Key::new("", &[], &Settings::default()));

/// Declares a section: each key with meaning, type, default and other properties.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        pub struct $section:ident {$(
            $(#[doc = $meaning:literal])+
            pub $key:ident: $type:ty = $default:expr
            // Minimum and maximum number.
            $(, range($min:expr, $max:expr))?
            // Has no default.
            $(, required($required:literal))?
            // Example value, for keys that may be unset.
            $(, example($example:expr))?
            // Where a derived default comes from.
            $(, default_note($note:literal))?;
        )+}
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $section {$(
            $(#[doc = $meaning])+
            pub $key: $type,
        )+}

        impl Default for $section {
            fn default() -> Self {
                Self { $($key: $default,)+ }
            }
        }

        impl $crate::settings::schema::Setting for $section {
            fn kind() -> $crate::settings::schema::Kind {
                use $crate::settings::schema::{Key, Kind};
                let defaults = Self::default();
                Kind::Table(vec![$(
                    Key {
                        $(kind: Kind::Integer { min: $min, max: $max },)?
                        $(required: $required, default: None,)?
                        $(example: Some($example.into()),)?
                        $(default_note: Some($note),)?
                        ..Key::new(stringify!($key), &[$($meaning),+], &defaults.$key)
                    },
                )+])
            }

            fn read(value: &toml::Value) -> Option<Self> {
                use $crate::settings::schema::Setting;
                let mut section = Self::default();
                $(if let Some(value) = value.get(stringify!($key)) {
                    section.$key = Setting::read(value)?;
                })+
                value.is_table().then_some(section)
            }

            fn shown(&self) -> Option<toml::Value> {
                use $crate::settings::schema::Setting;
                let members = [$((stringify!($key), Setting::shown(&self.$key)),)+];
                let is_set = |(name, value): (&str, Option<_>)| Some((name.to_owned(), value?));
                Some(toml::Value::Table(members.into_iter().filter_map(is_set).collect()))
            }

            fn changes(&self, new: &Self, path: &str) -> Vec<String> {
                use $crate::settings::schema::Setting;
                let dot = if path.is_empty() { "" } else { "." };
                let mut all = Vec::new();
                $(
                    let key = format!("{path}{dot}{}", stringify!($key));
                    all.extend(Setting::changes(&self.$key, &new.$key, &key));
                )+
                all
            }
        }
    };
}

/// Declares a setting that is one of several words.
macro_rules! choice {
    (
        $(#[$attribute:meta])+
        pub enum $choice:ident {$(
            $(#[$variant_attribute:meta])+
            $variant:ident = $word:literal,
        )+}
    ) => {
        $(#[$attribute])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $choice {$(
            $(#[$variant_attribute])+
            $variant,
        )+}

        impl $crate::settings::schema::Setting for $choice {
            fn kind() -> $crate::settings::schema::Kind {
                $crate::settings::schema::Kind::Choice(&[$($word),+])
            }

            fn read(value: &toml::Value) -> Option<Self> {
                match value.as_str()? {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }

            fn shown(&self) -> Option<toml::Value> {
                Some(match self { $(Self::$variant => $word,)+ }.into())
            }
        }
    };
}

pub(super) use {choice, section};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_and_key_is_documented() {
        for section in WHOLE.keys() {
            assert!(section.description.ends_with('.'), "{}", section.name);
            for key in section.keys() {
                let name = (section.name, key.name);
                assert!(key.description.ends_with('.'), "{name:?}");
            }
        }
    }

    #[test]
    fn a_key_that_may_be_unset_has_an_example() {
        for section in WHOLE.keys() {
            for key in section.keys().iter().filter(|key| key.optional) {
                assert!(key.example.is_some(), "{}.{}", section.name, key.name);
            }
        }
    }

    #[test]
    fn every_default_and_example_is_accepted_by_its_key() {
        for section in WHOLE.keys() {
            for key in section.keys() {
                let path = format!("{}.{}", section.name, key.name);
                // The example's file does not exist here.
                if key.expected().starts_with("a readable file") {
                    continue;
                }
                for value in key.default.iter().chain(&key.example) {
                    assert!(key.accepts(value), "{path}: {value}");
                }
            }
        }
    }
}
