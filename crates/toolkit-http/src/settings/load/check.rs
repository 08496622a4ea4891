//! Checks across settings: keys of providers, and settings that require others.

use std::collections::BTreeSet;
use std::ffi::OsString;

use crate::settings::llm::Provider;
use crate::settings::{HttpUrl, ProviderKind, Secret, Settings};

/// Copies keys from variables into their providers.
pub(super) fn take_keys_from_variables(
    settings: &mut Settings,
    environment: &[(OsString, OsString)],
    faults: &mut Vec<String>,
) {
    for provider in &mut settings.llm.providers {
        let Some(name) = &provider.api_key_env else {
            continue;
        };
        let label = format!("provider `{}`", provider.name);
        if provider.api_key.is_some() {
            faults.push(format!(
                "{label} has both `api_key` and `api_key_env`; give one"
            ));
            continue;
        }
        let value = environment
            .iter()
            .find(|(known, _)| known.to_str() == Some(name));
        match value.and_then(|(_, value)| value.to_str()) {
            Some(key) if !key.trim().is_empty() => provider.api_key = Some(Secret::new(key.trim())),
            _ => faults.push(format!(
                "{label} takes its key from {name}, which is not set"
            )),
        }
    }
}

/// Checks rules across settings.
pub(super) fn check(settings: &Settings, faults: &mut Vec<String>) {
    for key in settings.mail.missing() {
        faults.push(format!(
            "`{key}` is not set; `mail.transport` smtp requires it"
        ));
    }
    let mut names = BTreeSet::new();
    for provider in &settings.llm.providers {
        check_provider(provider, faults);
        if !names.insert(&provider.name) {
            faults.push(format!(
                "two providers are named `{}`; give each its own",
                provider.name
            ));
        }
    }
}

fn check_provider(provider: &Provider, faults: &mut Vec<String>) {
    if provider.name.trim().is_empty() || provider.model.trim().is_empty() {
        faults.push(format!(
            "provider `{}` needs a name and a model",
            provider.name
        ));
    }
    // A self-hosted server may need no key. The vendors' own do.
    let own_server = provider.kind == ProviderKind::Openai && provider.base_url.is_some();
    let vendor = provider
        .base_url
        .as_ref()
        .map_or("the vendor", HttpUrl::as_str);
    if provider.api_key.is_none() && provider.api_key_env.is_none() && !own_server {
        let label = format!("provider `{}`", provider.name);
        faults.push(format!(
            "{label} has neither `api_key` nor `api_key_env`; {vendor} requires one"
        ));
    }
}
