//! Conversation turns in the form that Anthropic and Gemini share.
//!
//! Both take instructions apart from the messages, and require messages that alternate, the first
//! one from the user. A conversation here may hold instructions anywhere, consecutive messages of
//! one speaker, and an initial greeting from the assistant, so it is converted without losing a
//! word.

use crate::message::Role;
use crate::provider::Request;

/// User message inserted before an assistant's message that would come first.
const OPENING: &str = "Hello.";

/// Consecutive messages of one speaker, each as a part in the format.
pub(super) struct Turn<P> {
    /// The user or the assistant.
    pub(super) role: Role,
    pub(super) parts: Vec<P>,
}

/// Returns the instructions, the operator's prompt before the conversation's own, and alternating
/// turns, of which the first and last are the user's.
pub(super) fn turns<'a, P>(
    request: &Request<'a>,
    part: impl Fn(&'a str) -> P,
) -> (Vec<P>, Vec<Turn<P>>) {
    let mut instructions: Vec<P> = request.system_prompt.map(&part).into_iter().collect();
    let mut turns: Vec<Turn<P>> = Vec::new();
    let turn = |role, text| Turn {
        role,
        parts: vec![part(text)],
    };
    for message in request.conversation.messages() {
        let (role, text) = (message.role, message.content.as_str());
        if role == Role::System {
            instructions.push(part(text));
            continue;
        }
        if role == Role::Assistant && turns.is_empty() {
            turns.push(turn(Role::User, OPENING));
        }
        match turns.last_mut() {
            Some(last) if last.role == role => last.parts.push(part(text)),
            _ => turns.push(turn(role, text)),
        }
    }
    (instructions, turns)
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
        let (instructions, turns) = turns(&request, str::to_owned);
        let turns = turns.iter();
        let turns = turns.map(|turn| format!("{}: {}", turn.role, turn.parts.join(" | ")));
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
    fn an_assistant_that_speaks_first_gets_a_user_before_it() {
        let (_, turns) = shape(None, vec![Message::assistant("Hi!"), Message::user("a")]);
        assert_eq!(turns, ["user: Hello.", "assistant: Hi!", "user: a"]);
    }
}
