//! Section `flags`: feature flags for front ends.

use super::schema::section;

section! {
    /// The answers of the flags endpoint.
    pub struct Flags {
        /// Whether front ends may call this server.
        pub backend_enabled: Option<bool> = None, example(true), default_note("true");
        /// Whether front ends may offer chat.
        pub ai_enabled: Option<bool> = None, example(false),
            default_note("true if there are `llm.providers`");
        /// Whether front ends may offer paid features.
        pub paid_enabled: Option<bool> = None, example(false), default_note("false");
    }
}
