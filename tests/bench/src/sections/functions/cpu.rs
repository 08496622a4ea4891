//! CPU time as the scheduler counts it, to the nanosecond: what else runs on the machine is not in it.

use std::fs;
use std::io;
use std::process::Child;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

/// Seconds of this thread so far.
pub(super) fn of_this_thread() -> io::Result<f64> {
    seconds("/proc/thread-self/schedstat")
}

/// Waits until a program of one thread has ended, and tells the seconds that it took.
pub(super) fn of_child(child: &Child) -> io::Result<f64> {
    let pid = Pid::from_child(child);
    // What has ended is known until somebody takes note of it.
    waitid(
        WaitId::Pid(pid),
        WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
    )?;
    seconds(&format!("/proc/{}/schedstat", child.id()))
}

fn seconds(file: &str) -> io::Result<f64> {
    let text = fs::read_to_string(file)?;
    let nanoseconds = text.split(' ').next().unwrap_or_default();
    let nanoseconds: f64 = nanoseconds.parse().map_err(io::Error::other)?;
    Ok(nanoseconds / 1e9)
}
