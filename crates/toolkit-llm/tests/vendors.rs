//! Situations with today's vendors: their words, and what the chain makes of them.

use std::time::Duration;

use serde_json::{Value, json};
use toolkit_llm::providers::{Effort, Kind, ProviderConfig};
use toolkit_llm::{
    Availability, Chain, ChatEvent, ChatRequest, LlmErrorKind, ProviderError, ResponseFormat,
};
use wiremock::ResponseTemplate;

use crate::support::clock::advance;
use crate::support::http::read;
use crate::support::sse::{HEAD, events, streamed};
use crate::support::tcp::{Act, FarEnd};
use crate::support::vendor::{Vendor, completion, refused, sse};
use crate::support::{client, hello};

fn with_tools() -> ChatRequest {
    ChatRequest::new(hello()).tools(crate::support::tools::tools())
}

const WITHOUT_TOOLS: &str = "The model was asked without tools: it does not support them.";

// Options

#[tokio::test]
async fn a_model_that_offers_tools_without_reasoning_only_is_asked_without_reasoning() {
    let error = "Function tools with reasoning_effort are not supported for gpt-x in /v1/chat/completions. \
                 Please use /v1/responses or set reasoning_effort to 'none'.";
    let vendor = Vendor::start("a", Kind::Chat, move |body| {
        if body.get("tools").is_some() && body["reasoning_effort"] != "none" {
            return refused(400, &json!({"message": error, "param": "reasoning_effort"}));
        }
        completion("Hello")
    })
    .await;
    let spare = Vendor::start("b", Kind::Chat, |_| completion("never")).await;
    let chain = Chain::new(vec![vendor.provider(), spare.provider()]);
    for requests in [2, 3] {
        let reply = chain.reply(with_tools()).await.unwrap();
        assert_eq!((reply.provider.as_str(), reply.warnings.len()), ("a", 0));
        assert_eq!(vendor.bodies().await.len(), requests);
    }
    // Without tools it may reason.
    chain.reply(hello()).await.unwrap();
    assert_eq!(vendor.bodies().await[3].get("reasoning_effort"), None);
}

#[tokio::test]
async fn an_option_that_a_400_names_is_renamed_or_left_out_and_that_is_remembered() {
    let vendor = Vendor::start("a", Kind::Chat, |body| {
        let say = |message: &str| refused(400, &json!({"message": message}));
        if body.get("max_tokens").is_some() {
            say("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
        } else if body.get("temperature").is_some() {
            say("Unsupported value: 'temperature' does not support 0.5 with this model.")
        } else if body.get("stream_options").is_some() {
            refused(422, &json!({"message": "Extra inputs are not permitted", "param": "stream_options"}))
        } else {
            completion("Hello")
        }
    })
    .await;
    let chain = Chain::new(vec![vendor.provider()]);
    let request = ChatRequest::new(hello()).temperature(0.5).max_output_tokens(64);
    for requests in [4, 5] {
        let reply = chain.reply(&request).await.unwrap();
        assert_eq!(reply.text, "Hello");
        let warning = "The model was asked without `temperature`: it does not support it.";
        assert_eq!(reply.warnings, [warning]);
        let bodies = vendor.bodies().await;
        assert_eq!(bodies.len(), requests);
        assert_eq!(bodies[requests - 1]["max_completion_tokens"], 64);
    }
    assert_eq!(chain.status().providers[0].status, Availability::Ok);
}

#[tokio::test]
async fn a_limit_that_does_not_fit_one_conversation_stays_for_the_others() {
    let vendor = Vendor::start("a", Kind::Chat, |body| {
        let is_long = body.to_string().len() > 1_000;
        if is_long && body.get("max_tokens").is_some() {
            return refused(400, &json!({"message": "'max_tokens' or 'max_completion_tokens' is too large: 8192. This \
                model's maximum context length is 9000 tokens and your request has 1000 input tokens."}));
        }
        completion("Hello")
    })
    .await;
    let chain = Chain::new(vec![vendor.provider()]);
    let long = toolkit_llm::Message::user("x".repeat(1_000));
    chain.reply(crate::support::conversation(vec![long])).await.unwrap();
    chain.reply(hello()).await.unwrap();
    let bodies = vendor.bodies().await;
    assert_eq!(bodies.last().unwrap()["max_tokens"], 8_192);
}

#[tokio::test]
async fn an_option_of_the_operator_is_never_left_out() {
    let vendor = Vendor::start("a", Kind::Chat, |_| {
        refused(400, &json!({"message": "Unsupported parameter: 'temperature'."}))
    })
    .await;
    let provider = vendor.provider_with(|config| config.body_field("temperature", 0.5));
    let error = Chain::new(vec![provider]).reply(hello()).await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::Refused);
    assert_eq!(vendor.bodies().await.len(), 1);
}

#[tokio::test]
async fn effort_is_written_in_each_format() {
    for (kind, effort, pointer, expected) in [
        (Kind::Chat, Effort::High, "/reasoning_effort", json!("high")),
        (Kind::Responses, Effort::None, "/reasoning/effort", json!("none")),
        (Kind::Anthropic, Effort::Minimal, "/output_config/effort", json!("low")),
        (Kind::Anthropic, Effort::None, "/thinking", json!({"type": "disabled"})),
        (
            Kind::Gemini,
            Effort::Xhigh,
            "/generationConfig/thinkingConfig/thinkingLevel",
            json!("high"),
        ),
    ] {
        let vendor = Vendor::start("a", kind, |_| ResponseTemplate::new(500)).await;
        let provider = vendor.provider_with(|config| config.effort(effort));
        Chain::new(vec![provider]).reply(hello()).await.unwrap_err();
        assert_eq!(vendor.bodies().await[0].pointer(pointer), Some(&expected), "{kind:?}");
    }
}

#[tokio::test]
async fn an_open_schema_is_not_strict() {
    let vendor = Vendor::start("a", Kind::Chat, |_| completion("{}")).await;
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    let format = ResponseFormat::json_schema("place", schema);
    let request = ChatRequest::new(hello()).response_format(format);
    Chain::new(vec![vendor.provider()]).reply(request).await.unwrap();
    let body = &vendor.bodies().await[0];
    assert_eq!(body["response_format"]["json_schema"]["strict"], false);
}

#[tokio::test]
async fn a_gateway_that_knows_no_cache_marks_is_asked_without() {
    let vendor = Vendor::start("a", Kind::Anthropic, |body| {
        if body.to_string().contains("cache_control") {
            return refused(
                400,
                &json!({"message": "tools.3.cache_control: Extra inputs are not permitted"}),
            );
        }
        let content = json!([{"type": "text", "text": "Hello"}]);
        ResponseTemplate::new(200)
            .set_body_json(json!({"content": content, "stop_reason": "end_turn"}))
    })
    .await;
    let reply = Chain::new(vec![vendor.provider()]).reply(with_tools()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.warnings.len()), ("Hello", 0));
    assert!(vendor.bodies().await[1].get("tools").is_some());
}

// Tools

#[tokio::test]
async fn a_provider_with_tools_is_asked_before_one_is_asked_without() {
    let refuses = |body: &Value| {
        if body.get("tools").is_some() {
            return refused(400, &json!({"message": "This model does not support tools."}));
        }
        completion("Guessed.")
    };
    let first = Vendor::start("a", Kind::Chat, refuses).await;
    let second = Vendor::start("b", Kind::Chat, |_| completion("Computed.")).await;
    let chain = Chain::new(vec![first.provider(), second.provider()]);
    let reply = chain.reply(with_tools()).await.unwrap();
    assert_eq!((reply.provider.as_str(), reply.warnings.len()), ("b", 0));
    // It is known from then on, and the first is asked without once no other one is left.
    let third = Vendor::start("b", Kind::Chat, |_| ResponseTemplate::new(500)).await;
    let chain = Chain::new(vec![first.provider(), third.provider()]);
    for _ in 0..2 {
        let reply = chain.reply(with_tools()).await.unwrap();
        assert_eq!((reply.provider.as_str(), reply.text.as_str()), ("a", "Guessed."));
        assert_eq!(reply.warnings, [WITHOUT_TOOLS]);
    }
    let asked: Vec<bool> =
        first.bodies().await.iter().map(|body| body.get("tools").is_some()).collect();
    assert_eq!(asked, [true, true, false, false]);
}

#[tokio::test]
async fn reasoning_of_either_name_goes_back_with_the_results() {
    for name in ["reasoning", "reasoning_content"] {
        let vendor = Vendor::start("a", Kind::Chat, move |body| {
            if body["messages"].as_array().unwrap().len() > 2 {
                return completion("Done.");
            }
            let call =
                json!({"index": 0, "id": "c", "function": {"name": "echo", "arguments": "{}"}});
            let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]});
            sse(&[
                delta(json!({name: "h"})),
                delta(json!({name: "m"})),
                delta(json!({"tool_calls": [call]})),
                json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
            ])
        })
        .await;
        Chain::new(vec![vendor.provider()]).reply(with_tools()).await.unwrap();
        let messages = &vendor.bodies().await[1]["messages"];
        let assistant =
            messages.as_array().unwrap().iter().find(|message| message["role"] == "assistant");
        assert_eq!(assistant.unwrap()[name], "hm");
    }
}

#[tokio::test]
async fn reasoning_is_shown_only_if_the_request_asks_for_it() {
    let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]});
    let body = events(&[
        delta(json!({"reasoning": "six"})),
        delta(json!({"content": "<think>seven</think>42"})),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}),
    ]);
    let far_end = FarEnd::start(Act::Send(streamed(&body))).await;
    let config = ProviderConfig::new("a", "m").base_url(far_end.url());
    let chain = Chain::new(vec![Kind::Chat.provider(client(), config).unwrap()]);
    for show in [false, true] {
        let request = ChatRequest::new(hello()).show_reasoning(show);
        let reply = chain.reply(&request).await.unwrap();
        let shown = if show { "sixseven" } else { "" };
        assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("42", shown));
        let mut stream = chain.stream(&request);
        let (mut text, mut reasoning, mut usage) = (String::new(), String::new(), None);
        while let Some(event) = stream.next().await {
            match event.unwrap() {
                ChatEvent::Text(more) => text += &more,
                ChatEvent::Reasoning(more) => reasoning += &more,
                ChatEvent::Usage(counted) => usage = Some(counted.output_tokens),
                _ => {}
            }
        }
        assert_eq!((text.as_str(), reasoning.as_str(), usage), ("42", shown, Some(2)));
    }
}

// Failures

#[tokio::test]
async fn a_status_that_only_the_operator_can_change_says_what_to_do() {
    let openai = |status, code: &str, message: &str| {
        let body = json!({"error": {"message": message, "type": "x", "code": code}});
        ResponseTemplate::new(status).set_body_json(body)
    };
    let (no_credit, retired) =
        ("the account has no credit", "the model is retired or unknown; configure another");
    let responses = "the model is served by the Responses API only; set the kind `responses`";
    for (kind, answer, expected) in [
        (
            Kind::Chat,
            openai(429, "insufficient_quota", "You exceeded your current quota."),
            no_credit,
        ),
        (Kind::Chat, openai(402, "", "Insufficient Balance"), no_credit),
        (
            Kind::Chat,
            ResponseTemplate::new(200).set_body_json(json!({"error": {"code": 402, "message": "m"}})),
            no_credit,
        ),
        (
            Kind::Chat,
            openai(404, "model_not_found", "The model `gpt-x` does not exist or you do not have access to it."),
            retired,
        ),
        (
            Kind::Chat,
            openai(404, "", "This model is only supported in v1/responses and not in v1/chat/completions."),
            responses,
        ),
        (
            Kind::Anthropic,
            ResponseTemplate::new(404).set_body_json(json!({"type": "error", "error": {"type": "not_found_error", "message": "model: claude-x"}})),
            retired,
        ),
        (
            Kind::Gemini,
            ResponseTemplate::new(404).set_body_json(json!({"error": {"code": 404, "status": "NOT_FOUND",
                "message": "models/gemini-x is not found for API version v1beta, or is not supported for generateContent."}})),
            retired,
        ),
    ] {
        let error = read(kind, answer).await.unwrap_err();
        assert!(
            matches!(error, ProviderError::Denied { reason, .. } if reason == expected),
            "{expected}: {error:?}"
        );
    }
}

#[tokio::test]
async fn a_filter_or_a_refusal_without_text_ends_the_chain_with_its_own_sentence() {
    let first = Vendor::start("a", Kind::Chat, |_| {
        sse(&[json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "content_filter"}]})])
    })
    .await;
    let second = Vendor::start("b", Kind::Chat, |_| completion("never")).await;
    let chain = Chain::new(vec![first.provider(), second.provider()]);
    let error = chain.reply(hello()).await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::Filtered);
    assert!(error.to_string().contains("filter"), "{error}");
    let error = chain.stream(hello()).into_reply().await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::Filtered);
    assert!(second.bodies().await.is_empty());
}

#[tokio::test]
async fn a_limit_that_is_spent_on_reasoning_says_so() {
    let spent = |_: &Value| {
        sse(&[
            json!({"choices": [{"index": 0, "delta": {"reasoning_content": "hm"}}]}),
            json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}),
        ])
    };
    let vendor = Vendor::start("a", Kind::Chat, spent).await;
    let error = Chain::new(vec![vendor.provider()]).reply(hello()).await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::LimitSpent);
    assert!(error.to_string().contains("output limit"), "{error}");
    // Another provider is asked first.
    let second = Vendor::start("b", Kind::Chat, |_| completion("Hello")).await;
    let chain = Chain::new(vec![vendor.provider(), second.provider()]);
    assert_eq!(chain.reply(hello()).await.unwrap().provider, "b");
}

// What a caller can cause

#[tokio::test]
async fn a_reply_that_is_cut_by_the_deadline_rests_nobody() {
    let delta = events(&[json!({"choices": [{"index": 0, "delta": {"content": "word "}}]})]);
    let act = Act::SendThenHang(format!("{HEAD}{delta}").into_bytes());
    let mut far_end = FarEnd::start(act).await;
    let config = ProviderConfig::new("a", "m").base_url(far_end.url());
    let chain = Chain::new(vec![Kind::Chat.provider(client(), config).unwrap()])
        .with_deadline(Duration::from_secs(20));
    for _ in 0..6 {
        let asked = chain.clone();
        let call = tokio::spawn(async move { asked.reply(hello()).await });
        far_end.event().await;
        // Until the piece has been read.
        tokio::time::sleep(Duration::from_millis(50)).await;
        advance(Duration::from_secs(20)).await;
        let error = call.await.unwrap().unwrap_err();
        assert_eq!(error.kind(), LlmErrorKind::DeadlineExceeded);
        far_end.event().await;
    }
    assert_eq!(chain.status().providers[0].status, Availability::Untried);
}

#[tokio::test]
async fn a_reply_takes_longer_than_the_limit_on_silence() {
    let vendor = Trickle::start(8, Duration::from_millis(150)).await;
    let config =
        ProviderConfig::new("a", "m").base_url(&vendor.url).timeout(Duration::from_millis(600));
    let chain = Chain::new(vec![Kind::Chat.provider(client(), config).unwrap()]);
    let started = std::time::Instant::now();
    let reply = chain.reply(hello()).await.unwrap();
    assert_eq!(reply.text, "word ".repeat(8));
    assert!(started.elapsed() > Duration::from_secs(1), "{:?}", started.elapsed());
    assert_eq!(chain.status().providers[0].status, Availability::Ok);
}

#[tokio::test]
async fn refusals_of_later_rounds_rest_nobody() {
    for (error, expected) in [
        (json!({"message": "m", "code": "context_length_exceeded"}), LlmErrorKind::Refused),
        (json!({"message": "m"}), LlmErrorKind::Failed),
    ] {
        let vendor = Vendor::start("a", Kind::Chat, move |body| {
            if body["messages"].as_array().unwrap().len() > 2 {
                return refused(400, &error);
            }
            if body.get("tools").is_none() {
                return completion("Hello");
            }
            let call = json!({"id": "c", "function": {"name": "echo", "arguments": "{}"}});
            ResponseTemplate::new(200)
                .set_body_json(json!({"choices": [{"message": {"tool_calls": [call]}}]}))
        })
        .await;
        let chain = Chain::new(vec![vendor.provider()]);
        for _ in 0..6 {
            assert_eq!(chain.reply(with_tools()).await.unwrap_err().kind(), expected);
        }
        assert_eq!(chain.reply(hello()).await.unwrap().text, "Hello");
    }
}

#[tokio::test]
async fn what_a_caller_causes_after_content_began_rests_nobody() {
    let body = events(&[
        json!({"choices": [{"index": 0, "delta": {"content": "Half a"}}]}),
        json!({"error": {"code": 500}}),
    ]);
    let far_end = FarEnd::start(Act::Send(streamed(&body))).await;
    let config = ProviderConfig::new("a", "m").base_url(far_end.url());
    let chain = Chain::new(vec![Kind::Chat.provider(client(), config).unwrap()]);
    for _ in 0..6 {
        let error = chain.reply(hello()).await.unwrap_err();
        assert_eq!(error.kind(), LlmErrorKind::Failed);
        let error = chain.stream(hello()).into_reply().await.unwrap_err();
        assert_eq!(error.kind(), LlmErrorKind::BrokeOff);
    }
    assert_ne!(chain.status().providers[0].status, Availability::CoolingDown);
}

// Gateways

#[tokio::test]
async fn azure_bedrock_and_vertex_are_reached_by_their_compatible_paths() {
    for (path, query) in [
        ("/openai/deployments/d/chat/completions", Some("api-version=2024-10-21")),
        ("/openai/v1/chat/completions", None),
        ("/v1/projects/p/locations/global/endpoints/openapi/chat/completions", None),
    ] {
        let vendor = Vendor::start("a", Kind::Chat, |_| completion("Hello")).await;
        let base = path.strip_suffix("/chat/completions").unwrap();
        let query_text = query.map_or(String::new(), |query| format!("?{query}"));
        let url = format!("{}{base}{query_text}", vendor.server.uri());
        let provider = vendor.provider_with(|config| config.base_url(url));
        Chain::new(vec![provider]).reply(hello()).await.unwrap();
        let requests = vendor.server.received_requests().await.unwrap();
        assert_eq!((requests[0].url.path(), requests[0].url.query()), (path, query));
    }
}

/// A server that sends a word at a time.
struct Trickle {
    url: String,
}

impl Trickle {
    async fn start(words: usize, pause: Duration) -> Self {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert!(stream.read(&mut [0; 4096]).await.unwrap() > 0);
            stream.write_all(HEAD.as_bytes()).await.unwrap();
            let delta =
                events(&[json!({"choices": [{"index": 0, "delta": {"content": "word "}}]})]);
            for _ in 0..words {
                tokio::time::sleep(pause).await;
                stream.write_all(delta.as_bytes()).await.unwrap();
            }
            stream.write_all(b"data: [DONE]\n\n").await.unwrap();
        });
        Self { url }
    }
}
