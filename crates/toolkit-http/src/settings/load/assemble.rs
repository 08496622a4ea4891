//! From single values to the settings as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use toml::{Table, Value};

use super::given::{Given, Path};
use crate::settings::error::Faults;
use crate::settings::llm::Provider;
use crate::settings::schema::{self, Kind};
use crate::settings::{HttpUrl, ProviderKind, Secret, Settings};

/// Checks each value by itself and puts the good ones over the defaults.
pub(super) fn assemble(given: Vec<Given>, faults: &mut Faults) -> Settings {
    let mut last = BTreeMap::new();
    for value in given {
        if is_accepted(&value, faults) {
            // The environment comes after the file, so it wins.
            last.insert(value.path.clone(), value);
        }
    }
    check_elements(&last, faults);
    let whole = table(last.into_values());
    Value::Table(whole).try_into().unwrap_or_default()
}

fn is_accepted(given: &Given, faults: &mut Faults) -> bool {
    let Some(key) = given.path.schema() else {
        faults.push(format!(
            "{} is not a setting; {}",
            given.source,
            siblings(&given.path)
        ));
        return false;
    };
    if !given.has_kind(key, faults) {
        return false;
    }
    // The only value in otherwise good settings: whatever is refused now is this one.
    let alone = table(std::iter::once(given.clone()).chain(placeholders(&given.path)));
    let accepted = Value::Table(alone).try_into::<Settings>().is_ok();
    if !accepted {
        given.refuse(&key.expected(), faults);
    }
    accepted
}

/// What an element must have beside the value that is looked at.
fn placeholders(path: &Path) -> Vec<Given> {
    let Some((_, name)) = &path.element else {
        return Vec::new();
    };
    let Ok(Value::Table(bare)) = Value::try_from(Provider::bare()) else {
        return Vec::new();
    };
    let others = bare.into_iter().filter(|(key, _)| key != name);
    let given = |(key, value)| Given {
        path: Path {
            element: path.element.as_ref().map(|(index, _)| (*index, key)),
            ..path.clone()
        },
        source: String::new(),
        value,
    };
    others.map(given).collect()
}

fn siblings(path: &Path) -> String {
    let keys = match (
        &path.element,
        schema::key(&path.section, &path.key).map(|key| &key.kind),
    ) {
        (Some(_), Some(Kind::Tables(keys))) => keys.as_slice(),
        _ => schema::sections()
            .iter()
            .find(|section| section.name == path.section)
            .map_or(&[] as &[_], |section| section.keys.as_slice()),
    };
    let names: Vec<_> = keys.iter().map(|key| key.name.as_str()).collect();
    format!("this section has {}", names.join(", "))
}

fn table(given: impl Iterator<Item = Given>) -> Table {
    let mut sections: BTreeMap<String, Table> = BTreeMap::new();
    let mut lists: BTreeMap<(String, String), BTreeMap<usize, Table>> = BTreeMap::new();
    for Given {
        path: Path {
            section,
            key,
            element,
        },
        value,
        ..
    } in given
    {
        let (table, key) = match element {
            None => (sections.entry(section).or_default(), key),
            Some((index, name)) => (
                lists
                    .entry((section, key))
                    .or_default()
                    .entry(index)
                    .or_default(),
                name,
            ),
        };
        table.insert(key, value);
    }
    for ((section, key), elements) in lists {
        let elements = elements.into_values().map(Value::Table).collect();
        sections
            .entry(section)
            .or_default()
            .insert(key, Value::Array(elements));
    }
    sections
        .into_iter()
        .map(|(name, keys)| (name, Value::Table(keys)))
        .collect()
}

/// Reports elements that lack a required key, and gaps in their numbering.
fn check_elements(given: &BTreeMap<Path, Given>, faults: &mut Faults) {
    let mut elements: BTreeMap<(&str, &str, usize), BTreeSet<&str>> = BTreeMap::new();
    for path in given.keys() {
        if let Some((index, name)) = &path.element {
            elements
                .entry((&path.section, &path.key, *index))
                .or_default()
                .insert(name);
        }
    }
    for (expected, ((section, key, index), names)) in elements.iter().enumerate() {
        let Some(Kind::Tables(keys)) = schema::key(section, key).map(|key| &key.kind) else {
            continue;
        };
        if *index != expected {
            faults.push(format!(
                "`{section}.{key}[{expected}]` is missing before [{index}]"
            ));
        }
        for missing in keys
            .iter()
            .filter(|key| key.required && !names.contains(key.name.as_str()))
        {
            faults.push(format!(
                "`{section}.{key}[{index}]` has no `{}`",
                missing.name
            ));
        }
    }
}

/// Puts the keys that variables hold into their providers.
pub(super) fn take_keys_from_variables(
    settings: &mut Settings,
    environment: &[(OsString, OsString)],
    faults: &mut Faults,
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

/// Checks what holds between settings.
pub(super) fn check(settings: &Settings, faults: &mut Faults) {
    for key in settings.mail.missing() {
        faults.push(format!(
            "`{key}` is not set; `mail.transport` smtp needs it"
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

fn check_provider(provider: &Provider, faults: &mut Faults) {
    if provider.name.trim().is_empty() || provider.model.trim().is_empty() {
        faults.push(format!(
            "provider `{}` needs a name and a model",
            provider.name
        ));
    }
    // A server of one's own may want no key. The vendors' own do.
    let own_server = provider.kind == ProviderKind::Openai && provider.base_url.is_some();
    let vendor = provider
        .base_url
        .as_ref()
        .map_or("the vendor", HttpUrl::as_str);
    if provider.api_key.is_none() && provider.api_key_env.is_none() && !own_server {
        let label = format!("provider `{}`", provider.name);
        faults.push(format!(
            "{label} has neither `api_key` nor `api_key_env`; {vendor} asks for one"
        ));
    }
}
