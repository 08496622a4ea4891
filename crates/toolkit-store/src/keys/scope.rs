//! Key scope: an endpoint that a key opens.

use strum::{EnumString, IntoStaticStr};

/// An endpoint that needs a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case", parse_err_ty = ScopeError, parse_err_fn = unknown)]
pub enum Scope {
    /// Chat.
    Chat,
    /// Messages to the operator.
    Contact,
    /// Subscriptions.
    Subscribe,
    /// The list of subscribers.
    #[strum(serialize = "subscribers:read")]
    SubscribersRead,
}

/// The text is not a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be chat, contact, subscribe or subscribers:read")]
pub struct ScopeError;

impl Scope {
    /// The scopes of a key that names none.
    pub const USUAL: [Self; 3] = [Self::Chat, Self::Contact, Self::Subscribe];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

fn unknown(_: &str) -> ScopeError {
    ScopeError
}
