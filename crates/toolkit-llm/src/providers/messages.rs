//! Conversation messages in the forms that several formats share.
//!
//! A message with calls and the results after it are a tool round that the caller ran. Formats
//! write it like the chain's own rounds.
//!
//! Anthropic and Gemini take instructions separately and require alternating messages, starting
//! with the user's. A conversation here may have instructions anywhere, consecutive messages of one
//! speaker, and an initial greeting from the assistant, so it is converted without losing text.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::raw;
use crate::message::{Message, Role};
use crate::provider::Request;
use crate::round::Round;
use crate::tools::{ToolOutcome, ToolRun};

/// User message inserted before an assistant's message that would come first.
const OPENING: &str = "Hello.";

/// A part of a conversation other than its instructions.
pub(super) enum Item<'a> {
    Message(&'a Message),
    Round(Cow<'a, Round>),
}

/// Returns the instructions, the operator's prompt first, and the rest, with the chain's rounds at
/// the end.
pub(super) fn items<'a>(request: &Request<'a>) -> (Vec<&'a str>, Vec<Item<'a>>) {
    let mut instructions: Vec<&str> = request.system_prompt.into_iter().collect();
    let mut items = Vec::new();
    let mut messages = request.conversation.messages().iter().peekable();
    while let Some(message) = messages.next() {
        if message.role == Role::System {
            instructions.push(&message.content);
        } else if message.tool_calls.is_empty() {
            items.push(Item::Message(message));
        } else {
            let mut results: Vec<&Message> = Vec::new();
            while let Some(result) = messages.next_if(|next| next.role == Role::Tool) {
                results.push(result);
            }
            items.push(Item::Round(Cow::Owned(round(message, &results))));
        }
    }
    let rounds = request.rounds.iter();
    items.extend(rounds.map(|round| Item::Round(Cow::Borrowed(round))));
    (instructions, items)
}

/// The round of a message with calls.
fn round(message: &Message, results: &[&Message]) -> Round {
    let run = |call: &crate::ToolCall| {
        let answers = |result: &&&Message| result.tool_call_id == call.id;
        let content = results.iter().find(answers).map(|result| &result.content);
        ToolRun {
            id: call.id.clone().unwrap_or_default(),
            call: call.clone(),
            outcome: ToolOutcome::Done(text_or_json(content.map_or("", |text| text))),
        }
    };
    let calls = message.tool_calls.iter().map(run).collect();
    Round::new("", &message.content, calls)
}

/// A result as JSON: itself if valid, or else a string.
fn text_or_json(content: &str) -> Box<RawValue> {
    serde_json::from_str(content).unwrap_or_else(|_| raw(content))
}

/// Consecutive messages of one speaker, each as parts in the format, or a tool round.
pub(super) enum Turn<'a, P> {
    /// Parts of the user or the assistant.
    Message(Role, Vec<P>),
    Round(Cow<'a, Round>),
}

/// Returns the instructions and alternating turns. The first and last are the user's.
pub(super) fn turns<'a, P>(
    request: &Request<'a>,
    text: impl Fn(&str) -> P,
    image: impl Fn(&crate::Image) -> P,
) -> (Vec<P>, Vec<Turn<'a, P>>) {
    let (instructions, items) = items(request);
    let mut turns: Vec<Turn<'a, P>> = Vec::new();
    for item in items {
        let message = match item {
            Item::Message(message) => message,
            Item::Round(round) => {
                turns.push(Turn::Round(round));
                continue;
            }
        };
        let role = message.role;
        if role == Role::Assistant && turns.is_empty() {
            turns.push(Turn::Message(Role::User, vec![text(OPENING)]));
        }
        let said = Some(message.content.as_str()).filter(|said| !said.trim().is_empty());
        let images = message.images.iter().map(&image);
        let parts = said.map(&text).into_iter().chain(images);
        match turns.last_mut() {
            Some(Turn::Message(last, known)) if *last == role => known.extend(parts),
            _ => turns.push(Turn::Message(role, parts.collect())),
        }
    }
    (instructions.into_iter().map(&text).collect(), turns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::Conversation;
    use crate::message::Message;

    fn shape(system_prompt: Option<&str>, messages: Vec<Message>) -> (Vec<String>, Vec<String>) {
        let conversation = Conversation::new(messages).unwrap();
        let mut request = Request::new(&conversation, 1);
        request.system_prompt = system_prompt;
        let (instructions, turns) = turns(&request, str::to_owned, |_| String::new());
        let turns = turns.iter().map(|turn| match turn {
            Turn::Message(role, parts) => format!("{role}: {}", parts.join(" | ")),
            Turn::Round(round) => format!("round: {}", round.text),
        });
        (instructions, turns.collect())
    }

    #[test]
    fn instructions_are_gathered_the_operators_first() {
        let (instructions, turns) = shape(
            Some("operator"),
            vec![
                Message::system("first"),
                Message::user("a"),
                Message::system("second"),
                Message::user("b"),
            ],
        );
        assert_eq!(instructions, ["operator", "first", "second"]);
        assert_eq!(turns, ["user: a | b"]);
    }

    #[test]
    fn messages_of_one_speaker_in_a_row_become_one_turn() {
        let (_, turns) = shape(
            None,
            vec![
                Message::user("a"),
                Message::assistant("b"),
                Message::assistant("c"),
                Message::user("d"),
            ],
        );
        assert_eq!(turns, ["user: a", "assistant: b | c", "user: d"]);
    }

    #[test]
    fn calls_and_their_results_are_a_round() {
        let call = crate::ToolCall::new("clock", "{}").with_id(Some("a".to_owned()));
        let (_, turns) = shape(
            None,
            vec![
                Message::user("a"),
                Message::assistant("b").with_tool_calls(vec![call]),
                Message::tool("a", "12:00"),
                Message::user("c"),
            ],
        );
        assert_eq!(turns, ["user: a", "round: b", "user: c"]);
    }

    #[test]
    fn an_assistant_that_speaks_first_gets_a_user_before_it() {
        let (_, turns) = shape(None, vec![Message::assistant("Hi!"), Message::user("a")]);
        assert_eq!(turns, ["user: Hello.", "assistant: Hi!", "user: a"]);
    }
}
