//! Contact messages.
//!
//! A message and the mail that delivers it to the operator are stored together or not at all.

use serde::Serialize;
use time::OffsetDateTime;
use time::serde::rfc3339;
use ulid::Ulid;

use crate::challenges::{self, Digest, Receipt};
use crate::database::{Connection, Row, new_id, serialize_id};
use crate::error::StoreError;
use crate::idempotency::{self, Claim};
use crate::limits::{MESSAGE_CHARACTERS_MAX, NAME_CHARACTERS_MAX, SUBJECT_CHARACTERS_MAX};
use crate::outbox::{self, About};
use crate::webhooks::{Event, announce};
use crate::{AppId, Email, Store};

/// A valid message, safe to put into a mail: name and subject are single lines.
///
/// Debug output ends up in logs, so it shows none of it.
#[derive(Clone, PartialEq, Eq, derive_more::Debug)]
#[debug("NewContact(…)")]
pub struct NewContact {
    name: String,
    email: Email,
    subject: Option<String>,
    message: String,
    app_id: Option<AppId>,
}

/// The reason a message is refused. The text begins with the field's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ContactError {
    /// The name is blank, too long or not a line.
    #[error(
        "`name` must be 1 to {NAME_CHARACTERS_MAX} characters on one line, not blank and without control characters"
    )]
    Name,
    /// The subject is too long or not a line.
    #[error(
        "`subject` must be at most {SUBJECT_CHARACTERS_MAX} characters on one line, without control characters"
    )]
    Subject,
    /// The message is blank or too long.
    #[error("`message` must be 1 to {MESSAGE_CHARACTERS_MAX} characters, not blank")]
    Message,
}

impl NewContact {
    /// Checks a form's fields. An empty subject counts as absent.
    ///
    /// Line ends in the message become `\n`. Its control characters, which mails cannot carry,
    /// become their Unicode symbols (NUL becomes `␀`).
    ///
    /// # Errors
    ///
    /// [`ContactError`], which names the field.
    pub fn new(
        name: &str,
        email: Email,
        subject: Option<&str>,
        message: &str,
    ) -> Result<Self, ContactError> {
        let subject = subject.filter(|subject| !subject.is_empty());
        if name.trim().is_empty() || !is_line(name, NAME_CHARACTERS_MAX) {
            return Err(ContactError::Name);
        }
        if !subject.is_none_or(|subject| is_line(subject, SUBJECT_CHARACTERS_MAX)) {
            return Err(ContactError::Subject);
        }
        if message.trim().is_empty() || message.chars().count() > MESSAGE_CHARACTERS_MAX {
            return Err(ContactError::Message);
        }
        Ok(Self {
            name: name.to_owned(),
            email,
            subject: subject.map(str::to_owned),
            message: printable(message),
            app_id: None,
        })
    }

    /// The same message, from an app's form.
    #[must_use]
    pub fn of_app(self, app_id: Option<AppId>) -> Self {
        Self { app_id, ..self }
    }
}

fn is_line(text: &str, characters_max: usize) -> bool {
    // Characters that end a line, or disguise one line as another.
    let breaks =
        |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().count() <= characters_max && !text.chars().any(breaks)
}

fn printable(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{2426}'),
            '\u{7f}' => '\u{2421}',
            '\u{80}'..='\u{9f}' => '\u{2426}',
            _ => c,
        })
        .collect()
}

/// A stored message.
///
/// Debug output ends up in logs, so it shows only the ID.
#[derive(Clone, PartialEq, Eq, Serialize, derive_more::Debug)]
#[debug("Contact({id}, …)")]
pub struct Contact {
    /// The ID given to the sender.
    #[serde(serialize_with = "serialize_id")]
    pub id: Ulid,
    /// Name of the sender: one line.
    pub name: String,
    /// Address for replies.
    pub email: String,
    /// Subject, if given: one line.
    pub subject: Option<String>,
    /// Text, with `\n` between lines.
    pub message: String,
    /// App whose form was used.
    pub app_id: Option<String>,
    /// Time of storage.
    #[serde(with = "rfc3339")]
    pub created_at: OffsetDateTime,
    /// Time when the mail server accepted its mail.
    #[serde(with = "rfc3339::option")]
    pub mailed_at: Option<OffsetDateTime>,
}

/// The messages in a [`Store`].
#[derive(Clone, Copy)]
pub struct Contacts<'s>(&'s Store, Option<Claim>);

impl Store {
    /// The contact messages.
    pub fn contacts(&self) -> Contacts<'_> {
        Contacts(self, None)
    }
}

impl Contacts<'_> {
    /// Answers a claimed request.
    #[must_use]
    pub fn claimed(self, claim: Option<Claim>) -> Self {
        Self(self.0, claim)
    }

    /// Stores a message and queues its mail. Returns its ID.
    ///
    /// `challenge` is the solved challenge (such as a Turnstile token) sent with it, if required.
    /// Only its digest is kept. Of several messages with the same challenge, concurrent or not, one
    /// is stored.
    ///
    /// # Errors
    ///
    /// Database errors. Nothing is stored then, except perhaps on [`StoreError::Uncertain`].
    pub async fn receive(
        self,
        contact: NewContact,
        challenge: Option<&str>,
        now: OffsetDateTime,
    ) -> Result<Receipt<Ulid>, StoreError> {
        let challenge = challenge.map(challenges::digest);
        let told = self.0.receivers_of(Event::ContactReceived);
        let receipt = self
            .0
            .database()
            .write(move |c| Box::pin(receive(c, contact, challenge, self.1, told, now)))
            .await?;
        if matches!(receipt, Receipt::Stored(_)) {
            self.0.wake_worker();
        }
        Ok(receipt)
    }
}

async fn receive(
    c: &mut Connection,
    contact: NewContact,
    challenge: Option<Digest>,
    claim: Option<Claim>,
    told: Vec<String>,
    now: OffsetDateTime,
) -> Result<Receipt<Ulid>, StoreError> {
    if !challenges::spend(c, challenge, now).await? {
        return Ok(Receipt::ChallengeReplayed);
    }
    let NewContact { name, email, subject, message, app_id } = contact;
    let id = new_id(now);
    idempotency::settle(c, claim, &id.to_string()).await?;
    c.execute(
        "INSERT INTO contacts (id, name, email, subject, message, created_at, email_key, app_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        [
            id.into(),
            name.into(),
            email.as_str().into(),
            subject.into(),
            message.into(),
            now.into(),
            email.key().into(),
            app_id.map(|app_id| app_id.as_str().to_owned()).into(),
        ],
    )
    .await?;
    outbox::enqueue(c, About::Contact(id), Some(now), now).await?;
    announce(c, &told, Event::ContactReceived, About::Contact(id), now).await?;
    Ok(Receipt::Stored(id))
}

/// Reads a row of `contacts`.
pub(crate) fn contact(row: &Row) -> Result<Contact, StoreError> {
    Ok(Contact {
        id: row.id("id")?,
        name: row.get("name")?,
        email: row.get("email")?,
        subject: row.get("subject")?,
        message: row.get("message")?,
        app_id: row.get("app_id")?,
        created_at: row.time("created_at")?,
        mailed_at: row.optional_time("mailed_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(name: &str, subject: Option<&str>, message: &str) -> Result<NewContact, ContactError> {
        NewContact::new(name, "ada@example.org".parse().unwrap(), subject, message)
    }

    #[test]
    fn each_field_may_have_the_documented_length_and_no_more() {
        for (length, is_ok) in [(0, false), (1, true), (200, true), (201, false)] {
            assert_eq!(new(&"ä".repeat(length), None, "m").is_ok(), is_ok, "name {length}");
        }
        for (length, is_ok) in [(0, true), (1, true), (200, true), (201, false)] {
            assert_eq!(new("n", Some(&"ä".repeat(length)), "m").is_ok(), is_ok, "subject {length}");
        }
        for (length, is_ok) in [(0, false), (1, true), (10_000, true), (10_001, false)] {
            assert_eq!(new("n", None, &"ä".repeat(length)).is_ok(), is_ok, "message {length}");
        }
    }

    #[test]
    fn name_and_subject_cannot_begin_a_header_of_their_own() {
        for text in [
            "a\r\nBcc: x@y.z",
            "a\nb",
            "a\rb",
            "a\0b",
            "a\u{7f}",
            "a\u{85}b",
            "a\u{2028}b",
            "a\u{202a}b",
            "a\u{202e}b",
            "a\u{2066}b",
            "a\u{2069}b",
            "a\tb",
        ] {
            assert_eq!(new(text, None, "m"), Err(ContactError::Name), "{text:?}");
            assert_eq!(new("n", Some(text), "m"), Err(ContactError::Subject), "{text:?}");
        }
        for text in [" ", "\u{a0}"] {
            assert_eq!(new(text, None, "m"), Err(ContactError::Name), "{text:?}");
            assert_eq!(new("n", None, text), Err(ContactError::Message), "{text:?}");
        }
    }

    #[test]
    fn an_empty_subject_is_none() {
        assert_eq!(new("n", Some(""), "m"), new("n", None, "m"));
    }

    #[test]
    fn control_characters_of_a_message_are_kept_as_visible_signs() {
        let contact = new("n", None, "a\r\nb\rc\nd\te\0f\u{1b}g\u{7f}h\u{85}i").unwrap();
        assert_eq!(contact.message, "a\nb\nc\nd\te␀f␛g␡h␦i");
    }
}
