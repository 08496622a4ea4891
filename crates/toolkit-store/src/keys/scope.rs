//! Scope of a key: an endpoint that it opens.

use std::str::FromStr;

use serde::{Serialize, Serializer};

/// An endpoint that needs a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Chat.
    Chat,
    /// Messages to the operator.
    Contact,
    /// Subscriptions.
    Subscribe,
    /// The list of subscribers.
    SubscribersRead,
}

/// The text is not a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be chat, contact, subscribe or subscribers:read")]
pub struct ScopeError;

impl Scope {
    /// What a key without scopes opens.
    pub const USUAL: [Self; 3] = [Self::Chat, Self::Contact, Self::Subscribe];

    const ALL: [Self; 4] = [Self::Chat, Self::Contact, Self::Subscribe, Self::SubscribersRead];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Contact => "contact",
            Self::Subscribe => "subscribe",
            Self::SubscribersRead => "subscribers:read",
        }
    }
}

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Self, ScopeError> {
        let mut all = Self::ALL.into_iter();
        all.find(|scope| scope.as_str() == text).ok_or(ScopeError)
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
