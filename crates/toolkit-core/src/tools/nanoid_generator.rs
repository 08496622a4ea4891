//! `nanoid-generator`: short random identifiers.
//!
//! Standard: none; follows the NanoID library. See [`crate::ids`].

use std::borrow::Cow;

use super::generate_id::Identifiers;
use crate::context::Context;
use crate::error::ToolError;
use crate::ids::{self, Alphabet};
use crate::input::{Int, input};
use crate::tool::{Answer, Example, Spec, Tool};

/// Generates `NanoID`s.
#[derive(Debug)]
pub struct NanoidGenerator;

input! {
    /// Inputs of `nanoid-generator`.
    pub struct Input<'a> {
        /// How many to generate, from 1 to 1000; default 1.
        count: Int<1, 1000> = Int::nearest(1),
        /// How many characters each has, from 2 to 256; default 21.
        size: Int<2, 256> = Int::nearest(21),
        /// The characters to choose from: 2 to 255 different ones, each as likely as the others.
        /// Default: letters, digits, `_` and `-`.
        alphabet: Option<Cow<'a, str>>,
    }
}

impl Tool for NanoidGenerator {
    const SPEC: Spec = Spec {
        slug: Some("nanoid-generator"),
        mcp: None,
        summary: "Generates short URL-safe NanoIDs of a chosen size and alphabet.",
        kinds: &["nanoid"],
        quick_bytes_max: usize::MAX,
        examples: &[
            Example { title: "A NanoID", input: "{}" },
            Example {
                title: "Two NanoIDs of ten digits",
                input: r#"{"count": 2, "size": 10, "alphabet": "0123456789"}"#,
            },
        ],
    };
    type Input<'a> = Input<'a>;
    type Output = Identifiers;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Identifiers>, ToolError> {
        let count = input.count.get() as usize;
        let size = input.size.get() as usize;
        let alphabet = match &input.alphabet {
            Some(characters) => {
                Alphabet::new(characters).map_err(|refusal| refusal.in_field("alphabet"))?
            }
            None => Alphabet::default(),
        };
        let nanoids = ids::nanoids(ctx.random(), &alphabet, size, count);
        Ok(Identifiers::answer("nanoid", &nanoids))
    }
}
