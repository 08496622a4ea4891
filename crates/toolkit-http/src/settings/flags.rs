//! Section `flags`: feature flags for front ends.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answers of the flags endpoint.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Flags {
    /// Whether front ends may call this server.
    #[schemars(example = true, extend("x-default" = "true"))]
    pub backend_enabled: Option<bool>,
    /// Whether front ends may offer chat.
    #[schemars(example = false, extend("x-default" = "whether `llm.providers` has any"))]
    pub ai_enabled: Option<bool>,
    /// Whether front ends may offer what is paid for.
    #[schemars(example = false, extend("x-default" = "false"))]
    pub paid_enabled: Option<bool>,
}
