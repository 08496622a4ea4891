//! Limits of the tools, each with its reason. An error names the limit that was exceeded.

/// Nesting depth of a document, in any format: deeper ones come from attacks, and a traversal must
/// not exhaust the stack.
pub const NESTING_MAX: usize = 512;

/// Length of a result, in bytes: eight times the largest body a server accepts by default, so that
/// pretty-printing a legitimate document fits and an amplifying one does not.
pub const RESULT_BYTES_MAX: usize = 8 << 20;

/// Number of values that the aliases of a YAML stream expand to: far above legitimate use, and few
/// enough to be built quickly.
pub const YAML_ALIASED_NODES_MAX: usize = 250_000;

/// Length of a regular expression, in bytes.
pub const PATTERN_BYTES_MAX: usize = 8 << 10;

/// Length of text that a regular expression is tried on, in bytes.
pub const REGEX_TEXT_BYTES_MAX: usize = 256 << 10;

/// Number of matches shown. The answer says if there were more.
pub const MATCHES_MAX: usize = 1_000;

/// Number of groups shown, in all matches together: a pattern can have thousands of them.
pub const MATCHED_GROUPS_MAX: usize = 50_000;

/// Milliseconds after which a server ends a call whose time does not depend on its size, by
/// [`Context::until`](crate::Context::until). Uninterruptible work takes at most 150 more, so the
/// answer arrives within 500.
pub const RUN_MILLISECONDS_MAX: u64 = 350;

/// Length of a cron expression, in bytes: twice that of one that lists all sixty minutes, and all
/// values of the other fields, individually.
pub const CRON_BYTES_MAX: usize = 1_000;

/// Number of characters of an input that an error message may repeat.
pub const ECHO_CHARACTERS_MAX: usize = 40;
