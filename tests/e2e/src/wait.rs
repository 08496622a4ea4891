use std::thread;
use std::time::{Duration, Instant};

/// Waits until `look` returns a value.
///
/// # Panics
///
/// When it does not within `patience`.
pub fn until<T>(patience: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + patience;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited too long for {what}");
        thread::sleep(Duration::from_millis(10));
    }
}
