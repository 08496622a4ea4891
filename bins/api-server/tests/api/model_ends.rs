//! Published ends of models: from that day on the vendor refuses them, or answers with another one.
//!
//! As known on 27 November 2026, in part from excerpts by others; to be compared with the vendors' pages: OpenAI,
//! <https://developers.openai.com/api/docs/deprecations>;
//! Anthropic, <https://platform.claude.com/docs/en/about-claude/model-deprecations>; Google,
//! <https://ai.google.dev/gemini-api/docs/deprecations>.

use std::fs;
use std::path::{Path, PathBuf};

use time::OffsetDateTime;

/// Models, each with its end; a snapshot adds a date to the name.
const ENDS: [(&str, &str); 23] = [
    ("gpt-3.5-turbo", "2026-10-23"),
    ("gpt-4", "2026-10-23"),
    ("gpt-4o", "2027-01-14"),
    ("gpt-4.1", "2027-01-14"),
    ("gpt-5-chat-latest", "2026-07-23"),
    ("gpt-5-2025-08-07", "2026-12-11"),
    ("gpt-5-mini", "2026-12-11"),
    ("gpt-5-nano-2025-08-07", "2026-12-11"),
    ("o3-2025-04-16", "2026-12-11"),
    ("gpt-5.1-chat-latest", "2026-07-23"),
    ("gpt-5.2-chat-latest", "2026-08-10"),
    ("gpt-5.3-chat-latest", "2026-08-10"),
    ("claude-3-5-sonnet", "2025-10-28"),
    ("claude-3-7-sonnet", "2026-02-19"),
    ("claude-sonnet-4-20250514", "2026-06-15"),
    ("claude-sonnet-4-0", "2026-06-15"),
    ("claude-opus-4-20250514", "2026-06-15"),
    ("claude-opus-4-0", "2026-06-15"),
    ("claude-opus-4-1", "2026-08-05"),
    ("gemini-2.0-flash", "2026-06-01"),
    ("gemini-2.5-flash", "2026-12-01"),
    ("gemini-2.5-pro", "2026-12-01"),
    ("gemini-3-pro-preview", "2026-03-09"),
];

/// The published end of a model, by its name or that of a snapshot of it.
fn of_model(name: &str) -> Option<&'static str> {
    let is_snapshot = |rest: &str| {
        let rest = rest.strip_prefix(['-', '@']).unwrap_or("x");
        rest.chars().all(|c| c.is_ascii_digit() || c == '-')
    };
    let named = |(model, _): &&(&str, &str)| {
        let rest = name.strip_prefix(model);
        rest.is_some_and(|rest| rest.is_empty() || is_snapshot(rest))
    };
    ENDS.iter().find(named).map(|(_, end)| *end)
}

#[test]
fn a_snapshot_ends_with_its_model_and_another_model_does_not() {
    assert_eq!(of_model("gpt-5-mini"), Some("2026-12-11"));
    assert_eq!(of_model("gpt-5-mini-2025-08-07"), of_model("gpt-5-mini"));
    assert_eq!(of_model("claude-3-7-sonnet-20250219"), Some("2026-02-19"));
    for other in ["gpt-5.6", "gpt-4o-audio", "claude-sonnet-5", "qwen3:8b", "gemini-2.5-flash-lite"]
    {
        assert_eq!(of_model(other), None, "{other}");
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
    let soon = (OffsetDateTime::now_utc().date() + time::Duration::days(60)).to_string();
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
                    assert!(*end > *soon, "{}: {name} ends on {end}", path.display());
                }
            }
        }
    }
    assert!(named > 3, "the examples name models");
}
