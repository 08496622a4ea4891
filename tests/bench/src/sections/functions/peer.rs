//! Peers that are programs of their own.

use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use tempfile::NamedTempFile;

use super::cpu;
use super::race::Racer;

/// A program that reads a file, less its time on a file with next to nothing in it.
pub(super) fn program<'a>(
    command: &'a [&'a str],
    input: &[u8],
    tiny: &[u8],
) -> io::Result<Racer<'a>> {
    let (input, tiny) = (file(input)?, file(tiny)?);
    Ok(Box::new(move |_| {
        let start_up = time(command, tiny.reopen()?.into())?;
        Ok(time(command, input.reopen()?.into())? - start_up)
    }))
}

/// A program that reads nothing, from its start to its end.
pub(super) fn process<'a>(command: &'a [&'a str]) -> Racer<'a> {
    Box::new(move |_| time(command, Stdio::null()))
}

/// A function of Python, timed by Python itself: `work` is one of those in `peers.py`.
pub(super) fn python<'a>(work: &'a str, input: &str) -> io::Result<Racer<'a>> {
    const SCRIPT: &str = include_str!("peers.py");
    let input = file(input.as_bytes())?;
    Ok(Box::new(move |_| {
        let mut command = Command::new("python3");
        command.args(["-c", SCRIPT, work]).arg(input.path());
        output(&mut command)?
            .trim()
            .parse()
            .map_err(io::Error::other)
    }))
}

/// OpenSSL's own measurement of a digest on messages of `length` bytes.
pub(super) fn openssl_speed(digest: &'static str, length: usize) -> Racer<'static> {
    Box::new(move |_| {
        let mut command = Command::new("openssl");
        command.args([
            "speed",
            "-mr",
            "-seconds",
            "1",
            "-bytes",
            &length.to_string(),
        ]);
        let report = output(command.args(["-evp", digest]))?;
        // The last line is `+F:…:NAME:BYTES`, with the bytes of a second.
        let bytes = report.lines().rev().find_map(|line| {
            let (_, bytes) = line.strip_prefix("+F:")?.rsplit_once(':')?;
            bytes.parse::<f64>().ok()
        });
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 bytes")]
        let length = length as f64;
        bytes
            .map(|bytes| length / bytes)
            .ok_or_else(|| io::Error::other("no figure"))
    })
}

fn file(content: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new()?;
    file.write_all(content)?;
    Ok(file)
}

fn time(command: &[&str], input: Stdio) -> io::Result<f64> {
    let [program, arguments @ ..] = command else {
        return Err(io::ErrorKind::NotFound.into());
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let seconds = cpu::of_child(&child);
    let status = child.wait()?;
    if status.success() {
        seconds
    } else {
        Err(io::Error::other(status.to_string()))
    }
}

fn output(command: &mut Command) -> io::Result<String> {
    let output = command.stderr(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(output.status.to_string()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
