//! Section `log`: format and level.

use tracing_subscriber::EnvFilter;

use super::schema::{choice, section};
use super::value::checked_text;

section! {
    /// The log, on standard output.
    pub struct Log {
        /// Format of log lines.
        pub format: Option<LogFormat> = None, example("json"),
            default_note("`text` on a terminal, else `json`");
        /// Minimum level to log (`error`, `warn`, `info`, `debug`, `trace`, `off`), or filters in
        /// `tracing` syntax: `warn,toolkit_server=debug`.
        pub level: LogLevel = LogLevel::default();
    }
}

choice! {
    /// Format of log lines.
    pub enum LogFormat {
        /// For people.
        Text = "text",
        /// One JSON object a line, for machines.
        Json = "json",
    }
}

checked_text! {
    /// A checked log filter.
    pub struct LogLevel: "error, warn, info, debug, trace or off, or filters such as warn,toolkit_server=debug",
    read |text| {
        const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];
        // A bare word that is not a level would be taken for a module name, and everything in that
        // module would be logged.
        let meant = |part: &str| {
            part.contains('=')
                || part.contains("::")
                || LEVELS.contains(&part.trim().to_ascii_lowercase().as_str())
        };
        let is_valid = EnvFilter::builder().parse(text).is_ok();
        (is_valid && text.split(',').all(meant)).then(|| text.to_owned())
    }
}

impl Default for LogLevel {
    fn default() -> Self {
        Self("info".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_filters_are_parsed_and_typos_refused() {
        for text in
            ["info", "WARN", "off", "warn,toolkit_server=debug", "info,actix_http::h1=trace"]
        {
            assert!(LogLevel::parse(text).is_some(), "{text}");
        }
        for text in ["", "inof", "info,verbose", "a=b=c", "toolkit_server=loud"] {
            assert!(LogLevel::parse(text).is_none(), "{text}");
        }
    }
}
