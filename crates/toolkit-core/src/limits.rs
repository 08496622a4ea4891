//! Limits of the tools, each with its reason. An error names the limit that was exceeded.

/// Nesting of a document, in any format: deeper ones come from attacks, and a walk must not
/// exhaust the stack.
pub const NESTING_MAX: usize = 512;

/// Bytes of a result: eight times the largest body a server takes by default, so that
/// pretty-printing an honest document fits and an amplifying one does not.
pub const RESULT_BYTES_MAX: usize = 8 << 20;

/// Values that the aliases of a YAML stream stand for in all: far above honest use, and few enough
/// to be built in no time.
pub const YAML_ALIASED_NODES_MAX: usize = 250_000;

/// Bytes of a regular expression.
pub const PATTERN_BYTES_MAX: usize = 8 << 10;

/// Bytes of a text that a regular expression is tried on.
pub const REGEX_TEXT_BYTES_MAX: usize = 256 << 10;

/// Matches that are shown; the answer says when there were more.
pub const MATCHES_MAX: usize = 1_000;

/// Groups that are shown, in all matches together: a pattern can have thousands of them.
pub const MATCHED_GROUPS_MAX: usize = 50_000;

/// Milliseconds after which a server ends a call whose time does not follow from its size, by
/// [`Context::until`](crate::Context::until). What cannot be interrupted takes at most 150 more, so
/// that the answer comes within 500.
pub const RUN_MILLISECONDS_MAX: u64 = 350;

/// Bytes of a cron expression: sixty minutes one by one, and the other fields likewise, take half.
pub const CRON_BYTES_MAX: usize = 1_000;

/// Characters of an input that a refusal may repeat.
pub const ECHO_CHARACTERS_MAX: usize = 40;
