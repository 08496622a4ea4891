//! Pages of the links in confirmation mails: one button each, and no script.

use maud::{Markup, html};
use toolkit_store::{Link, Purpose, SubscriptionState};

use super::layout;
use crate::site::Site;

/// Asks for confirmation of the link's action. The form posts to the address of the page.
pub(crate) fn question(purpose: Purpose, link: &Link, token: &str, site: &Site) -> Markup {
    if is_done(purpose, link) {
        return done(purpose, link, site);
    }
    let (title, button) = match purpose {
        Purpose::Confirm => ("Confirm your subscription", "Confirm the subscription"),
        Purpose::Unsubscribe => ("Unsubscribe", "Unsubscribe"),
    };
    let content = html! {
        h1 { (title) }
        (about(purpose, link))
        form method="post" {
            input type="hidden" name="token" value=(token);
            button type="submit" { (button) }
        }
    };
    layout::notice(site, title, &content)
}

/// Reports the result.
pub(crate) fn done(purpose: Purpose, link: &Link, site: &Site) -> Markup {
    let (title, state) = match purpose {
        Purpose::Confirm => ("Your subscription is confirmed", "gets"),
        Purpose::Unsubscribe => ("You are unsubscribed", "no longer gets"),
    };
    let content = html! {
        h1 { (title) }
        p role="status" { (link.email) " " (state) " the newsletter “" (link.app_id) "”." }
        @if purpose == Purpose::Confirm {
            p { "Each mail has a link to unsubscribe." }
        }
    };
    layout::notice(site, title, &content)
}

fn is_done(purpose: Purpose, link: &Link) -> bool {
    match purpose {
        Purpose::Confirm => link.state == SubscriptionState::Confirmed,
        Purpose::Unsubscribe => link.state == SubscriptionState::Unsubscribed,
    }
}

fn about(purpose: Purpose, link: &Link) -> Markup {
    let (email, app) = (&link.email, &link.app_id);
    match purpose {
        Purpose::Confirm => html! {
            p { "Shall " (email) " get the newsletter “" (app) "”? Nothing is sent before you confirm." }
        },
        Purpose::Unsubscribe => html! {
            p { "Shall " (email) " no longer get the newsletter “" (app) "”?" }
        },
    }
}
