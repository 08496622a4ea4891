//! Body parser: from a JSON object to the fields of a tool's input.

use std::collections::HashMap;

use serde_json::error::Category;
use serde_json::value::RawValue;

use super::scalar::string;
use super::{Echo, Field, Input, Look, MAIN_INPUT_ALIAS, Scalar, Surface};
use crate::error::{ErrorKind, Position, ToolError, json_reason};
use crate::json_string::lone_surrogate;
use crate::warnings::{WarningKind, Warnings};

/// Maximum number of inputs that a tool has: they are read into an array on the stack.
const FIELDS_MAX: usize = 8;

/// Maximum number of unknown names that a refusal repeats.
const UNKNOWN_MAX: usize = 4;

/// Maximum length of these names together, in bytes, if there are several.
const UNKNOWN_BYTES_MAX: usize = 80;

/// Arguments that some MCP clients add to every call.
const INJECTED: [&str; 4] = ["toolCallId", "sessionId", "action", "chatInput"];

/// Optional inputs that accept any text.
const ANY_TEXT: [&str; 3] = ["text", "pattern", "replacement"];

/// Parses the body of a request: a JSON object with the inputs. An empty body counts as `{}`.
///
/// Strings without escapes are borrowed from the body. Over MCP every input of the tool is
/// accepted, including those outside its schema, and `""` and `"null"`, which strict clients send
/// for an absent input, mean absent.
///
/// # Errors
///
/// Says where the body is not JSON, or which inputs are unknown, repeated, missing or refused: all
/// of them in one sentence.
pub fn from_body<'de, I: Input<'de>>(
    body: &'de [u8],
    accepted: Surface,
    warnings: &mut Warnings,
) -> Result<I, ToolError> {
    let mut object = Object::new::<I>(body, accepted);
    if !body.trim_ascii().is_empty() {
        let text = str::from_utf8(body).ok();
        text.and_then(|text| object.read(text)).ok_or_else(|| not_read(body))?;
    }
    object.finish(warnings)
}

/// Error for a body that is not a JSON object: `serde_json` says why.
fn not_read(body: &[u8]) -> ToolError {
    match serde_json::from_slice::<HashMap<String, &RawValue>>(body) {
        Err(error) if error.classify() != Category::Data => not_json(body, &error),
        _ => not_an_object(body),
    }
}

/// The text after a character and the white space around it. `None` if another character comes
/// first.
fn after(text: &str, character: char) -> Option<&str> {
    Some(trimmed(trimmed(text).strip_prefix(character)?))
}

fn trimmed(text: &str) -> &str {
    text.trim_start_matches([' ', '\n', '\r', '\t'])
}

/// Error for a body that is not JSON: where and why, with the column in characters.
pub fn not_json(body: &[u8], error: &serde_json::Error) -> ToolError {
    let reason = json_reason(error);
    let at = Position::LineColumn { line: error.line(), column: column(body, error) };
    let refusal = ToolError::new(format!("is not valid JSON: {reason}")).at(at).body();
    if body.starts_with(b"\xEF\xBB\xBF") {
        return refusal.with_hint("send it without a byte order mark");
    }
    refusal
}

/// Error for a body that is another JSON value than an object.
fn not_an_object(body: &[u8]) -> ToolError {
    let kind = match body.trim_ascii_start().first() {
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    };
    let message = format!("must be a JSON object, not {kind}");
    ToolError::new(message).of(ErrorKind::Input).body()
}

/// Column of an error in characters, since `serde_json` counts bytes.
fn column(body: &[u8], error: &serde_json::Error) -> usize {
    let line = body.split(|&byte| byte == b'\n').nth(error.line().saturating_sub(1));
    let line = line.unwrap_or_default();
    let before = line.get(..error.column().saturating_sub(1)).unwrap_or(line);
    // All bytes of a character but its first are continuations (RFC 3629, section 3).
    1 + before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// Error for a missing required input. Lists the accepted words if there are only a few.
fn missing_input(field: &Field) -> ToolError {
    let error = ToolError::new("is required").of(ErrorKind::Input).in_field(field.name);
    let schema = (field.schema)();
    let words = schema.get("enum").and_then(|words| words.as_array());
    let words = words.into_iter().flatten();
    let words: Vec<_> = words.filter_map(|word| word.as_str()).collect();
    if words.is_empty() {
        return error;
    }
    error.with_hint(format!("use one of {}", words.join(", ")))
}

/// Error for a string with half of a surrogate pair, the first of the body.
fn not_unicode(body: &[u8]) -> ToolError {
    let at = lone_surrogate(body).unwrap_or(body.len());
    let (before, escape) = body.split_at(at);
    let before = String::from_utf8_lossy(before);
    let escape = String::from_utf8_lossy(escape.get(..6).unwrap_or(escape));
    let message = format!("must be Unicode text, but has half of a surrogate pair, `{escape}`");
    ToolError::new(message).at(Position::line_column(&before, before.len()))
}

/// Refuses an array or object, if there is more to say than its type.
fn flat<'de>(field: &Field, is_alias: bool, value: Scalar<'de>) -> Result<Scalar<'de>, ToolError> {
    let hint = match (&value, field.look) {
        (Scalar::Object, Look::Text) if is_alias => {
            "put its members at the top, or write the document as JSON text"
        }
        (Scalar::Object, _) if is_alias => "put its members at the top",
        (Scalar::Array | Scalar::Object, Look::Text) => "write the document as JSON text",
        _ => return Ok(value),
    };
    Err(value.not("a string").with_hint(hint))
}

/// Inputs read so far.
struct Object<'de> {
    body: &'de [u8],
    fields: &'static [Field],
    main: usize,
    accepted: Surface,
    slots: [Slot<'de>; FIELDS_MAX],
    /// The first unknown names.
    unknown: Vec<String>,
    /// Names that an MCP client injected.
    injected: Vec<&'static str>,
    refusals: Vec<ToolError>,
}

/// An input.
struct Slot<'de> {
    /// Name under which it was given, unless it is absent.
    given: Option<&'static str>,
    /// Value. Null if it is absent or already refused.
    value: Scalar<'de>,
    /// Whether its repetition was refused already.
    is_repeated: bool,
}

impl Slot<'_> {
    const ABSENT: Self = Self { given: None, value: Scalar::Null, is_repeated: false };
}

impl<'de> Object<'de> {
    fn new<I: Input<'de>>(body: &'de [u8], accepted: Surface) -> Self {
        const { assert!(I::FIELDS.len() <= FIELDS_MAX, "a tool has too many inputs") };
        Self {
            body,
            fields: I::FIELDS,
            main: I::MAIN,
            accepted,
            slots: [const { Slot::ABSENT }; FIELDS_MAX],
            unknown: Vec::new(),
            injected: Vec::new(),
            refusals: Vec::new(),
        }
    }

    /// Reads the members. `None` if the text is not an object.
    fn read(&mut self, text: &'de str) -> Option<()> {
        let mut next = after(text, '{')?;
        let mut rest = next;
        let mut is_last = next.starts_with('}');
        while !is_last {
            let (name, after_name) = string(next)?;
            let (value, after_value) = Scalar::read(after(after_name, ':')?)?;
            self.set(&name?, value);
            rest = after_value;
            next = after(rest, ',').unwrap_or_default();
            is_last = next.is_empty();
        }
        after(rest, '}')?.is_empty().then_some(())
    }

    fn finish<I: Input<'de>>(mut self, warnings: &mut Warnings) -> Result<I, ToolError> {
        let fields = self.fields.iter().zip(&self.slots);
        let missing =
            fields.filter(|(field, slot)| slot.given.is_none() && self.accepted.requires(field));
        let missing = missing.map(|(field, _)| missing_input(field));
        self.refusals.extend(missing);
        if !self.refusals.is_empty() {
            // One of them may be meant for an input that is missing.
            self.unknown.extend(self.injected.drain(..).map(str::to_owned));
        }
        if !self.unknown.is_empty() {
            self.refusals.insert(0, self.unknown_inputs());
        }
        self.leave_out(warnings);
        let mut values = self.slots.into_iter().map(|slot| slot.value);
        let input = I::from_scalars(&mut values, &mut self.refusals);
        match (ToolError::joined(self.refusals), input) {
            (None, Some(input)) => Ok(input),
            (refusal, _) => Err(refusal.expect("an input that is not read is refused")),
        }
    }

    /// Drops what MCP clients inject, and what they send for an absent input.
    fn leave_out(&mut self, warnings: &mut Warnings) {
        if !self.injected.is_empty() {
            let names = self.injected.iter().map(|name| format!("`{name}`"));
            let names = names.collect::<Vec<_>>().join(", ");
            let sentence = format!("No inputs of this tool, so left out: {names}.");
            warnings.add(WarningKind::Dropped, sentence);
        }
        let Surface::Mcp(_) = self.accepted else {
            return;
        };
        for (field, slot) in self.fields.iter().zip(&mut self.slots) {
            let Scalar::Text(text) = &slot.value else {
                continue;
            };
            let is_absent = match text.as_ref() {
                // No flag is a choice too.
                "" => field.name != "flags",
                "null" => true,
                _ => false,
            };
            let is_optional = !self.accepted.requires(field) && !ANY_TEXT.contains(&field.name);
            if is_absent && is_optional {
                let name = field.name;
                let sentence = format!("`{name}` is \"{text}\", which is taken as left out.");
                warnings.add(WarningKind::Assumed, sentence);
                slot.value = Scalar::Null;
            }
        }
    }

    /// Index of the field with a name, or with one for which models take it.
    fn index(&self, name: &str) -> Option<usize> {
        if name == MAIN_INPUT_ALIAS {
            return Some(self.main);
        }
        let name = if name == "secret" { "key" } else { name };
        self.fields.iter().position(|field| field.name == name)
    }

    fn unknown_inputs(&self) -> ToolError {
        let known = self.accepted.list(self.fields);
        let names = self.unknown.iter().map(|name| Echo(name).to_string());
        let mut names: Vec<_> = names.collect();
        while names.len() > 1 && names.iter().map(String::len).sum::<usize>() > UNKNOWN_BYTES_MAX {
            names.pop();
        }
        let inputs = if names.len() == 1 { "input" } else { "inputs" };
        let message = format!("Unknown {inputs} {}", names.join(", "));
        let refusal = ToolError::new(message).of(ErrorKind::Input).alone();
        refusal.with_hint(format!("this tool takes {known}"))
    }

    /// Sets an input. A string that is not Unicode text has no value.
    fn set(&mut self, name: &str, value: Option<Scalar<'de>>) {
        let index = self.index(name);
        let slots = self.fields.iter().zip(&mut self.slots);
        let Some((field, slot)) = index.and_then(|index| slots.into_iter().nth(index)) else {
            let mut injected = INJECTED.iter().filter(|_| matches!(self.accepted, Surface::Mcp(_)));
            if let Some(injected) = injected.find(|injected| **injected == name) {
                if !self.injected.contains(injected) {
                    self.injected.push(injected);
                }
                return;
            }
            if self.unknown.len() < UNKNOWN_MAX && !self.unknown.iter().any(|known| known == name) {
                self.unknown.push(name.to_owned());
            }
            return;
        };
        if value == Some(Scalar::Null) {
            return;
        }
        let is_alias = name == MAIN_INPUT_ALIAS;
        let name = if is_alias { MAIN_INPUT_ALIAS } else { field.name };
        let refusal = match slot.given.replace(name) {
            Some(_) if std::mem::replace(&mut slot.is_repeated, slot.given.is_some()) => return,
            Some(before) if before == name => ToolError::new("is given twice").in_field(name),
            Some(_) => {
                let hint = format!("`{MAIN_INPUT_ALIAS}` is another name of it");
                ToolError::new("is given twice").with_hint(hint).in_field(field.name)
            }
            None => {
                let value = value.ok_or_else(|| not_unicode(self.body));
                match value.and_then(|value| flat(field, is_alias, value)) {
                    Ok(value) => {
                        slot.value = value;
                        return;
                    }
                    Err(refusal) => refusal.in_field(name),
                }
            }
        };
        self.refusals.push(refusal.of(ErrorKind::Input));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::{FIELDS_MAX, Object, Slot, Surface};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn an_object_is_what_serde_json_takes_for_one(
            text in r#"\{? ?("(a|\\n|\\u0061|\\u12|\\x|\n)?"|a| )?:? ?(1|01|-|"(\\"|é)*"?|\[1,?\]|\{"a":[1x]\}|null|tru)? ?(,|\}|\},|, ?"b" ?: ?"c"\})?\}? ?x?"#,
        ) {
            let mut object = Object {
                body: text.as_bytes(),
                fields: &[],
                main: 0,
                accepted: Surface::Rest,
                slots: [const { Slot::ABSENT }; FIELDS_MAX],
                unknown: Vec::new(),
                injected: Vec::new(),
                refusals: Vec::new(),
            };
            let is_read = object.read(&text).is_some();
            let expected = serde_json::from_str::<HashMap<String, &RawValue>>(&text);
            prop_assert_eq!(is_read, expected.is_ok(), "{}", text);
        }
    }
}
