//! `Retry-After` header: RFC 9110 §10.2.3, both forms, seconds and HTTP-date (§5.6.7).
//!
//! The value comes from outside, so it is bounded. A provider cannot take itself out of service for
//! a year, and zero or a past date still means a pause.

use std::time::{Duration, SystemTime};

/// Shortest rest, for `0` and dates in the past.
const REST_MIN: Duration = Duration::from_secs(1);

/// Longest rest. Longer quotas come back as another 429, at one call an hour.
const REST_MAX: Duration = Duration::from_secs(3_600);

/// When a provider accepts requests again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryAfter {
    /// After this delay.
    Delay(Duration),
    /// At that time.
    Date(SystemTime),
}

impl RetryAfter {
    /// Parses the header's value. `None` if it has neither form.
    pub fn parse(value: &str) -> Option<Self> {
        let value = value.trim();
        if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
            let seconds = value.parse().unwrap_or(u64::MAX);
            return Some(Self::Delay(Duration::from_secs(seconds)));
        }
        httpdate::parse_http_date(value).ok().map(Self::Date)
    }

    /// Length of the rest from `now`: between one second and one hour.
    pub(crate) fn rest(self, now: SystemTime) -> Duration {
        let wanted = match self {
            Self::Delay(delay) => delay,
            Self::Date(date) => date.duration_since(now).unwrap_or_default(),
        };
        wanted.clamp(REST_MIN, REST_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110 §5.6.7.
    const EXAMPLE: Duration = Duration::from_secs(784_111_777);

    fn rest(value: &str, now: Duration) -> Option<u64> {
        let now = SystemTime::UNIX_EPOCH + now;
        RetryAfter::parse(value).map(|retry_after| retry_after.rest(now).as_secs())
    }

    #[test]
    fn seconds_are_clamped() {
        for (value, seconds) in [
            ("120", 120),
            (" 7 ", 7),
            ("0", 1),
            ("3600", 3600),
            ("3601", 3600),
            ("99999999999999999999999", 3600),
        ] {
            assert_eq!(rest(value, EXAMPLE), Some(seconds), "{value}");
        }
    }

    #[test]
    fn all_three_date_forms_of_rfc_9110_are_accepted() {
        for value in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(rest(value, EXAMPLE.saturating_sub(Duration::from_secs(90))), Some(90));
        }
    }

    #[test]
    fn a_date_in_the_past_is_the_shortest_rest_and_a_far_one_the_longest() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(rest(date, EXAMPLE + Duration::from_secs(5)), Some(1));
        assert_eq!(rest(date, Duration::ZERO), Some(3600));
    }

    #[test]
    fn anything_else_is_nothing() {
        for value in ["", "-1", "1.5", "soon", "12s", "Sun, 06 Nov 1994", "١٢"] {
            assert_eq!(RetryAfter::parse(value), None, "{value}");
        }
    }
}
