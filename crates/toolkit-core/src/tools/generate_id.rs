//! `generate_id` of MCP: every kind of identifier in one tool, to keep the list of tools short for
//! models.
//!
//! Standard: those of the generators for each kind; see [`crate::ids`].

use schemars::JsonSchema;
use serde::Serialize;

use crate::choice::choice;
use crate::context::Context;
use crate::error::ToolError;
use crate::ids::{self, Alphabet, NANOID_SIZE};
use crate::input::{Int, input};
use crate::tool::{Answer, Example, Mcp, Spec, Tool};

/// Generates identifiers of a chosen kind.
#[derive(Debug)]
pub struct GenerateId;

choice! {
    /// A kind of identifier.
    pub enum IdType {
        /// A random UUID.
        UuidV4 = "uuid_v4" | "uuid4" | "v4" | "uuid" | "guid",
        /// A UUID ordered by time.
        UuidV7 = "uuid_v7" | "uuid7" | "v7",
        /// A ULID.
        Ulid = "ulid",
        /// A NanoID of 21 characters.
        Nanoid = "nanoid",
    }
}

input! {
    /// Inputs of `generate_id`.
    pub struct Input {
        /// The kind: `uuid_v4` is random; `uuid_v7` and `ulid` sort by creation time; `nanoid` is
        /// short, 21 URL-safe characters. Case, `-` and `_` do not matter.
        id_type: IdType,
        /// How many to generate, from 1 to 100; default 1.
        count: Int<1, 100> = Int::nearest(1),
    }
}

impl Tool for GenerateId {
    const SPEC: Spec = Spec {
        slug: None,
        mcp: Some(Mcp {
            name: "generate_id",
            title: "Generate identifiers",
            description: "Generate UUIDs (v4 or v7), ULIDs or NanoIDs from a secure random source. \
                Use it whenever a new identifier is needed: made-up ones are neither unique nor \
                random. Not for secrets such as passwords and keys, nor for an identifier that \
                follows from a text: that is for hash_text. \
                Example: {\"id_type\": \"uuid_v7\", \"count\": 2}.",
            inputs: &["id_type", "count?"],
            idempotent: false,
        }),
        summary: "Generates UUIDs (v4, v7), ULIDs or NanoIDs.",
        kinds: &["uuid-v4", "uuid-v7", "ulid", "nanoid"],
        quick_bytes_max: usize::MAX,
        examples: &[
            Example { title: "A random UUID", input: r#"{"id_type": "uuid_v4"}"# },
            Example { title: "Two ULIDs", input: r#"{"id_type": "ULID", "count": 2}"# },
        ],
    };
    type Input<'a> = Input;
    type Output = Identifiers;

    fn run(input: Input, ctx: &mut Context) -> Result<Answer<Identifiers>, ToolError> {
        Ok(input.id_type.generate(input.count.get(), ctx))
    }
}

/// The identifiers, in the order in which they were made.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Identifiers(Vec<String>);

impl Identifiers {
    /// The answer with identifiers of a kind.
    pub(super) fn answer<I: ToString>(kind: &'static str, ids: &[I]) -> Answer<Self> {
        let texts = ids.iter().map(ToString::to_string).collect();
        Answer::list(kind, Self(texts), ids.len())
    }
}

impl IdType {
    /// Generates identifiers of this kind.
    pub(super) fn generate(self, count: u32, ctx: &mut Context) -> Answer<Identifiers> {
        let (count, now) = (count as usize, ctx.now());
        let (sequence, random) = ctx.sequence();
        match self {
            Self::UuidV4 => Identifiers::answer("uuid-v4", &ids::uuids_v4(random, count)),
            Self::UuidV7 => Identifiers::answer("uuid-v7", &sequence.uuids_v7(now, random, count)),
            Self::Ulid => Identifiers::answer("ulid", &sequence.ulids(now, random, count)),
            Self::Nanoid => {
                let nanoids = ids::nanoids(random, &Alphabet::default(), NANOID_SIZE, count);
                Identifiers::answer("nanoid", &nanoids)
            }
        }
    }
}
