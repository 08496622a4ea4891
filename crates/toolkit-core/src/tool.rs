//! Tools: typed input and output, one function between them, and their documentation.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value as Json;

use crate::context::Context;
use crate::error::ToolError;
use crate::input::{self, Field, Input, Surface};
use crate::limits::RESULT_BYTES_MAX;

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
    /// Maximum input length, in bytes, that is certain to take less than a millisecond: longer
    /// inputs must not run on a thread that serves other requests.
    pub quick_bytes_max: usize,
    /// Reproducible calls: with [`Context::fixed`] each gives exactly the answer stated here.
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

/// A call and its answer, as JSON.
#[derive(Debug)]
pub struct Example {
    /// What it demonstrates, as a short clause.
    pub title: &'static str,
    /// The inputs.
    pub input: &'static str,
    /// `{"result", "type"}`, with `count` and `warnings` if there are any.
    pub answer: &'static str,
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
        Self {
            result,
            kind,
            count: None,
        }
    }

    /// Creates an answer with an array of `count` items.
    pub const fn list(kind: &'static str, result: T, count: usize) -> Self {
        Self {
            result,
            kind,
            count: Some(count),
        }
    }

    /// Members of the answer besides the result.
    pub(crate) const fn meta(&self) -> AnswerMeta {
        AnswerMeta {
            kind: self.kind,
            count: self.count,
        }
    }
}

/// A tool with typed input and output.
pub trait Tool: Send + Sync + 'static {
    /// Definition.
    const SPEC: Spec;
    /// Type of the inputs.
    type Input<'a>: Input<'a>;
    /// Type of the result.
    type Output: Serialize + JsonSchema;

    /// Runs the tool.
    ///
    /// # Errors
    ///
    /// Says which input is refused and why.
    fn run(input: Self::Input<'_>, ctx: &mut Context) -> Result<Answer<Self::Output>, ToolError>;

    /// Runs the tool, and appends the result's JSON to `out`; the default serializes the result of
    /// [`run`](Self::run), which a tool can replace with something faster.
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

    /// Like [`DynTool::run_if_quick`]; the default decides by the length of the body.
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

/// Members of an answer besides the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerMeta {
    /// Type of the result.
    pub kind: &'static str,
    /// Number of items, if the result is an array.
    pub count: Option<usize>,
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

    /// Runs the tool like [`run_json`](Self::run_json), but only if that is certain to take no more
    /// than about a millisecond, so it can run on a thread that serves other requests.
    ///
    /// Otherwise returns `None`, and leaves `ctx` and `out` unchanged.
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

    /// Runs the tool on the bytes of a JSON object, and appends the result's JSON to `out`.
    ///
    /// Decodes directly into the tool's input and encodes directly into `out`; on an error `out`
    /// may hold part of a result.
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
        #[cfg(feature = "regex")]
        {
            ctx.surface = accepted;
        }
        T::run_into(input::from_body(body, accepted)?, ctx, out)
    }

    fn run_if_quick(
        &self,
        body: &[u8],
        accepted: Surface,
        ctx: &mut Context,
        out: &mut Vec<u8>,
    ) -> Option<Result<AnswerMeta, ToolError>> {
        #[cfg(feature = "regex")]
        {
            ctx.surface = accepted;
        }
        let (start, warnings) = (out.len(), ctx.warnings.clone());
        let done = T::run_if_quick(body, accepted, ctx, out);
        if done.is_none() {
            out.truncate(start);
            ctx.warnings = warnings;
        }
        done
    }
}

/// Writes a result of any type.
pub(crate) fn write_json<T: Serialize>(
    answer: &Answer<T>,
    out: &mut Vec<u8>,
) -> Result<AnswerMeta, ToolError> {
    bounded(answer.meta(), out, |out| {
        // Every result can be serialized as JSON: all keys are strings.
        serde_json::to_writer(out, &answer.result).map_err(|_| too_large())
    })
}

/// Writes a string result.
#[cfg(any(
    feature = "base64",
    feature = "url",
    all(feature = "json", feature = "xml", feature = "yaml")
))]
pub(crate) fn write_text(
    answer: &Answer<impl AsRef<str>>,
    out: &mut Vec<u8>,
) -> Result<AnswerMeta, ToolError> {
    bounded(answer.meta(), out, |out| {
        crate::json_string::append(answer.result.as_ref(), out);
        Ok(())
    })
}

/// Writes a string result whose characters need no JSON escapes, such as Base64 or hexadecimal
/// digits; `write` appends them to its argument.
#[cfg(feature = "base64")]
pub(crate) fn write_plain(
    kind: &'static str,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>),
) -> Result<AnswerMeta, ToolError> {
    bounded(Answer::new(kind, ()).meta(), out, |out| {
        out.push(b'"');
        write(out);
        out.push(b'"');
        Ok(())
    })
}

/// Writes a result as a JSON string with a function that appends it, or returns `false` if it would
/// exceed the given number of bytes.
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

/// Returns an error if the output is too large.
fn bounded(
    meta: AnswerMeta,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), ToolError>,
) -> Result<AnswerMeta, ToolError> {
    let start = out.len();
    write(out)?;
    if out.len() - start > RESULT_BYTES_MAX {
        return Err(too_large());
    }
    Ok(meta)
}

fn too_large() -> ToolError {
    ToolError::result_too_large(RESULT_BYTES_MAX).with_hint("send less at once")
}
