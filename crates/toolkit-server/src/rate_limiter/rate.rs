//! Rates: requests per minute and burst, as GCRA parameters.

use std::time::Duration;

/// The parameters of a limit, the same wherever it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Cost of one request in nanoseconds.
    cost: u64,
    /// Burst tolerance in nanoseconds: how far the theoretical arrival time may be ahead.
    tolerance: u64,
}

const NANOSECONDS_PER_MINUTE: u64 = 60_000_000_000;

const NANOSECONDS_PER_DAY: u64 = 24 * 60 * NANOSECONDS_PER_MINUTE;

impl Rate {
    /// Requests per minute, and at once. `None` means no limit.
    pub fn new(per_minute: u32, burst: u32) -> Option<Self> {
        Self::per(NANOSECONDS_PER_MINUTE, per_minute, burst)
    }

    /// Requests per day, which may all come at once. `None` means no limit.
    pub fn per_day(requests: u32) -> Option<Self> {
        Self::per(NANOSECONDS_PER_DAY, requests, requests)
    }

    fn per(period: u64, requests: u32, burst: u32) -> Option<Self> {
        let cost = period.checked_div(u64::from(requests))?;
        let tolerance = cost.saturating_mul(u64::from(burst.max(1)) - 1);
        Some(Self { cost, tolerance })
    }

    /// Cost of one request.
    pub(super) fn cost(self) -> Duration {
        Duration::from_nanos(self.cost)
    }

    /// Burst tolerance.
    pub(super) fn tolerance(self) -> Duration {
        Duration::from_nanos(self.tolerance)
    }

    /// The combined rate of this many clients.
    pub(super) fn times(self, shares: usize) -> Self {
        let cost = self.cost / u64::try_from(shares).unwrap_or(u64::MAX);
        Self { cost, tolerance: self.tolerance.saturating_add(self.cost - cost) }
    }

    /// Counts a request at `now` of a client whose theoretical arrival time is `paid`, both in
    /// nanoseconds.
    ///
    /// Returns the new arrival time, or the time to wait.
    pub(super) fn check(self, paid: u64, now: u64) -> Result<u64, Duration> {
        let paid = paid.max(now);
        let ahead = paid - now;
        if ahead > self.tolerance {
            return Err(Duration::from_nanos(ahead - self.tolerance));
        }
        Ok(paid.saturating_add(self.cost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends requests at these seconds and returns which were admitted.
    fn passes(rate: Rate, seconds: &[u64]) -> Vec<bool> {
        let mut paid = 0;
        let mut pass = |&second: &u64| match rate.check(paid, second * 1_000_000_000) {
            Ok(next) => {
                paid = next;
                true
            }
            Err(_) => false,
        };
        seconds.iter().map(&mut pass).collect()
    }

    #[test]
    fn a_client_may_be_ahead_by_the_burst_less_the_request_itself() {
        let rate = Rate::new(6, 3).unwrap();
        assert_eq!(rate.cost(), Duration::from_secs(10));
        assert_eq!(rate.tolerance(), Duration::from_secs(20));
    }

    #[test]
    fn a_burst_passes_at_once_and_then_requests_at_the_rate() {
        let rate = Rate::new(6, 3).unwrap();
        assert_eq!(passes(rate, &[0, 0, 0, 0]), [true, true, true, false]);
        assert_eq!(passes(rate, &[0, 0, 0, 9, 10, 10]), [true, true, true, false, true, false]);
        assert_eq!(
            passes(rate, &[0, 0, 0, 60, 60, 60, 60]),
            [true, true, true, true, true, true, false]
        );
    }

    #[test]
    fn a_wait_ends_exactly_when_the_next_request_passes() {
        let rate = Rate::new(7, 2).unwrap();
        let mut paid = 0;
        for _ in 0..2 {
            paid = rate.check(paid, 5).unwrap();
        }
        let wait = rate.check(paid, 5).unwrap_err();
        let wait = u64::try_from(wait.as_nanos()).unwrap();
        assert!(rate.check(paid, 5 + wait - 1).is_err());
        assert!(rate.check(paid, 5 + wait).is_ok());
    }

    #[test]
    fn a_refused_request_costs_nothing() {
        let rate = Rate::new(60, 1).unwrap();
        let paid = rate.check(0, 0).unwrap();
        for _ in 0..100 {
            assert_eq!(rate.check(paid, 0), Err(Duration::from_secs(1)));
        }
    }

    #[test]
    fn the_rate_of_several_clients_is_so_many_times_that_of_one() {
        assert_eq!(Rate::new(6, 3).unwrap().times(4), Rate::new(24, 12).unwrap());
        assert_eq!(Rate::new(6, 3).unwrap().times(1), Rate::new(6, 3).unwrap());
        assert!(Rate::new(1, u32::MAX).unwrap().times(2).cost() > Duration::ZERO);
    }

    #[test]
    fn zero_per_minute_means_no_limit_and_a_burst_of_zero_means_one() {
        assert_eq!(Rate::per_day(0), None);
        assert_eq!(Rate::per_day(1_440 * 5), Rate::new(5, 7_200));
        assert_eq!(Rate::new(0, 10), None);
        assert_eq!(Rate::new(60, 0), Rate::new(60, 1));
        assert!(Rate::new(u32::MAX, u32::MAX).is_some());
    }
}
