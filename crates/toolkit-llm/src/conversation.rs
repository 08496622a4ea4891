//! Conversation, validated on creation.

use std::sync::Arc;

use crate::message::{Message, Role};

/// Maximum number of messages in a conversation.
pub const MESSAGES_MAX: usize = 100;

/// Maximum total length of all contents in bytes: about 16,000 tokens of English, which every
/// current model accepts.
pub const CONTENT_BYTES_MAX: usize = 64 << 10;

/// Conversation of 1 to 100 messages, none empty, 64 KiB in total, the last one from the user.
///
/// ```
/// use toolkit_llm::{Conversation, Message};
///
/// let conversation = Conversation::new(vec![
///     Message::system("Answer in one sentence."),
///     Message::user("What is a ULID?"),
/// ])?;
/// assert_eq!(conversation.messages().len(), 2);
///
/// let error = Conversation::new(vec![Message::user("")]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`messages[0].content` is empty; give at least one character that is not white space.",
/// );
/// # Ok::<(), toolkit_llm::ConversationError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation(Arc<Vec<Message>>);

/// Limits on a conversation. The defaults are those of [`Conversation::new`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConversationLimits {
    /// Maximum number of messages.
    pub messages: usize,
    /// Maximum total length of all contents, in bytes.
    pub content_bytes: usize,
}

impl Default for ConversationLimits {
    fn default() -> Self {
        Self { messages: MESSAGES_MAX, content_bytes: CONTENT_BYTES_MAX }
    }
}

/// Error: a list of messages is not a valid conversation. Worded for its sender.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConversationError {
    /// There are no messages.
    #[error("`messages` is empty; give 1 to {max} messages.")]
    #[non_exhaustive]
    NoMessages {
        /// Maximum number of messages.
        max: usize,
    },
    /// There are too many messages.
    #[error("`messages` holds {count} messages; give 1 to {max}.")]
    #[non_exhaustive]
    TooManyMessages {
        /// Number of messages.
        count: usize,
        /// Maximum number of messages.
        max: usize,
    },
    /// A message is empty.
    #[error(
        "`messages[{index}].content` is empty; give at least one character that is not white space."
    )]
    EmptyContent {
        /// Index of the message, from 0.
        index: usize,
    },
    /// All contents together are too long.
    #[error(
        "`messages[{index}].content` goes over the limit: all contents together may have \
         {max} bytes, and these have {bytes}."
    )]
    #[non_exhaustive]
    TooLong {
        /// Index of the message that exceeds the limit, from 0.
        index: usize,
        /// Total length of all contents, in bytes.
        bytes: usize,
        /// Maximum length, in bytes.
        max: usize,
    },
    /// A call has no result, or a result belongs to no call.
    #[error(
        "`messages[{index}]` is out of order: the results of a message's calls follow it, one for \
         each call and by its id."
    )]
    ToolOrder {
        /// Index of the message, from 0.
        index: usize,
    },
    /// The last message is not the user's, so there is nothing to answer.
    #[error("`messages[{index}].role` is `{role}`; the last message must be from `user`.")]
    LastNotFromUser {
        /// Index of the last message, from 0.
        index: usize,
        /// Its role.
        role: Role,
    },
}

impl Conversation {
    /// Validates a list of messages.
    ///
    /// ```
    /// use toolkit_llm::{Conversation, ConversationError, Message};
    ///
    /// assert!(Conversation::new(vec![Message::user("What is a ULID?")]).is_ok());
    /// let refused = Conversation::new(vec![Message::user(" ")]);
    /// assert_eq!(refused.unwrap_err(), ConversationError::EmptyContent { index: 0 });
    /// ```
    ///
    /// # Errors
    ///
    /// The first broken rule, with the message that breaks it. White space alone counts as empty,
    /// since vendors refuse it.
    pub fn new(messages: Vec<Message>) -> Result<Self, ConversationError> {
        Self::with_limits(messages, ConversationLimits::default())
    }

    /// Validates a list of messages against custom limits.
    ///
    /// ```
    /// use toolkit_llm::{Conversation, ConversationLimits, Message};
    ///
    /// let mut limits = ConversationLimits::default();
    /// limits.messages = 500;
    /// let conversation = Conversation::with_limits(vec![Message::user("a"); 200], limits)?;
    /// assert_eq!(conversation.messages().len(), 200);
    /// # Ok::<(), toolkit_llm::ConversationError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Conversation::new`].
    pub fn with_limits(
        messages: Vec<Message>,
        limits: ConversationLimits,
    ) -> Result<Self, ConversationError> {
        let Some(last) = messages.last() else {
            return Err(ConversationError::NoMessages { max: limits.messages });
        };
        if messages.len() > limits.messages {
            return Err(ConversationError::TooManyMessages {
                count: messages.len(),
                max: limits.messages,
            });
        }
        if let Some(index) = messages.iter().position(is_empty) {
            return Err(ConversationError::EmptyContent { index });
        }
        check_length(&messages, limits.content_bytes)?;
        check_tools(&messages)?;
        if !matches!(last.role, Role::User | Role::Tool) {
            let index = messages.len() - 1;
            return Err(ConversationError::LastNotFromUser { index, role: last.role });
        }
        Ok(Self(Arc::new(messages)))
    }

    /// The messages, in order.
    pub fn messages(&self) -> &[Message] {
        &self.0
    }
}

/// Whether a message is empty. A result may be.
fn is_empty(message: &Message) -> bool {
    let is_text = message.images.is_empty() && message.tool_calls.is_empty();
    is_text && message.role != Role::Tool && message.content.trim().is_empty()
}

/// Checks that each call is followed by its result.
fn check_tools(messages: &[Message]) -> Result<(), ConversationError> {
    let mut open: Vec<Option<&str>> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let error = ConversationError::ToolOrder { index };
        if message.role == Role::Tool {
            let id = message.tool_call_id.as_deref();
            let known = open.iter().position(|call| *call == id);
            open.remove(known.ok_or(error)?);
        } else if open.is_empty() {
            open.extend(message.tool_calls.iter().map(|call| call.id.as_deref()));
        } else {
            return Err(error);
        }
    }
    let index = messages.len().saturating_sub(1);
    open.is_empty().then_some(()).ok_or(ConversationError::ToolOrder { index })
}

fn check_length(messages: &[Message], max: usize) -> Result<(), ConversationError> {
    let mut bytes = 0;
    let mut first_over = None;
    for (index, message) in messages.iter().enumerate() {
        bytes += message.text_bytes();
        if bytes > max {
            first_over.get_or_insert(index);
        }
    }
    first_over.map_or(Ok(()), |index| Err(ConversationError::TooLong { index, bytes, max }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(messages: Vec<Message>) -> ConversationError {
        Conversation::new(messages).unwrap_err()
    }

    #[test]
    fn one_message_is_enough_and_none_is_not() {
        assert!(Conversation::new(vec![Message::user("a")]).is_ok());
        assert_eq!(refusal(vec![]), ConversationError::NoMessages { max: 100 });
    }

    #[test]
    fn a_hundred_messages_are_accepted_and_one_more_is_not() {
        assert!(Conversation::new(vec![Message::user("a"); MESSAGES_MAX]).is_ok());
        let error = refusal(vec![Message::user("a"); MESSAGES_MAX + 1]);
        assert_eq!(error, ConversationError::TooManyMessages { count: 101, max: 100 });
        assert_eq!(error.to_string(), "`messages` holds 101 messages; give 1 to 100.");
    }

    #[test]
    fn an_empty_or_blank_content_is_refused_by_its_index() {
        for blank in ["", " ", "\n\t", "\u{a0}"] {
            let error = refusal(vec![Message::user("a"), Message::user(blank)]);
            assert_eq!(error, ConversationError::EmptyContent { index: 1 });
        }
    }

    #[test]
    fn contents_of_64_kib_are_accepted_and_one_byte_more_is_not() {
        let half = "a".repeat(CONTENT_BYTES_MAX / 2);
        let mut messages = vec![Message::user(half.clone()), Message::user(half)];
        assert!(Conversation::new(messages.clone()).is_ok());
        messages.push(Message::user("a"));
        let error = refusal(messages);
        assert_eq!(error, ConversationError::TooLong { index: 2, bytes: 65_537, max: 65_536 });
        assert!(error.to_string().contains("may have 65536 bytes, and these have 65537"));
    }

    #[test]
    fn the_length_counts_bytes_not_characters() {
        let error = refusal(vec![Message::user("é".repeat(CONTENT_BYTES_MAX / 2 + 1))]);
        assert_eq!(error, ConversationError::TooLong { index: 0, bytes: 65_538, max: 65_536 });
    }

    #[test]
    fn the_last_message_must_be_from_the_user() {
        for last in [Message::assistant("b"), Message::system("b")] {
            let role = last.role;
            let error = refusal(vec![Message::user("a"), last]);
            assert_eq!(error, ConversationError::LastNotFromUser { index: 1, role });
        }
    }

    #[test]
    fn custom_limits_are_enforced_and_named() {
        let limits = ConversationLimits { messages: 1, content_bytes: 3 };
        let check = |messages| Conversation::with_limits(messages, limits);
        assert!(check(vec![Message::user("abc")]).is_ok());
        let error = check(vec![Message::user("abcd")]).unwrap_err().to_string();
        assert!(error.contains("may have 3 bytes, and these have 4"), "{error}");
        let error = check(vec![Message::user("a"), Message::user("b")]).unwrap_err();
        assert_eq!(error.to_string(), "`messages` holds 2 messages; give 1 to 1.");
    }

    #[test]
    fn json_is_checked_while_it_is_read() {
        let read = |json| serde_json::from_str::<Vec<Message>>(json);
        assert!(read(r#"[{"role": "user", "content": "a"}]"#).is_ok());
        for refused in [
            r#"[{"role": "function", "content": "a"}]"#,
            r#"[{"role": "user", "content": ["a"]}]"#,
            r#"[{"role": "user", "content": "a", "name": "b"}]"#,
            r#"[{"role": "user"}]"#,
        ] {
            assert!(read(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn each_call_is_followed_by_its_result() {
        let call = |id: &str| crate::ToolCall::new("clock", "{}").with_id(Some(id.to_owned()));
        let asked = || Message::assistant("").with_tool_calls(vec![call("a"), call("b")]);
        let (user, result) = (|| Message::user("x"), |id: &str| Message::tool(id, ""));
        let whole = vec![user(), asked(), result("b"), result("a")];
        assert!(Conversation::new(whole).is_ok());
        for (messages, index) in [
            (vec![user(), asked(), result("a")], 2),
            (vec![user(), asked(), result("a"), user()], 3),
            (vec![user(), asked(), result("a"), result("c")], 3),
            (vec![user(), result("a")], 1),
        ] {
            assert_eq!(refusal(messages), ConversationError::ToolOrder { index });
        }
    }

    #[test]
    fn debug_shows_no_content() {
        let conversation = Conversation::new(vec![Message::user("my secret")]).unwrap();
        let debug = format!("{conversation:?}");
        assert!(!debug.contains("secret"), "{debug}");
        assert!(debug.contains("content_bytes: 9"), "{debug}");
    }
}
