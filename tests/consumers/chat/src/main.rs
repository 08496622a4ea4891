//! Consumer of `toolkit-llm`: a chat with a fake provider on loopback.

mod stub;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use toolkit_llm::providers::{Anthropic, OpenAi, ProviderConfig};
use toolkit_llm::serde_json::{Value, json};
use toolkit_llm::{
    Chain, ChatEvent, ChatRequest, Conversation, ConversationLimits, LlmErrorKind, Message,
    Provider, ToolCall, ToolOutcome, ToolSpec, tools,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = stub::start()?;
    stream_with_a_tool(&address).await?;
    options(&address).await?;
    failures(&address).await?;
    limits()?;
    println!("every check of the chat passed");
    Ok(())
}

/// Returns a provider at a path of the stub. No rustls provider has been installed before.
fn provider(address: &str, name: &str) -> Result<Arc<dyn Provider>, Box<dyn Error>> {
    let config = ProviderConfig::new(name, "m").base_url(format!("{address}/{name}"));
    let config = config.timeout(Duration::from_secs(20));
    Ok(Arc::new(OpenAi::new(toolkit_llm::client()?, config)?))
}

fn question() -> Result<Conversation, Box<dyn Error>> {
    let question = Message::user("How long is strawberry?");
    Ok(Conversation::new(vec![question])?)
}

async fn stream_with_a_tool(address: &str) -> Result<(), Box<dyn Error>> {
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    let count = ToolSpec::new("count", "Counts characters.", schema);
    let request = ChatRequest::new(question()?).tools(tools::from_fn(vec![count], run));
    let mut events = Chain::new(vec![provider(address, "works")?]).stream(request);
    let (mut text, mut calls) = (String::new(), 0);
    while let Some(event) = events.next().await {
        match event? {
            ChatEvent::Text(more) => text.push_str(&more),
            ChatEvent::Tool(run) => calls += usize::from(run.outcome.result().is_some()),
            ChatEvent::Done(end) => assert_eq!((end.model.as_str(), end.rounds), ("stub-1", 2)),
            _ => {}
        }
    }
    assert_eq!((text.as_str(), calls), ("It has ten characters.", 1));
    println!("{text}");
    Ok(())
}

async fn run(call: ToolCall) -> ToolOutcome {
    let arguments: Value = toolkit_llm::serde_json::from_str(&call.arguments).unwrap_or_default();
    match arguments["text"].as_str() {
        Some(text) => ToolOutcome::done(&text.chars().count()),
        None => ToolOutcome::refused("`text` must be a string."),
    }
}

async fn options(address: &str) -> Result<(), Box<dyn Error>> {
    let request = ChatRequest::new(question()?)
        .max_output_tokens(64)
        .temperature(0.2)
        .top_p(0.9)
        .stop(["END"])
        .seed(7);
    let chain = Chain::new(vec![provider(address, "works")?]);
    let reply = chain.reply(&request).await?;
    assert_eq!(reply.text, "5 options");
    assert!(reply.warnings.is_empty());
    assert_eq!(reply.usage.map(|usage| usage.output_tokens), Some(2));
    println!("{} from {}", reply.text, reply.model);
    Ok(())
}

async fn failures(address: &str) -> Result<(), Box<dyn Error>> {
    let names = ["busy", "broken"];
    let providers = names.map(|name| provider(address, name));
    let chain = Chain::new(providers.into_iter().collect::<Result<_, _>>()?);
    let error = chain.reply(&question()?).await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::Failed);
    let statuses: Vec<_> = error
        .attempts()
        .iter()
        .map(|attempt| attempt.error().status())
        .collect();
    assert_eq!(statuses, [Some(429), Some(500)]);
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7)));
    for attempt in error.attempts() {
        println!("{}: {}", attempt.provider, attempt.error());
    }
    let error = Chain::new(vec![provider(address, "strict")?])
        .reply(&question()?)
        .await;
    assert_eq!(error.unwrap_err().kind(), LlmErrorKind::Refused);
    let config = ProviderConfig::new("vendor", "m");
    let refused = Anthropic::new(toolkit_llm::client()?, config).err();
    assert_eq!(refused.map(|error| error.field), Some("api_key"));
    Ok(())
}

fn limits() -> Result<(), Box<dyn Error>> {
    let messages = vec![Message::user("a"); 200];
    assert!(Conversation::new(messages.clone()).is_err());
    let mut limits = ConversationLimits::default();
    limits.messages = 500;
    assert_eq!(
        Conversation::with_limits(messages, limits)?
            .messages()
            .len(),
        200
    );
    Ok(())
}
