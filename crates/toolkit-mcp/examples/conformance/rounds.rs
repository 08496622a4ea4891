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

use self::Ask::{Elicit, Roots, Sample};

/// Prefix of the names of these tools.
const PREFIX: &str = "test_input_required_result_";

/// A question to the caller: its key, and the request.
type Question = (&'static str, Ask);
/// The questions of a tool, by round.
type Rounds = &'static [&'static [Question]];

/// A request to the caller.
#[derive(Clone, Copy)]
enum Ask {
    /// For a property of this name and type.
    Elicit(&'static str, &'static str, &'static str),
    /// For a model's answer.
    Sample(&'static str),
    Roots,
}

const USER_NAME: Question = ("user_name", Elicit("What is your name?", "name", "string"));
const CONFIRM: Question = ("confirm", Elicit("Please confirm", "ok", "boolean"));
const STEP_1: Question = ("step1", Elicit("Step 1: What is your name?", "name", "string"));
const STEP_2: Question =
    ("step2", Elicit("Step 2: What is your favorite color?", "color", "string"));
const CAPITAL: Question = ("capital_question", Sample("What is the capital of France?"));
const GREETING: Question = ("greeting", Sample("Generate a greeting"));
const ROOTS: Question = ("client_roots", Roots);

/// The tools, with their questions by round.
const TOOLS: [(&str, Rounds); 8] = [
    ("elicitation", &[&[USER_NAME]]),
    ("sampling", &[&[CAPITAL]]),
    ("list_roots", &[&[ROOTS]]),
    ("request_state", &[&[CONFIRM]]),
    ("tampered_state", &[&[CONFIRM]]),
    ("multiple_inputs", &[&[USER_NAME, GREETING, ROOTS]]),
    ("multi_round", &[&[STEP_1], &[STEP_2]]),
    ("capabilities", &[&[USER_NAME, GREETING]]),
];

impl Ask {
    /// The capability that a client needs to answer.
    fn capability(self) -> &'static str {
        match self {
            Elicit(..) => "elicitation",
            Sample(_) => "sampling",
            Roots => "roots",
        }
    }

    fn request(self) -> Json {
        match self {
            Elicit(message, name, kind) => json!({
                "method": "elicitation/create",
                "params": {
                    "mode": "form",
                    "message": message,
                    "requestedSchema": {
                        "type": "object",
                        "properties": {name: {"type": kind}},
                        "required": [name],
                    },
                },
            }),
            Sample(text) => json!({
                "method": "sampling/createMessage",
                "params": {
                    "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
                    "maxTokens": 100,
                },
            }),
            Roots => json!({"method": "roots/list", "params": {}}),
        }
    }
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
    let given = request.input_responses.as_ref();
    let is_answered = |(key, _): &Question| {
        let answer = given.and_then(|given| given.get(*key));
        answer.is_some_and(Json::is_object)
    };
    if !questions.iter().all(is_answered) {
        return ask(questions, round, declared);
    }
    if let Some(next) = rounds.get(round + 1) {
        return ask(next, round + 1, declared);
    }
    let text = format!("state-ok: {}", json!(given));
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
}

/// Asks the questions that the client can answer.
fn ask(
    questions: &[Question],
    round: usize,
    declared: Option<&ClientCapabilities>,
) -> Result<CallToolResponse, ErrorData> {
    let declared = json!(declared);
    let asked: serde_json::Map<_, _> = questions
        .iter()
        .filter(|(_, ask)| declared.get(ask.capability()).is_some())
        .map(|(key, ask)| ((*key).to_owned(), ask.request()))
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
