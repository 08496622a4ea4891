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

/// Instructions, and alternating turns.
pub(super) struct Turns<'a> {
    /// The operator's prompt, then the conversation's own instructions in their order.
    pub(super) instructions: Vec<&'a str>,
    /// Never empty; the first and last are the user's.
    pub(super) turns: Vec<Turn<'a>>,
}

/// Consecutive messages of one speaker.
pub(super) struct Turn<'a> {
    /// Whether the speaker is the model rather than the user.
    pub(super) by_model: bool,
    pub(super) texts: Vec<&'a str>,
}

impl<'a> Turns<'a> {
    pub(super) fn new(request: &Request<'a>) -> Self {
        let mut instructions: Vec<&str> = request.system_prompt.into_iter().collect();
        let mut turns: Vec<Turn<'_>> = Vec::new();
        for message in request.conversation.messages() {
            let text = message.content.as_str();
            let by_model = match message.role {
                Role::System => {
                    instructions.push(text);
                    continue;
                }
                Role::User => false,
                Role::Assistant => true,
            };
            if by_model && turns.is_empty() {
                turns.push(Turn {
                    by_model: false,
                    texts: vec![OPENING],
                });
            }
            match turns.last_mut() {
                Some(turn) if turn.by_model == by_model => turn.texts.push(text),
                _ => turns.push(Turn {
                    by_model,
                    texts: vec![text],
                }),
            }
        }
        Self {
            instructions,
            turns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::Conversation;
    use crate::message::Message;

    fn shape(system_prompt: Option<&str>, messages: Vec<Message>) -> (Vec<String>, Vec<String>) {
        let conversation = Conversation::new(messages).unwrap();
        let request = Request::new(&conversation, 1).with_system_prompt(system_prompt);
        let Turns {
            instructions,
            turns,
        } = Turns::new(&request);
        let turns = turns.iter().map(|turn| {
            let speaker = if turn.by_model { "model" } else { "user" };
            format!("{speaker}: {}", turn.texts.join(" | "))
        });
        (
            instructions.into_iter().map(str::to_owned).collect(),
            turns.collect(),
        )
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
        assert_eq!(turns, ["user: a", "model: b | c", "user: d"]);
    }

    #[test]
    fn an_assistant_that_speaks_first_gets_a_user_before_it() {
        let (_, turns) = shape(None, vec![Message::assistant("Hi!"), Message::user("a")]);
        assert_eq!(turns, ["user: Hello.", "model: Hi!", "user: a"]);
    }
}
