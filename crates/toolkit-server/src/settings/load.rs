//! Settings loader: merges the environment over the file and checks the result as a whole, so that
//! one run reports all faults.

mod check;
mod environment;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use toml::{Table, Value};

use super::error::shown;
use super::schema::{FILE_SUFFIX, Key, Kind, Setting, WHOLE};
use super::value::without_password;
use super::{FILE_NAME, Settings, SettingsError};

impl Settings {
    /// Reads the settings: defaults, then `file` (or [`FILE_NAME`], if the working directory has
    /// one), then the variables of `environment` that start with `TOOLKIT_`.
    ///
    /// # Errors
    ///
    /// All errors of file and environment together: an unreadable file, an unknown key, an invalid
    /// value, a missing dependency.
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, SettingsError> {
        let found = Path::new(FILE_NAME);
        let Some(path) = file.or_else(|| found.exists().then_some(found)) else {
            return Self::parse("", environment);
        };
        let mut loader = Loader::new(path.display().to_string());
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| {
            loader.refuse("", format!("{}: {error}", path.display()));
            String::new()
        });
        loader.load(&text, environment)
    }

    /// Reads the settings from a file's text and an environment.
    ///
    /// # Errors
    ///
    /// As [`Settings::load`].
    pub fn parse(
        text: &str,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, SettingsError> {
        Loader::new(FILE_NAME.to_owned()).load(text, environment)
    }
}

struct Loader {
    /// The file's name, for errors.
    file: String,
    /// Variables that set values, by the value's path.
    variables: BTreeMap<String, String>,
    /// The errors, each with its value's path.
    faults: Vec<(String, String)>,
}

impl Loader {
    fn new(file: String) -> Self {
        Self { file, variables: BTreeMap::new(), faults: Vec::new() }
    }

    fn load(
        mut self,
        text: &str,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Settings, SettingsError> {
        let environment: Vec<_> = environment.into_iter().collect();
        // Some editors add a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut values = text.parse().unwrap_or_else(|error| {
            self.refuse("", syntax_fault(&self.file, text, &error));
            Table::new()
        });
        self.overlay(&mut values, &environment);
        self.check_members("", &WHOLE, &mut values);
        // Only accepted values are left, but a server must not fall back to defaults if this fails.
        let mut settings = Settings::read(&values.into()).unwrap_or_else(|| {
            self.refuse("", "the settings cannot be read");
            Settings::default()
        });
        check::take_keys_from_variables(&mut settings.llm.providers, &environment, &mut self);
        check::check(&settings, &mut self);
        if self.faults.is_empty() {
            return Ok(settings);
        }
        let faults = self.faults.into_iter().map(|(_, fault)| fault).collect();
        Err(SettingsError { faults })
    }

    fn refuse(&mut self, path: &str, fault: impl AsRef<str>) {
        // File names and library messages may contain line breaks.
        self.faults.push((path.to_owned(), fault.as_ref().replace(['\n', '\r'], " ")));
    }

    /// Whether a value was set but refused, or one below it.
    fn has_refused(&self, path: &str) -> bool {
        self.faults.iter().any(|(refused, _)| {
            refused
                .strip_prefix(path)
                .is_some_and(|below| below.is_empty() || below.starts_with(['.', '[']))
        })
    }

    /// Where a value comes from: the variable, or the key and file.
    fn source(&self, path: &str) -> String {
        let variable = self.variables.get(path).cloned();
        variable.unwrap_or_else(|| format!("`{path}` in {}", self.file))
    }

    /// Reports what a key does not accept. Returns whether it accepts the value.
    fn check(&mut self, path: &str, key: &Key, value: &mut Value) -> bool {
        let source = self.source(path);
        let fault = match (&key.kind, value) {
            (Kind::Table(_), Value::Table(members)) => {
                self.check_members(path, key, members);
                return true;
            }
            (Kind::Table(_), _) => format!("{source} is not a section. Write [{path}]"),
            (Kind::Tables(_), Value::Array(elements)) => {
                let mut index = 0;
                elements.retain_mut(|element| {
                    let place = format!("{path}[{index}]");
                    index += 1;
                    let Value::Table(members) = element else {
                        let rest = format!("is missing or not a table. Write [[{path}]]");
                        self.refuse(&place, format!("`{place}` {rest}"));
                        return false;
                    };
                    self.check_members(&place, key, members)
                });
                return true;
            }
            (_, value) if key.accepts(value) => return true,
            (_, value) => {
                let value = match value {
                    _ if key.secret => "not accepted".to_owned(),
                    // In an invalid URL, the part before `@` may be a password.
                    Value::String(text) if key.is_in_file && text.contains('@') => {
                        "not accepted".to_owned()
                    }
                    // Its quotes may be the fault.
                    Value::String(text)
                        if matches!(key.kind, Kind::Integer { .. } | Kind::Flag)
                            && !self.variables.contains_key(path) =>
                    {
                        shown(&format!("\"{text}\""))
                    }
                    // Also hides the password in a refused URL.
                    Value::String(text) => shown(&without_password(text)),
                    value => shown(&value.to_string()),
                };
                format!("{source} is {value}; expected {}", key.expected())
            }
        };
        self.refuse(path, fault);
        false
    }

    /// Removes members that are not accepted. Returns whether the required ones remain.
    fn check_members(&mut self, path: &str, table: &Key, members: &mut Table) -> bool {
        let of = |name: &str| match path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        let mut is_complete = true;
        for key in table.keys().iter().filter(|key| key.is_in_file) {
            is_complete &= self.read_secret(&of(key.name), key.name, members);
        }
        // A value that was given and refused is not missing.
        let missing = table.keys().iter().filter(|key| key.required);
        let missing: Vec<_> = missing.filter(|key| !members.contains_key(key.name)).collect();
        members.retain(|name, value| {
            let path = of(name);
            let Some(key) = table.key(name) else {
                let source = self.source(&path);
                let known = table.names();
                self.refuse(&path, format!("{source} is not a setting. There are {known}"));
                return false;
            };
            self.check(&path, key, value)
        });
        for key in missing {
            self.refuse(path, format!("`{path}` has no `{}`", key.name));
        }
        let mut required = table.keys().iter().filter(|key| key.required);
        is_complete && required.all(|key| members.contains_key(key.name))
    }

    /// Reads the secret's file, if one is named. Returns whether nothing failed.
    fn read_secret(&mut self, path: &str, name: &str, members: &mut Table) -> bool {
        let Some(file) = members.remove(&format!("{name}{FILE_SUFFIX}")) else {
            return true;
        };
        let source = self.source(&format!("{path}{FILE_SUFFIX}"));
        let text = file.as_str().map(std::fs::read_to_string);
        let fault = match text {
            _ if members.contains_key(name) => format!("is set, and so is `{path}`. Give one"),
            None => "is not the path of a file".to_owned(),
            Some(Err(error)) => format!("names a file that cannot be read: {error}"),
            Some(Ok(text)) if text.trim().is_empty() => "names an empty file".to_owned(),
            Some(Ok(text)) => {
                let text = text.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
                members.insert(name.to_owned(), text.into());
                self.variables.insert(path.to_owned(), source);
                return true;
            }
        };
        self.refuse(path, format!("{source} {fault}"));
        false
    }
}

fn syntax_fault(file: &str, text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.unwrap_or("").matches('\n').count() + 1;
    format!("{file}, line {line}, is not TOML: {}", error.message())
}
