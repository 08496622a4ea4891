//! Streams over real connections to misbehaving providers: the caller's events, the provider asked
//! next, and the breaker's state.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use serde_json::json;
use toolkit_llm::providers::Kind;
use toolkit_llm::{
    Availability, Chain, ChatEvent, ChatStream, LlmErrorKind, Piece, Provider, Request,
};

use crate::support::clock::advance;
use crate::support::sse::{HEAD, events, streamed};
use crate::support::tcp::{Act, Event, FarEnd};
use crate::support::{client, hello};

fn delta(text: &str) -> String {
    events(&[json!({"model": "gpt-x", "choices": [{"index": 0, "delta": {"content": text}}]})])
}

fn end() -> String {
    events(&[json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})])
        + "data: [DONE]\n\n"
}

fn fine() -> Act {
    Act::Send(streamed(&(delta(" \n") + &delta("Hello") + &delta(", you") + &end())))
}

fn provider(name: &str, far_end: &FarEnd) -> Arc<dyn Provider> {
    let config = toolkit_llm::providers::ProviderConfig::new(name, "m").base_url(far_end.url());
    Kind::OpenAi.provider(client(), config).unwrap()
}

/// The events until the end, as text.
async fn told(mut stream: ChatStream) -> Vec<String> {
    let mut told = Vec::new();
    while let Some(event) = stream.next().await {
        told.push(match event {
            Ok(ChatEvent::Start { provider, .. }) => format!("start {provider}"),
            Ok(ChatEvent::Text(text)) => format!("text {:?}", &*text),
            Ok(ChatEvent::Done(end)) => format!("done {}", end.finish_reason),
            Ok(ChatEvent::Usage(_)) => continue,
            Ok(_) => unreachable!(),
            Err(error) => format!("{:?}", error.kind()),
        });
    }
    told
}

#[tokio::test]
async fn white_space_is_held_back_until_there_is_content() {
    let far_end = FarEnd::start(fine()).await;
    let mut told = told(Chain::new(vec![provider("a", &far_end)]).stream(hello())).await;
    let texts: Vec<String> = told.extract_if(.., |event| event.starts_with("text")).collect();
    assert_eq!(told, ["start a", "done stop"]);
    assert!(texts[0].starts_with("text \" \\nHello"), "{texts:?}");
}

#[tokio::test]
async fn a_failure_before_content_moves_on_to_the_next() {
    let error = events(&[json!({"error": {"code": 500}})]);
    for (what, act) in [
        ("an error first", Act::Send(streamed(&error))),
        ("an error after white space", Act::Send(streamed(&(delta(" ") + &error)))),
        ("no event", Act::Send(streamed(""))),
        ("cut", Act::Send(streamed("data: {\"choices\""))),
        ("no content", Act::Send(streamed(&end()))),
        ("reset", Act::Reset),
        ("not the format", Act::Send(streamed("data: x\n\n"))),
    ] {
        let (bad, good) = (FarEnd::start(act).await, FarEnd::start(fine()).await);
        let chain = Chain::new(vec![provider("a", &bad), provider("b", &good)]);
        let told = told(chain.stream(hello())).await;
        assert_eq!(told.first().unwrap(), "start b", "{what}: {told:?}");
        assert_eq!(told.last().unwrap(), "done stop", "{what}");
    }
}

#[tokio::test]
async fn a_failure_after_content_ends_the_stream_and_rests_nobody() {
    let cut = |body: String| Act::Send(streamed(&body));
    for act in [
        cut(delta("Hi")),
        cut(delta("Hi") + "data: {\"cho"),
        cut(delta("Hi") + &events(&[json!({"error": {"code": 529}})])),
        cut(delta("Hi") + &events(&[json!({"error": {"code": 400}})])),
    ] {
        let (bad, good) = (FarEnd::start(act).await, FarEnd::start(fine()).await);
        let chain = Chain::new(vec![provider("a", &bad), provider("b", &good)]);
        for _ in 0..3 {
            assert_eq!(told(chain.stream(hello())).await, ["start a", "text \"Hi\"", "BrokeOff"]);
        }
        assert_eq!(good.connections(), 0);
        assert_ne!(chain.status().providers[0].status, Availability::CoolingDown);
    }
}

#[tokio::test]
async fn silence_after_content_is_given_up() {
    let mut far_end = FarEnd::start(Act::SendThenHang(streamed(&delta("Hi")))).await;
    let chain = Chain::new(vec![provider("a", &far_end)]);
    let mut stream = chain.stream(hello());
    assert!(matches!(stream.next().await, Some(Ok(ChatEvent::Start { .. }))));
    assert!(matches!(stream.next().await, Some(Ok(ChatEvent::Text(_)))));
    // Time during which nobody polls does not count.
    advance(Duration::from_secs(59)).await;
    let waiting = tokio::spawn(async move { stream.next().await });
    assert_eq!(far_end.event().await, Event::Asked);
    tokio::task::yield_now().await;
    advance(Duration::from_secs(60)).await;
    let error = waiting.await.unwrap().unwrap().unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::BrokeOff);
    assert_eq!(far_end.event().await, Event::HungUp);
}

#[tokio::test]
async fn comments_alone_do_not_keep_a_stream_for_ever() {
    let act = Act::SendThenRepeat(streamed(&delta("Hi")), b":\n\n".to_vec());
    let far_end = FarEnd::start(act).await;
    let chain = Chain::new(vec![provider("a", &far_end)]);
    let mut stream = chain.stream(hello());
    stream.next().await.unwrap().unwrap();
    stream.next().await.unwrap().unwrap();
    let waiting = tokio::spawn(async move { stream.next().await });
    tokio::task::yield_now().await;
    advance(Duration::from_secs(300)).await;
    let error = waiting.await.unwrap().unwrap().unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::TookTooLong);
}

#[tokio::test]
async fn comments_are_passed_on_as_signs_of_life() {
    let act = Act::SendThenRepeat(streamed(&delta("Hi")), b":\n\n".to_vec());
    let far_end = FarEnd::start(act).await;
    let (provider, conversation) = (provider("a", &far_end), hello());
    let request = Request::new(&conversation, 64);
    let mut answer = provider.stream(request).await.unwrap();
    while !matches!(answer.next().await, Some(Ok(Piece::Text(_)))) {}
    for _ in 0..3 {
        assert!(matches!(answer.next().await, Some(Ok(Piece::Alive))));
    }
}

#[tokio::test]
async fn a_caller_that_cancels_closes_the_connection_and_counts_as_no_failure() {
    let mut far_end = FarEnd::start(Act::SendThenHang(streamed(&delta("Hi")))).await;
    let chain = Chain::new(vec![provider("a", &far_end)]);
    let mut stream = chain.stream(hello());
    stream.next().await.unwrap().unwrap();
    assert_eq!(far_end.event().await, Event::Asked);
    drop(stream);
    assert_eq!(far_end.event().await, Event::HungUp);
    assert_eq!(chain.status().providers[0].status, Availability::Untried);
}

#[tokio::test]
async fn a_connection_is_used_again_after_a_stream() {
    const STREAMS: usize = 20;
    let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
    let head = HEAD.replace("Connection: close", "Transfer-Encoding: chunked");
    let comments = chunk(": bye\n\n").repeat(8);
    let bytes = head + &chunk(&(delta("Hello") + &end())) + &comments + &chunk("");
    let far_end = FarEnd::start(Act::SendEachTime(bytes.into_bytes())).await;
    let chain = Chain::new(vec![provider("a", &far_end)]);
    for _ in 0..STREAMS {
        let told: Vec<_> = chain.stream(hello()).collect().await;
        assert!(matches!(&told[0], Ok(ChatEvent::Start { model, .. }) if model == "gpt-x"));
        assert!(matches!(&told[1], Ok(ChatEvent::Text(text)) if &**text == "Hello"));
    }
    // On a busy machine the rest of an answer may come too late, but not that of each.
    assert!(far_end.connections() < STREAMS);
}

#[tokio::test]
async fn stream_options_that_are_refused_are_left_out_from_then_on() {
    use wiremock::matchers::any;
    use wiremock::{Mock, MockServer, ResponseTemplate};
    let server = MockServer::start().await;
    let body = delta("Hello") + &end();
    Mock::given(any())
        .respond_with(move |request: &wiremock::Request| {
            let sent: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
            if sent.get("stream_options").is_some() {
                return ResponseTemplate::new(422).set_body_string("Extra: body.stream_options");
            }
            ResponseTemplate::new(200).set_body_raw(body.clone(), "text/event-stream")
        })
        .mount(&server)
        .await;
    let config = toolkit_llm::providers::ProviderConfig::new("a", "m").base_url(server.uri());
    let chain = Chain::new(vec![Kind::OpenAi.provider(client(), config).unwrap()]);
    for requests in [2, 3] {
        let reply = chain.stream(hello()).into_reply().await.unwrap();
        assert_eq!(reply.text, "Hello");
        assert_eq!(server.received_requests().await.unwrap().len(), requests);
    }
}
