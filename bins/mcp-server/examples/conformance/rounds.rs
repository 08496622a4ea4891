//! Tools that ask their caller for input before they answer, one request per round.
//!
//! Standard: MCP 2026-07-28, multi-round-trip requests (SEP-2322). The state of earlier rounds
//! comes back as `requestState`; here it is a word, so that a client cannot change it undetected.

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
    InputRequiredResult,
};
use serde_json::{Value as Json, json};

/// Prefix of the names of these tools.
const PREFIX: &str = "test_input_required_result_";

/// A question to the caller: its key, and the request.
type Question = (&'static str, Json);
/// The questions of a tool, by round.
type Rounds = &'static [&'static [fn() -> Question]];

/// The tools, with their questions by round.
const TOOLS: [(&str, Rounds); 8] = [
    ("elicitation", &[&[user_name]]),
    ("sampling", &[&[capital]]),
    ("list_roots", &[&[roots]]),
    ("request_state", &[&[confirm]]),
    ("tampered_state", &[&[confirm]]),
    ("multiple_inputs", &[&[user_name, greeting, roots]]),
    ("multi_round", &[&[step_1], &[step_2]]),
    ("capabilities", &[&[user_name, greeting]]),
];

fn user_name() -> Question {
    (
        "user_name",
        elicit("What is your name?", &json!({"name": {"type": "string"}})),
    )
}

fn confirm() -> Question {
    (
        "confirm",
        elicit("Please confirm", &json!({"ok": {"type": "boolean"}})),
    )
}

fn step_1() -> Question {
    (
        "step1",
        elicit(
            "Step 1: What is your name?",
            &json!({"name": {"type": "string"}}),
        ),
    )
}

fn step_2() -> Question {
    let color = json!({"color": {"type": "string"}});
    (
        "step2",
        elicit("Step 2: What is your favorite color?", &color),
    )
}

fn capital() -> Question {
    ("capital_question", sample("What is the capital of France?"))
}

fn greeting() -> Question {
    ("greeting", sample("Generate a greeting"))
}

fn roots() -> Question {
    (
        "client_roots",
        json!({"method": "roots/list", "params": {}}),
    )
}

fn elicit(message: &str, properties: &Json) -> Json {
    let required: Vec<_> = properties
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": message,
            "requestedSchema": {"type": "object", "properties": properties, "required": required},
        },
    })
}

fn sample(text: &str) -> Json {
    json!({
        "method": "sampling/createMessage",
        "params": {
            "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
            "maxTokens": 100,
        },
    })
}

/// The names of the tools.
pub(crate) fn names() -> impl Iterator<Item = String> {
    TOOLS.iter().map(|(name, _)| format!("{PREFIX}{name}"))
}

/// Calls one of the tools, if it exists.
pub(crate) fn call(
    request: &CallToolRequestParams,
    declared: Option<&ClientCapabilities>,
) -> Option<Result<CallToolResponse, ErrorData>> {
    let name = request.name.strip_prefix(PREFIX)?;
    let (_, rounds) = TOOLS.iter().find(|(known, _)| *known == name)?;
    Some(play(request, rounds, declared))
}

fn play(
    request: &CallToolRequestParams,
    rounds: Rounds,
    declared: Option<&ClientCapabilities>,
) -> Result<CallToolResponse, ErrorData> {
    let round = match request.request_state.as_deref() {
        None => 0,
        Some(state) => (0..rounds.len())
            .find(|round| state == word(*round))
            .ok_or_else(|| ErrorData::invalid_params("The state was changed.", None))?,
    };
    let questions = rounds.get(round).copied().unwrap_or_default();
    let asked: Vec<Question> = questions.iter().map(|question| question()).collect();
    let given = request.input_responses.as_ref();
    let missing = asked
        .iter()
        .any(|(key, _)| !given.is_some_and(|given| is_answer(given.get(*key))));
    if missing {
        return ask(asked, round, declared);
    }
    if let Some(next) = rounds.get(round + 1) {
        let asked = next.iter().map(|question| question()).collect();
        return ask(asked, round + 1, declared);
    }
    let text = format!("state-ok: {}", json!(given));
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
}

fn is_answer(answer: Option<&Json>) -> bool {
    answer.is_some_and(Json::is_object)
}

/// Asks the questions that the client can answer.
fn ask(
    questions: Vec<Question>,
    round: usize,
    declared: Option<&ClientCapabilities>,
) -> Result<CallToolResponse, ErrorData> {
    let declared = json!(declared);
    let can = |request: &Json| {
        let method = request
            .get("method")
            .and_then(Json::as_str)
            .unwrap_or_default();
        declared
            .get(method.split('/').next().unwrap_or_default())
            .is_some()
    };
    let asked: serde_json::Map<_, _> = questions
        .into_iter()
        .filter(|(_, request)| can(request))
        .map(|(key, request)| (key.to_owned(), request))
        .collect();
    let required: InputRequiredResult = serde_json::from_value(json!({
        "resultType": "input_required", "inputRequests": asked, "requestState": word(round),
    }))
    .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Ok(required.into())
}

fn word(round: usize) -> String {
    format!("round-{}", round + 1)
}
