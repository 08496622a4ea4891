//! JWT header and payload: JSON objects, parsed only at the top level.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError, json_reason};
use crate::json_string;
use crate::limits::NESTING_MAX;
use crate::warnings::Warnings;

/// Members of an object. If a name repeats, the last one counts.
#[derive(Debug, Default)]
pub(super) struct Object<'a> {
    members: BTreeMap<Cow<'a, str>, &'a RawValue>,
    repeated: Vec<Cow<'a, str>>,
}

/// A member's name, borrowed if it has no escapes.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> Object<'a> {
    /// Parses the text of a segment, whose name is for error messages.
    pub(super) fn read(
        text: &'a str,
        name: &'static str,
        warnings: &mut Warnings,
    ) -> Result<Self, ToolError> {
        let not_object = |reason: &str| {
            ToolError::new(format!("has a {name} that is not a JSON object: {reason}"))
        };
        if nesting(text) > NESTING_MAX {
            return Err(not_object(&format!("it nests over {NESTING_MAX} levels deep"))
                .of(ErrorKind::TooLarge));
        }
        if !text.trim_ascii_start().starts_with('{') {
            return Err(not_object("it does not start with `{`"));
        }
        let object: Self =
            serde_json::from_str(text).map_err(|error| not_object(&reason(&error)))?;
        for repeated in &object.repeated {
            warnings.push(format!(
                "The {name} has {} more than once; readers differ in which one they take.",
                Echo(repeated)
            ));
        }
        if json_string::lone_surrogate(text.as_bytes()).is_some() {
            warnings.push(format!(
                "The {name} has half of a surrogate pair in an escape, which many readers refuse."
            ));
        }
        Ok(object)
    }

    /// Raw JSON of a member.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        self.members.get(name).map(|value| value.get())
    }

    /// A member's value if it is a string.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?).ok()
    }
}

/// Keeps text that was parsed as an object as raw JSON.
pub(super) fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).expect("it was read as an object")
}

/// The parser's message, with the position in the segment's own text.
fn reason(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    format!("{} in line {line}, column {column} of it", json_reason(error))
}

/// Nesting depth of brackets, in text that need not be JSON.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let mut object = Object::default();
        while let Some((Name(name), value)) = map.next_entry()? {
            if object.members.insert(name.clone(), value).is_some() {
                object.repeated.push(name);
            }
        }
        Ok(object)
    }
}
