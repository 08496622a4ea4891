//! Answer of `regex-tester`: matches with their positions and groups, as many as fit.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use crate::error::ToolError;
use crate::limits::RESULT_BYTES_MAX;
use crate::regex::{self, Found, Pattern};
use crate::warnings::Warnings;

/// Result of a search.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Output {
    /// Whether there is a match.
    pub matched: bool,
    /// The number of matches, at most 1,000.
    pub count: usize,
    /// The matches from left to right: all that are counted, over MCP the first 100.
    pub matches: Vec<Match>,
    /// The named groups of the first match, each with its text, or null where it took no part.
    pub named_groups: NamedGroups,
    /// The text with every match replaced, or null without a replacement.
    pub replaced: Option<String>,
    /// Whether the search found more matches than are shown.
    pub truncated: bool,
    /// The flags as they were used.
    pub flags: String,
}

/// A match. Ends are exclusive.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Match {
    /// The text that matched.
    pub text: String,
    /// Where it starts, in characters (code points).
    pub start: usize,
    /// Where it ends, in characters.
    pub end: usize,
    /// The same in other units, but over MCP.
    #[serde(flatten)]
    #[schemars(with = "Offsets")]
    pub offsets: Option<Offsets>,
    /// The groups of the pattern, in its order; over MCP their texts alone, or null.
    #[schemars(with = "Vec<Group>", extend("x-mcp" = MCP_GROUPS.clone()))]
    pub groups: Groups,
}

/// Schema of the groups over MCP.
static MCP_GROUPS: LazyLock<Json> =
    LazyLock::new(|| json!({"type": "array", "items": {"type": ["string", "null"]}}));

/// Groups of a match.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Groups {
    /// With their names and places.
    Whole(Vec<Group>),
    /// Their texts, over MCP.
    Texts(Vec<Option<String>>),
}

/// Start and end of a match in other units.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Offsets {
    /// Where it starts, in bytes of UTF-8.
    #[schemars(extend("x-rest-only" = true))]
    pub byte_start: usize,
    /// Where it ends, in bytes of UTF-8.
    #[schemars(extend("x-rest-only" = true))]
    pub byte_end: usize,
    /// Where it starts, in units of UTF-16, as JavaScript counts.
    #[schemars(extend("x-rest-only" = true))]
    pub utf16_start: usize,
    /// Where it ends, in units of UTF-16.
    #[schemars(extend("x-rest-only" = true))]
    pub utf16_end: usize,
}

/// A group of a match.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct Group {
    /// Its number, from 1.
    pub index: usize,
    /// Its name, or null.
    pub name: Option<String>,
    /// The text that it matched, or null if it took no part.
    pub text: Option<String>,
    /// Where it starts, in characters, or null.
    pub start: Option<usize>,
    /// Where it ends, in characters, or null.
    pub end: Option<usize>,
}

/// Names and texts of the named groups, in the order of the pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedGroups(Vec<(String, Option<String>)>);

impl Serialize for NamedGroups {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, text)| (name, text)))
    }
}

impl schemars::JsonSchema for NamedGroups {
    fn schema_name() -> Cow<'static, str> {
        "NamedGroups".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "additionalProperties": {"type": ["string", "null"]},
        })
    }
}

impl Output {
    pub(super) fn new(pattern: &Pattern, found: Found<'_>) -> Result<Self, ToolError> {
        let names: Vec<Option<&str>> = pattern.group_names().collect();
        let replaced_bytes = found.replaced.as_deref().map_or(0, json_bytes);
        let first = found.matches.first();
        let first_bytes = first.map_or(0, |first| match_bytes(&names, first));
        // Besides the matches: the other fields, and the named groups of the first match.
        let mut room = RESULT_BYTES_MAX.checked_sub(1_000 + replaced_bytes + 2 * first_bytes);
        let named_groups = first.map_or(Vec::new(), named_texts);
        let mut truncated = found.truncated;
        let mut matches = Vec::new();
        for found in &found.matches {
            let bytes = if matches.is_empty() { 0 } else { match_bytes(&names, found) };
            room = room.and_then(|room| room.checked_sub(bytes));
            if room.is_none() {
                truncated = true;
                break;
            }
            matches.push(Match::new(&names, found));
        }
        if matches.is_empty() && truncated {
            return Err(ToolError::result_too_large(RESULT_BYTES_MAX)
                .with_hint("shorten the text")
                .in_field("pattern"));
        }
        Ok(Self {
            matched: !matches.is_empty(),
            count: matches.len(),
            matches,
            named_groups: NamedGroups(named_groups),
            replaced: found.replaced,
            truncated,
            flags: pattern.flags().to_string(),
        })
    }
}

/// Maximum number of matches shown to a model, which has to read them all.
const MODEL_MATCHES_MAX: usize = 100;

impl Output {
    /// Drops what a model has no use for.
    pub(super) fn shorten(&mut self, warnings: &mut Warnings) {
        if self.count > MODEL_MATCHES_MAX {
            let more = if self.truncated { "more than " } else { "" };
            warnings.push(format!(
                "Only the first {MODEL_MATCHES_MAX} of {more}{} matches are shown.",
                self.count
            ));
            self.matches.truncate(MODEL_MATCHES_MAX);
            self.truncated = true;
        }
        for found in &mut self.matches {
            found.offsets = None;
            if let Groups::Whole(groups) = &mut found.groups {
                let texts = groups.drain(..).map(|group| group.text);
                found.groups = Groups::Texts(texts.collect());
            }
        }
    }
}

/// Upper estimate of the bytes that a match takes as JSON.
fn match_bytes(names: &[Option<&str>], found: &regex::Match<'_>) -> usize {
    let groups = names.iter().zip(&found.groups).map(|(name, group)| {
        let name = name.map_or(4, json_bytes);
        90 + name + group.map_or(4, |group| json_bytes(group.text))
    });
    170 + json_bytes(found.text) + groups.sum::<usize>()
}

/// Number of bytes that a string takes in JSON, without the quotation marks.
fn json_bytes(text: &str) -> usize {
    let escaped = |byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum()
}

/// Texts of the named groups. If several groups have one name, the one that participated.
fn named_texts(found: &regex::Match<'_>) -> Vec<(String, Option<String>)> {
    let mut texts: Vec<(String, Option<String>)> = Vec::new();
    for (name, group) in found.named() {
        let text = group.map(|group| group.text.to_owned());
        match texts.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = text.or(known.take()),
            None => texts.push((name.to_owned(), text)),
        }
    }
    texts
}

impl Match {
    fn new(names: &[Option<&str>], found: &regex::Match<'_>) -> Self {
        let groups = names.iter().zip(&found.groups).enumerate();
        Self {
            text: found.text.to_owned(),
            start: found.start.characters,
            end: found.end.characters,
            offsets: Some(Offsets {
                byte_start: found.start.bytes,
                byte_end: found.end.bytes,
                utf16_start: found.start.utf16,
                utf16_end: found.end.utf16,
            }),
            groups: Groups::Whole(
                groups
                    .map(|(index, (name, group))| Group {
                        index: index + 1,
                        name: name.map(str::to_owned),
                        text: group.map(|group| group.text.to_owned()),
                        start: group.map(|group| group.start.characters),
                        end: group.map(|group| group.end.characters),
                    })
                    .collect(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regex::Flags;

    #[test]
    fn the_estimate_of_a_match_is_not_below_its_size() {
        let pattern = Pattern::new("(?<name>\"\u{1}\n)(x)?", Flags::default()).unwrap();
        let text = "\"\u{1}\n".repeat(2);
        let found = pattern.search(&text, None, None, &mut crate::Warnings::new()).unwrap();
        let names: Vec<Option<&str>> = pattern.group_names().collect();
        let estimate = match_bytes(&names, &found.matches[0]);
        let actual = serde_json::to_string(&Match::new(&names, &found.matches[0])).unwrap();
        assert!((actual.len()..actual.len() + 200).contains(&estimate));
    }
}
