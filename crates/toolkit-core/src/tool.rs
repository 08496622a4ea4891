//! Tools: typed input and output, one function between them, and their documentation.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value as Json;

use crate::context::Context;
use crate::error::ToolError;
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
    /// Maximum length of a body, in bytes, that a thread which serves other requests may run; a
    /// longer one can take more than a few milliseconds. Zero if a short one can use up its whole time. A tool that
    /// would work longer on one asks [`Context::is_over`] before, and then runs again on another thread.
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

/// Result for a model, in bytes, that is long unless the model's own text is: it is written twice,
/// and clients cut what is much longer.
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

    /// What a model may do about a long answer.
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
        self.fields().get(main).map_or(input::MAIN_INPUT_ALIAS, |field| field.name)
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
    ) -> Result<(), ToolError> {
        #[cfg(any(feature = "cron", feature = "regex"))]
        {
            ctx.surface = accepted;
        }
        let is_text = body.first() == Some(&b'"') && matches!(accepted, Surface::Mcp(_));
        // Some MCP clients send the arguments as JSON text.
        let text = is_text.then(|| serde_json::from_slice::<String>(body).ok());
        let text = text.flatten();
        let body = text.as_ref().map_or(body, |text| text.as_bytes());
        let answer = T::run(input::from_body(body, accepted, &mut ctx.warnings)?, ctx)?;
        let long_bytes_min = match accepted {
            Surface::Rest => usize::MAX,
            Surface::Mcp(_) => LONG_BYTES_MIN.max(2 * body.len()),
        };
        answer.write(&mut ctx.warnings, (long_bytes_min, T::LESS), out)
    }
}

#[cfg(test)]
pub(crate) use self::testing::{asks_for_time, run};

#[cfg(test)]
mod testing {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Runs a tool as a surface does; returns the answer, and the context with its warnings.
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
