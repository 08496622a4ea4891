//! Fake model provider on bare TCP, whose answers may break off, hang or arrive in pieces.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::helpers::{App, Setup};

/// A chat with a question that a tool answers, with more members.
pub(crate) fn asked(more: &Json) -> Json {
    let mut body = json!({"messages": [{"role": "user", "content": "SHA-256 of abc?"}]});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

/// A server whose only provider is this one.
pub(crate) async fn app(model: &Model, variables: &[(&str, &str)]) -> App {
    App::start(Setup::new(variables).with_provider("main", &model.url)).await
}

/// Behavior of the provider on one connection, after the request.
#[derive(Clone)]
pub(crate) enum Act {
    /// Sends these pieces of a body, one by one, and closes the connection.
    Send(Vec<String>),
    /// Sends them, then nothing until the other side closes the connection.
    Hang(Vec<String>),
    /// Sends a JSON response.
    Json(Json),
    Status(u16),
    /// Sends this status with a JSON body.
    Refuse(u16, Json),
    /// Sends pieces with a pause before each.
    Slow(Vec<String>, Duration),
}

/// A provider that performs one act per connection, in order, and repeats the last one.
pub(crate) struct Model {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<Json>>>,
    heads: Arc<Mutex<Vec<String>>>,
    closed: Arc<AtomicUsize>,
}

impl Model {
    pub(crate) async fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (requests, closed) = (Arc::default(), Arc::default());
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let model = Self {
            url,
            requests: Arc::clone(&requests),
            heads: Arc::clone(&heads),
            closed: Arc::clone(&closed),
        };
        tokio::spawn(async move {
            let mut acts = acts.into_iter();
            let mut last = None;
            while let Ok((stream, _)) = listener.accept().await {
                let act = acts.next().or(last).unwrap();
                last = Some(act.clone());
                let seen = (Arc::clone(&requests), Arc::clone(&heads));
                tokio::spawn(serve(stream, act, seen, Arc::clone(&closed)));
            }
        });
        model
    }

    pub(crate) fn requests(&self) -> Vec<Json> {
        self.requests.lock().unwrap().clone()
    }

    /// Request lines and headers.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    pub(crate) fn closed(&self) -> usize {
        self.closed.load(Ordering::SeqCst)
    }
}

/// What was received.
type Notes<T> = Arc<Mutex<Vec<T>>>;

async fn serve(
    mut stream: TcpStream,
    act: Act,
    (requests, heads): (Notes<Json>, Notes<String>),
    closed: Arc<AtomicUsize>,
) {
    let mut bytes = Vec::new();
    let body = loop {
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && let Ok(body) = serde_json::from_str(body)
        {
            heads.lock().unwrap().push(head.to_owned());
            break body;
        }
    };
    requests.lock().unwrap().push(body);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    let mut pause = None;
    let (pieces, hangs) = match act {
        Act::Send(pieces) => (pieces, false),
        Act::Hang(pieces) => (pieces, true),
        Act::Slow(pieces, between) => {
            pause = Some(between);
            (pieces, false)
        }
        Act::Refuse(status, body) => {
            let (body, kind) = (body.to_string(), "application/json");
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
                 Connection: close\r\n\r\n{body}"
            );
            let _ = stream.write_all(answer.as_bytes()).await;
            return;
        }
        Act::Json(json) => {
            let body = json.to_string();
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
                 Connection: close\r\n\r\n{body}"
            );
            let _ = stream.write_all(answer.as_bytes()).await;
            return;
        }
        Act::Status(status) => {
            let answer =
                format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            let _ = stream.write_all(answer.as_bytes()).await;
            return;
        }
    };
    let _ = stream.write_all(head.as_bytes()).await;
    for piece in pieces {
        if let Some(pause) = pause {
            tokio::time::sleep(pause).await;
        }
        let _ = stream.write_all(piece.as_bytes()).await;
        tokio::task::yield_now().await;
    }
    if hangs {
        let _ = stream.read(&mut [0; 64]).await;
        closed.fetch_add(1, Ordering::SeqCst);
    }
}

pub(crate) fn delta(text: &str) -> String {
    let chunk = json!({"model": "m-2026", "choices": [{"index": 0, "delta": {"content": text}}]});
    format!("data: {chunk}\n\n")
}

pub(crate) fn end() -> String {
    let chunk = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2}});
    format!("data: {chunk}\n\ndata: [DONE]\n\n")
}

pub(crate) fn call(name: &str, arguments: &str) -> String {
    let call = json!({"index": 0, "id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}});
    let chunk =
        json!({"model": "m-2026", "choices": [{"index": 0, "delta": {"tool_calls": [call]}}]});
    format!("data: {chunk}\n\n")
}
