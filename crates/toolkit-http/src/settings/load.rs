//! Settings loader: the file, then the environment, checked together.

mod check;
mod environment;
mod file;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::path::Path;

use toml::Value;

use super::error::shown;
use super::schema::{self, Key, Setting};
use super::value::without_password;
use super::{FILE_NAME, Provider, Settings, SettingsError, features};

impl Settings {
    /// Reads the settings: defaults, then `file` (or [`FILE_NAME`], if the working directory has
    /// one), then the variables of `environment` that start with `TOOLKIT_`.
    ///
    /// # Errors
    ///
    /// All errors of the file and the environment at once: an unreadable file, an unknown key, an
    /// invalid value, a value that requires another one.
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, SettingsError> {
        let found = Path::new(FILE_NAME);
        let file = file.or_else(|| found.exists().then_some(found));
        let mut loader = Loader::default();
        if let Some(path) = file {
            match std::fs::read_to_string(path) {
                Ok(text) => file::read(&path.display().to_string(), &text, &mut loader),
                Err(error) => loader.faults.push(format!("{}: {error}", path.display())),
            }
        }
        loader.finish(environment)
    }

    /// Reads the settings from the text of a file and an environment.
    ///
    /// # Errors
    ///
    /// As [`Settings::load`].
    pub fn parse(
        text: &str,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, SettingsError> {
        let mut loader = Loader::default();
        file::read(FILE_NAME, text, &mut loader);
        loader.finish(environment)
    }
}

/// Path of a key: `limits.run_burst`, or `llm.providers[0].name`.
struct Place {
    /// The section; for an element, `llm.providers`.
    section: String,
    index: Option<usize>,
    key: String,
}

impl Place {
    /// The key in the schema, if it exists.
    fn schema(&self) -> Option<&'static Key> {
        let mut keys = schema::keys(&self.section).iter();
        keys.find(|key| key.name == self.key)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { section, key, .. } = self;
        match self.index {
            Some(index) => write!(f, "{section}[{index}].{key}"),
            None => write!(f, "{section}.{key}"),
        }
    }
}

/// The settings read so far.
#[derive(Default)]
struct Loader {
    settings: Settings,
    /// By number, since the environment may list them in any order.
    providers: BTreeMap<usize, Element>,
    faults: Vec<String>,
}

/// A provider read so far.
#[derive(Default)]
struct Element {
    provider: Provider,
    given: BTreeSet<&'static str>,
    /// Whether a required key is missing or was refused.
    is_refused: bool,
}

impl Loader {
    /// Sets a value. `source` names it in errors: the key and its file, or the variable.
    fn put(&mut self, place: &Place, source: &str, value: &Value) {
        let Some(key) = place.schema() else {
            let keys = schema::keys(&place.section).iter();
            let names: Vec<_> = keys.map(|key| key.name).collect();
            let names = names.join(", ");
            let fault = format!("{source} is not a setting; this section has {names}");
            return self.faults.push(fault);
        };
        let is_within = key.is_within(value);
        let is_set = match place.index {
            None => is_within && self.settings.set(&place.to_string(), value),
            Some(index) => {
                let element = self.providers.entry(index).or_default();
                element.given.insert(key.name);
                let is_set = is_within && element.provider.set(key.name, value);
                element.is_refused |= key.required && !is_set;
                is_set
            }
        };
        if !is_set {
            let value = match value {
                _ if key.secret => "not accepted".to_owned(),
                // Also hides the password in a refused URL.
                Value::String(text) => shown(&without_password(text)),
                value => shown(&value.to_string()),
            };
            let expected = key.expected();
            self.faults
                .push(format!("{source} is {value}; expected {expected}"));
        }
    }

    fn finish(
        mut self,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Settings, SettingsError> {
        let environment: Vec<_> = environment.into_iter().collect();
        environment::read(&environment, &mut self);
        self.finish_providers();
        check::take_keys_from_variables(&mut self.settings, &environment, &mut self.faults);
        check::check(&self.settings, &mut self.faults);
        features::check(&self.settings, &mut self.faults);
        let Self {
            settings, faults, ..
        } = self;
        if faults.is_empty() {
            Ok(settings)
        } else {
            Err(SettingsError { faults })
        }
    }

    /// Takes the complete providers, and reports the missing keys of the others.
    fn finish_providers(&mut self) {
        let providers = std::mem::take(&mut self.providers);
        for (expected, (index, mut element)) in providers.into_iter().enumerate() {
            let label = |index: usize| format!("`llm.providers[{index}]`");
            if index != expected {
                let expected = label(expected);
                let fault = format!("{expected} is missing before [{index}]");
                self.faults.push(fault);
            }
            for key in schema::keys("llm.providers") {
                if key.required && !element.given.contains(key.name) {
                    let fault = format!("{} has no `{}`", label(index), key.name);
                    self.faults.push(fault);
                    element.is_refused = true;
                }
            }
            if !element.is_refused {
                self.settings.llm.providers.push(element.provider);
            }
        }
    }
}
