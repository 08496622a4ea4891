//! Bounds of a stream, and of a round of tools.

use serde_json::{Value, json};
use toolkit_llm::providers::Kind;

use super::{chunk, finish, fragment, part};
use crate::support::sse::{HEAD, events, pull, pull_from, streamed};
use crate::support::tcp::{Act, answer};

#[tokio::test]
async fn a_stream_has_bounds() {
    let text = events(&[chunk(&json!({"content": "x".repeat(1_000)}))]);
    for (again, said) in [
        (text, "unusable answer: longer than the limit"),
        (": nothing\n\n".repeat(100), "unusable answer: a stream longer than the limit"),
        ("data: x\n".repeat(100), "unusable answer: an event longer than the limit"),
        (
            events(&[fragment(0, &json!("a"), &json!("echo"), &"x".repeat(1_000))]),
            "unusable answer: more calls than the limit",
        ),
    ] {
        let act = Act::SendThenRepeat(HEAD.into(), again.into_bytes());
        assert_eq!(pull_from(Kind::OpenAi, act).await.error.as_deref(), Some(said));
    }
}

/// Maximum length of a round of tools, in bytes.
const ROUND_BYTES_MAX: usize = 256 << 10;

/// Builds an answer with a call, of which this many bytes count.
type Round = fn(usize) -> Vec<u8>;

/// Two texts of this length together: one event holds less than a whole round.
fn halves(bytes: usize) -> [String; 2] {
    [bytes / 2, bytes - bytes / 2].map(|length| "z".repeat(length))
}

/// Length of an object's values as JSON.
fn values_len(object: &Value) -> usize {
    let values = object.as_object().unwrap().values();
    values.map(|value| value.to_string().len()).sum()
}

/// A round of OpenAI whose calls count for this many bytes.
fn openai_long_call(bytes: usize) -> Vec<u8> {
    let function = |arguments: &str| json!({"name": "echo", "arguments": arguments});
    let piece = |arguments: &str| json!({"index": 0, "id": "a", "function": function(arguments)});
    // A call counts for 64 bytes beyond its text.
    let left = bytes - 64 - 2 * values_len(&piece(""));
    let calls = halves(left).map(|text| chunk(&json!({"tool_calls": [piece(&text)]})));
    streamed(&(events(&calls) + &events(&[finish("tool_calls")])))
}

/// A round of OpenAI with a call after a text of this many bytes.
fn openai_long_text(bytes: usize) -> Vec<u8> {
    let texts = halves(bytes).map(|text| chunk(&json!({"content": text})));
    let call = fragment(0, &json!("a"), &json!("echo"), "{}");
    streamed(&(events(&texts) + &events(&[call, finish("tool_calls")])))
}

/// A call of Anthropic.
fn tool_use(input: &Value) -> Value {
    json!({"type": "tool_use", "id": "a", "name": "echo", "input": input})
}

/// A round of Anthropic of this many bytes: a call, and a block that arrives in two pieces.
fn anthropic_long(bytes: usize, block: &Value, piece: impl Fn(&str) -> Value) -> Vec<u8> {
    let start = |block: &Value| json!({"type": "content_block_start", "content_block": block});
    let blocks = [tool_use(&json!({})), block.clone()];
    let known: usize = blocks.iter().map(values_len).sum();
    let left = bytes - known - 2 * values_len(&piece(""));
    let pieces =
        halves(left).map(|text| json!({"type": "content_block_delta", "delta": piece(&text)}));
    let end = json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}});
    let end = events(&[end, json!({"type": "message_stop"})]);
    let starts = events(&blocks.map(|block| start(&block)));
    streamed(&(starts + &events(&pieces) + &end))
}

fn anthropic_long_call(bytes: usize) -> Vec<u8> {
    let piece = |text: &str| json!({"type": "input_json_delta", "partial_json": text});
    anthropic_long(bytes, &tool_use(&json!({})), piece)
}

fn anthropic_long_text(bytes: usize) -> Vec<u8> {
    let piece = |text: &str| json!({"type": "text_delta", "text": text});
    anthropic_long(bytes, &json!({"type": "text", "text": ""}), piece)
}

/// A round of Gemini of this many bytes: a call between two texts.
fn gemini_long(bytes: usize) -> Vec<u8> {
    let text = |text: &str| json!({"text": text});
    let call = json!({"functionCall": {"name": "echo", "args": {}}});
    let known = call.to_string().len() + 2 * text("").to_string().len();
    let [first, second] = halves(bytes - known);
    let end = json!({"candidates": [{"finishReason": "STOP"}]});
    let parts = [text(&first), call, text(&second)].map(|part_of| part(&json!([part_of])));
    streamed(&(events(&parts) + &events(&[end])))
}

/// A round of Anthropic of this many bytes as a whole answer.
fn anthropic_whole(bytes: usize) -> Vec<u8> {
    let call = |text: &str| tool_use(&json!({"text": text}));
    let call = call(&"z".repeat(bytes - values_len(&call(""))));
    let body = json!({"content": [call], "stop_reason": "tool_use"});
    answer(&body.to_string())
}

#[tokio::test]
async fn a_round_of_256_kib_is_kept_whole_and_a_longer_one_is_an_error() {
    let (calls, round) = (
        "unusable answer: more calls than the limit",
        "unusable answer: a round longer than the limit",
    );
    let rounds: [(_, _, Round); 6] = [
        (Kind::OpenAi, calls, openai_long_call),
        (Kind::OpenAi, round, openai_long_text),
        (Kind::Anthropic, calls, anthropic_long_call),
        (Kind::Anthropic, round, anthropic_long_text),
        (Kind::Anthropic, calls, anthropic_whole),
        (Kind::Gemini, round, gemini_long),
    ];
    for (index, (kind, said, answer)) in rounds.into_iter().enumerate() {
        let filling = |text: &str| text.matches('z').count();
        let sent = answer(ROUND_BYTES_MAX);
        let sent_filling = filling(std::str::from_utf8(&sent).unwrap());
        let whole = pull(kind, sent).await;
        assert_eq!(whole.error, None, "{index}");
        let kept = filling(&format!("{:?}", whole.end.unwrap()));
        assert!(kept >= sent_filling, "{index}: {kept} of {sent_filling}");
        let over = pull(kind, answer(ROUND_BYTES_MAX + 1)).await;
        assert_eq!(over.error.as_deref(), Some(said), "{index}");
    }
}
