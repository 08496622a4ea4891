//! Section `privacy`: retention periods of personal data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The end of personal data.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Privacy {
    /// How long a contact message is kept, in days.
    #[schemars(range(min = 1, max = 36_500))]
    pub contact_days: u32,
}

impl Default for Privacy {
    fn default() -> Self {
        Self { contact_days: 365 }
    }
}
