//! Pages shown after a web site's form: that it was sent, or what is wrong with it.

use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT, HeaderValue, LOCATION, REFERRER_POLICY, RETRY_AFTER, WWW_AUTHENTICATE,
};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _};
use maud::{Markup, html};
use toolkit_server::error_response::{ErrorPage, HttpError};
use toolkit_server::settings::HttpUrl;

use crate::office::forms::{self, Fields, Kind};
use crate::office::texts::Texts;
use crate::sender;
use crate::site::Site;
use crate::state::State;
use crate::tools::pages::layout;

/// Answers a form with a page of its app, or a plain one in the app's language. Without a site key
/// the error is JSON, for a program.
///
/// # Errors
///
/// The error for a program.
pub(crate) fn answer(
    kind: Kind,
    request: &HttpRequest,
    state: &State,
    fields: &Fields,
    error: Option<HttpError>,
) -> Result<HttpResponse, HttpError> {
    let field = |name| forms::value(fields, name);
    let app_id = if field("app_id").is_empty() { field("source") } else { field("app_id") };
    let (texts, after) = (state.apps.texts(app_id), state.apps.after_form(kind, app_id));
    let Some(error) = error else {
        if let Some(url) = after {
            let location = (LOCATION, url.as_str());
            return Ok(HttpResponse::SeeOther().insert_header(location).finish());
        }
        return Ok(response(StatusCode::OK, done(kind, texts, &state.site), state, None));
    };
    let accept = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    let is_browser = accept.is_some_and(|accept| accept.contains("text/html"));
    let key = match sender::presented(request) {
        "" => field("key"),
        header => header,
    };
    if !is_browser && !key.starts_with("pk_") {
        return Err(error);
    }
    let page = refused(kind, texts, &state.site, fields, &error);
    let mut response = response(error.status(), page, state, after);
    response.extensions_mut().insert(ErrorPage);
    for name in [RETRY_AFTER, WWW_AUTHENTICATE] {
        if let Some(value) = error.error_response().headers().get(&name) {
            response.headers_mut().insert(name, value.clone());
        }
    }
    Ok(response)
}

fn response(
    status: StatusCode,
    page: Markup,
    state: &State,
    after: Option<&HttpUrl>,
) -> HttpResponse {
    let mut response = state.site.notice(status, page, after);
    // Without a referrer, the corrected form would be sent without its origin (Fetch, section 3.2).
    let same_origin = HeaderValue::from_static("same-origin");
    response.headers_mut().insert(REFERRER_POLICY, same_origin);
    response
}

/// Says that a form was sent.
fn done(kind: Kind, texts: &Texts, site: &Site) -> Markup {
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

/// Says what is wrong, and keeps what was typed.
fn refused(kind: Kind, texts: &Texts, site: &Site, fields: &Fields, error: &HttpError) -> Markup {
    let wrong = field(error.detail());
    let sentence = sentence(texts, error, wrong);
    let can_be_sent_again =
        !matches!(error.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    let title = texts.form.refused_title;
    let path = format!("/toolkit/api/{}", kind.as_str());
    let content = html! {
        h1 { (title) }
        p role="alert" id="wrong" { (sentence) }
        @if can_be_sent_again && !fields.is_empty() {
            form method="post" action=(site.urls.base_url.join(&path).path()) {
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

/// The error for a person, in their language. An error that only the form's author can cause stays
/// as is.
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
