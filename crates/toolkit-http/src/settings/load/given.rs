//! One value that was given, and where.

use std::fmt;

use toml::Value;

use crate::settings::error::{Faults, shown};
use crate::settings::schema::{self, Key, Kind};
use crate::settings::value::without_password;

/// Where a key stands: `limits.run_burst`, or `llm.providers[0].name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path {
    pub(super) section: String,
    pub(super) key: String,
    pub(super) element: Option<(usize, String)>,
}

impl Path {
    /// The key of the schema, if there is one.
    pub(super) fn schema(&self) -> Option<&'static Key> {
        let key = schema::key(&self.section, &self.key)?;
        match (&self.element, &key.kind) {
            (None, _) => Some(key),
            (Some((_, name)), Kind::Tables(keys)) => keys.iter().find(|known| &known.name == name),
            (Some(_), _) => None,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.section, self.key)?;
        match &self.element {
            Some((index, name)) => write!(f, "[{index}].{name}"),
            None => Ok(()),
        }
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) path: Path,
    /// How a fault names it: the key and its file, or the variable.
    pub(super) source: String,
    pub(super) value: Value,
}

impl Given {
    /// Reports the value as not accepted.
    pub(super) fn refuse(&self, expected: &str, faults: &mut Faults) {
        let secret = self.path.schema().is_none_or(|key| key.secret);
        let value = match &self.value {
            _ if secret => "not accepted".to_owned(),
            // Also hides the password of a URL that was refused.
            Value::String(text) => shown(&without_password(text)),
            value => shown(&value.to_string()),
        };
        faults.push(format!("{} is {value}; expected {expected}", self.source));
    }

    /// Checks the shape that the schema asks for.
    pub(super) fn has_kind(&self, key: &Key, faults: &mut Faults) -> bool {
        let fits = match (&key.kind, &self.value) {
            (Kind::Text, Value::String(_)) | (Kind::Flag, Value::Boolean(_)) => true,
            (Kind::Choice(words), Value::String(word)) => words.contains(word),
            (Kind::Integer { min, max }, Value::Integer(number)) => (min..=max).contains(&number),
            (Kind::List, Value::Array(items)) => items.iter().all(Value::is_str),
            _ => false,
        };
        if !fits {
            self.refuse(&key.expected(), faults);
        }
        fits
    }
}
