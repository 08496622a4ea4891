//! Checks across settings: provider keys, and settings that require others.

use std::collections::BTreeSet;
use std::ffi::OsString;

use super::Loader;
use crate::settings::llm::Provider;
use crate::settings::value::Textual;
use crate::settings::{
    CaptchaKind, HttpUrl, Mail, MailTransport, ProviderKind, Secret, Settings, WebhookFormat,
};

/// Copies provider keys from the variables that hold them.
pub(super) fn take_keys_from_variables(
    providers: &mut [Provider],
    environment: &[(OsString, OsString)],
    loader: &mut Loader,
) {
    for provider in providers {
        let Some(variable) = &provider.api_key_env else {
            continue;
        };
        let value = environment.iter().find(|(name, _)| name == variable.as_str());
        let key = value.and_then(|(_, value)| value.to_str()).map(str::trim);
        let fault = match key.filter(|key| !key.is_empty()) {
            _ if provider.api_key.is_some() => {
                "has both `api_key` and `api_key_env`. Give one".to_owned()
            }
            None => format!("takes its key from {variable}, which is not set"),
            Some(key) => {
                provider.api_key = Secret::parse(key);
                continue;
            }
        };
        loader.refuse("", format!("provider `{}` {fault}", provider.name));
    }
}

/// Checks the rules that span several settings.
pub(super) fn check(settings: &Settings, loader: &mut Loader) {
    check_mail(&settings.mail, loader);
    let base = settings.public.base_url.as_ref().map(HttpUrl::path);
    if base.is_some_and(|path| path == "/toolkit" || path.starts_with("/toolkit/")) {
        let fault = "the path of `public.base_url` begins with `/toolkit`, as do the addresses below \
                     it. Leave it out";
        loader.refuse("public.base_url", fault);
    }
    let mut hooks = BTreeSet::new();
    for hook in &settings.webhooks {
        let name = hook.url.name();
        if !hooks.insert(name.clone()) {
            let fault = format!("two webhooks have the url of {name}. Put all its events into one");
            loader.refuse("", fault);
        }
        // What was refused is not missing.
        if loader.has_refused("webhooks") {
            continue;
        }
        if hook.format == WebhookFormat::Json && hook.secret.is_none() {
            loader.refuse(
                "",
                format!("the webhook {name} has no `secret`, which the format json requires"),
            );
        }
        if hook.events.is_empty() {
            loader.refuse("", format!("the webhook {name} has no `events`"));
        }
    }
    let captcha = &settings.captcha;
    if captcha.kind.is_none() && captcha.secret.is_some() {
        let fault = "`captcha.kind` is not set, but `captcha.secret` requires it".to_owned();
        loader.refuse("captcha.kind", fault);
    }
    let has_secret = captcha.secret.is_some() || settings.turnstile.secret.is_some();
    if captcha.kind == Some(CaptchaKind::Turnstile) && !has_secret {
        let fault =
            "`captcha.secret` is not set, but `captcha.kind` turnstile requires it".to_owned();
        loader.refuse("captcha.secret", fault);
    }
    let mut apps = BTreeSet::new();
    for app in &settings.apps {
        if !apps.insert(app.id.as_str()) {
            let fault = format!("two apps have the id `{}`. Give each its own", app.id.as_str());
            loader.refuse("", fault);
        }
    }
    let mut names = BTreeSet::new();
    for provider in &settings.llm.providers {
        check_provider(provider, loader);
        let name = &provider.name;
        if !names.insert(name) {
            let fault = format!("two providers are named `{name}`. Give each its own");
            loader.refuse("", fault);
        }
    }
}

fn check_mail(mail: &Mail, loader: &mut Loader) {
    let required = [
        ("mail.smtp_url", mail.smtp_url.is_some()),
        ("mail.from", mail.from.is_some()),
        ("mail.operator", mail.operator.is_some()),
    ];
    for (key, is_set) in required {
        if mail.transport == MailTransport::Smtp && !is_set && !loader.has_refused(key) {
            let fault = format!("`{key}` is not set, but `mail.transport` smtp requires it");
            loader.refuse(key, fault);
        }
    }
}

fn check_provider(provider: &Provider, loader: &mut Loader) {
    let name = &provider.name;
    if name.trim().is_empty() || provider.model.trim().is_empty() {
        loader.refuse("", format!("provider `{name}` needs a name and a model"));
    }
    // A self-hosted server may need no key. The vendors do.
    let is_vendors = matches!(provider.kind, ProviderKind::Anthropic | ProviderKind::Gemini);
    let own_server = !is_vendors && provider.base_url.is_some();
    if provider.api_key.is_none() && provider.api_key_env.is_none() && !own_server {
        let url = provider.base_url.as_ref();
        let vendor = url.map_or("the vendor".to_owned(), Textual::shown);
        let fault = format!("has neither `api_key` nor `api_key_env`, but {vendor} requires one");
        loader.refuse("", format!("provider `{name}` {fault}"));
    }
}
