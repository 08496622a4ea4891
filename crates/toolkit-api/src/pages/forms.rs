//! Pages after a form of a web site: that it was sent, or what is wrong with it.

use actix_web::http::StatusCode;
use maud::{Markup, html};
use toolkit_server::error_response::HttpError;

use super::layout;
use crate::forms::{self, Fields};
use crate::site::Site;
use crate::texts::Texts;

/// The form of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Contact,
    Subscribe,
}

impl Kind {
    fn path(self) -> &'static str {
        match self {
            Self::Contact => "/toolkit/api/contact",
            Self::Subscribe => "/toolkit/api/subscribe",
        }
    }

    /// What a person fills in.
    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Contact => &["name", "email", "subject", "message"],
            Self::Subscribe => &["email"],
        }
    }
}

/// Reports that a form was sent.
pub(crate) fn done(kind: Kind, texts: &Texts, site: &Site) -> Markup {
    let (title, text) = match kind {
        Kind::Contact => (texts.form.sent_title, texts.form.sent),
        Kind::Subscribe => (texts.form.asked_title, texts.form.asked),
    };
    let content = html! {
        h1 { (title) }
        p role="status" { (text) }
    };
    layout::notice(site, texts.tag, title, &content)
}

/// Says what is wrong, with what was typed.
pub(crate) fn refused(
    kind: Kind,
    texts: &Texts,
    site: &Site,
    fields: &Fields,
    error: &HttpError,
) -> Markup {
    let wrong = field(error.detail());
    let sentence = sentence(texts, error, wrong);
    let can_be_sent_again =
        !matches!(error.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    let title = texts.form.refused_title;
    let content = html! {
        h1 { (title) }
        p role="alert" id="wrong" { (sentence) }
        @if can_be_sent_again && !fields.is_empty() {
            form method="post" action=(site.urls.base_url.join(kind.path()).path()) {
                @for (name, value) in fields {
                    @if !kind.fields().contains(&name.as_str()) {
                        input type="hidden" name=(name) value=(value);
                    }
                }
                @for &name in kind.fields() {
                    (typed(texts, name, forms::value(fields, name), wrong == Some(name)))
                }
                p { button type="submit" { (texts.form.send) } }
            }
        }
    };
    layout::notice(site, texts.tag, title, &content)
}

/// A field with what was typed.
fn typed(texts: &Texts, name: &str, value: &str, is_wrong: bool) -> Markup {
    let invalid = is_wrong.then_some("true");
    let described = is_wrong.then_some("wrong");
    html! {
        p {
            label for=(name) { (texts.form.label(name)) }
            br;
            @if name == "message" {
                textarea id=(name) name=(name) rows="8" aria-invalid=[invalid] aria-describedby=[described] { "\n" (value) }
            } @else {
                input id=(name) name=(name) value=(value) aria-invalid=[invalid] aria-describedby=[described];
            }
        }
    }
}

/// The field that an error begins with.
fn field(detail: &str) -> Option<&str> {
    Some(detail.strip_prefix('`')?.split_once('`')?.0)
}

/// The error for a person, in their language; one that only the maker of the form can cause, as it is.
fn sentence<'s>(texts: &Texts, error: &'s HttpError, field: Option<&str>) -> &'s str {
    let form = &texts.form;
    match (error.status(), field) {
        (StatusCode::TOO_MANY_REQUESTS, _) => form.too_many,
        (StatusCode::SERVICE_UNAVAILABLE, _) => form.unavailable,
        (_, Some("name")) => form.name_wrong,
        (_, Some("email")) => form.email_wrong,
        (_, Some("subject")) => form.subject_wrong,
        (_, Some("message")) => form.message_wrong,
        (_, Some("altcha" | "turnstile_token")) => form.check_wrong,
        _ => error.detail(),
    }
}
