//! MIME message: a draft encoded for SMTP.
//!
//! Standard: RFC 5322 (messages), RFC 2045 (MIME), RFC 2369 and RFC 8058 (`List-Unsubscribe`, one
//! click), RFC 3834 (`Auto-Submitted`).

use email_encoding::headers::rfc2047;
use email_encoding::headers::writer::EmailWriter;
use lettre::Address;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MultiPart};
use reqwest::Url;
use toolkit_server::settings;
use toolkit_store::{Failure, Ulid};

use crate::office::mail::draft::Draft;

/// Builds the message.
///
/// # Errors
///
/// The part that cannot be encoded. A retry does not help.
pub(in crate::office::mail) fn message(
    id: Ulid,
    from: &settings::Mailbox,
    draft: &Draft,
) -> Result<Message, Failure> {
    let refused = |what: &str| Failure::Permanent(what.to_owned());
    let mailbox = |party: &settings::Mailbox| {
        let address = address(party.address())?;
        Some(Mailbox::new(party.name().map(str::to_owned), address))
    };
    let from = mailbox(from).ok_or_else(|| refused("sender"))?;
    let domain = from.email.domain();
    let mut builder = Message::builder()
        // The same on each attempt, so that a mailbox can detect duplicates.
        .message_id(Some(format!("<{id}@{domain}>")))
        .to(mailbox(&draft.to).ok_or_else(|| refused("recipient"))?)
        .raw_header(subject(&draft.subject))
        // RFC 3834, section 5: prevents automatic replies.
        .raw_header(header("Auto-Submitted", "auto-generated".to_owned()));
    let reply_to = draft.reply_to.as_deref().and_then(address);
    let ascii = reply_to.map(|address| Mailbox::new(None, address));
    // Not every server accepts a non-ASCII address in a header. The mail's text has it anyway.
    if let Some(reply_to) = ascii.filter(|mailbox| mailbox.email.user().is_ascii()) {
        builder = builder.reply_to(reply_to);
    }
    if let Some(url) = &draft.unsubscribe_url {
        let one_click = "List-Unsubscribe=One-Click".to_owned();
        builder = builder
            // RFC 2369, section 3.2.
            .raw_header(header("List-Unsubscribe", format!("<{url}>")))
            // RFC 8058, section 3.1.
            .raw_header(header("List-Unsubscribe-Post", one_click));
    }
    let body = MultiPart::alternative_plain_html(draft.text.clone(), draft.html.clone());
    builder.from(from).multipart(body).map_err(|_| refused("message"))
}

/// An address with its domain in ASCII form (RFC 5891, `xn--…`).
pub(super) fn address(text: &str) -> Option<Address> {
    let (local, domain) = text.rsplit_once('@')?;
    if domain.is_ascii() {
        return Address::new(local, domain).ok();
    }
    let url = Url::parse(&format!("http://{domain}")).ok()?;
    Address::new(local, url.domain()?).ok()
}

/// The subject. A text that looks like an encoded word is encoded too, since mail programs would
/// decode it.
fn subject(text: &str) -> HeaderValue {
    let name = HeaderName::new_from_ascii_str("Subject");
    if !text.contains("=?") {
        return HeaderValue::new(name, text.to_owned());
    }
    let mut encoded = String::new();
    {
        let mut writer = EmailWriter::new(&mut encoded, "Subject: ".len(), 0, false);
        // Writing to a string cannot fail.
        let _ = rfc2047::encode(text, &mut writer);
    }
    HeaderValue::dangerous_new_pre_encoded(name, text.to_owned(), encoded)
}

/// A header with an ASCII value without spaces, longer than a folded line may be.
fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(
        HeaderName::new_from_ascii_str(name),
        value.clone(),
        value,
    )
}
