//! The report as a file: text that people write, and between markers what was measured.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What ends each measured part.
const END: &str = "<!-- /bench -->";

/// docs/performance.md, read whole.
pub(crate) struct Document {
    path: PathBuf,
    text: String,
}

impl Document {
    /// Reads a document.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let text = fs::read_to_string(path).map_err(|error| {
            let text = format!(
                "{} ({error}); run this in the project's folder",
                path.display()
            );
            io::Error::new(error.kind(), text)
        })?;
        Ok(Self {
            path: path.to_owned(),
            text,
        })
    }

    /// What stands between the markers of a part.
    pub(crate) fn part(&self, name: &str) -> io::Result<&str> {
        let (_, rest) = self.split(name)?;
        let (part, _) = rest.split_once(END).ok_or_else(|| missing(END))?;
        Ok(part.trim())
    }

    /// Puts `text` between the markers of a part, in place of what is there.
    pub(crate) fn replace(&mut self, name: &str, text: &str) -> io::Result<()> {
        let (before, rest) = self.split(name)?;
        let (_, after) = rest.split_once(END).ok_or_else(|| missing(END))?;
        let start = start(name);
        self.text = format!("{before}{start}\n{}\n{END}{after}", text.trim());
        Ok(())
    }

    /// Writes the file.
    pub(crate) fn save(&self) -> io::Result<()> {
        fs::write(&self.path, &self.text)
    }

    /// The text before the marker at which a part starts, and the text after it.
    fn split(&self, name: &str) -> io::Result<(&str, &str)> {
        let start = start(name);
        let found = self.text.split_once(&start);
        found.ok_or_else(|| missing(&start))
    }
}

fn start(name: &str) -> String {
    format!("<!-- bench:{name} -->")
}

fn missing(marker: &str) -> io::Error {
    io::Error::other(format!("the report has no {marker}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document {
            path: PathBuf::new(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_part_is_replaced_and_all_around_it_stays() {
        let mut report = document(
            "# A\n<!-- bench:a -->\nold\n<!-- /bench -->\nby hand\n<!-- bench:b -->\nkept\n<!-- /bench -->\n",
        );
        report.replace("a", "new\n").unwrap();
        assert_eq!(report.part("a").unwrap(), "new");
        assert_eq!(
            report.text,
            "# A\n<!-- bench:a -->\nnew\n<!-- /bench -->\nby hand\n<!-- bench:b -->\nkept\n<!-- /bench -->\n"
        );
    }

    #[test]
    fn a_report_without_a_place_for_a_part_is_refused_by_its_name() {
        let mut report = document("# A\n<!-- bench:a -->\n");
        for name in ["a", "b"] {
            let error = report.replace(name, "new").unwrap_err().to_string();
            assert!(error.starts_with("the report has no <!-- "), "{error}");
        }
    }
}
