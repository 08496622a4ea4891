//! Circuit breaker: scripted providers under paused time.

use std::time::{Duration, SystemTime};

use tokio::time::Instant;
use toolkit_llm::{Availability, BreakerOptions, LlmErrorKind, Overall, RetryAfter};

use crate::support::hello;
use crate::support::script::{
    Script, Step, ask, ask_times, availability, chain_of, rest as rests, seconds,
};

#[tokio::test(start_paused = true)]
async fn a_429_rests_the_provider_as_long_as_it_asks_and_nobody_waits_for_it() {
    let retry_after = Some(RetryAfter::Delay(seconds(120)));
    let first = Script::new("a", [Step::RateLimited(retry_after), Step::Reply]);
    let second = Script::new("b", [Step::Reply]);
    let chain = chain_of([&first, &second]);
    let started = Instant::now();
    assert_eq!(ask(&chain).await.unwrap(), "b");
    assert_eq!(started.elapsed(), Duration::ZERO);
    assert_eq!(availability(&chain), [Availability::CoolingDown, Availability::Ok]);

    tokio::time::advance(seconds(119)).await;
    assert_eq!(ask(&chain).await.unwrap(), "b");
    assert_eq!(first.calls(), 1);
    tokio::time::advance(seconds(1)).await;
    assert_eq!(ask(&chain).await.unwrap(), "a");
}

#[tokio::test(start_paused = true)]
async fn an_hour_of_retry_after_is_not_slept_and_more_is_cut_to_it() {
    for (asked_for, rest) in [(3_600, 3_600), (86_400, 3_600)] {
        let retry_after = Some(RetryAfter::Delay(seconds(asked_for)));
        let chain = chain_of([&Script::new("a", [Step::RateLimited(retry_after)])]);
        let started = Instant::now();
        assert_eq!(ask(&chain).await, Err(LlmErrorKind::CoolingDown));
        assert_eq!(rests(&chain).await, seconds(rest));
        assert_eq!(started.elapsed(), Duration::ZERO);
    }
}

#[tokio::test(start_paused = true)]
async fn a_429_without_a_time_rests_5_seconds_and_each_further_one_twice_as_long_up_to_a_minute() {
    let script = Script::new("a", [Step::RateLimited(None)]);
    let chain = chain_of([&script]);
    for rest in [5, 10, 20, 40, 60, 60] {
        ask(&chain).await.unwrap_err();
        assert_eq!(rests(&chain).await, seconds(rest));
        tokio::time::advance(seconds(rest)).await;
    }
    script.set([Step::Reply, Step::RateLimited(None)]);
    ask(&chain).await.unwrap();
    ask(&chain).await.unwrap_err();
    assert_eq!(rests(&chain).await, seconds(5));
}

#[tokio::test(start_paused = true)]
async fn a_429_with_a_date_rests_until_then() {
    let date = Some(RetryAfter::Date(SystemTime::now() + seconds(90)));
    let chain = chain_of([&Script::new("a", [Step::RateLimited(date), Step::Reply])]);
    ask(&chain).await.unwrap_err();
    assert!((seconds(80)..=seconds(90)).contains(&rests(&chain).await));
    tokio::time::advance(seconds(90)).await;
    assert!(ask(&chain).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_refused_key_rests_the_provider_for_ten_minutes() {
    let (first, second) = (Script::new("a", [Step::Denied]), Script::new("b", [Step::Reply]));
    let chain = chain_of([&first, &second]);
    ask(&chain).await.unwrap();
    tokio::time::advance(seconds(599)).await;
    ask(&chain).await.unwrap();
    assert_eq!(first.calls(), 1);
    first.set([Step::Reply]);
    tokio::time::advance(seconds(1)).await;
    assert_eq!(ask(&chain).await.unwrap(), "a");
}

#[tokio::test(start_paused = true)]
async fn three_calls_that_fail_open_the_breaker_and_a_probe_closes_it() {
    let script = Script::new("a", [Step::Unusable]);
    let chain = chain_of([&script]);
    assert_eq!(chain.status().status, Overall::Ok);
    assert_eq!(availability(&chain), [Availability::Untried]);

    assert_eq!(ask_times(&chain, 3).await, vec![Err(LlmErrorKind::Failed); 3]);
    assert_eq!(chain.status().status, Overall::Unavailable);
    assert_eq!(rests(&chain).await, seconds(10));
    assert_eq!(script.calls(), 3);

    script.set([Step::Reply]);
    tokio::time::advance(seconds(10)).await;
    assert_eq!(availability(&chain), [Availability::Untried]);
    assert_eq!(ask(&chain).await.unwrap(), "a");
    assert_eq!(availability(&chain), [Availability::Ok]);
}

#[tokio::test(start_paused = true)]
async fn the_failures_and_rests_of_a_breaker_can_be_set() {
    let mut options = BreakerOptions::default();
    (options.failures, options.first_rest) = (1, seconds(100));
    options.longest_rest = seconds(150);
    let chain = chain_of([&Script::new("a", [Step::Unusable])]).with_breaker(options);
    for rest in [100, 150, 150] {
        assert_eq!(ask(&chain).await, Err(LlmErrorKind::Failed));
        assert_eq!(rests(&chain).await, seconds(rest));
        tokio::time::advance(seconds(rest)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_and_its_retry_are_one_failure() {
    let script = Script::new("a", [Step::Status(503)]);
    let chain = chain_of([&script]);
    ask_times(&chain, 2).await;
    assert_eq!((script.calls(), availability(&chain)), (4, [Availability::Ok]));
    ask(&chain).await.unwrap_err();
    assert_eq!((script.calls(), availability(&chain)), (6, [Availability::CoolingDown]));
}

#[tokio::test(start_paused = true)]
async fn silence_is_a_failure() {
    let chain = chain_of([&Script::new("a", [Step::Hang])]).with_deadline(seconds(1));
    assert_eq!(ask_times(&chain, 3).await, vec![Err(LlmErrorKind::DeadlineExceeded); 3]);
    rests(&chain).await;
}

#[tokio::test(start_paused = true)]
async fn a_callers_errors_cannot_make_a_provider_rest() {
    for step in [Step::Refused, Step::TooLong, Step::Filtered, Step::Declined] {
        let script = Script::new("a", [step]);
        let chain = chain_of([&script]);
        ask_times(&chain, 9).await;
        assert_eq!((script.calls(), availability(&chain)), (9, [Availability::Ok]), "{step:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn answers_without_text_and_bad_requests_leave_a_breaker_as_it_is() {
    for step in [Step::NoText, Step::BadRequest] {
        let (first, second) = (
            Script::new("a", [Step::Unusable, Step::Unusable, step]),
            Script::new("b", [Step::Reply]),
        );
        let chain = chain_of([&first, &second]);
        for _ in 0..9 {
            assert_eq!(ask(&chain).await.unwrap(), "b", "{step:?}");
        }
        assert_eq!(first.calls(), 9, "{step:?}");
        first.set([Step::Unusable]);
        ask(&chain).await.unwrap();
        assert_eq!(availability(&chain), [Availability::CoolingDown, Availability::Ok]);
        // A probe proves nothing either; the next call is the probe.
        tokio::time::advance(seconds(10)).await;
        first.set([step, Step::Reply]);
        assert_eq!(ask(&chain).await.unwrap(), "b");
        assert_eq!(ask(&chain).await.unwrap(), "a");
    }
}

#[tokio::test(start_paused = true)]
async fn when_all_limit_the_rate_or_rest_the_shortest_rest_is_told_at_once() {
    let limited = |wait| Step::RateLimited(Some(RetryAfter::Delay(seconds(wait))));
    let (first, second) = (Script::new("a", [limited(90)]), Script::new("b", [limited(40)]));
    let chain = chain_of([&first, &second]);
    let started = Instant::now();
    let error = chain.reply(&hello()).await.unwrap_err();
    assert_eq!(started.elapsed(), Duration::ZERO);
    assert_eq!(error.kind(), LlmErrorKind::CoolingDown);
    assert_eq!(error.retry_after(), Some(seconds(40)));
    assert_eq!(error.attempts().len(), 2);
    // One rests, the other limits the rate.
    tokio::time::advance(seconds(40)).await;
    let error = chain.reply(&hello()).await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::CoolingDown);
    assert_eq!((first.calls(), second.calls()), (1, 2));
    // One fails otherwise.
    let chain = chain_of([&Script::new("a", [Step::Unusable]), &Script::new("b", [limited(40)])]);
    let error = chain.reply(&hello()).await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::Failed);
    assert_eq!(error.retry_after(), Some(seconds(40)));
}

#[tokio::test(start_paused = true)]
async fn during_a_probe_other_calls_skip_the_provider() {
    let (first, second) = (Script::new("a", [Step::Unusable]), Script::new("b", [Step::Reply]));
    let chain = chain_of([&first, &second]);
    ask_times(&chain, 3).await;
    first.set([Step::ReplyAfter(seconds(5))]);
    tokio::time::advance(seconds(10)).await;

    let hello = hello();
    let many = (0..50).map(|_| chain.reply(&hello));
    let replies = join_all(many).await;
    let by_first = replies.iter().filter(|reply| reply.as_ref().unwrap().provider == "a").count();
    assert_eq!((by_first, first.calls()), (1, 4));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_probe_frees_its_place() {
    let script = Script::new("a", [Step::Unusable]);
    let chain = chain_of([&script]);
    ask_times(&chain, 3).await;
    script.set([Step::Hang, Step::Reply]);
    tokio::time::advance(seconds(10)).await;

    let hung_up = tokio::time::timeout(seconds(1), ask(&chain)).await;
    assert!(hung_up.is_err() && script.calls() == 4);
    assert_eq!(ask(&chain).await.unwrap(), "a");
}

#[tokio::test(start_paused = true)]
async fn callers_that_hang_up_count_against_nobody() {
    let script = Script::new("a", [Step::Hang]);
    let chain = chain_of([&script]);
    for _ in 0..9 {
        assert!(tokio::time::timeout(seconds(1), ask(&chain)).await.is_err());
    }
    assert_eq!((script.calls(), availability(&chain)), (9, [Availability::Untried]));
}

#[tokio::test(start_paused = true)]
async fn with_a_flapping_provider_every_call_is_answered_and_it_recovers() {
    let first = Script::new("a", [Step::Reply]);
    let second = Script::new("b", [Step::Reply]);
    let chain = chain_of([&first, &second]);
    for round in 0..200 {
        first.set([if round / 7 % 2 == 0 { Step::Reply } else { Step::Unusable }]);
        assert!(ask(&chain).await.is_ok(), "round {round}");
        tokio::time::advance(seconds(1)).await;
    }
    first.set([Step::Reply]);
    tokio::time::advance(seconds(60)).await;
    assert_eq!(ask(&chain).await.unwrap(), "a");
}

/// Drives futures concurrently, in order, on one task.
async fn join_all<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut futures: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        let mut all = true;
        for (future, output) in &mut futures {
            if output.is_none() {
                match future.as_mut().poll(context) {
                    std::task::Poll::Ready(value) => *output = Some(value),
                    std::task::Poll::Pending => all = false,
                }
            }
        }
        if all { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    futures.into_iter().map(|(_, output)| output.expect("it is ready")).collect()
}
