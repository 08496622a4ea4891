//! Skill: which tool to use for what, with worked examples, as a resource for the model.
//!
//! Standard: MCP's Skills extension (SEP-2640) and Agent Skills, with `skills/list`, `skills/get`
//! and `resources/read`. Directories are left out, since the skill has one file.

use rmcp::ErrorData;
use rmcp::model::{
    CacheScope, GetSkillResult, ListResourcesResult, ListSkillsResult, ReadResourceResult,
    Resource, ResourceContents, Skill, SkillFrontmatter, SkillResource, SkillResources,
};
use toolkit_core::input::Echo;

use crate::protocol::TTL_MS;

/// The skill's name, and that of its folder.
const NAME: &str = "which-tool";
const URI: &str = "skill://which-tool/SKILL.md";
const MEDIA_TYPE: &str = "text/markdown";
const TEXT: &str = include_str!("skill/SKILL.md");

fn description() -> &'static str {
    let line = TEXT.lines().find_map(|line| line.strip_prefix("description: "));
    line.unwrap_or_default()
}

fn skill() -> Skill {
    let file = SkillResource::from_bytes(URI, TEXT.as_bytes());
    let frontmatter = SkillFrontmatter::new(NAME, description());
    Skill::new(URI, frontmatter, SkillResources::Files(vec![file]))
}

/// Refuses any other address.
fn check(uri: &str) -> Result<(), ErrorData> {
    if uri == URI {
        return Ok(());
    }
    let message = format!("Unknown resource {}. This server has {URI}.", Echo(uri));
    Err(ErrorData::invalid_params(message, None))
}

pub(crate) fn list() -> ListSkillsResult {
    let mut result = ListSkillsResult::with_all_items(vec![skill()]);
    (result.ttl_ms, result.cache_scope) = (Some(TTL_MS), Some(CacheScope::Public));
    result
}

pub(crate) fn get(uri: &str) -> Result<GetSkillResult, ErrorData> {
    check(uri)?;
    let mut result = GetSkillResult::new(skill());
    (result.ttl_ms, result.cache_scope) = (Some(TTL_MS), Some(CacheScope::Public));
    Ok(result)
}

pub(crate) fn resources() -> ListResourcesResult {
    let resource =
        Resource::new(URI, NAME).with_description(description()).with_mime_type(MEDIA_TYPE);
    let mut result = ListResourcesResult::with_all_items(vec![resource]);
    (result.ttl_ms, result.cache_scope) = (Some(TTL_MS), Some(CacheScope::Public));
    result
}

pub(crate) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    check(uri)?;
    let contents = ResourceContents::text(TEXT, URI).with_mime_type(MEDIA_TYPE);
    let mut result = ReadResourceResult::new(vec![contents]);
    (result.ttl_ms, result.cache_scope) = (Some(TTL_MS), Some(CacheScope::Public));
    Ok(result)
}

#[cfg(test)]
mod tests {
    use std::convert::identity;

    use actix_web::web::Bytes;
    use serde_json::Value as Json;
    use toolkit_core::registry::mcp_tools;
    use toolkit_server::request_id::RequestId;
    use toolkit_server::runner::{ModelCall, Runner};

    use super::*;

    #[test]
    fn the_skill_is_valid_and_its_head_is_that_of_its_file() {
        assert_eq!(skill().validate(), Ok(()));
        assert!(TEXT.starts_with("---\nname: which-tool\ndescription: "));
        assert!(!description().is_empty() && description().len() <= 1_024);
    }

    /// Whether a value contains everything expected.
    fn has(value: &Json, expected: &Json) -> bool {
        match (value, expected) {
            (Json::Object(value), Json::Object(expected)) => expected
                .iter()
                .all(|(name, expected)| value.get(name).is_some_and(|value| has(value, expected))),
            (value, expected) => value == expected,
        }
    }

    async fn answer(tool: &str, arguments: &str) -> Result<Json, String> {
        let arguments = Bytes::copy_from_slice(arguments.as_bytes());
        let call = ModelCall::find(tool, arguments, None, RequestId::make()).expect("a tool");
        let answer = Runner::default().call(call, identity).await;
        let answer = answer.map_err(|failure| failure.to_string())?;
        Ok(serde_json::from_slice(&answer).unwrap())
    }

    #[actix_web::test]
    async fn each_worked_example_gives_what_the_skill_says() {
        let examples = TEXT.lines().filter(|line| line.starts_with("- "));
        let mut count = 0;
        for example in examples {
            let parts: Vec<_> = example.split('`').collect();
            let [_, tool, _, arguments, _, expected, ..] = parts[..] else { panic!("{example}") };
            let expected = serde_json::from_str(expected).expect(example);
            let answer = answer(tool, arguments).await.expect(example);
            assert!(has(&answer, &expected), "{example}: {answer}");
            count += 1;
        }
        assert!(count >= mcp_tools().count(), "{count}");
    }

    /// Public questions about what the tools compute, with answers of other programs.
    #[actix_web::test]
    async fn what_was_answered_right_in_the_league_stays_right() {
        let league = include_str!("../../../tests/league/questions.json");
        let questions: Vec<Json> = serde_json::from_str(league).unwrap();
        let mut wrong = Vec::new();
        for question in &questions {
            let tool = question["tool"].as_str().unwrap();
            let answered = answer(tool, &question["arguments"].to_string()).await;
            let is_right = match (&answered, question.get("refused")) {
                (Err(refusal), Some(words)) => refusal.contains(words.as_str().unwrap()),
                (Ok(answer), None) => has(answer, &question["answer"]),
                _ => false,
            };
            if !is_right {
                wrong.push(format!("{question}: {answered:?}"));
            }
        }
        assert!(questions.len() >= 200, "{}", questions.len());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
