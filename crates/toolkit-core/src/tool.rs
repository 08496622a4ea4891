//! Tools: typed input and output, one function between them, and their documentation.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value as Json;

use crate::context::Context;
use crate::error::ToolError;
use crate::input::{self, Field, Input, Surface};
use crate::limits::RESULT_BYTES_MAX;

/// What is said of a tool, once: every surface and every document derives from it.
#[derive(Debug)]
pub struct Spec {
    /// The slug under which REST runs it, if it does.
    pub slug: Option<&'static str>,
    /// How MCP offers it, if it does.
    pub mcp: Option<Mcp>,
    /// One sentence: what it does. For a tool with a slug, that of its entry in `catalog.toml`.
    pub summary: &'static str,
    /// The values that `type` can have in an answer.
    pub kinds: &'static [&'static str],
    /// Inputs of more bytes than this can take over a millisecond: they belong off a thread that
    /// serves others.
    pub quick_bytes_max: usize,
    /// Calls that anybody can repeat: with [`Context::fixed`] each gives exactly what stands here.
    pub examples: &'static [Example],
}

/// How MCP offers a tool.
#[derive(Debug)]
pub struct Mcp {
    /// The tool's name.
    pub name: &'static str,
    /// Its name for a person.
    pub title: &'static str,
    /// When a model should use it, its limits, and one example.
    pub description: &'static str,
    /// The inputs it takes there, each with a `?` after its name when it may be left out.
    pub inputs: &'static [&'static str],
    /// Whether the same call gives the same answer again.
    pub idempotent: bool,
}

/// A call and its answer, as JSON.
#[derive(Debug)]
pub struct Example {
    /// What it shows, as a short clause.
    pub title: &'static str,
    /// The inputs.
    pub input: &'static str,
    /// `{"result", "type"}`, with `count` and `warnings` where there are any.
    pub answer: &'static str,
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<T> {
    /// The result itself.
    pub result: T,
    /// What kind of result it is: one of [`Spec::kinds`].
    pub kind: &'static str,
    /// The number of items, where the result is an array.
    pub count: Option<usize>,
}

impl<T> Answer<T> {
    /// Answers with a single result.
    pub const fn new(kind: &'static str, result: T) -> Self {
        Self {
            result,
            kind,
            count: None,
        }
    }

    /// Answers with an array of `count` items.
    pub const fn list(kind: &'static str, result: T, count: usize) -> Self {
        Self {
            result,
            kind,
            count: Some(count),
        }
    }

    /// What stands beside the result.
    pub(crate) const fn meta(&self) -> AnswerMeta {
        AnswerMeta {
            kind: self.kind,
            count: self.count,
        }
    }
}

/// A tool with typed input and output.
pub trait Tool: Send + Sync + 'static {
    /// What is said of it.
    const SPEC: Spec;
    /// What it takes.
    type Input<'a>: Input<'a>;
    /// What its result is.
    type Output: Serialize + JsonSchema;

    /// Runs it.
    ///
    /// # Errors
    ///
    /// Says which input is refused and why.
    fn run(input: Self::Input<'_>, ctx: &mut Context) -> Result<Answer<Self::Output>, ToolError>;

    /// Runs it, and writes the result's JSON after `out`: what [`run`](Self::run) gives, where a tool has no
    /// shorter way to write it.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run), or that the result's JSON is larger than
    /// [`RESULT_BYTES_MAX`](crate::limits::RESULT_BYTES_MAX).
    fn run_into(
        input: Self::Input<'_>,
        ctx: &mut Context,
        out: &mut Vec<u8>,
    ) -> Result<AnswerMeta, ToolError> {
        write_json(&Self::run(input, ctx)?, out)
    }

    /// Does as [`DynTool::run_if_quick`]: by the length of the body, where a tool has no better way to tell.
    fn run_if_quick(
        body: &[u8],
        accepted: Surface,
        ctx: &mut Context,
        out: &mut Vec<u8>,
    ) -> Option<Result<AnswerMeta, ToolError>> {
        let is_quick = body.len() <= Self::SPEC.quick_bytes_max;
        is_quick.then(|| Self::run_into(input::from_body(body, accepted)?, ctx, out))
    }
}

/// The part of an answer that stands beside the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerMeta {
    /// What kind of result it is.
    pub kind: &'static str,
    /// The number of items, where the result is an array.
    pub count: Option<usize>,
}

/// A tool as a surface sees it: JSON in, JSON out, no types.
///
/// Every [`Tool`] is one.
pub trait DynTool: Send + Sync {
    /// What is said of it.
    fn spec(&self) -> &'static Spec;

    /// Its inputs, with their descriptions and schemas.
    fn fields(&self) -> &'static [Field];

    /// The name of the input that also answers to `input`.
    fn main_input(&self) -> &'static str;

    /// The JSON Schema (draft 2020-12) of the result.
    fn result_schema(&self) -> Json;

    /// Runs the tool as [`run_json`](Self::run_json) does, if that surely takes less than a millisecond or so:
    /// on a thread that serves others.
    ///
    /// `None` where it can take longer, and `ctx` and `out` are as they were.
    ///
    /// # Errors
    ///
    /// As [`run_json`](Self::run_json).
    fn run_if_quick(
        &self,
        body: &[u8],
        accepted: Surface,
        ctx: &mut Context,
        out: &mut Vec<u8>,
    ) -> Option<Result<AnswerMeta, ToolError>>;

    /// Runs the tool on the bytes of a JSON object, and writes the result's JSON after `out`.
    ///
    /// Decodes straight into the tool's input and encodes straight into `out`; on an error `out` may
    /// hold a part of a result.
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
    ) -> Result<AnswerMeta, ToolError>;
}

impl<T: Tool> DynTool for T {
    fn spec(&self) -> &'static Spec {
        const { &T::SPEC }
    }

    fn fields(&self) -> &'static [Field] {
        <T::Input<'static> as Input<'static>>::FIELDS
    }

    fn main_input(&self) -> &'static str {
        let main = <T::Input<'static> as Input<'static>>::MAIN;
        self.fields()
            .get(main)
            .map_or(input::MAIN_INPUT_ALIAS, |field| field.name)
    }

    fn result_schema(&self) -> Json {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
        let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T::Output>();
        schema.remove("title");
        schema.into()
    }

    fn run_json(
        &self,
        body: &[u8],
        accepted: Surface,
        ctx: &mut Context,
        out: &mut Vec<u8>,
    ) -> Result<AnswerMeta, ToolError> {
        T::run_into(input::from_body(body, accepted)?, ctx, out)
    }

    fn run_if_quick(
        &self,
        body: &[u8],
        accepted: Surface,
        ctx: &mut Context,
        out: &mut Vec<u8>,
    ) -> Option<Result<AnswerMeta, ToolError>> {
        let (start, warnings) = (out.len(), ctx.warnings.clone());
        let done = T::run_if_quick(body, accepted, ctx, out);
        if done.is_none() {
            out.truncate(start);
            ctx.warnings = warnings;
        }
        done
    }
}

/// Writes any result.
pub(crate) fn write_json<T: Serialize>(
    answer: &Answer<T>,
    out: &mut Vec<u8>,
) -> Result<AnswerMeta, ToolError> {
    bounded(out, |out| {
        // A result that cannot be written as JSON does not exist: all keys are strings.
        serde_json::to_writer(out, &answer.result).map_err(|_| too_large())
    })?;
    Ok(answer.meta())
}

/// Writes a result that is a text.
#[cfg(any(
    feature = "base64",
    feature = "url",
    all(feature = "json", feature = "xml", feature = "yaml")
))]
pub(crate) fn write_text(
    answer: &Answer<impl AsRef<str>>,
    out: &mut Vec<u8>,
) -> Result<AnswerMeta, ToolError> {
    bounded(out, |out| {
        crate::json_string::append(answer.result.as_ref(), out);
        Ok(())
    })?;
    Ok(answer.meta())
}

/// Writes a result that is a text of characters that need no escapes in JSON, such as Base64 or
/// hexadecimal digits: `write` appends it to what it is given.
#[cfg(feature = "base64")]
pub(crate) fn write_plain(
    kind: &'static str,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>),
) -> Result<AnswerMeta, ToolError> {
    bounded(out, |out| {
        out.push(b'"');
        write(out);
        out.push(b'"');
        Ok(())
    })?;
    Ok(Answer::new(kind, ()).meta())
}

/// Writes a result as a JSON string that a function appends, unless it takes more than the bytes it is given:
/// then it says `false`.
#[cfg(feature = "json")]
pub(crate) fn write_quoted(
    kind: &'static str,
    write: impl FnOnce(usize) -> Result<bool, ToolError>,
) -> Result<AnswerMeta, ToolError> {
    if write(RESULT_BYTES_MAX)? {
        Ok(Answer::new(kind, ()).meta())
    } else {
        Err(too_large())
    }
}

/// Refuses what is written where it is too large.
fn bounded(
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let start = out.len();
    write(out)?;
    if out.len() - start > RESULT_BYTES_MAX {
        return Err(too_large());
    }
    Ok(())
}

fn too_large() -> ToolError {
    ToolError::result_too_large(RESULT_BYTES_MAX).with_hint("send less at once")
}
