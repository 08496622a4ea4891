//! Build time from nothing.

use std::io;
use std::process::Command;
use std::time::Instant;

use super::{Bench, Section};
use crate::report::say;
use crate::table::Table;

pub(super) fn measure(_: &Bench) -> io::Result<Section> {
    let target = tempfile::tempdir()?;
    say("building both servers into an empty folder; this takes minutes");
    let start = Instant::now();
    let status = Command::new("cargo")
        .args([
            "build",
            "--release",
            "--locked",
            "-p",
            "api-server",
            "-p",
            "mcp-server",
        ])
        .arg("--target-dir")
        .arg(target.path())
        .status()?;
    if !status.success() {
        return Err(io::Error::other(format!("cargo: {status}")));
    }
    let minutes = start.elapsed().as_secs_f64() / 60.0;
    let mut table = Table::of_figures(&["Build", "minutes"]);
    table.row(&[
        "both servers, release, with all dependencies".to_owned(),
        format!("{minutes:.1}"),
    ]);
    Ok(Section {
        text: table.to_string(),
        ..Section::default()
    })
}
