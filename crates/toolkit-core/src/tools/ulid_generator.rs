//! `ulid-generator`: sortable identifiers.
//!
//! Standard: the ULID specification, in its monotonic variant; see [`crate::ids`].

use super::generate_id::{IdType, Identifiers};
use crate::context::Context;
use crate::error::ToolError;
use crate::input::{Int, input};
use crate::tool::{Answer, Example, Spec, Tool};

/// Generates ULIDs.
#[derive(Debug)]
pub struct UlidGenerator;

input! {
    /// Inputs of `ulid-generator`.
    pub struct Input {
        /// How many to generate, from 1 to 1000; default 1.
        count: Int<1, 1000> = Int::nearest(1),
    }
}

impl Tool for UlidGenerator {
    const SPEC: Spec = Spec {
        slug: Some("ulid-generator"),
        mcp: None,
        summary: "Generates sortable ULIDs in monotonic order.",
        kinds: &["ulid"],
        quick_bytes_max: usize::MAX,
        examples: &[
            Example { title: "A ULID", input: "{}" },
            Example {
                title: "Two ULIDs in one millisecond, each above the last",
                input: r#"{"count": 2}"#,
            },
        ],
    };
    type Input<'a> = Input;
    type Output = Identifiers;

    fn run(input: Input, ctx: &mut Context) -> Result<Answer<Identifiers>, ToolError> {
        Ok(IdType::Ulid.generate(input.count.get(), ctx))
    }
}
