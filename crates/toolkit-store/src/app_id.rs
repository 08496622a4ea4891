//! App ID: the app that a newsletter subscription belongs to.

use std::str::FromStr;

use crate::limits::APP_ID_CHARACTERS_MAX;

/// 1 to 64 letters, digits, dots, hyphens or underscores.
///
/// ```
/// use toolkit_store::AppId;
///
/// assert!("release-notes".parse::<AppId>().is_ok());
/// assert!("release notes".parse::<AppId>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AppId(String);

/// The text is not an app ID. The message follows the name of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {APP_ID_CHARACTERS_MAX} letters, digits, dots, hyphens or underscores")]
pub struct AppIdError;

impl AppId {
    /// The app ID as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AppId {
    type Err = AppIdError;

    fn from_str(text: &str) -> Result<Self, AppIdError> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        if (1..=APP_ID_CHARACTERS_MAX).contains(&text.len()) && text.bytes().all(is_allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(AppIdError)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_digits_dots_hyphens_and_underscores_are_accepted() {
        for text in ["a", "-", ".", "Weekly.News_2024-a", &"x".repeat(64)] {
            assert_eq!(text.parse::<AppId>().unwrap().as_str(), text);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", " a", "a b", "a/b", "ä", "a\n", "a\0", "';--", &"x".repeat(65)] {
            assert_eq!(text.parse::<AppId>(), Err(AppIdError), "{text:?}");
        }
    }
}
