//! Command-line options.

use std::io;
use std::time::Duration;

use crate::measure::Plan;
use crate::sections::{Entry, SECTIONS};

const USAGE: &str = "usage: toolkit-bench [--quick] [--section NAME]… [FILTER]";

/// What is measured, and how thoroughly.
pub(crate) struct Options {
    /// Shorter and fewer rounds.
    pub(crate) quick: bool,
    pub(crate) sections: Vec<&'static Entry>,
    /// Only what has this in its name; the report stays as it is then.
    pub(crate) filter: Option<String>,
}

impl Options {
    /// Reads the arguments of the program.
    pub(crate) fn read(arguments: &[String]) -> io::Result<Self> {
        let (mut quick, mut names, mut filter) = (false, Vec::new(), None);
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => quick = true,
                "--section" => names.push(arguments.next().ok_or_else(usage)?),
                flag if flag.starts_with('-') => return Err(usage()),
                _ if filter.is_some() => return Err(usage()),
                name => filter = Some(name.to_owned()),
            }
        }
        let sections = if names.is_empty() {
            let all = SECTIONS.iter();
            all.filter(|entry| !entry.only_when_named).collect()
        } else {
            names
                .into_iter()
                .map(|name| section(name))
                .collect::<io::Result<_>>()?
        };
        Ok(Self {
            quick,
            sections,
            filter,
        })
    }

    /// How long and how often each server is asked.
    pub(crate) fn plan(&self) -> Plan {
        Plan {
            rounds: if self.quick { 3 } else { 5 },
            duration: Duration::from_millis(if self.quick { 300 } else { 1_000 }),
            warm_up: Duration::from_millis(200),
            connections: 32,
        }
    }
}

fn section(name: &str) -> io::Result<&'static Entry> {
    let mut all = SECTIONS.iter();
    all.find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<&str> = SECTIONS.iter().map(|entry| entry.name).collect();
        io::Error::other(format!("no section is called {name}: {}", names.join(", ")))
    })
}

fn usage() -> io::Error {
    io::Error::other(USAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> io::Result<Options> {
        let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        Options::read(&arguments)
    }

    #[test]
    fn all_sections_are_measured_but_those_that_must_be_named() {
        let names = |options: Options| -> Vec<&str> {
            options.sections.iter().map(|entry| entry.name).collect()
        };
        assert!(!names(read(&[]).unwrap()).contains(&"build"));
        assert_eq!(names(read(&["--section", "build"]).unwrap()), ["build"]);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for arguments in [
            &["--fast"] as &[_],
            &["--section"],
            &["--section", "x"],
            &["a", "b"],
        ] {
            assert!(read(arguments).is_err(), "{arguments:?}");
        }
        assert_eq!(
            read(&["--quick", "uuid"]).unwrap().filter.as_deref(),
            Some("uuid")
        );
    }
}
