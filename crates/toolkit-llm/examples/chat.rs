//! Streams a chat with a tool: `cargo run --example chat -- http://127.0.0.1:11434/v1 qwen3:8b
//! "…"`.
//!
//! Without arguments it prints its usage. The API key, if the server needs one, is read from
//! `API_KEY`.

#![expect(clippy::print_stdout, reason = "it is a program for a terminal")]

use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

use toolkit_llm::providers::{OpenAi, ProviderConfig};
use toolkit_llm::{
    Chain, ChatEvent, ChatRequest, Conversation, Message, ToolCall, ToolOutcome, ToolSpec, tools,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base_url, model, question] = arguments.as_slice() else {
        println!("usage: chat BASE_URL MODEL QUESTION");
        return Ok(());
    };
    let mut config = ProviderConfig::new("main", model).base_url(base_url);
    if let Ok(key) = std::env::var("API_KEY") {
        config = config.api_key(key);
    }
    chat(config, question, &mut io::stdout()).await
}

/// A separate function, so that a test can read its output.
pub(crate) async fn chat(
    config: ProviderConfig,
    question: &str,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let provider = OpenAi::new(toolkit_llm::client()?, config)?;
    let chain = Chain::new(vec![Arc::new(provider)]);
    let conversation = Conversation::new(vec![Message::user(question)])?;
    let request = ChatRequest::new(conversation).tools(tools::from_fn(vec![count()], run));
    let mut events = chain.stream(request);
    while let Some(event) = events.next().await {
        match event? {
            ChatEvent::Text(text) => {
                write!(out, "{text}")?;
                out.flush()?;
            }
            ChatEvent::Tool(run) => writeln!(out, "[{}]", run.call.shown_name())?,
            ChatEvent::Done(end) => writeln!(out, "\n({}, {})", end.model, end.finish_reason)?,
            _ => {}
        }
    }
    Ok(())
}

/// A tool that counts characters, a task that models are bad at.
fn count() -> ToolSpec {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The text."}},
        "required": ["text"],
        "additionalProperties": false,
    });
    ToolSpec::new("count_characters", "Counts the characters of a text.", schema)
}

#[derive(serde::Deserialize)]
struct Arguments {
    text: String,
}

async fn run(call: ToolCall) -> ToolOutcome {
    match call.parse::<Arguments>() {
        Ok(Arguments { text }) => ToolOutcome::done(&text.chars().count()),
        Err(error) => ToolOutcome::refused(error.to_string()),
    }
}
