//! Servers that violate HTTP or misbehave, on real sockets.

use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Name, Resolve, Resolving};
use toolkit_llm::providers::{Kind, OpenAi};
use toolkit_llm::{Availability, Chain, LlmErrorKind, Provider, ProviderError};

use crate::support::clock::advance;
use crate::support::script::{Script, Step};
use crate::support::tcp::{Act, Event, FarEnd, answer, completion};
use crate::support::{ask_directly, config, hello, provider};

fn openai(far_end: &FarEnd) -> Arc<dyn Provider> {
    provider(Kind::OpenAi, &far_end.url())
}

async fn error_of(act: Act) -> ProviderError {
    let far_end = FarEnd::start(act).await;
    ask_directly(&*openai(&far_end), &hello()).await.unwrap_err()
}

/// A chain of a faulty server and a scripted provider that replies.
fn chain_of(first: Arc<dyn Provider>) -> (Chain, Arc<Script>) {
    let second = Script::new("second", [Step::Reply]);
    let chain = Chain::new(vec![first, second.clone()]).with_deadline(Duration::from_secs(30));
    (chain, second)
}

fn head(fields: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n").into_bytes()
}

/// An answer with a `Content-Length` that breaks off after `share` of its body.
fn half(share: usize) -> Vec<u8> {
    let whole = answer(&completion("Hello"));
    let body = whole.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    whole[..body + (whole.len() - body) / share].to_vec()
}

#[tokio::test]
async fn a_whole_answer_is_a_reply() {
    let far_end = FarEnd::start(Act::Send(answer(&completion("Hello")))).await;
    assert_eq!(ask_directly(&*openai(&far_end), &hello()).await.unwrap().text, "Hello");
}

#[tokio::test]
async fn only_a_few_idle_connections_are_kept() {
    const REQUESTS: usize = 40;
    const KEPT: usize = 32;
    let act = Act::SendTogether(
        Arc::new(tokio::sync::Barrier::new(REQUESTS)),
        answer(&completion("Hello")),
    );
    let mut far_end = FarEnd::start(act).await;
    let provider = openai(&far_end);
    let conversation = hello();
    let asked = (0..REQUESTS).map(|_| ask_directly(&*provider, &conversation));
    let replies = futures::future::join_all(asked).await;
    assert!(replies.into_iter().all(|reply| reply.is_ok()));
    let closed = async {
        let mut hung_up = 0;
        while hung_up < REQUESTS - KEPT {
            hung_up += usize::from(far_end.event().await == Event::HungUp);
        }
    };
    let closed = tokio::time::timeout(Duration::from_secs(20), closed).await;
    assert!(closed.is_ok(), "idle connections are kept without a bound");
}

#[tokio::test]
async fn an_answer_that_ends_with_the_connection_is_a_reply_if_it_is_whole() {
    let mut bytes = head("Connection: close");
    bytes.extend(completion("Hello").into_bytes());
    let far_end = FarEnd::start(Act::Send(bytes)).await;
    assert_eq!(ask_directly(&*openai(&far_end), &hello()).await.unwrap().text, "Hello");
}

#[tokio::test]
async fn nothing_or_a_reset_is_a_broken_connection_and_retried_once() {
    for act in [Act::Send(Vec::new()), Act::Reset] {
        let far_end = FarEnd::start(act).await;
        let (chain, second) = chain_of(openai(&far_end));
        assert_eq!(chain.reply(&hello()).await.unwrap().provider, "second");
        assert_eq!((far_end.connections(), second.calls()), (2, 1));
    }
}

#[tokio::test]
async fn a_refused_connection_is_a_broken_connection() {
    let far_end = FarEnd::start(Act::Reset).await;
    let url = far_end.url();
    drop(far_end);
    tokio::task::yield_now().await;
    let error = ask_directly(&*provider(Kind::OpenAi, &url), &hello()).await.unwrap_err();
    assert!(matches!(error, ProviderError::Connection(_)), "{error:?}");
}

struct NoSuchHost;

impl Resolve for NoSuchHost {
    fn resolve(&self, _: Name) -> Resolving {
        Box::pin(std::future::ready(Err("no such host".into())))
    }
}

#[tokio::test]
async fn an_unknown_host_is_a_broken_connection() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = toolkit_llm::client_builder().dns_resolver(Arc::new(NoSuchHost)).build().unwrap();
    let provider = OpenAi::new(client, config("http://llm.example")).unwrap();
    let error = ask_directly(&provider, &hello()).await.unwrap_err();
    assert!(matches!(error, ProviderError::Connection(_)), "{error:?}");
}

#[tokio::test]
async fn a_server_without_tls_behind_https_is_a_broken_connection() {
    let far_end = FarEnd::start(Act::Send(answer(&completion("Hello")))).await;
    let url = far_end.url().replace("http:", "https:");
    let error = ask_directly(&*provider(Kind::OpenAi, &url), &hello()).await.unwrap_err();
    assert!(matches!(error, ProviderError::Connection(_)), "{error:?}");
    assert_eq!(far_end.connections(), 1);
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_unusable_and_not_retried() {
    let mut chunked = head("Transfer-Encoding: chunked");
    chunked.extend(b"11\r\n{\"choices\": [{\"me\r\n");
    let mut until_close = head("Connection: close");
    until_close.extend(br#"{"choices": [{"message": {"content": "Hel"#);
    // All of the JSON, but not all of the promised length.
    let whole = completion("Hello");
    let mut short = head(&format!("Content-Length: {}", whole.len() + 1));
    short.extend(whole.as_bytes());
    let mut unfinished = head("Transfer-Encoding: chunked");
    unfinished.extend(format!("{:x}\r\n{whole}\r\n", whole.len()).into_bytes());
    for bytes in [half(2), half(100_000), chunked, until_close, short, unfinished] {
        let far_end = FarEnd::start(Act::Send(bytes)).await;
        let (chain, _) = chain_of(openai(&far_end));
        assert_eq!(chain.reply(&hello()).await.unwrap().provider, "second");
        assert_eq!(far_end.connections(), 1);
        let error = ask_directly(&*openai(&far_end), &hello()).await.unwrap_err();
        assert!(matches!(error, ProviderError::Unusable { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn answers_that_are_not_http_never_become_a_reply() {
    for bytes in [
        &b"SSH-2.0-OpenSSH_9.2\r\n"[..],
        b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
        b"HTTP/1.1 200",
        b"HTTP/1.1 999999 Odd\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: minus one\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ] {
        error_of(Act::Send(bytes.to_vec())).await;
    }
    let mut endless_head = b"HTTP/1.1 200 OK\r\n".to_vec();
    endless_head.extend(b"X-Filler: 0123456789\r\n".repeat(100_000));
    error_of(Act::Send(endless_head)).await;
}

#[tokio::test]
async fn silence_ends_with_the_providers_share_of_the_deadline() {
    let mut slow_body = head("Content-Length: 500");
    slow_body.extend(br#"{"choices": "#);
    for bytes in [Vec::new(), b"HTTP/1.1 200 OK\r\nContent-".to_vec(), slow_body] {
        let mut far_end = FarEnd::start(Act::SendThenHang(bytes)).await;
        let (chain, second) = chain_of(openai(&far_end));
        let call = tokio::spawn(async move { chain.reply(&hello()).await });
        assert_eq!(far_end.event().await, Event::Asked);
        advance(Duration::from_secs(14)).await;
        tokio::task::yield_now().await;
        assert_eq!(second.calls(), 0);
        advance(Duration::from_secs(1)).await;
        assert_eq!(call.await.unwrap().unwrap().provider, "second");
        assert_eq!(far_end.event().await, Event::HungUp, "the call is cancelled");
    }
}

#[tokio::test]
async fn a_body_that_never_ends_is_abandoned_at_the_deadline() {
    let trickle =
        Act::SendThenHang([head("Transfer-Encoding: chunked"), b"1\r\n{\r\n".repeat(50)].concat());
    let mut far_end = FarEnd::start(trickle).await;
    let chain = Chain::new(vec![openai(&far_end)]).with_deadline(Duration::from_secs(30));
    let chain = Arc::new(chain);
    let call = tokio::spawn({
        let chain = Arc::clone(&chain);
        async move { chain.reply(&hello()).await }
    });
    assert_eq!(far_end.event().await, Event::Asked);
    advance(Duration::from_secs(30)).await;
    let error = call.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::DeadlineExceeded);
    let state = chain.status().providers[0].status;
    assert_ne!(state, Availability::CoolingDown, "one failure opens nothing");
}

#[tokio::test]
async fn an_endless_body_is_cut_at_one_mebibyte() {
    let chunk =
        [format!("{:x}\r\n", 64 << 10).into_bytes(), vec![b' '; 64 << 10], b"\r\n".to_vec()];
    let begin = [head("Transfer-Encoding: chunked"), b"1\r\n{\r\n".to_vec()].concat();
    let act = Act::SendThenRepeat(begin, chunk.concat());
    let mut far_end = FarEnd::start(act).await;
    let error = ask_directly(&*openai(&far_end), &hello()).await.unwrap_err();
    assert_eq!(error.to_string(), "unusable answer: longer than the limit");
    assert_eq!(far_end.event().await, Event::Asked);
    assert_eq!(far_end.event().await, Event::HungUp, "the connection is closed");
    // One mebibyte, plus what fits in the sockets' buffers.
    assert!(far_end.sent() < 12 << 20, "{} bytes", far_end.sent());
}

#[tokio::test]
async fn an_answer_of_one_mebibyte_is_accepted_and_one_byte_more_is_not() {
    let length = completion("").len();
    for (bytes, is_reply) in [(1 << 20, true), ((1 << 20) + 1, false)] {
        let body = completion(&"a".repeat(bytes - length));
        assert_eq!(body.len(), bytes);
        let far_end = FarEnd::start(Act::Send(answer(&body))).await;
        let result = ask_directly(&*openai(&far_end), &hello()).await;
        assert_eq!(result.is_ok(), is_reply, "{bytes}");
    }
}

#[tokio::test]
async fn an_error_whose_body_never_ends_is_still_classified_by_its_status() {
    let head = b"HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    let chunk = b"8\r\n        \r\n".repeat(1_000);
    let error = error_of(Act::SendThenRepeat(head, chunk)).await;
    assert!(matches!(error, ProviderError::BadRequest), "{error:?}");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let canary = FarEnd::start(Act::Send(answer(&completion("Hello")))).await;
        let location = format!("{}/v1/chat/completions", canary.url());
        let head =
            format!("HTTP/1.1 {status} R\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n");
        let error = error_of(Act::Send(head.into_bytes())).await;
        assert_eq!(error.to_string(), format!("status {status}"));
        assert_eq!(canary.connections(), 0);
    }
}

#[tokio::test]
async fn a_compressed_answer_is_not_unpacked() {
    // `{}` in gzip.
    let body = [
        0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xab, 0xae, 0x05, 0, 0x43, 0xbf, 0xa6, 0xa3, 2,
        0, 0, 0,
    ];
    let mut bytes = head(&format!("Content-Encoding: gzip\r\nContent-Length: {}", body.len()));
    bytes.extend(body);
    let error = error_of(Act::Send(bytes)).await;
    assert_eq!(error.to_string(), "unusable answer: cut before its end");
}

#[tokio::test]
async fn a_caller_that_hangs_up_cancels_the_call() {
    let mut far_end = FarEnd::start(Act::SendThenHang(Vec::new())).await;
    let chain = Chain::new(vec![openai(&far_end)]);
    let call = tokio::spawn(async move { chain.reply(&hello()).await });
    assert_eq!(far_end.event().await, Event::Asked);
    call.abort();
    assert_eq!(far_end.event().await, Event::HungUp);
}
