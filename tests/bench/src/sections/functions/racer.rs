//! Contestants of a comparison: functions of this process, and programs.

use std::fs;
use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use tempfile::NamedTempFile;
use toolkit_bench::Result;
use toolkit_bench::process::output;
use toolkit_bench::table::float;

use super::{Peer, Work, calls};

/// Repeats a work for about this long, and returns the seconds of CPU time of one repetition.
pub(crate) type Racer<'a> = Box<dyn Fn(Duration) -> Result<f64> + 'a>;

/// Returns the contestant for a function of this process, called repeatedly for a whole round.
pub(crate) fn function<'a, T>(call: impl Fn() -> T + 'a) -> Racer<'a> {
    Box::new(move |duration| {
        let start = cpu_seconds("/proc/thread-self/schedstat")?;
        let (mut next, mut calls) = (1, 1_u32);
        loop {
            for _ in 0..next {
                black_box(call());
            }
            let seconds = cpu_seconds("/proc/thread-self/schedstat")? - start;
            if seconds >= duration.as_secs_f64() {
                return Ok(seconds / f64::from(calls));
            }
            (next, calls) = (calls, calls.saturating_mul(2));
        }
    })
}

/// Returns the contestant of a peer. A program gets its own input, a crate the input of the work.
pub(super) fn of_peer<'a>(
    work: &Work,
    peer: &'a Peer,
    own: &[u8],
    input: &'a [u8],
) -> Result<Racer<'a>> {
    let command = peer.name.split('`').nth(1).unwrap_or_default();
    Ok(if let Some(digest) = &peer.openssl {
        Box::new(move |_| openssl_speed(digest, input.len()))
    } else if let Some(function) = &peer.python {
        const SCRIPT: &str = include_str!("python.py");
        let file = file(input)?;
        Box::new(move |_| {
            let mut command = Command::new("python3");
            let seconds = output(command.args(["-c", SCRIPT, function]).arg(file.path()))?;
            Ok(seconds.parse()?)
        })
    } else if let Some(tiny) = &peer.tiny {
        let (file, tiny) = (file(own)?, file(tiny.as_bytes())?);
        Box::new(move |_| {
            let start_up = time(command, tiny.reopen()?.into())?;
            Ok(time(command, file.reopen()?.into())? - start_up)
        })
    } else if peer.results.is_some() {
        Box::new(move |_| time(command, Stdio::null()))
    } else {
        calls::call(&work.name, &peer.name, input)?
    })
}

/// Runs OpenSSL's own benchmark of a digest on messages of `length` bytes.
fn openssl_speed(digest: &str, length: usize) -> Result<f64> {
    let mut command = Command::new("openssl");
    command.args(["speed", "-mr", "-seconds", "1", "-evp", digest]);
    let report = output(command.args(["-bytes", &length.to_string()]))?;
    // The last line is `+F:…:NAME:BYTES`, with the bytes per second.
    let bytes = report.lines().rev().find_map(|line| {
        let (_, bytes) = line.strip_prefix("+F:")?.rsplit_once(':')?;
        bytes.parse::<f64>().ok()
    });
    Ok(float(length) / bytes.ok_or("no figure")?)
}

fn file(content: &[u8]) -> Result<NamedTempFile> {
    let mut file = NamedTempFile::new()?;
    file.write_all(content)?;
    Ok(file)
}

/// Measures the CPU seconds of a single-threaded program, from its start to its end.
fn time(command: &str, input: Stdio) -> Result<f64> {
    let mut words = command.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).stdin(input);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    // The figures of an ended process remain readable until it is waited for.
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(Pid::from_child(&child)), ended)?;
    let seconds = cpu_seconds(&format!("/proc/{}/schedstat", child.id()));
    match child.wait()? {
        status if status.success() => seconds,
        status => Err(status.to_string().into()),
    }
}

/// Reads CPU time as the scheduler counts it, to the nanosecond, which excludes other processes.
fn cpu_seconds(schedstat: &str) -> Result<f64> {
    let text = fs::read_to_string(schedstat)?;
    let nanoseconds = text.split(' ').next().unwrap_or_default();
    Ok(nanoseconds.parse::<f64>()? / 1e9)
}
