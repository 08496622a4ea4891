//! Tool inputs: the parsing rules that all tools share.
//!
//! An input is a JSON object of scalars. Whatever holds for every tool is here and in no tool's
//! file: the main input also answers to `input`; an integer or a boolean may come as a string;
//! `null` on an optional input means that it is absent; an unknown or repeated name is refused.

mod macros;
mod plain;
mod read;
mod scalar;
mod value;

use serde_json::{Map, Value as Json};

pub(crate) use self::macros::input;
pub use self::read::{from_body, not_json};
pub use self::scalar::Scalar;
pub use self::value::{Int, Value};
pub(crate) use self::value::{convert, no_such_word, schema, with_default};
pub use crate::echo::Echo;
use crate::error::ToolError;

/// The other name of each tool's main input.
pub const MAIN_INPUT_ALIAS: &str = "input";

/// How a form shows a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Look {
    /// A field of one line.
    #[default]
    Line,
    /// A field of several lines.
    Text,
    /// A field of one line that hides what is typed.
    Secret,
}

impl Look {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Text => "text",
            Self::Secret => "secret",
        }
    }
}

/// One named input of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The name on the wire.
    pub name: &'static str,
    /// What it means, in which unit, and what is accepted, for a caller.
    pub description: &'static str,
    /// How a form shows it, where it is a string; no schema says so.
    pub look: Look,
    /// Whether a call without it is refused.
    pub required: bool,
    /// Its JSON Schema without the description.
    pub schema: fn() -> Map<String, Json>,
}

/// The inputs that one surface accepts, out of all that a tool knows.
///
/// REST takes all of them. MCP takes a selection, in which some are required that have a default on
/// REST, so that a model states them.
#[derive(Debug, Clone, Copy)]
pub enum Surface {
    /// REST: every input, as the tool declares it.
    Rest,
    /// MCP: the inputs listed; a `?` after a name marks an optional one.
    Mcp(&'static [&'static str]),
}

impl Surface {
    /// The fields of this surface, in its order, each with whether it is required.
    pub fn of(self, fields: &'static [Field]) -> Vec<(&'static Field, bool)> {
        match self {
            Self::Rest => fields.iter().map(|field| (field, field.required)).collect(),
            Self::Mcp(names) => names
                .iter()
                .filter_map(|name| {
                    let bare = name.trim_end_matches('?');
                    let field = fields.iter().find(|field| field.name == bare)?;
                    Some((field, !name.ends_with('?')))
                })
                .collect(),
        }
    }

    /// Whether arguments have every input that is required here, and none that is not accepted.
    pub fn fit(self, fields: &'static [Field], arguments: &Map<String, Json>) -> bool {
        let accepted = self.of(fields);
        accepted
            .iter()
            .all(|(field, required)| !required || arguments.contains_key(field.name))
            && arguments
                .keys()
                .all(|name| accepted.iter().any(|(field, _)| field.name == name))
    }

    pub(crate) fn takes(self, name: &str) -> bool {
        match self {
            Self::Rest => true,
            Self::Mcp(names) => names
                .iter()
                .any(|known| known.trim_end_matches('?') == name),
        }
    }

    pub(crate) fn requires(self, field: &Field) -> bool {
        match self {
            Self::Rest => field.required,
            Self::Mcp(names) => names.contains(&field.name),
        }
    }

    /// The accepted names, for a refusal.
    pub(crate) fn list(self, fields: &'static [Field]) -> String {
        let names = self
            .of(fields)
            .into_iter()
            .map(|(field, _)| format!("`{}`", field.name));
        names.collect::<Vec<_>>().join(", ")
    }
}

/// The typed input of a tool, made by the `input!` macro from a struct.
pub trait Input<'de>: Sized {
    /// The inputs in the order of the documentation.
    const FIELDS: &'static [Field];
    /// Which of them also answers to `input`.
    const MAIN: usize;

    /// Converts the values read, one for each field in order; an absent one is [`Scalar::Null`].
    ///
    /// # Errors
    ///
    /// Names the first field whose value is refused.
    fn from_scalars(values: &mut dyn Iterator<Item = Scalar<'de>>) -> Result<Self, ToolError>;
}
