//! `mcp-server stdio`: the bytes on standard input and output.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use toolkit_core::registry::mcp_tools;

use crate::helpers::meta;

/// Longer than any wait of a test.
const PATIENCE: Duration = Duration::from_secs(40);

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"base64_transform","arguments":{"text":"Hi","mode":"encode"}}}"#;

/// A server and its standard streams.
struct Local {
    child: Child,
    input: Option<ChildStdin>,
    output: mpsc::Receiver<String>,
}

impl Local {
    fn start() -> Self {
        Self::start_with(&[], &[])
    }

    fn start_with(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-server"))
            .arg("stdio")
            .args(arguments)
            .env_clear()
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (lines, output) = mpsc::channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines() {
                lines.send(line.unwrap()).unwrap();
            }
        });
        let input = child.stdin.take();
        Self { child, input, output }
    }

    fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes.as_ref()).unwrap();
        input.flush().unwrap();
    }

    fn send_line(&mut self, message: &Json) {
        self.send(format!("{message}\n"));
    }

    fn answer(&self) -> Json {
        let line = self.output.recv_timeout(PATIENCE).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Closes standard input; returns the remaining answers, the exit status and the log.
    fn end(mut self) -> (Vec<Json>, ExitStatus, String) {
        drop(self.input.take());
        let status = wait(&mut self.child);
        let mut log = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut log).unwrap();
        let rest = self.output.iter();
        let rest = rest.map(|line| serde_json::from_str(&line).unwrap());
        (rest.collect(), status, log)
    }
}

fn wait(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(Instant::now() < deadline, "the process is still running");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn text(answer: &Json) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

fn initialize(version: &str) -> Json {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

#[test]
fn a_session_is_answered_and_ends_with_its_input() {
    let mut server = Local::start();
    server.send_line(&initialize("2025-11-25"));
    let answer = server.answer();
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    server.send_line(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    server.send_line(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    let tools = server.answer()["result"]["tools"].as_array().unwrap().len();
    assert_eq!(tools, mcp_tools().count());
    server.send(format!("{CALL}\n"));
    assert!(text(&server.answer()).contains("SGk="));
    let (rest, status, log) = server.end();
    assert!(rest.is_empty() && status.success(), "{rest:?} {status}");
    assert_eq!(log, "");
}

#[test]
fn every_revision_completes_the_handshake_and_an_unknown_one_gets_the_newest() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = Local::start();
        server.send_line(&initialize(version));
        assert_eq!(server.answer()["result"]["protocolVersion"], version);
    }
    let mut server = Local::start();
    server.send_line(&initialize("1999-01-01"));
    assert_eq!(server.answer()["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn discovery_handshake_and_calls_are_accepted_in_any_order() {
    let mut server = Local::start();
    for method in ["roots/list_changed", "initialized", "cancelled"] {
        server.send_line(&json!({"jsonrpc": "2.0", "method": format!("notifications/{method}")}));
    }
    server.send(format!("{CALL}\n"));
    assert!(text(&server.answer()).contains("SGk="), "no handshake");
    let params = json!({"_meta": meta()});
    server.send_line(
        &json!({"jsonrpc": "2.0", "id": 2, "method": "server/discover", "params": params}),
    );
    let discovered = server.answer();
    let versions = discovered["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2024-11-05")) && versions.contains(&json!("2026-07-28")));
    server.send_line(&initialize("2024-11-05"));
    assert_eq!(server.answer()["result"]["protocolVersion"], "2024-11-05");
    let params = json!({"name": "cidr_info", "arguments": {"cidr": "10.0.0.0/8"}, "_meta": meta()});
    server.send_line(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}));
    assert_eq!(server.answer()["result"]["resultType"], "complete");
}

#[test]
fn the_instructions_do_not_mention_a_network() {
    let mut server = Local::start();
    server.send_line(&initialize("2025-11-25"));
    let result = server.answer()["result"].take();
    assert_eq!(result["serverInfo"]["websiteUrl"], Json::Null);
    let instructions = result["instructions"].as_str().unwrap();
    assert!(!instructions.contains("429") && !instructions.contains("client address"));
    let page = [("TOOLKIT_PUBLIC__WEB_BASE_URL", "https://tools.example.org/toolkit")];
    let mut server = Local::start_with(&[], &page);
    server.send_line(&initialize("2025-11-25"));
    assert_eq!(
        server.answer()["result"]["serverInfo"]["websiteUrl"],
        "https://tools.example.org/toolkit/docs/mcp"
    );
}

#[test]
fn line_ends_blank_lines_and_a_byte_order_mark_are_accepted() {
    let mut server = Local::start();
    server.send(format!("\u{feff}{CALL}\r\n\r\n\n   \n{CALL}"));
    assert_eq!(server.answer()["id"], 1);
    let (rest, status, _) = server.end();
    assert_eq!(rest.len(), 1, "the last line has no end");
    assert!(status.success());
}

#[test]
fn an_invalid_message_gets_an_error_or_is_ignored_and_the_session_continues() {
    let mut server = Local::start();
    server.send("hello\n{\"jsonrpc\":\n");
    server.send("[]\n");
    assert_eq!(server.answer()["error"]["code"], -32600);
    server.send_line(&json!({"jsonrpc": "2.0", "id": "a", "method": "no/such"}));
    let answer = server.answer();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("a"), &json!(-32601)));
    server.send_line(&json!({"jsonrpc": "2.0", "id": 5, "result": {}}));
    server.send(format!("{CALL}\n"));
    assert_eq!(server.answer()["id"], 1);
    let (rest, status, log) = server.end();
    assert!(rest.is_empty() && status.success());
    assert_eq!(log.matches("not JSON").count(), 2, "{log}");
}

#[test]
fn too_large_arguments_and_too_long_lines_get_an_error() {
    let limit = [("TOOLKIT_HTTP__BODY_LIMIT_BYTES", "1024")];
    let mut server = Local::start_with(&[], &limit);
    let call = |characters: usize| {
        let arguments = json!({"text": "x".repeat(characters), "mode": "encode"});
        let params = json!({"name": "base64_transform", "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params})
    };
    let around = call(0)["params"]["arguments"].to_string().len();
    server.send_line(&call(1024 - around));
    assert_eq!(server.answer()["result"]["isError"], false, "at the limit");
    server.send_line(&call(1025 - around));
    let answer = server.answer();
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(9), &json!(true)));
    assert_eq!(
        text(&answer),
        "The arguments have 1025 bytes and a call takes 1024. Send less in one call."
    );
    assert!(answer["result"].get("resultType").is_none(), "{answer}");
    let mut stateless = call(1025 - around);
    stateless["params"]["_meta"] = meta();
    server.send_line(&stateless);
    assert_eq!(server.answer()["result"]["resultType"], "complete");
    server.send_line(&call(17 << 20));
    let answer = server.answer();
    assert_eq!(answer["error"]["code"], -32600);
    assert!(answer.get("id").is_none_or(Json::is_null));
    let (_, status, log) = server.end();
    assert!(status.success() && log.contains("too long"), "{log}");
}

#[test]
fn arguments_are_read_as_they_were_sent() {
    let mut server = Local::start();
    server.send(concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cidr_info","#,
        r#""arguments":{"cidr":"10.0.0.0/8","cidr":"10.0.0.0/9"}}}"#,
        "\n"
    ));
    let answer = server.answer();
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).contains("twice"), "{}", text(&answer));
}

#[test]
fn a_result_with_line_ends_stays_one_message() {
    let mut server = Local::start();
    // {"alg":"none"} and a payload on two lines.
    let token = "eyJhbGciOiJub25lIn0.ewogICJzdWIiOiAiYSIKfQ.";
    let params = json!({"name": "decode_jwt", "arguments": {"token": token}});
    server.send_line(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}));
    let answer = server.answer();
    assert_eq!(answer["result"]["structuredContent"]["result"]["payload"]["sub"], "a");
}

#[test]
fn a_cancelled_call_ends_and_gets_no_answer() {
    let mut server = Local::start();
    // A text on which this pattern uses its whole time limit.
    let arguments = json!({"pattern": "(?=.*z)(x+x+)+q", "text": "x".repeat(200_000)});
    let params = json!({"name": "regex_test", "arguments": arguments});
    server.send_line(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}));
    server.send_line(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}),
    );
    server.send(format!("{CALL}\n"));
    let (rest, status, _) = server.end();
    let ids: Vec<_> = rest.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(1)]);
    assert!(status.success());
}

#[test]
fn calls_in_progress_are_answered_when_the_input_ends() {
    let mut server = Local::start();
    for _ in 0..100 {
        server.send(format!("{CALL}\n"));
    }
    let (rest, status, _) = server.end();
    assert_eq!(rest.len(), 100);
    assert!(status.success());
    let (rest, status, log) = Local::start().end();
    assert!(rest.is_empty() && status.success(), "{rest:?}, {status}");
    assert_eq!(log, "");
}

#[test]
fn a_client_that_closes_the_output_ends_the_process() {
    let mut server = Local::start();
    // The thread that reads the output holds an end of the pipe; this process has none.
    let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-server"))
        .arg("stdio")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let input = child.stdin.as_mut().unwrap();
    input.write_all(format!("{CALL}\n").as_bytes()).unwrap();
    assert!(wait(&mut child).success());
    server.send(format!("{CALL}\n"));
    assert_eq!(server.answer()["id"], 1, "others are not concerned");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_at_once() {
    for signal in ["-TERM", "-INT"] {
        let mut server = Local::start();
        server.send(format!("{CALL}\n"));
        server.answer();
        let pid = server.child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().unwrap();
        assert!(sent.success());
        // Its input stays open.
        wait(&mut server.child);
    }
}

#[test]
fn a_settings_file_of_the_working_directory_is_not_read() {
    let folder = std::env::temp_dir().join(format!("toolkit-stdio-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("toolkit.toml");
    std::fs::write(&file, "this is not TOML").unwrap();
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_mcp-server"))
            .arg("stdio")
            .args(arguments)
            .env_clear()
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    let output = run(&[]);
    assert!(output.status.success());
    let output = run(&["--config", file.to_str().unwrap()]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn it_opens_no_socket() {
    let mut server = Local::start();
    server.send(format!("{CALL}\n"));
    server.answer();
    let folder = format!("/proc/{}/fd", server.child.id());
    let sockets = std::fs::read_dir(folder).unwrap().filter(|entry| {
        let target = std::fs::read_link(entry.as_ref().unwrap().path());
        target.is_ok_and(|target| target.to_string_lossy().starts_with("socket:"))
    });
    assert_eq!(sockets.count(), 0);
}

#[test]
fn help_is_plain_text() {
    for arguments in [&["--help"][..], &["config", "--help"], &["stdio", "--help"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcp-server"));
        let output = command.args(arguments).env_clear().output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(help.contains("Usage:") && !help.contains('`'), "{help}");
    }
}
