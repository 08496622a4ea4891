//! Retry backoff: exponential, with jitter.

use time::Duration;

use crate::limits::{RETRY_FIRST, RETRY_MAX};

/// The wait after an attempt, counted from 1: 0.5 to 1.5 times the base, at random, so that mails
/// that failed together are not retried together.
pub(crate) fn wait(attempt: u32) -> Duration {
    base(attempt) * rand::random_range(0.5..1.5)
}

fn base(attempt: u32) -> Duration {
    RETRY_MAX.min(RETRY_FIRST * (1 << attempt.saturating_sub(1).min(16)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_from_fifteen_seconds_to_an_hour() {
        let waits: Vec<_> = (1..=10).map(|attempt| base(attempt).whole_seconds()).collect();
        assert_eq!(waits, [15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
        assert_eq!(base(u32::MAX), Duration::HOUR);
        assert_eq!(base(0), Duration::seconds(15));
    }

    #[test]
    fn jitter_spreads_the_wait_around_its_base() {
        let waits: Vec<_> = (0..200).map(|_| wait(3)).collect();
        assert!(waits.iter().all(|wait| (30..=90).contains(&wait.whole_seconds())), "{waits:?}");
        assert!(waits.iter().any(|wait| wait.whole_seconds() < 50));
        assert!(waits.iter().any(|wait| wait.whole_seconds() > 70));
    }
}
