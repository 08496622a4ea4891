//! Settings loader: the file, then the environment, checked together.

mod check;
mod environment;
mod file;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;

use toml::{Table, Value};

use super::error::shown;
use super::schema::{Key, Kind, Setting, WHOLE};
use super::value::without_password;
use super::{FILE_NAME, Provider, Settings, SettingsError};

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
                Ok(text) => loader.read_file(&path.display().to_string(), &text),
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
        loader.read_file(FILE_NAME, text);
        loader.finish(environment)
    }
}

/// A section, or an element of a list: `limits`, `llm.providers[0]`.
struct Place {
    /// For an element, its list.
    table: String,
    index: Option<usize>,
}

impl Place {
    /// The section or the list in the schema, if it exists.
    fn schema(&self) -> Option<&'static Key> {
        let mut names = self.table.split('.');
        let table = names.try_fold(&*WHOLE, |table, name| table.key(name))?;
        (matches!(table.kind, Kind::Tables(_)) == self.index.is_some()).then_some(table)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "{}[{index}]", self.table),
            None => f.write_str(&self.table),
        }
    }
}

/// The accepted values so far, by key.
#[derive(Default)]
struct Loader {
    sections: BTreeMap<String, Table>,
    /// By number, since the environment may list them in any order.
    providers: BTreeMap<usize, Table>,
    faults: Vec<String>,
}

impl Loader {
    fn values(&mut self, place: &Place) -> &mut Table {
        match place.index {
            Some(index) => self.providers.entry(index).or_default(),
            None => self.sections.entry(place.table.clone()).or_default(),
        }
    }

    /// Takes a value if its key accepts it. `source` names it in errors: the key and its file, or
    /// the variable.
    fn put(&mut self, place: &Place, key: &Key, source: &str, value: Value) {
        let values = self.values(place);
        if key.accepts(&value) {
            values.insert(key.name.to_owned(), value);
            return;
        }
        if key.required {
            // Then it is not missing, but its provider is not read.
            values.insert(key.name.to_owned(), value.clone());
        }
        let value = match value {
            _ if key.secret => "not accepted".to_owned(),
            // Also hides the password in a refused URL.
            Value::String(text) => shown(&without_password(&text)),
            value => shown(&value.to_string()),
        };
        let expected = key.expected();
        self.faults
            .push(format!("{source} is {value}; expected {expected}"));
    }

    fn finish(
        mut self,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Settings, SettingsError> {
        let environment: Vec<_> = environment.into_iter().collect();
        self.read_environment(&environment);
        let providers = self.finish_providers();
        let mut faults = self.faults;
        // Only accepted values are read, but a server must not start on defaults if that fails.
        let mut settings = Settings::read(&self.sections.into()).unwrap_or_else(|| {
            faults.push("the settings cannot be read".to_owned());
            Settings::default()
        });
        settings.llm.providers = providers;
        check::take_keys_from_variables(&mut settings.llm.providers, &environment, &mut faults);
        check::check(&settings, &mut faults);
        if faults.is_empty() {
            Ok(settings)
        } else {
            Err(SettingsError { faults })
        }
    }

    /// Builds the complete providers, and reports the missing keys of the others.
    fn finish_providers(&mut self) -> Vec<Provider> {
        let mut complete = Vec::new();
        let schema = Key::new("", &[], &Provider::default());
        for (expected, (index, values)) in
            std::mem::take(&mut self.providers).into_iter().enumerate()
        {
            let label = |index: usize| format!("`llm.providers[{index}]`");
            if index != expected {
                let expected = label(expected);
                self.faults
                    .push(format!("{expected} is missing before [{index}]"));
            }
            let required = schema.keys().iter().filter(|key| key.required);
            let missing = required.filter(|key| !values.contains_key(key.name));
            let missing = missing.map(|key| format!("{} has no `{}`", label(index), key.name));
            let missing: Vec<_> = missing.collect();
            if missing.is_empty() {
                complete.extend(Provider::read(&values.into()));
            }
            self.faults.extend(missing);
        }
        complete
    }
}
