//! Signals that ask a process to stop: SIGTERM and SIGINT, on Windows Ctrl-C and Ctrl-Break.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use self::unix::Stop;
#[cfg(windows)]
pub use self::windows::Stop;
