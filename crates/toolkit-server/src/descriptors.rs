//! Descriptors of the process. Each connection takes one.

/// Descriptors that a server requests.
const WANTED: u64 = 65_536;

/// Raises the limit: many systems start a process with 1,024 and allow more on request.
#[cfg(unix)]
pub(crate) fn raise() {
    use rustix::process::{Resource, getrlimit, setrlimit};

    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(WANTED).min(WANTED);
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(wanted);
        // If refused, fewer connections fit.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// Maximum descriptors of the process. Windows has no such limit.
pub(crate) fn count() -> usize {
    #[cfg(unix)]
    let current = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let current = None;
    current.unwrap_or(WANTED).min(WANTED).try_into().unwrap_or(usize::MAX)
}
