//! Fake Chat Completions provider on loopback, using only the standard library.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

/// Starts the stub on a free port; returns its address.
pub fn start() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("http://{}", listener.local_addr()?);
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            thread::spawn(move || answer(connection));
        }
    });
    Ok(address)
}

fn answer(connection: TcpStream) -> io::Result<()> {
    let (path, body) = read(&connection)?;
    let (head, body) = match path.as_str() {
        "/busy/chat/completions" => ("429 Too Many Requests\r\nRetry-After: 7", String::new()),
        "/broken/chat/completions" => ("500 Internal Server Error", String::new()),
        "/strict/chat/completions" => ("400 Bad Request", String::new()),
        _ => ("200 OK\r\nContent-Type: text/event-stream", stream(&body)),
    };
    let length = body.len();
    write!(
        &connection,
        "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

fn read(connection: &TcpStream) -> io::Result<(String, String)> {
    let mut reader = BufReader::new(connection);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut length = 0;
    while line.trim() != "" {
        line.clear();
        reader.read_line(&mut line)?;
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = String::new();
    reader.take(length).read_to_string(&mut body)?;
    Ok((path, body))
}

/// With a tool, the first round calls it, and the second repeats its result. Without, the text has the options.
fn stream(body: &str) -> String {
    let deltas = if !body.contains(r#""tools":"#) {
        [
            format!(r#"{{"content":"{}"}}"#, options(body)),
            r#"{"content":" options"}"#.to_owned(),
        ]
    } else if body.contains(r#""role":"tool""#) {
        let result = if body.contains(r#""content":"10""#) {
            "ten"
        } else {
            "?"
        };
        [
            format!(r#"{{"content":"It has {result}"}}"#),
            r#"{"content":" characters."}"#.to_owned(),
        ]
    } else {
        [
            r#"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"count","arguments":""}}]}"#
                .to_owned(),
            r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"text\":\"strawberry\"}"}}]}"#
                .to_owned(),
        ]
    };
    let reason = if deltas[1].contains("tool_calls") {
        "tool_calls"
    } else {
        "stop"
    };
    let mut events = String::new();
    for delta in deltas {
        events += &format!(
            "data: {{\"model\":\"stub-1\",\"choices\":[{{\"index\":0,\"delta\":{delta}}}]}}\n\n"
        );
    }
    events
        + &format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"{reason}\"}}],\"usage\":{{\"prompt_tokens\":3,\"completion_tokens\":2}}}}\n\ndata: [DONE]\n\n"
        )
}

/// How many options came.
fn options(body: &str) -> usize {
    let names = ["temperature", "top_p", "stop", "seed", "max_tokens"];
    names
        .into_iter()
        .filter(|name| body.contains(&format!(r#""{name}":"#)))
        .count()
}
