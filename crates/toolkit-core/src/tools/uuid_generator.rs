//! `uuid-generator`: random and time-ordered UUIDs.
//!
//! Standard: RFC 9562 §5.4 and §5.7; see [`crate::ids`].

use super::generate_id::{IdType, Identifiers};
use crate::choice::choice;
use crate::context::Context;
use crate::error::ToolError;
use crate::input::{Int, input};
use crate::tool::{Answer, Example, Spec, Tool};

/// Generates UUIDs.
#[derive(Debug)]
pub struct UuidGenerator;

choice! {
    /// UUID version.
    pub enum Version {
        /// Random.
        V4 = "v4" | "4" | "uuid_v4" | "uuid4",
        /// Ordered by time.
        V7 = "v7" | "7" | "uuid_v7" | "uuid7",
    }
}

input! {
    /// Inputs of `uuid-generator`.
    pub struct Input {
        /// The version: `v4` is random, `v7` starts with the time and so sorts by it; default `v4`.
        version: Version = Version::V4,
        /// How many to generate, from 1 to 1000; default 1.
        count: Int<1, 1000> = Int::nearest(1),
    }
}

impl Tool for UuidGenerator {
    const SPEC: Spec = Spec {
        slug: Some("uuid-generator"),
        mcp: None,
        summary: "Generates random (v4) or time-ordered (v7) UUIDs.",
        kinds: &["uuid-v4", "uuid-v7"],
        quick_bytes_max: usize::MAX,
        examples: &[
            Example { title: "Two random UUIDs (version 4)", input: r#"{"count": 2}"# },
            Example {
                title: "Two UUIDs that sort by time (version 7)",
                input: r#"{"version": "v7", "count": 2}"#,
            },
        ],
    };
    type Input<'a> = Input;
    type Output = Identifiers;

    fn run(input: Input, ctx: &mut Context) -> Result<Answer<Identifiers>, ToolError> {
        let id_type = match input.version {
            Version::V4 => IdType::UuidV4,
            Version::V7 => IdType::UuidV7,
        };
        Ok(id_type.generate(input.count.get(), ctx))
    }
}
