//! Apps: the web sites whose newsletters and forms the service handles, and their settings for
//! mails and pages.

use toolkit_server::settings::{App, HttpUrl, Language, Mailbox, Settings};
use toolkit_store::{AppId, Purpose};

use crate::error::ApiError;
use crate::office::forms::Kind;
use crate::office::texts::Texts;

/// The configured apps.
#[derive(Clone)]
pub(crate) struct Apps(Vec<App>);

impl Apps {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self(settings.apps.clone())
    }

    /// The settings of an app, if configured.
    pub(crate) fn get(&self, app_id: &str) -> Option<&App> {
        self.0.iter().find(|app| app.id.as_str() == app_id)
    }

    /// Checks a request's app.
    ///
    /// # Errors
    ///
    /// 422 if apps are configured and this is not one of them.
    pub(crate) fn check(&self, app_id: &AppId) -> Result<(), ApiError> {
        if self.0.is_empty() || self.get(app_id.as_str()).is_some() {
            return Ok(());
        }
        let known: Vec<_> = self.0.iter().map(|app| format!("`{}`", app.id.as_str())).collect();
        Err(ApiError::InvalidInput(format!(
            "`app_id` must be an app of this service: {}.",
            known.join(", ")
        )))
    }

    /// The texts in an app's language.
    pub(crate) fn texts(&self, app_id: &str) -> &'static Texts {
        Texts::of(self.get(app_id).map_or(Language::En, |app| app.language))
    }

    /// Where to redirect after a link's button.
    pub(crate) fn after(&self, purpose: Purpose, app_id: &str) -> Option<&HttpUrl> {
        let app = self.get(app_id)?;
        match purpose {
            Purpose::Confirm => app.after_confirm_url.as_ref(),
            Purpose::Unsubscribe => app.after_unsubscribe_url.as_ref(),
        }
    }

    /// Where to redirect after a form.
    pub(crate) fn after_form(&self, kind: Kind, app_id: &str) -> Option<&HttpUrl> {
        let app = self.get(app_id)?;
        match kind {
            Kind::Contact => app.after_contact_url.as_ref(),
            Kind::Subscribe => app.after_subscribe_url.as_ref(),
        }
    }

    /// An app's newsletter, worded for the middle of a sentence. An invented ID that a mail program
    /// would turn into a link is not repeated.
    pub(crate) fn newsletter(&self, app_id: &str) -> String {
        let own = self.get(app_id).map(name);
        let quotable = own.or_else(|| (!app_id.contains('.')).then_some(app_id));
        self.texts(app_id).newsletter(quotable)
    }

    /// The name of a configured app.
    pub(crate) fn name(&self, app_id: &str) -> Option<&str> {
        self.get(app_id).map(name)
    }

    /// The sender of an app's mails, if it has its own.
    pub(crate) fn sender(&self, app_id: &str) -> Option<&Mailbox> {
        self.get(app_id)?.from.as_ref()
    }

    /// The recipient of an app's contact messages, if it has its own.
    pub(crate) fn operator(&self, app_id: &str) -> Option<&Mailbox> {
        self.get(app_id)?.operator.as_ref()
    }

    /// Days to keep unconfirmed subscriptions, per app.
    pub(crate) fn unconfirmed_days(&self) -> Vec<(AppId, u32)> {
        let days = |app: &App| Some((app.id.as_str().parse().ok()?, app.unconfirmed_days));
        self.0.iter().filter_map(days).collect()
    }
}

fn name(app: &App) -> &str {
    app.name.as_ref().map_or(app.id.as_str(), |name| name.as_str())
}
