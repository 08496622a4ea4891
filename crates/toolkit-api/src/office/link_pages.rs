//! Pages of mail links, with one button each and no script.

use maud::{Markup, html};
use toolkit_store::{Link, Purpose, SubscriptionState};

use crate::office::apps::Apps;
use crate::office::texts::{Page, fill};
use crate::site::Site;
use crate::tools::pages::layout;

/// Asks for confirmation of a link's action. The form posts to the page's own address.
pub(crate) fn question(
    purpose: Purpose,
    link: &Link,
    token: &str,
    (site, apps): (&Site, &Apps),
) -> Markup {
    if is_done(purpose, link) {
        return done(purpose, link, (site, apps));
    }
    let (language, page) = page(purpose, link, apps);
    let content = html! {
        h1 { (page.title) }
        p { (with_names(page.question, link, apps)) }
        form method="post" {
            input type="hidden" name="token" value=(token);
            button type="submit" { (page.button) }
        }
    };
    layout::notice(site, language, page.title, &content)
}

/// Reports the result.
pub(crate) fn done(purpose: Purpose, link: &Link, (site, apps): (&Site, &Apps)) -> Markup {
    let (language, page) = page(purpose, link, apps);
    let texts = apps.texts(&link.app_id);
    let content = html! {
        h1 { (page.done_title) }
        p role="status" {
            @if link.email.is_empty() { (texts.gone) } @else { (with_names(page.done, link, apps)) }
        }
        @if purpose == Purpose::Confirm {
            p { (texts.links_in_mails) }
        }
    };
    layout::notice(site, language, page.done_title, &content)
}

fn is_done(purpose: Purpose, link: &Link) -> bool {
    match purpose {
        Purpose::Confirm => link.state == SubscriptionState::Confirmed,
        Purpose::Unsubscribe => link.state == SubscriptionState::Unsubscribed,
    }
}

/// The texts of a link's page, with their language.
fn page(purpose: Purpose, link: &Link, apps: &Apps) -> (&'static str, &'static Page) {
    let texts = apps.texts(&link.app_id);
    match purpose {
        Purpose::Confirm => (texts.tag, &texts.confirm),
        Purpose::Unsubscribe => (texts.tag, &texts.unsubscribe),
    }
}

/// A text with the names of the newsletter and the address in it.
fn with_names(text: &str, link: &Link, apps: &Apps) -> String {
    let newsletter = apps.newsletter(&link.app_id);
    fill(text, |word| if word == "app" { &newsletter } else { &link.email })
}
