//! Chat with today's models through the server: what one key does to others, reasoning, budgets, and
//! the settings of providers.

use serde_json::{Value as Json, json};
use time::OffsetDateTime;
use toolkit_store::KeyTerms;

use crate::helpers::{Answer, App, Setup, until};
use crate::model::{Act, Model, app, asked, call, delta, end};

async fn key(app: &App, terms: KeyTerms) -> String {
    let (label, now) = ("another".parse().unwrap(), OffsetDateTime::now_utc());
    let issued = app.store.keys().issue(&label, &terms, now).await;
    issued.unwrap().1.expose().to_owned()
}

async fn chat_with(app: &App, key: &str, body: &Json) -> Answer {
    Answer::of(app.post("/chat").header("X-Api-Key", key).json(body)).await
}

fn bad_request() -> Act {
    let error = json!({"error": {"message": "m", "code": "context_length_exceeded"}});
    Act::Refuse(400, error)
}

#[tokio::test]
async fn chats_of_one_key_that_models_refuse_or_break_off_leave_the_models_to_others() {
    let round = || Act::Send(vec![call("hash_text", "{\"text\": \"abc\"}"), end()]);
    let cut = || Act::Send(vec![delta("Half a")]);
    let tools = json!({"tools": "auto"});
    for (acts, more) in [
        // Refused in the second round, for the length of the history.
        ((0..6).flat_map(|_| [round(), bad_request()]).collect::<Vec<_>>(), tools),
        ((0..6).map(|_| cut()).collect(), json!({})),
        ((0..6).map(|_| cut()).collect(), json!({"stream": true})),
    ] {
        let acts = acts.into_iter().chain([Act::Send(vec![delta("Hello"), end()])]);
        let model = Model::start(acts.collect()).await;
        let app = app(&model, &[]).await;
        for _ in 0..6 {
            app.chat(&asked(&more)).await;
        }
        let other = key(&app, KeyTerms::default()).await;
        let answer = chat_with(&app, &other, &asked(&json!({}))).await;
        assert_eq!((answer.status, &answer.json()["reply"]), (200, &json!("Hello")));
    }
}

#[tokio::test]
async fn a_whole_reply_takes_longer_than_the_limit_on_silence() {
    let pieces = [vec![": thinking\n\n".to_owned(); 3], vec![delta("Hello"), end()]].concat();
    let model = Model::start(vec![Act::Slow(pieces, std::time::Duration::from_millis(700))]).await;
    let app = app(&model, &[("TOOLKIT_LLM__PROVIDERS__0__TIMEOUT_MS", "2000")]).await;
    let answer = app.chat(&asked(&json!({}))).await;
    assert_eq!((answer.status, &answer.json()["reply"]), (200, &json!("Hello")));
    assert_eq!(model.requests()[0]["stream"], true);
}

#[tokio::test]
async fn reasoning_is_shown_only_where_the_operator_says_so() {
    let thought = json!({"choices": [{"index": 0, "delta": {"reasoning": "hm"}}]});
    let pieces = vec![format!("data: {thought}\n\n"), delta("<think>ha</think>Hello"), end()];
    let model = Model::start(vec![Act::Send(pieces)]).await;
    let app_of = async |shows| app(&model, &[("TOOLKIT_LLM__SHOW_REASONING", shows)]).await;
    let (hidden, shown) = (app_of("false").await, app_of("true").await);
    for (app, reasoning) in [(&hidden, Json::Null), (&shown, json!("hmha"))] {
        let reply = app.chat(&asked(&json!({}))).await.json();
        assert_eq!((&reply["reply"], &reply["reasoning"]), (&json!("Hello"), &reasoning));
    }
    let stream = json!({"stream": true});
    let events = shown.chat(&asked(&stream)).await.body;
    // Pieces that arrive together are joined.
    let event = "event: reasoning\ndata: {\"type\":\"reasoning\",\"text\":\"hm";
    assert!(events.contains(event), "{events}");
    let events = hidden.chat(&asked(&stream)).await.body;
    assert!(!events.contains("reasoning") && !events.contains("ha"), "{events}");
    assert!(events.contains("Hello"), "{events}");
}

#[tokio::test]
async fn a_key_with_tokens_per_day_is_answered_until_it_has_used_them() {
    let model = Model::start(vec![Act::Send(vec![delta("Hello"), end()])]).await;
    let app = app(&model, &[("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")]).await;
    let create = ["keys", "create", "--label", "small", "--tokens-per-day", "8", "--quiet"];
    let output = app.command(&create).stdout;
    let small = String::from_utf8(output).unwrap().trim().to_owned();
    // Each chat counts five tokens: the one that crosses the line is answered.
    for more in [json!({}), json!({"stream": true})] {
        let answer = chat_with(&app, &small, &asked(&more)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    let refused = chat_with(&app, &small, &asked(&json!({}))).await;
    refused.refuses(429, "used up today's tokens");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=86_400).contains(&wait), "{wait}");
    assert_eq!(model.requests().len(), 2);
    assert_eq!(app.chat(&asked(&json!({}))).await.status, 200);
    until("the list shows the tokens", async || {
        let list = String::from_utf8(app.command(&["keys", "list"]).stdout).unwrap();
        list.contains(" 10/8 ").then_some(())
    })
    .await;
    assert!(app.metrics().await.contains("toolkit_key_tokens_total{key="));
}

#[tokio::test]
async fn without_usage_four_bytes_are_a_token() {
    let done = "data: [DONE]\n\n".to_owned();
    let model = Model::start(vec![Act::Send(vec![delta("12345"), done])]).await;
    let app = app(&model, &[]).await;
    let terms = KeyTerms { tokens_per_day: Some(5), ..KeyTerms::default() };
    let small = key(&app, terms).await;
    // "SHA-256 of abc?" and "12345" have 20 bytes.
    assert_eq!(chat_with(&app, &small, &asked(&json!({}))).await.status, 200);
    chat_with(&app, &small, &asked(&json!({}))).await.refuses(429, "tokens");
}

/// Tokens that a key has used today, as the database has them.
async fn used(app: &App, key: &str) -> u64 {
    let id = toolkit_store::KeyCache::load(&app.store).await.unwrap();
    let id = id.check(key).await.unwrap().unwrap();
    let records = app.store.keys().list().await.unwrap();
    records.iter().find(|record| record.id == id).unwrap().tokens.count
}

/// Ten questions of 30 KB, whose callers leave before the reply has ended.
async fn leave(app: &App, key: &str, model: &Model, stream: bool) {
    let question = "a".repeat(30_000);
    let body = json!({"stream": stream, "messages": [{"role": "user", "content": question}]});
    let asked = model.requests().len();
    for chat in 1..=10 {
        let request = app.post("/chat").header("X-Api-Key", key).json(&body);
        let mut caller = tokio::spawn(request.send());
        until("the model is asked", async || {
            (model.requests().len() == asked + chat).then_some(())
        })
        .await;
        if stream {
            let answer = (&mut caller).await.unwrap().unwrap();
            assert_eq!(answer.status(), 200);
        }
        caller.abort();
    }
}

#[tokio::test]
async fn tokens_of_a_chat_that_its_caller_leaves_are_counted_from_the_moment_a_model_is_asked() {
    for (act, stream) in [
        (Act::Hang(vec![]), false),
        (Act::Hang(vec![delta("Hello")]), false),
        (Act::Hang(vec![delta("Hello")]), true),
    ] {
        let model = Model::start(vec![act]).await;
        let app = app(&model, &[]).await;
        let terms = KeyTerms { tokens_per_day: Some(75_000), ..KeyTerms::default() };
        let small = key(&app, terms).await;
        leave(&app, &small, &model, stream).await;
        // Before anything has ended: the estimates alone use up the budget.
        chat_with(&app, &small, &asked(&json!({}))).await.refuses(429, "tokens");
        until("all that was asked", async || {
            (75_000..75_100).contains(&used(&app, &small).await).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn an_estimate_is_corrected_by_the_count_of_the_provider_and_a_refusal_costs_nothing() {
    let counted = vec![delta("Hello"), end()];
    let acts = vec![Act::Send(counted), Act::Status(500), Act::Status(401)];
    let model = Model::start(acts).await;
    let app = app(&model, &[]).await;
    let small = key(&app, KeyTerms::default()).await;
    let body = json!({"messages": [{"role": "user", "content": "a".repeat(30_000)}]});
    let statuses = [200, 502, 502].map(|status| (status, chat_with(&app, &small, &body)));
    for (status, answer) in statuses {
        assert_eq!(answer.await.status, status);
    }
    until("five tokens", async || (used(&app, &small).await == 5).then_some(())).await;
}

#[tokio::test]
async fn a_model_that_is_silent_for_one_key_answers_others_and_rests_if_it_is_silent_for_us_too() {
    let silence = || (0..6).map(|_| Act::Hang(vec![]));
    let timeout = [("TOOLKIT_LLM__PROVIDERS__0__TIMEOUT_MS", "1000")];
    let six = async |app: &App| {
        let all = (0..6).map(|_| async { app.chat(&asked(&json!({}))).await.status });
        assert_eq!(futures::future::join_all(all).await, [502; 6]);
    };
    let answers = Act::Send(vec![delta("OK"), end()]);
    let model = Model::start(silence().chain([answers]).collect()).await;
    let server = app(&model, &timeout).await;
    six(&server).await;
    let other = key(&server, KeyTerms::default()).await;
    assert_eq!(chat_with(&server, &other, &asked(&json!({}))).await.status, 200);
    let is_probe = |body: &Json| body["messages"][0]["content"] == "Answer with OK.";
    until("a question of ours", async || model.requests().iter().any(is_probe).then_some(())).await;
    // Silent for everybody.
    let model = Model::start(silence().collect()).await;
    let server = app(&model, &timeout).await;
    six(&server).await;
    until("its rest", async || {
        let health = server.health().await;
        (health["llm"]["status"] == "unavailable").then_some(())
    })
    .await;
}

#[tokio::test]
async fn headers_and_members_of_a_provider_reach_it_and_no_output() {
    let model = Model::start(vec![Act::Send(vec![delta("Hello"), end()])]).await;
    let provider = format!(
        "[[llm.providers]]\nname = \"main\"\nkind = \"chat\"\nmodel = \"m\"\nbase_url = \"{}?api-version=1\"\n\
         api_key = \"k\"\neffort = \"low\"\nheaders = {{ x-team = \"header-canary\" }}\nbody = {{ service_tier = \"flex\" }}\n",
        model.url
    );
    let app = App::start(Setup::default().with_file(&provider)).await;
    assert_eq!(app.chat(&asked(&json!({}))).await.status, 200);
    let sent = &model.requests()[0];
    assert_eq!((&sent["service_tier"], &sent["reasoning_effort"]), (&json!("flex"), &json!("low")));
    assert_eq!(sent["max_tokens"], 8_192);
    let heads = model.heads();
    assert!(
        heads[0].contains("x-team: header-canary") && heads[0].contains("?api-version=1"),
        "{heads:?}"
    );
    let shown = String::from_utf8(app.command(&["config", "check"]).stdout).unwrap();
    assert!(shown.contains("x-team") && !shown.contains("header-canary"), "{shown}");
}

#[tokio::test]
async fn a_filter_that_leaves_nothing_is_told_to_the_caller() {
    let filtered =
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "content_filter"}]});
    let model = Model::start(vec![Act::Send(vec![format!("data: {filtered}\n\n")])]).await;
    let app = app(&model, &[]).await;
    for more in [json!({}), json!({"stream": true})] {
        let answer = app.chat(&asked(&more)).await;
        answer.refuses(422, "The language model's filter left nothing");
    }
}

#[tokio::test]
async fn the_responses_format_is_spoken_where_the_settings_say_so() {
    let events = include_str!("../../../../crates/toolkit-llm/tests/fixtures/responses-text.sse");
    let model = Model::start(vec![Act::Send(vec![events.to_owned()])]).await;
    let provider = format!(
        "[[llm.providers]]\nname = \"main\"\nkind = \"responses\"\nmodel = \"m\"\nbase_url = \"{}\"\n",
        model.url
    );
    let app = App::start(Setup::default().with_file(&provider)).await;
    let reply = app.chat(&asked(&json!({}))).await.json();
    assert_eq!(reply["reply"], "Zwölf 🦀!\n");
    assert!(model.heads()[0].starts_with("POST /v1/responses "), "{:?}", model.heads());
}

#[tokio::test]
async fn a_proxy_is_asked_for_models_elsewhere_and_not_for_those_on_this_machine() {
    let answers = || vec![Act::Send(vec![delta("Hello"), end()])];
    let (proxy, local) = (Model::start(answers()).await, Model::start(answers()).await);
    let address = proxy.url.trim_end_matches("/v1").to_owned();
    for (base_url, is_proxied) in [("http://model.example/v1", true), (local.url.as_str(), false)] {
        let setup = Setup::new(&[("TOOLKIT_LLM__PROXY", &address)]);
        let app = App::start(setup.with_provider("main", base_url)).await;
        assert_eq!(app.chat(&asked(&json!({}))).await.status, 200, "{base_url}");
        let heads = proxy.heads();
        assert_eq!(heads.len(), 1, "{heads:?}");
        let line = "POST http://model.example/v1/chat/completions ";
        assert!(heads[0].starts_with(line) && is_proxied != (local.requests().len() == 1));
    }
}
