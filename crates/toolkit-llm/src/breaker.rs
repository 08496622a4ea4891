//! Circuit breaker: pauses calls to a failing provider. The caller passes in the time.
//!
//! Three failures in a row open it for a rest, during which calls skip the provider. After the
//! rest, a single probe call is admitted while all others still skip. If the probe succeeds, the
//! breaker closes. If it fails, the breaker opens again for twice as long. Silence counts as a
//! failure once two callers have met it. A rest requested by the provider (429) or caused by a
//! refused key ends the same way.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::status::Availability;

/// When a provider's circuit breaker opens, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BreakerOptions {
    /// Consecutive failures that open it, 3 by default.
    pub failures: u32,
    /// First rest, 10 s by default: long enough for a provider to restart, short enough that few
    /// users notice.
    pub first_rest: Duration,
    /// Longest rest, 60 s by default: a dead provider costs one call a minute.
    pub longest_rest: Duration,
}

impl Default for BreakerOptions {
    fn default() -> Self {
        Self {
            failures: 3,
            first_rest: Duration::from_secs(10),
            longest_rest: Duration::from_secs(60),
        }
    }
}

/// First rest after a 429 without a time. Limits are usually per minute, but one refused request
/// must not take a chain of one provider down for long.
const LIMITED_REST: Duration = Duration::from_secs(5);

/// Wait reported to callers while a probe is running.
const PROBE_WAIT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy)]
enum State {
    /// No call has ended yet.
    Untried,
    Closed {
        failures: u32,
        /// Rests before the probe, which has produced content but not ended. 0 after a success.
        rests: u32,
        silence: Met,
    },
    Open {
        until: Duration,
        rests: u32,
    },
    HalfOpen {
        rests: u32,
    },
}

/// Callers that met the provider's silence since its last success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    Nobody,
    /// One caller, this many times. Not counted as failures.
    One(u128, u32),
    /// Several callers. Counted as a failure.
    Several,
}

/// Effect of a silence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Counted. If it opened the breaker, this is the rest.
    Counted(Option<Duration>),
    /// One caller alone has met it so often that the chain should send a probe of its own.
    Doubtful,
}

/// One provider's circuit breaker. Clones are the same breaker.
#[derive(Debug, Clone)]
pub(crate) struct Breaker(Arc<Mutex<State>>);

/// Permission for one call. Its methods report the call's outcome.
///
/// If dropped without a report, because the caller went away, it changes nothing and frees a
/// probe's place.
#[derive(Debug)]
pub(crate) struct Permit {
    breaker: Breaker,
    /// Rests so far, if this call is the probe that ends them.
    probe: Option<u32>,
}

impl Breaker {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(State::Untried)))
    }

    /// Admits a call, or returns `None`.
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
        Some(Permit { breaker: self.clone(), probe })
    }

    /// Time until a call may be admitted. `None` if one would be admitted now.
    pub(crate) fn wait(&self, now: Duration) -> Option<Duration> {
        match *self.lock() {
            State::Open { until, .. } if now < until => Some(until.saturating_sub(now)),
            State::HalfOpen { .. } => Some(PROBE_WAIT),
            _ => None,
        }
    }

    /// The state as shown in health checks.
    pub(crate) fn availability(&self, now: Duration) -> Availability {
        match *self.lock() {
            State::Closed { .. } => Availability::Ok,
            State::Open { until, .. } if now < until => Availability::CoolingDown,
            State::HalfOpen { .. } => Availability::CoolingDown,
            State::Untried | State::Open { .. } => Availability::Untried,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code panics while holding the lock, and the state is always consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit {
    /// Reports the first content. A probe has succeeded, so others may call again. The failure
    /// count stays until the answer is complete.
    pub(crate) fn first_content(&mut self, options: &BreakerOptions) {
        if let Some(rests) = self.probe.take() {
            let failures = options.failures;
            *self.breaker.lock() = State::Closed { failures, rests, silence: Met::Nobody };
        }
    }

    /// Reports success.
    pub(crate) fn succeeded(mut self) {
        let (probe, mut state) = self.end();
        // A late success of a call from before the rest does not end the rest.
        if may_tell(probe, *state) {
            *state = State::Closed { failures: 0, rests: 0, silence: Met::Nobody };
        }
    }

    /// Reports a failure. Returns the rest if it opens the breaker.
    pub(crate) fn failed(mut self, now: Duration, options: &BreakerOptions) -> Option<Duration> {
        let (probe, mut state) = self.end();
        if !may_tell(probe, *state) {
            return None;
        }
        let (failures, rests, silence) = so_far(*state);
        let failures = failures + 1;
        if probe.is_none() && failures < options.failures {
            *state = State::Closed { failures, rests, silence };
            return None;
        }
        let rests = probe.unwrap_or(rests);
        let rest = options
            .first_rest
            .saturating_mul(2_u32.saturating_pow(rests))
            .min(options.longest_rest);
        *state = State::Open { until: now.saturating_add(rest), rests: rests.saturating_add(1) };
        Some(rest)
    }

    /// Reports that the provider was silent for a caller, whose conversation may be the reason.
    pub(crate) fn silent(
        mut self,
        caller: u128,
        now: Duration,
        options: &BreakerOptions,
    ) -> Silence {
        if self.probe.is_some() {
            // Dropping it leaves the place to the next call.
            return Silence::Doubtful;
        }
        let (_, mut state) = self.end();
        if !may_tell(None, *state) {
            return Silence::Counted(None);
        }
        let (failures, rests, silence) = so_far(*state);
        let (silence, failures) = match silence {
            Met::Nobody => (Met::One(caller, 1), failures),
            Met::One(known, times) if known == caller => (Met::One(caller, times + 1), failures),
            Met::One(_, times) => (Met::Several, failures + times),
            Met::Several => (Met::Several, failures),
        };
        *state = State::Closed { failures, rests, silence };
        drop(state);
        match silence {
            Met::One(_, times) if times.is_multiple_of(options.failures.max(1)) => {
                Silence::Doubtful
            }
            Met::One(..) => Silence::Counted(None),
            Met::Nobody | Met::Several => Silence::Counted(self.failed(now, options)),
        }
    }

    /// Makes the provider rest after a 429 without a time. Returns the rest, which doubles while
    /// 429s continue.
    pub(crate) fn limited(self, now: Duration, options: &BreakerOptions) -> Duration {
        let rests = self.probe.unwrap_or_default();
        let rest = LIMITED_REST.saturating_mul(2_u32.saturating_pow(rests));
        let rest = rest.min(options.longest_rest);
        self.open(now, rest, 1);
        rest
    }

    /// Makes the provider rest for at least `rest`.
    pub(crate) fn rest(self, now: Duration, rest: Duration) {
        self.open(now, rest, 0);
    }

    fn open(mut self, now: Duration, rest: Duration, more_rests: u32) {
        let (probe, mut state) = self.end();
        let wanted = now.saturating_add(rest);
        *state = match *state {
            State::Open { until, rests } => State::Open { until: until.max(wanted), rests },
            // Another call is the probe, and its outcome decides.
            State::HalfOpen { rests } if probe.is_none() => State::HalfOpen { rests },
            _ => {
                State::Open { until: wanted, rests: probe.unwrap_or(0).saturating_add(more_rests) }
            }
        };
    }

    /// Ends the call, so that dropping the permit has no further effect.
    fn end(&mut self) -> (Option<u32>, MutexGuard<'_, State>) {
        (self.probe.take(), self.breaker.lock())
    }
}

/// Failures, rests and silence of a provider that takes calls.
fn so_far(state: State) -> (u32, u32, Met) {
    match state {
        State::Closed { failures, rests, silence } => (failures, rests, silence),
        _ => (0, 0, Met::Nobody),
    }
}

/// Whether a call's outcome still counts: it is the probe, or the breaker has not opened since the
/// call began.
fn may_tell(probe: Option<u32>, state: State) -> bool {
    probe.is_some() || matches!(state, State::Untried | State::Closed { .. })
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(rests) = self.probe {
            // The rest was over, so the next call is the probe.
            *self.breaker.lock() = State::Open { until: Duration::ZERO, rests };
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
            .failed(at(now), &BreakerOptions::default());
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
    fn after_the_rest_one_probe_is_sent_and_others_skip() {
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
    fn the_first_content_of_a_probe_admits_other_calls_and_its_failure_reopens_the_breaker_for_longer()
     {
        let breaker = opened_at_zero();
        let mut probe = breaker.admit(at(10)).unwrap();
        probe.first_content(&BreakerOptions::default());
        let other = breaker.admit(at(10)).expect("others may call");
        assert_eq!(probe.failed(at(11), &BreakerOptions::default()), Some(at(20)));
        assert!(breaker.admit(at(12)).is_none());
        other.succeeded();
        assert!(breaker.admit(at(12)).is_none(), "a call from before the rest");
        // A complete answer closes the breaker.
        let mut probe = breaker.admit(at(31)).unwrap();
        probe.first_content(&BreakerOptions::default());
        probe.succeeded();
        assert_eq!(fail(&breaker, 32), None);
        // A client that leaves in the middle changes nothing.
        let breaker = opened_at_zero();
        let mut probe = breaker.admit(at(10)).unwrap();
        probe.first_content(&BreakerOptions::default());
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
    fn silence_counts_once_two_callers_have_met_it() {
        let options = BreakerOptions::default();
        let breaker = Breaker::new();
        let silent = |caller| breaker.admit(at(0)).unwrap().silent(caller, at(0), &options);
        for _ in 0..2 {
            assert_eq!([silent(1), silent(1)], [Silence::Counted(None), Silence::Counted(None)]);
            assert_eq!(silent(1), Silence::Doubtful);
            assert_eq!(breaker.availability(at(0)), Availability::Ok);
            // Nor do they add to failures of another kind.
            assert_eq!((fail(&breaker, 0), fail(&breaker, 0)), (None, None));
            succeed(&breaker, 0);
        }
        assert_eq!([silent(1), silent(2)], [Silence::Counted(None), Silence::Counted(None)]);
        assert_eq!(silent(1), Silence::Counted(Some(Duration::from_secs(10))));
    }

    #[test]
    fn a_probe_that_is_silent_for_its_caller_leaves_its_place_to_the_next() {
        let breaker = opened_at_zero();
        let probe = breaker.admit(at(10)).unwrap();
        let options = BreakerOptions::default();
        assert_eq!(probe.silent(1, at(10), &options), Silence::Doubtful);
        assert_eq!(fail(&breaker, 10), Some(20));
    }

    #[test]
    fn a_dropped_probe_frees_its_place() {
        let breaker = opened_at_zero();
        drop(breaker.admit(at(10)).unwrap());
        assert_eq!(breaker.wait(at(10)), None);
        assert_eq!(fail(&breaker, 10), Some(20), "the next call is the probe");
    }

    #[test]
    fn a_dropped_call_is_not_a_failure() {
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
        assert_eq!(late.next().unwrap().failed(at(1), &BreakerOptions::default()), None);
        late.next().unwrap().rest(at(1), at(5));
        assert_eq!(breaker.wait(at(1)), Some(at(99)));

        let probe = breaker.admit(at(100)).unwrap();
        late.next().unwrap().rest(at(100), at(500));
        probe.succeeded();
        assert_eq!(breaker.availability(at(100)), Availability::Ok);
    }

    #[test]
    fn the_later_of_two_rests_counts() {
        let breaker = Breaker::new();
        let (first, second) = (breaker.admit(at(0)).unwrap(), breaker.admit(at(0)).unwrap());
        first.rest(at(0), at(10));
        second.rest(at(0), at(30));
        assert_eq!(breaker.wait(at(0)), Some(at(30)));
    }
}
