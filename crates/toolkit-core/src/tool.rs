//! Tools: typed input and output, one function between them, and their documentation.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value as Json;

use crate::around;
use crate::context::Context;
use crate::error::{ErrorKind, Position, ToolError};
use crate::input::{self, Field, Input, Surface};
use crate::json_string;
use crate::limits::RESULT_BYTES_MAX;
use crate::warnings::Warnings;

/// Definition of a tool, from which every surface and every document derives.
#[derive(Debug)]
pub struct Spec {
    /// The slug under which REST runs it, if it does.
    pub slug: Option<&'static str>,
    /// Its definition for MCP, if MCP offers it.
    pub mcp: Option<Mcp>,
    /// One sentence that says what it does. For a tool with a slug, that of its entry in
    /// `catalog.toml`.
    pub summary: &'static str,
    /// The values that `type` can have in an answer.
    pub kinds: &'static [&'static str],
    /// Maximum body length, in bytes, that a thread serving other requests may run. A longer body
    /// can take more than a few milliseconds. Zero if even a short one can use up its whole time. A
    /// tool that would take long calls [`Context::is_over`] first, and then runs again on another
    /// thread.
    pub quick_bytes_max: usize,
    /// Calls for the documentation, which has their answers too: see [`DynTool::demonstrate`].
    pub examples: &'static [Example],
}

/// Definition of a tool for MCP.
#[derive(Debug)]
pub struct Mcp {
    /// The tool's name.
    pub name: &'static str,
    /// Display name.
    pub title: &'static str,
    /// When a model should use the tool, its limits, and one example.
    pub description: &'static str,
    /// Inputs offered over MCP, each with a `?` after its name if it is optional.
    pub inputs: &'static [&'static str],
    /// Whether repeating a call gives the same answer.
    pub idempotent: bool,
}

/// A call.
#[derive(Debug)]
pub struct Example {
    /// What it demonstrates, as a short clause.
    pub title: &'static str,
    /// The inputs, as JSON.
    pub input: &'static str,
}

/// Answer of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<T> {
    /// The result itself.
    pub result: T,
    /// Type of the result: one of [`Spec::kinds`].
    pub kind: &'static str,
    /// Number of items, if the result is an array.
    pub count: Option<usize>,
}

impl<T> Answer<T> {
    /// Creates an answer with a single result.
    pub const fn new(kind: &'static str, result: T) -> Self {
        Self { result, kind, count: None }
    }

    /// Creates an answer with an array of `count` items.
    pub const fn list(kind: &'static str, result: T, count: usize) -> Self {
        Self { result, kind, count: Some(count) }
    }
}

impl<T: JsonOutput> Answer<T> {
    /// Appends the members of the answer, with commas between them. If there is a request for less,
    /// it becomes a warning with a result over a length.
    fn write(
        &self,
        warnings: &mut Warnings,
        (long_bytes_min, less): (usize, &str),
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        out.extend_from_slice(b"\"result\":");
        let start = out.len();
        self.result.append_json(out);
        if out.len() - start > RESULT_BYTES_MAX {
            let refusal = ToolError::result_too_large(RESULT_BYTES_MAX);
            return Err(refusal.with_hint("send less at once"));
        }
        let kibibytes = (out.len() - start) >> 10;
        if out.len() - start > long_bytes_min {
            warnings.push(format!("The result has {kibibytes} KiB; for less, {less}."));
        }
        out.extend_from_slice(b",\"type\":");
        self.kind.append_json(out);
        if let Some(count) = self.count {
            out.extend_from_slice(b",\"count\":");
            count.append_json(out);
        }
        if !warnings.is_empty() {
            out.extend_from_slice(b",\"warnings\":");
            warnings.sentences().append_json(out);
        }
        Ok(())
    }
}

/// Result size for a model, in bytes, above which it counts as long unless the model's own text is
/// too. It is written twice, and clients cut much longer results.
const LONG_BYTES_MIN: usize = 15 << 10;

/// A result that can be written as JSON.
pub trait JsonOutput: JsonSchema {
    /// Appends the JSON to `out`.
    fn append_json(&self, out: &mut Vec<u8>);
}

impl<T: Serialize + JsonSchema + ?Sized> JsonOutput for T {
    fn append_json(&self, out: &mut Vec<u8>) {
        serde_json::to_writer(out, self).expect("the keys of every result are strings");
    }
}

/// Text as a result: a string in the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// Text, which is escaped when the answer is written.
    Plain(String),
    /// A JSON string, escaped already.
    #[cfg(feature = "json")]
    Quoted(Vec<u8>),
}

impl JsonOutput for Text {
    fn append_json(&self, out: &mut Vec<u8>) {
        match self {
            Self::Plain(text) => json_string::append(text, out),
            #[cfg(feature = "json")]
            Self::Quoted(json) => out.extend_from_slice(json),
        }
    }
}

impl JsonSchema for Text {
    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

/// A tool with typed input and output.
pub trait Tool: Send + Sync + 'static {
    /// Definition.
    const SPEC: Spec;
    /// Type of the inputs.
    type Input<'a>: Input<'a>;
    /// Type of the result.
    type Output: JsonOutput;

    /// Advice to a model about a long answer.
    const LESS: &'static str = "send a part of the text";

    /// Runs the tool.
    ///
    /// # Errors
    ///
    /// Says which input is refused and why.
    fn run(input: Self::Input<'_>, ctx: &mut Context) -> Result<Answer<Self::Output>, ToolError>;
}

/// A tool as seen by a surface: JSON in, JSON out, no types.
///
/// Implemented by every [`Tool`].
pub trait DynTool: Send + Sync {
    /// Definition.
    fn spec(&self) -> &'static Spec;

    /// Inputs, with their descriptions and schemas.
    fn fields(&self) -> &'static [Field];

    /// Name of the main input, which may also be named `input`.
    fn main_input(&self) -> &'static str;

    /// JSON Schema (draft 2020-12) of the result.
    fn result_schema(&self) -> Json;

    /// Runs the tool on the bytes of a JSON object, and appends the members of its answer to `out`:
    /// `"result"` and `"type"`, with `"count"` if the result is an array and `"warnings"` if there are
    /// any. The braces around them are the caller's.
    ///
    /// On an error `out` may hold part of an answer.
    ///
    /// # Errors
    ///
    /// Says where the body is not JSON, or which input is refused and why.
    fn run_json(
        &self,
        body: &[u8],
        accepted: Surface,
        ctx: &mut Context,
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError>;

    /// Runs an example with [`Context::fixed`] and returns its answer, the same each time:
    /// `{"result", "type"}`, with `count` and `warnings` if there are any.
    ///
    /// # Errors
    ///
    /// As [`run_json`](Self::run_json).
    fn demonstrate(&self, input: &str, accepted: Surface) -> Result<String, ToolError> {
        let mut out = b"{".to_vec();
        self.run_json(input.as_bytes(), accepted, &mut Context::fixed(), &mut out)?;
        out.push(b'}');
        Ok(String::from_utf8(out).expect("JSON is text"))
    }
}

impl<T: Tool> DynTool for T {
    fn spec(&self) -> &'static Spec {
        const { &T::SPEC }
    }

    fn fields(&self) -> &'static [Field] {
        input::listed(<T::Input<'static> as Input<'static>>::FIELDS)
    }

    fn main_input(&self) -> &'static str {
        let main = <T::Input<'static> as Input<'static>>::MAIN;
        self.fields().get(main).map_or(input::MAIN_INPUT_ALIAS, |field| field.name)
    }

    fn result_schema(&self) -> Json {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
        let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T::Output>();
        schema.remove("title");
        let mut schema = schema.into();
        join_words(&mut schema);
        schema
    }

    fn run_json(
        &self,
        body: &[u8],
        accepted: Surface,
        ctx: &mut Context,
        out: &mut Vec<u8>,
    ) -> Result<(), ToolError> {
        ctx.surface = accepted;
        let is_text = body.first() == Some(&b'"') && matches!(accepted, Surface::Mcp(_));
        // Some MCP clients send the arguments as JSON text.
        let text = is_text.then(|| serde_json::from_slice::<String>(body).ok());
        let text = text.flatten();
        let body = text.as_ref().map_or(body, |text| text.as_bytes());
        let answer = T::run(input::from_body(body, accepted, &mut ctx.warnings)?, ctx)
            .map_err(|refusal| naming_look_alike(refusal, body, self.main_input()))?;
        let long_bytes_min = match accepted {
            Surface::Rest => usize::MAX,
            Surface::Mcp(_) => LONG_BYTES_MIN.max(2 * body.len()),
        };
        answer.write(&mut ctx.warnings, (long_bytes_min, T::LESS), out)
    }
}

/// The refusal, with what to write for a character at its place that looks like another.
fn naming_look_alike(refusal: ToolError, body: &[u8], main_input: &str) -> ToolError {
    let inputs: Option<serde_json::Map<String, Json>> = serde_json::from_slice(body).ok();
    let named = inputs.as_ref().zip(refusal.field()).and_then(|(inputs, field)| {
        let alias = (field == main_input).then_some(input::MAIN_INPUT_ALIAS);
        let text = inputs.get(field).or_else(|| inputs.get(alias?))?.as_str()?;
        let (from, reach) = match refusal.position() {
            Some(Position::LineColumn { line, column }) => {
                let start = text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
                let rest = text.get(start..)?;
                (start + rest.char_indices().nth(column - 1)?.0, 1)
            }
            Some(Position::Offset(offset)) => (text.char_indices().nth(offset)?.0, usize::MAX),
            None if refusal.kind() == ErrorKind::Syntax => (0, LOOK_ALIKE_REACH),
            None => return None,
        };
        let word = text.get(from..)?.split(char::is_control).next()?;
        let mut characters = word
            .chars()
            .take(reach)
            .take_while(|c| !c.is_ascii_whitespace() || reach == LOOK_ALIKE_REACH);
        let found =
            characters.find_map(|character| Some((character, around::look_alike(character)?)));
        let (character, (name, instead)) = found?;
        let code = u32::from(character);
        // Where no space is allowed either, the refusal says so.
        let removed = refusal.hint().filter(|hint| *hint == "remove it");
        let instead = removed.filter(|_| character.is_whitespace()).unwrap_or(instead);
        Some(format!("it has {name} (U+{code:04X}): {instead}"))
    });
    match named {
        Some(hint) => refusal.with_hint(hint),
        None => refusal,
    }
}

/// Number of characters searched for a look-alike when a text is refused as a whole.
const LOOK_ALIKE_REACH: usize = 100;

/// Writes words that are described one by one as a plain list: generators of clients refuse
/// alternatives of constants.
fn join_words(schema: &mut Json) {
    match schema {
        Json::Object(members) => {
            let words = members.get("oneOf").and_then(Json::as_array).map(|alternatives| {
                alternatives.iter().flat_map(|one| match (&one["enum"], &one["const"]) {
                    (Json::Array(words), _) => words.clone(),
                    (_, word) => vec![word.clone()],
                })
            });
            if let Some(words) = words.map(Iterator::collect::<Vec<_>>) {
                members.remove("oneOf");
                members.insert("type".to_owned(), "string".into());
                members.insert("enum".to_owned(), words.into());
            }
            members.values_mut().for_each(join_words);
        }
        Json::Array(items) => items.iter_mut().for_each(join_words),
        _ => {}
    }
}

#[cfg(test)]
pub(crate) use self::testing::{asks_for_time, run};

#[cfg(test)]
mod testing {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Runs a tool as a surface does. Returns the answer, and the context with its warnings.
    pub(crate) fn run(tool: &dyn DynTool, input: &str) -> Result<(Json, Context), String> {
        let (mut ctx, mut out) = (Context::fixed(), b"{".to_vec());
        tool.run_json(input.as_bytes(), Surface::Rest, &mut ctx, &mut out)
            .map_err(|refusal| refusal.to_string())?;
        out.push(b'}');
        Ok((serde_json::from_slice(&out).expect("an answer is JSON"), ctx))
    }

    /// Whether a tool asks for its time as it runs, as a surface does.
    pub(crate) fn asks_for_time(tool: &dyn DynTool, input: &Json) -> bool {
        let asked = Arc::new(AtomicBool::new(false));
        let mut ctx = Context::fixed().until({
            let asked = Arc::clone(&asked);
            move || {
                asked.store(true, Ordering::Relaxed);
                false
            }
        });
        let body = input.to_string();
        tool.run_json(body.as_bytes(), Surface::Rest, &mut ctx, &mut Vec::new())
            .expect("the input is accepted");
        asked.load(Ordering::Relaxed)
    }
}
