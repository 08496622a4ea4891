//! Report: figures in docs/performance.md, between its markers.

use std::fs;
use std::process::Command;

use toolkit_measure::Result;
use toolkit_measure::process::output;
use toolkit_measure::table::table;

use crate::sections::Section;

/// The report, in the project's folder.
const REPORT: &str = "docs/performance.md";

/// Description of the machine, and the command that prints it.
const MACHINE: [[&str; 2]; 6] = [
    ["CPU", "grep -m1 '^model name' /proc/cpuinfo | cut -d: -f2"],
    ["cores", "nproc"],
    ["memory", "free --giga -h | awk '/^Mem/ { print $2 }'"],
    ["kernel", "uname -sr"],
    ["compiler", "rustc --version"],
    ["date", "date -u +%F"],
];

/// End marker of each measured part.
const END: &str = "<!-- /bench -->";

/// The existing report, whose parts are replaced one by one.
pub(crate) struct Report {
    text: String,
    /// Place, time and thoroughness, in a few words.
    stamp: String,
}

impl Report {
    /// Reads the report, and describes the machine in it.
    pub(crate) fn open(is_quick: bool) -> Result<Self> {
        let text = fs::read_to_string(REPORT)
            .map_err(|error| format!("{REPORT} ({error}); run this in the project's folder"))?;
        let facts = MACHINE.map(|[_, command]| {
            let output = output(Command::new("sh").args(["-c", command]));
            output.unwrap_or_else(|_| "unknown".to_owned())
        });
        let [cpu, cores, .., date] = &facts;
        let quick = if is_quick { ", with --quick" } else { "" };
        let stamp = format!("*{date}, {cores} cores of {cpu}{quick}*");
        let mut report = Self { text, stamp };
        let facts = MACHINE.iter().zip(&facts);
        let rows = facts.map(|([name, _], value)| format!("{name} | {value}"));
        report.replace("machine", &table("Machine | ", rows))?;
        Ok(report)
    }

    /// Replaces a part; everything else is unchanged.
    pub(crate) fn write(&mut self, name: &str, section: &Section) -> Result<()> {
        self.replace(name, &format!("{}\n{}", section.text, self.stamp))?;
        Ok(fs::write(REPORT, &self.text)?)
    }

    fn replace(&mut self, name: &str, text: &str) -> Result<()> {
        let (before, _, after) = self.split(name)?;
        self.text = format!("{before}\n{}\n{after}", text.trim());
        Ok(())
    }

    /// The text up to the marker at which a part starts, the part, and the text from its end on.
    fn split(&self, name: &str) -> Result<(&str, &str, &str)> {
        let marker = format!("<!-- bench:{name} -->");
        let missing = || format!("the report has no part for {marker}");
        let start = self.text.find(&marker).ok_or_else(missing)? + marker.len();
        let (before, rest) = self.text.split_at(start);
        let (part, after) = rest.split_at(rest.find(END).ok_or_else(missing)?);
        Ok((before, part, after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Report {
        let (text, stamp) = (text.to_owned(), String::new());
        Report { text, stamp }
    }

    #[test]
    fn a_part_is_replaced_and_all_around_it_stays() {
        let of =
            |a| format!("# A\n<!-- bench:a -->\n{a}\n{END}\nby hand\n<!-- bench:b -->\nb\n{END}\n");
        let mut report = report(&of("old"));
        report.replace("a", "new\n").unwrap();
        assert_eq!(report.text, of("new"));
    }

    #[test]
    fn a_report_without_a_place_for_a_part_is_refused_by_its_name() {
        let report = report("# A\n<!-- bench:a -->\n");
        for name in ["a", "b"] {
            let error = report.split(name).unwrap_err().to_string();
            assert!(error.ends_with(&format!("bench:{name} -->")), "{error}");
        }
    }
}
