//! Published ends of models: from that day on the vendor refuses them, or answers with another one.
//!
//! As known on 27 November 2026, in part from excerpts by others; to be compared with the vendors' pages: OpenAI,
//! <https://developers.openai.com/api/docs/deprecations>;
//! Anthropic, <https://platform.claude.com/docs/en/about-claude/model-deprecations>; Google,
//! <https://ai.google.dev/gemini-api/docs/deprecations>.

use time::Date;
use time::macros::date;

/// The end of a model.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// Its name; a snapshot adds a date to it.
    model: &'static str,
    pub(super) date: Date,
}

const ENDS: [End; 23] = [
    of("gpt-3.5-turbo", date!(2026 - 10 - 23)),
    of("gpt-4", date!(2026 - 10 - 23)),
    of("gpt-4o", date!(2027 - 01 - 14)),
    of("gpt-4.1", date!(2027 - 01 - 14)),
    of("gpt-5-chat-latest", date!(2026 - 07 - 23)),
    of("gpt-5-2025-08-07", date!(2026 - 12 - 11)),
    of("gpt-5-mini", date!(2026 - 12 - 11)),
    of("gpt-5-nano-2025-08-07", date!(2026 - 12 - 11)),
    of("o3-2025-04-16", date!(2026 - 12 - 11)),
    of("gpt-5.1-chat-latest", date!(2026 - 07 - 23)),
    of("gpt-5.2-chat-latest", date!(2026 - 08 - 10)),
    of("gpt-5.3-chat-latest", date!(2026 - 08 - 10)),
    of("claude-3-5-sonnet", date!(2025 - 10 - 28)),
    of("claude-3-7-sonnet", date!(2026 - 02 - 19)),
    of("claude-sonnet-4-20250514", date!(2026 - 06 - 15)),
    of("claude-sonnet-4-0", date!(2026 - 06 - 15)),
    of("claude-opus-4-20250514", date!(2026 - 06 - 15)),
    of("claude-opus-4-0", date!(2026 - 06 - 15)),
    of("claude-opus-4-1", date!(2026 - 08 - 05)),
    of("gemini-2.0-flash", date!(2026 - 06 - 01)),
    of("gemini-2.5-flash", date!(2026 - 12 - 01)),
    of("gemini-2.5-pro", date!(2026 - 12 - 01)),
    of("gemini-3-pro-preview", date!(2026 - 03 - 09)),
];

const fn of(model: &'static str, date: Date) -> End {
    End { model, date }
}

/// The published end of a model, by its name or that of a snapshot of it.
pub(super) fn of_model(name: &str) -> Option<End> {
    let is_snapshot = |rest: &str| {
        let rest = rest.strip_prefix(['-', '@']).unwrap_or("x");
        rest.chars().all(|c| c.is_ascii_digit() || c == '-')
    };
    let named = |end: &&End| {
        let rest = name.strip_prefix(end.model);
        rest.is_some_and(|rest| rest.is_empty() || is_snapshot(rest))
    };
    ENDS.iter().find(named).copied()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use time::OffsetDateTime;

    use super::*;

    #[test]
    fn a_snapshot_ends_with_its_model_and_another_model_does_not() {
        let end = |name| of_model(name).map(|end| end.date);
        assert_eq!(end("gpt-5-mini"), Some(date!(2026 - 12 - 11)));
        assert_eq!(end("gpt-5-mini-2025-08-07"), end("gpt-5-mini"));
        assert_eq!(end("claude-3-7-sonnet-20250219"), Some(date!(2026 - 02 - 19)));
        for other in
            ["gpt-5.6", "gpt-4o-audio", "claude-sonnet-5", "qwen3:8b", "gemini-2.5-flash-lite"]
        {
            assert_eq!(end(other), None, "{other}");
        }
    }

    /// Files that show how to configure a model.
    fn examples() -> Vec<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let of_folder = |folder: &str| {
            let entries = fs::read_dir(root.join(folder)).unwrap();
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file())
        };
        let files =
            ["README.md", "compose.yaml", "toolkit.example.toml", "crates/toolkit-llm/README.md"];
        let files = files.map(|file| root.join(file)).into_iter();
        let folders = ["docs", "docs/operating", "docs/examples"].into_iter().flat_map(of_folder);
        files.chain(folders).collect()
    }

    #[test]
    fn no_example_names_a_model_past_its_published_end_or_close_to_it() {
        let soon = OffsetDateTime::now_utc().date() + time::Duration::days(60);
        let mut named = 0;
        for path in examples() {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            // The table of model families says when a model ends.
            let lines = text.lines().filter(|line| !line.starts_with("| "));
            for line in lines {
                let word = |c: char| !(c.is_ascii_alphanumeric() || ".-:/@".contains(c));
                for name in line.split(word) {
                    let name = name.rsplit('/').next().unwrap_or(name).trim_end_matches('.');
                    named += usize::from(name.starts_with("claude-") || name.starts_with("gpt-"));
                    if let Some(end) = of_model(name) {
                        assert!(end.date > soon, "{}: {name} ends on {}", path.display(), end.date);
                    }
                }
            }
        }
        assert!(named > 3, "the examples name models");
    }
}
