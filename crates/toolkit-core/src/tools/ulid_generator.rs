//! `ulid-generator`: sortable identifiers.
//!
//! Standard: the ULID specification, in its monotonic order.

use serde::Serialize;

use crate::context::Context;
use crate::error::ToolError;
use crate::input::{Int, input};
use crate::tool::{Answer, Example, Spec, Tool};

/// Gives ULIDs.
#[derive(Debug)]
pub struct UlidGenerator;

input! {
    /// What `ulid-generator` takes.
    pub struct Input {
        /// How many to generate, from 1 to 1000.
        count: Int<1, 1000> = Int::nearest(1),
    }
}

/// The identifiers, in increasing order.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Output(Vec<String>);

impl Tool for UlidGenerator {
    const SPEC: Spec = Spec {
        slug: Some("ulid-generator"),
        mcp: None,
        summary: "Generates ULIDs in strictly increasing order.",
        kinds: &["ulid"],
        quick_bytes_max: usize::MAX,
        examples: &[Example {
            title: "one",
            input: "{}",
            answer: r#"{"result": ["01HF7YAT00000G40R40M30E209"], "type": "ulid", "count": 1}"#,
        }],
    };
    type Input<'a> = Input;
    type Output = Output;

    fn run(input: Input, ctx: &mut Context) -> Result<Answer<Output>, ToolError> {
        let count = input.count.get() as usize;
        let now = ctx.now();
        let (sequence, random) = ctx.sequence();
        let ulids = sequence.ulids(now, random, count);
        let result = ulids.iter().map(ToString::to_string).collect();
        Ok(Answer::list("ulid", Output(result), count))
    }
}
