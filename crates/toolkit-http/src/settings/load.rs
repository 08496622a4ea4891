//! Reading the settings: the file, then the environment, checked together.

mod assemble;
mod environment;
mod file;
mod given;

use std::ffi::OsString;
use std::path::Path;

use self::given::Given;
use super::error::Faults;
use super::{FILE_NAME, Settings, SettingsError};

impl Settings {
    /// Reads the settings: defaults, then `file` (or [`FILE_NAME`], if the working directory has
    /// one), then the variables of `environment` that start with `TOOLKIT_`.
    ///
    /// # Errors
    ///
    /// Every fault of the file and the environment at once: an unreadable file, an unknown key, a
    /// value that is not accepted, a value that another one needs.
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, SettingsError> {
        let found = Path::new(FILE_NAME);
        let file = file.or_else(|| found.exists().then_some(found));
        let mut faults = Faults::default();
        let mut given = Vec::new();
        if let Some(path) = file {
            match std::fs::read_to_string(path) {
                Ok(text) => file::read(&path.display().to_string(), &text, &mut given, &mut faults),
                Err(error) => faults.push(format!("{}: {error}", path.display())),
            }
        }
        Self::from_given(given, environment, faults)
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
        let mut faults = Faults::default();
        let mut given = Vec::new();
        file::read(FILE_NAME, text, &mut given, &mut faults);
        Self::from_given(given, environment, faults)
    }

    fn from_given(
        mut given: Vec<Given>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
        mut faults: Faults,
    ) -> Result<Self, SettingsError> {
        let environment: Vec<_> = environment.into_iter().collect();
        environment::read(&environment, &mut given, &mut faults);
        let mut settings = assemble::assemble(given, &mut faults);
        assemble::take_keys_from_variables(&mut settings, &environment, &mut faults);
        assemble::check(&settings, &mut faults);
        faults.into_result()?;
        Ok(settings)
    }
}
