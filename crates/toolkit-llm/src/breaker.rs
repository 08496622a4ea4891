//! Circuit breaker: when a provider rests, and how it comes back. It is given the time.
//!
//! Three failures in a row open it. While it is open, calls pass the provider by. When the rest is
//! over a single call, the probe, is let through while all others still pass by; its success
//! closes the breaker, its failure opens it again for twice as long. A rest that the provider asked
//! for (429) or that a refused key earns ends the same way.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::status::Availability;

/// Failures in a row that open a breaker.
const FAILURES_MAX: u32 = 3;

/// First rest: long enough to spare a provider that restarts, short enough that few users notice.
const REST_FIRST: Duration = Duration::from_secs(10);

/// Longest rest: a dead provider costs one call a minute.
const REST_LONGEST: Duration = Duration::from_secs(60);

/// What a probe under way is worth to whoever asks when to come back.
const PROBE_WAIT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy)]
enum State {
    /// Nothing was learned yet.
    Untried,
    Closed {
        failures: u32,
        /// The rests before the probe that gave content and has not ended yet; 0 after a success.
        rests: u32,
    },
    Open {
        until: Duration,
        rests: u32,
    },
    HalfOpen {
        rests: u32,
    },
}

/// The breaker of one provider.
#[derive(Debug)]
pub(crate) struct Breaker {
    state: Arc<Mutex<State>>,
}

/// Leave to make one call; what became of it is told by its methods.
///
/// Dropped untold (the caller went away), it teaches nothing, and a probe's place is free again.
#[derive(Debug)]
pub(crate) struct Permit {
    state: Arc<Mutex<State>>,
    /// The rests before, when this is the probe that ends them.
    probe: Option<u32>,
    told: bool,
}

impl Breaker {
    pub(crate) fn new() -> Self {
        Self {
            state: Arc::new(Mutex::new(State::Untried)),
        }
    }

    /// Lets a call through, or not.
    pub(crate) fn admit(&self, now: Duration) -> Option<Permit> {
        let mut state = self.lock();
        let probe = match *state {
            State::Untried | State::Closed { .. } => None,
            State::Open { until, rests } if now >= until => {
                *state = State::HalfOpen { rests };
                Some(rests)
            }
            State::Open { .. } | State::HalfOpen { .. } => return None,
        };
        Some(Permit {
            state: Arc::clone(&self.state),
            probe,
            told: false,
        })
    }

    /// How long until a call may be let through; nothing if one would be now.
    pub(crate) fn wait(&self, now: Duration) -> Option<Duration> {
        match *self.lock() {
            State::Open { until, .. } if now < until => Some(until.saturating_sub(now)),
            State::HalfOpen { .. } => Some(PROBE_WAIT),
            _ => None,
        }
    }

    /// The state as a health report tells it.
    pub(crate) fn availability(&self, now: Duration) -> Availability {
        match *self.lock() {
            State::Closed { .. } => Availability::Ok,
            State::Open { until, .. } if now < until => Availability::CoolingDown,
            State::HalfOpen { .. } => Availability::CoolingDown,
            State::Untried | State::Open { .. } => Availability::Untried,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // No code panics while it holds the lock, and the state is whole at every moment.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Permit {
    /// The provider has begun to answer: a probe is over, so others may call again. The count of
    /// failures stays until the answer is whole.
    pub(crate) fn first_content(&mut self) {
        if let Some(rests) = self.probe.take() {
            *lock(&self.state) = State::Closed {
                failures: FAILURES_MAX,
                rests,
            };
        }
    }

    /// The provider works.
    pub(crate) fn succeeded(mut self) {
        self.told = true;
        let shared = Arc::clone(&self.state);
        let mut state = lock(&shared);
        // A late success of a call from before the rest does not end the rest.
        if self.may_tell(*state) {
            *state = State::Closed {
                failures: 0,
                rests: 0,
            };
        }
    }

    /// The provider failed; returns the rest if that opens the breaker.
    pub(crate) fn failed(mut self, now: Duration) -> Option<Duration> {
        self.told = true;
        let shared = Arc::clone(&self.state);
        let mut state = lock(&shared);
        if !self.may_tell(*state) {
            return None;
        }
        let (failures, rests) = match *state {
            State::Closed { failures, rests } => (failures + 1, rests),
            _ => (1, 0),
        };
        if self.probe.is_none() && failures < FAILURES_MAX {
            *state = State::Closed { failures, rests };
            return None;
        }
        let rests = self.probe.unwrap_or(rests);
        let rest = REST_FIRST
            .saturating_mul(2_u32.saturating_pow(rests))
            .min(REST_LONGEST);
        *state = State::Open {
            until: now.saturating_add(rest),
            rests: rests.saturating_add(1),
        };
        Some(rest)
    }

    /// The provider is to rest for `rest`, at least.
    pub(crate) fn rest(mut self, now: Duration, rest: Duration) {
        self.told = true;
        let shared = Arc::clone(&self.state);
        let mut state = lock(&shared);
        let wanted = now.saturating_add(rest);
        *state = match *state {
            State::Open { until, rests } => State::Open {
                until: until.max(wanted),
                rests,
            },
            // Another call is the probe; its word counts.
            State::HalfOpen { rests } if self.probe.is_none() => State::HalfOpen { rests },
            _ => State::Open {
                until: wanted,
                rests: self.probe.unwrap_or(0),
            },
        };
    }

    /// Whether this call still says something of the state: it is the probe, or the breaker has
    /// not opened since it began.
    fn may_tell(&self, state: State) -> bool {
        self.probe.is_some() || matches!(state, State::Untried | State::Closed { .. })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let (false, Some(rests)) = (self.told, self.probe) {
            // The rest was over, so the next call is the probe.
            *lock(&self.state) = State::Open {
                until: Duration::ZERO,
                rests,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn fail(breaker: &Breaker, now: u64) -> Option<u64> {
        let rest = breaker
            .admit(at(now))
            .expect("it takes calls")
            .failed(at(now));
        rest.map(|rest| rest.as_secs())
    }

    fn succeed(breaker: &Breaker, now: u64) {
        breaker.admit(at(now)).expect("it takes calls").succeeded();
    }

    fn opened_at_zero() -> Breaker {
        let breaker = Breaker::new();
        assert_eq!(
            [fail(&breaker, 0), fail(&breaker, 0), fail(&breaker, 0)],
            [None, None, Some(10)]
        );
        breaker
    }

    #[test]
    fn the_third_failure_in_a_row_opens_it() {
        let breaker = opened_at_zero();
        assert!(breaker.admit(at(9)).is_none());
        assert_eq!(breaker.wait(at(4)), Some(at(6)));
        assert_eq!(breaker.availability(at(9)), Availability::CoolingDown);
    }

    #[test]
    fn a_success_between_starts_the_count_again() {
        let breaker = Breaker::new();
        for _ in 0..5 {
            assert_eq!(fail(&breaker, 0), None);
            assert_eq!(fail(&breaker, 0), None);
            succeed(&breaker, 0);
        }
        assert_eq!(breaker.availability(at(0)), Availability::Ok);
    }

    #[test]
    fn after_the_rest_one_probe_goes_and_the_others_pass_by() {
        let breaker = opened_at_zero();
        let probe = breaker.admit(at(10)).unwrap();
        assert!(breaker.admit(at(10)).is_none());
        assert_eq!(breaker.wait(at(10)), Some(PROBE_WAIT));
        assert_eq!(breaker.availability(at(10)), Availability::CoolingDown);
        probe.succeeded();
        assert_eq!(breaker.availability(at(10)), Availability::Ok);
        assert!(breaker.admit(at(10)).is_some() && breaker.admit(at(10)).is_some());
    }

    #[test]
    fn the_first_content_of_a_probe_lets_others_call_and_its_death_reopens_it_for_longer() {
        let breaker = opened_at_zero();
        let mut probe = breaker.admit(at(10)).unwrap();
        probe.first_content();
        let other = breaker.admit(at(10)).expect("others may call");
        assert_eq!(probe.failed(at(11)), Some(at(20)));
        assert!(breaker.admit(at(12)).is_none());
        other.succeeded();
        assert!(
            breaker.admit(at(12)).is_none(),
            "a call from before the rest"
        );
        // A whole answer ends the matter.
        let mut probe = breaker.admit(at(31)).unwrap();
        probe.first_content();
        probe.succeeded();
        assert_eq!(fail(&breaker, 32), None);
        // A client that leaves in the middle teaches nothing.
        let breaker = opened_at_zero();
        let mut probe = breaker.admit(at(10)).unwrap();
        probe.first_content();
        drop(probe);
        assert_eq!(fail(&breaker, 11), Some(20));
    }

    #[test]
    fn a_closed_breaker_again_takes_three_failures() {
        let breaker = opened_at_zero();
        succeed(&breaker, 10);
        assert_eq!(
            [fail(&breaker, 11), fail(&breaker, 11), fail(&breaker, 11)],
            [None, None, Some(10)],
        );
    }

    #[test]
    fn each_probe_that_fails_doubles_the_rest_up_to_a_minute() {
        let breaker = opened_at_zero();
        let mut now = 10;
        for rest in [20, 40, 60, 60, 60] {
            assert_eq!(fail(&breaker, now), Some(rest));
            assert!(breaker.admit(at(now + rest - 1)).is_none());
            now += rest;
        }
        succeed(&breaker, now);
        assert_eq!(breaker.availability(at(now)), Availability::Ok);
    }

    #[test]
    fn a_dropped_probe_frees_its_place() {
        let breaker = opened_at_zero();
        drop(breaker.admit(at(10)).unwrap());
        assert_eq!(breaker.wait(at(10)), None);
        assert_eq!(fail(&breaker, 10), Some(20), "the next call is the probe");
    }

    #[test]
    fn a_dropped_call_is_no_failure() {
        let breaker = Breaker::new();
        for _ in 0..9 {
            drop(breaker.admit(at(0)).unwrap());
        }
        assert_eq!(breaker.availability(at(0)), Availability::Untried);
    }

    #[test]
    fn a_rest_that_was_asked_for_ends_with_a_probe_too() {
        let breaker = Breaker::new();
        breaker.admit(at(0)).unwrap().rest(at(0), at(100));
        assert_eq!(breaker.wait(at(1)), Some(at(99)));
        assert_eq!(breaker.availability(at(100)), Availability::Untried);
        let _probe = breaker.admit(at(100)).unwrap();
        assert!(breaker.admit(at(100)).is_none());
    }

    #[test]
    fn a_call_from_before_the_rest_neither_ends_nor_shortens_nor_counts_in_it() {
        let breaker = Breaker::new();
        let late: Vec<_> = (0..4).map(|_| breaker.admit(at(0)).unwrap()).collect();
        breaker.admit(at(0)).unwrap().rest(at(0), at(100));
        let mut late = late.into_iter();
        late.next().unwrap().succeeded();
        assert_eq!(late.next().unwrap().failed(at(1)), None);
        late.next().unwrap().rest(at(1), at(5));
        assert_eq!(breaker.wait(at(1)), Some(at(99)));

        let probe = breaker.admit(at(100)).unwrap();
        late.next().unwrap().rest(at(100), at(500));
        probe.succeeded();
        assert_eq!(breaker.availability(at(100)), Availability::Ok);
    }

    #[test]
    fn of_two_rests_the_later_end_counts() {
        let breaker = Breaker::new();
        let (first, second) = (breaker.admit(at(0)).unwrap(), breaker.admit(at(0)).unwrap());
        first.rest(at(0), at(10));
        second.rest(at(0), at(30));
        assert_eq!(breaker.wait(at(0)), Some(at(30)));
    }
}
