//! Order, deadline, retry, fault: scripted providers, paused time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use toolkit_llm::{Attempt, Availability, Chain, LlmErrorKind, Observer, Outcome, Overall};

use crate::support::hello;
use crate::support::script::{Script, Step, ask, availability, chain_of, seconds};

// Order

#[tokio::test(start_paused = true)]
async fn the_first_provider_replies_and_the_second_is_not_asked() {
    let (first, second) = (Script::new("a", [Step::Reply]), Script::new("b", [Step::Reply]));
    assert_eq!(ask(&chain_of([&first, &second])).await.unwrap(), "a");
    assert_eq!((first.calls(), second.calls()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn every_failure_of_a_provider_moves_on_to_the_next() {
    let (once, twice) = (1, 2);
    for (step, calls) in [
        (Step::Connection, twice),
        (Step::Status(502), twice),
        (Step::Status(503), twice),
        (Step::Status(504), twice),
        (Step::Status(302), once),
        (Step::Status(404), once),
        (Step::Status(500), once),
        (Step::Status(529), once),
        (Step::RateLimited(None), once),
        (Step::Denied, once),
        (Step::Declined, once),
        (Step::Unusable, once),
        (Step::Hang, once),
    ] {
        let (first, second) = (Script::new("a", [step]), Script::new("b", [Step::Reply]));
        assert_eq!(ask(&chain_of([&first, &second])).await.unwrap(), "b", "{step:?}");
        assert_eq!((first.calls(), second.calls()), (calls, 1), "{step:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_succeeds_is_the_reply() {
    for step in [Step::Connection, Step::Status(502), Step::Status(503), Step::Status(504)] {
        let (first, second) =
            (Script::new("a", [step, Step::Reply]), Script::new("b", [Step::Reply]));
        let chain = chain_of([&first, &second]);
        assert_eq!(ask(&chain).await.unwrap(), "a", "{step:?}");
        assert_eq!((first.calls(), second.calls()), (2, 0), "{step:?}");
        assert_eq!(availability(&chain), [Availability::Ok, Availability::Untried]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_is_never_retried() {
    let first = Script::new("a", [Step::Connection, Step::Status(503), Step::Reply]);
    let second = Script::new("b", [Step::Reply]);
    assert_eq!(ask(&chain_of([&first, &second])).await.unwrap(), "b");
    assert_eq!(first.calls(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_callers_fault_ends_the_call_without_fallback() {
    let (first, second) = (Script::new("a", [Step::Refused]), Script::new("b", [Step::Reply]));
    assert_eq!(ask(&chain_of([&first, &second])).await, Err(LlmErrorKind::Refused));
    assert_eq!((first.calls(), second.calls()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_bad_request_goes_on_and_is_the_callers_only_if_all_say_so() {
    let bad = Script::new("a", [Step::BadRequest]);
    for (step, expected) in [
        (Step::Reply, Ok("b".to_owned())),
        (Step::BadRequest, Err(LlmErrorKind::Refused)),
        (Step::Refused, Err(LlmErrorKind::Refused)),
        (Step::Unusable, Err(LlmErrorKind::Failed)),
        (Step::RateLimited(None), Err(LlmErrorKind::Failed)),
        (Step::NoText, Err(LlmErrorKind::Failed)),
        (Step::LimitSpent, Err(LlmErrorKind::Failed)),
    ] {
        let chain = chain_of([&bad, &Script::new("b", [step])]);
        assert_eq!(ask(&chain).await, expected, "{step:?}");
    }
    assert_eq!(ask(&chain_of([&bad])).await, Err(LlmErrorKind::Refused));
    // One that rests was not asked.
    let chain = chain_of([&bad, &Script::new("b", [Step::Denied])]);
    for _ in 0..2 {
        assert_eq!(ask(&chain).await, Err(LlmErrorKind::Failed));
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_counts_after_a_failure_too() {
    let (first, second) = (Script::new("a", [Step::Unusable]), Script::new("b", [Step::Refused]));
    assert_eq!(ask(&chain_of([&first, &second])).await, Err(LlmErrorKind::Refused));
}

#[tokio::test(start_paused = true)]
async fn when_all_fail_the_error_says_so() {
    let (first, second) = (Script::new("a", [Step::Status(500)]), Script::new("b", [Step::Denied]));
    assert_eq!(ask(&chain_of([&first, &second])).await, Err(LlmErrorKind::Failed));
}

#[tokio::test(start_paused = true)]
async fn a_chain_of_none_is_unconfigured() {
    let chain = chain_of([]);
    assert_eq!(ask(&chain).await, Err(LlmErrorKind::Unconfigured));
    assert_eq!(chain.status().status, Overall::Unconfigured);
}

#[tokio::test(start_paused = true)]
async fn prompt_and_output_limit_reach_the_provider() {
    let script = Script::new("a", [Step::Reply]);
    ask(&chain_of([&script])).await.unwrap();
    assert_eq!(script.seen(), (None, 8_192));
    let chain = chain_of([&script]).with_system_prompt("Be brief.").with_max_output_tokens(7);
    ask(&chain).await.unwrap();
    assert_eq!(script.seen(), (Some("Be brief.".to_owned()), 7));
    ask(&chain_of([&script]).with_system_prompt(" ")).await.unwrap();
    assert_eq!(script.seen(), (None, 8_192), "a blank prompt is none");
}

// Time

#[tokio::test(start_paused = true)]
async fn a_lone_provider_has_the_whole_deadline_of_30_seconds() {
    let script = Script::new("a", [Step::ReplyAfter(seconds(29)), Step::Hang]);
    let chain = chain_of([&script]);
    assert!(ask(&chain).await.is_ok());
    let started = Instant::now();
    assert_eq!(ask(&chain).await, Err(LlmErrorKind::DeadlineExceeded));
    assert_eq!(started.elapsed().as_secs(), 30);
}

#[tokio::test(start_paused = true)]
async fn the_deadline_can_be_set() {
    let chain = chain_of([&Script::new("a", [Step::Hang])]).with_deadline(seconds(3));
    let started = Instant::now();
    assert_eq!(ask(&chain).await, Err(LlmErrorKind::DeadlineExceeded));
    assert_eq!(started.elapsed().as_secs(), 3);
}

#[tokio::test(start_paused = true)]
async fn providers_without_a_timeout_share_the_deadline_evenly() {
    let hang = |name| Script::new(name, [Step::Hang]);
    let last = Script::new("c", [Step::Reply]);
    let started = Instant::now();
    assert_eq!(ask(&chain_of([&hang("a"), &hang("b"), &last])).await.unwrap(), "c");
    assert_eq!(started.elapsed().as_secs(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_provider_with_an_open_breaker_leaves_its_share_to_the_others() {
    let (first, second) = (Script::new("a", [Step::Hang]), Script::new("b", [Step::Denied]));
    let chain = chain_of([&first, &second]);
    assert_eq!(ask(&chain).await, Err(LlmErrorKind::Failed));
    let started = Instant::now();
    assert_eq!(ask(&chain).await, Err(LlmErrorKind::DeadlineExceeded));
    assert_eq!(started.elapsed().as_secs(), 30);
}

#[tokio::test(start_paused = true)]
async fn a_providers_own_timeout_moves_on() {
    let first = Script::with_timeout("a", Some(seconds(2)), [Step::Hang]);
    let second = Script::new("b", [Step::Reply]);
    let started = Instant::now();
    assert_eq!(ask(&chain_of([&first, &second])).await.unwrap(), "b");
    assert_eq!(started.elapsed().as_secs(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_below_the_deadline_is_a_failure_not_a_passed_deadline() {
    let script = Script::with_timeout("a", Some(seconds(2)), [Step::Hang]);
    assert_eq!(ask(&chain_of([&script])).await, Err(LlmErrorKind::Failed));
}

#[tokio::test(start_paused = true)]
async fn a_timeout_above_the_deadline_is_cut_to_it() {
    let script = Script::with_timeout("a", Some(seconds(600)), [Step::Hang]);
    let started = Instant::now();
    assert_eq!(ask(&chain_of([&script])).await, Err(LlmErrorKind::DeadlineExceeded));
    assert_eq!(started.elapsed().as_secs(), 30);
}

#[tokio::test(start_paused = true)]
async fn the_timeout_covers_the_retry() {
    let steps = [Step::FailAfter(seconds(4)), Step::Hang];
    let first = Script::with_timeout("a", Some(seconds(5)), steps);
    let second = Script::new("b", [Step::Reply]);
    let started = Instant::now();
    assert_eq!(ask(&chain_of([&first, &second])).await.unwrap(), "b");
    assert_eq!((first.calls(), started.elapsed().as_secs()), (2, 5));
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_would_come_too_late_is_not_made() {
    let steps = [Step::FailAfter(Duration::from_millis(4_900))];
    let first = Script::with_timeout("a", Some(seconds(5)), steps);
    let second = Script::new("b", [Step::Reply]);
    assert_eq!(ask(&chain_of([&first, &second])).await.unwrap(), "b");
    assert_eq!(first.calls(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_provider_cut_short_by_a_slow_one_before_it_is_not_blamed() {
    let first = Script::with_timeout("a", Some(seconds(25)), [Step::Hang]);
    let second = Script::with_timeout("b", Some(seconds(20)), [Step::Hang]);
    let chain = chain_of([&first, &second]);
    for _ in 0..3 {
        assert_eq!(ask(&chain).await, Err(LlmErrorKind::DeadlineExceeded));
    }
    assert_eq!(availability(&chain), [Availability::CoolingDown, Availability::Untried]);
}

#[tokio::test(start_paused = true)]
async fn extreme_times_do_no_harm() {
    let chain = chain_of([&Script::with_timeout("a", Some(Duration::MAX), [Step::Reply])]);
    assert!(ask(&chain.with_deadline(Duration::MAX)).await.is_ok());
    let chain = chain_of([&Script::with_timeout("a", Some(Duration::ZERO), [Step::Hang])]);
    assert_eq!(ask(&chain).await, Err(LlmErrorKind::Failed));
    let chain = chain_of([&Script::new("a", [Step::Reply])]).with_deadline(Duration::ZERO);
    assert_eq!(ask(&chain).await, Err(LlmErrorKind::DeadlineExceeded));
}

// What an observer sees

#[tokio::test(start_paused = true)]
async fn the_status_serialises_without_asking_a_provider() {
    let (first, second) = (Script::new("a", [Step::Denied]), Script::new("b", [Step::Reply]));
    let third = Script::new("c", [Step::Reply]);
    let chain = chain_of([&first, &second, &third]);
    ask(&chain).await.unwrap();
    for _ in 0..1_000 {
        chain.status();
    }
    assert_eq!(
        serde_json::to_value(chain.status()).unwrap(),
        json!({
            "status": "degraded",
            "providers": [
                {"name": "a", "status": "cooling_down"},
                {"name": "b", "status": "ok"},
                {"name": "c", "status": "untried"},
            ],
        })
    );
    assert_eq!((first.calls(), second.calls(), third.calls()), (1, 1, 0));
}

#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Notes {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl Observer for Notes {
    fn attempted(&self, attempt: Attempt<'_>) {
        let Attempt { provider, outcome, duration, .. } = attempt;
        let note = format!("{provider} {} {}", outcome.as_str(), duration.as_secs());
        self.0.lock().unwrap().push(note);
    }

    fn rested(&self, provider: &str, rest: Duration) {
        self.0.lock().unwrap().push(format!("{provider} rests {}", rest.as_secs()));
    }
}

#[tokio::test(start_paused = true)]
async fn an_observer_is_notified_of_each_attempt_and_each_rest() {
    let first = Script::new("a", [Step::Status(503), Step::FailAfter(seconds(2)), Step::Denied]);
    let second = Script::new("b", [Step::ReplyAfter(seconds(3)), Step::Hang]);
    let notes = Arc::new(Notes::default());
    let chain = chain_of([&first, &second]).with_observer(notes.clone());
    ask(&chain).await.unwrap();
    assert_eq!(notes.take(), ["a status 0", "a connection 2", "b reply 3"]);

    let _ = tokio::time::timeout(seconds(4), ask(&chain)).await;
    assert_eq!(notes.take(), ["a denied 0", "a rests 600", "b cancelled 4"]);

    ask(&chain).await.unwrap_err();
    assert_eq!(notes.take(), ["b timeout 30"]);
}

#[test]
fn outcomes_have_distinct_labels() {
    let mut labels: Vec<_> = Outcome::ALL.map(Outcome::as_str).to_vec();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), Outcome::ALL.len());
}

#[test]
fn a_call_can_be_spawned_and_a_chain_shared() {
    fn assert_send<T: Send>(_: T) {}
    fn assert_share<T: Send + Sync + 'static>() {}
    assert_share::<Chain>();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let _guard = runtime.enter();
    assert_send(chain_of([]).reply(&hello()));
}
