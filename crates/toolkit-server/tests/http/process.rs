//! Server process, from its start to its exit code: `examples/minimal_server.rs`.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::app::until;
use crate::client::{Answer, Connection, post, post_in_two};

const PATIENCE: Duration = Duration::from_secs(40);

fn command() -> Command {
    // Cargo builds the examples in a neighboring folder.
    let path = std::env::current_exe().unwrap();
    let path = path.parent().unwrap().parent().unwrap().join("examples/minimal_server");
    assert!(path.exists(), "run `cargo build -p toolkit-server --examples` first");
    let mut command = Command::new(path);
    command
        .env_clear()
        .env("TOOLKIT_API__BIND", "127.0.0.1:0")
        .env("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")
        .env("TOOLKIT_HTTP__WORKERS", "1")
        .env("TOOLKIT_LOG__FORMAT", "json")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

struct Running {
    child: Child,
    stdout: Option<BufReader<ChildStdout>>,
    address: SocketAddr,
    admin: SocketAddr,
}

fn start(command: &mut Command) -> Running {
    let mut child = command.spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut address = || {
        let line = line(&mut stdout);
        line["address"].as_str().unwrap().parse().unwrap()
    };
    let (admin, address) = (address(), address());
    Running { child, stdout: Some(stdout), address, admin }
}

fn line(stdout: &mut BufReader<ChildStdout>) -> serde_json::Value {
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
}

impl Running {
    fn signal(&self, signal: Signal) {
        let process = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(process, signal).unwrap();
    }

    fn get(&self, path: &str) -> Answer {
        Connection::open(self.address).get(path)
    }

    /// Starts a request, and returns its connection and the rest of it: the body, for which the
    /// server waits 15 seconds.
    fn begin_request(&self) -> (Connection, String) {
        let (head, body) = post_in_two("/echo", "[1]");
        let mut connection = Connection::open(self.address);
        connection.write(head.as_bytes());
        assert_eq!(connection.answer().status, 100);
        (connection, body)
    }

    /// Waits until the admin port reports that the server is stopping.
    fn until_stopping(&self) {
        let is_so = || Connection::open(self.admin).get("/readyz").status == 503;
        until("the stop", is_so);
    }

    fn ended(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("still running");
    }

    fn complaints(&mut self) -> String {
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn either_signal_lets_the_request_in_progress_finish_and_exits_with_0() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut server = start(&mut command());
        let (mut connection, body) = server.begin_request();
        server.signal(signal);
        server.until_stopping();
        connection.write(body.as_bytes());
        assert_eq!(connection.answer().body, "[1]");
        assert_eq!(server.ended().code(), Some(0));
        assert_eq!(server.complaints(), "");
    }
}

#[test]
fn a_stuck_client_does_not_keep_the_process_beyond_its_grace_period() {
    let mut server = start(command().env("TOOLKIT_HTTP__SHUTDOWN_GRACE_SECONDS", "1"));
    let _stuck = server.begin_request();
    let before = Instant::now();
    server.signal(Signal::TERM);
    assert_eq!(server.ended().code(), Some(0));
    // The default grace period is 10 seconds.
    assert!(before.elapsed() < Duration::from_secs(7), "{:?}", before.elapsed());
}

#[test]
fn a_second_signal_ends_the_process_at_once_and_not_with_0() {
    let mut server = start(&mut command());
    let _stuck = server.begin_request();
    let before = Instant::now();
    server.signal(Signal::TERM);
    server.until_stopping();
    server.signal(Signal::INT);
    let status = server.ended();
    assert_eq!((status.code(), status.signal()), (Some(1), None));
    // The grace period is 10 seconds.
    assert!(before.elapsed() < Duration::from_secs(7), "{:?}", before.elapsed());
}

#[test]
fn a_port_in_use_is_one_line_that_names_it_and_exit_code_1() {
    let first = start(&mut command());
    let mut second = command();
    second.env("TOOLKIT_API__BIND", first.address.to_string());
    let output = second.output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let in_use = format!("error: cannot listen on {}: the port is in use; ", first.address);
    assert!(complaint.starts_with(&in_use) && complaint.contains("`mcp.bind`"), "{complaint}");
}

#[test]
fn invalid_settings_are_a_line_each_and_exit_code_2() {
    let output = command()
        .env("TOOLKIT_LIMITS__RUN_BURST", "0")
        .env("TOOLKIT_LIMITS__RUNS", "1")
        .args(["--config", "/no/such/file.toml"])
        .output()
        .unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(complaint.lines().count(), 3, "{complaint}");
    for word in ["/no/such/file.toml", "TOOLKIT_LIMITS__RUN_BURST", "TOOLKIT_LIMITS__RUNS"] {
        assert!(complaint.contains(word), "{complaint}");
    }
}

#[test]
fn a_panic_is_one_log_line_with_its_request_and_location_and_nothing_on_standard_error() {
    let mut server = start(&mut command());
    let answer = server.get("/panic");
    assert_eq!(answer.status, 500);
    let id = answer.header("x-request-id").unwrap();
    let panic = line(server.stdout.as_mut().unwrap());
    assert_eq!((&panic["level"], &panic["request_id"]), (&"ERROR".into(), &id.into()));
    assert_eq!(panic["reason"], "as it was asked to");
    assert!(panic["place"].as_str().unwrap().contains("minimal_server.rs:"));
    let request = line(server.stdout.as_mut().unwrap());
    assert_eq!((&request["status"], &request["request_id"]), (&500.into(), &id.into()));
    server.signal(Signal::TERM);
    assert_eq!(server.ended().code(), Some(0));
    assert_eq!(server.complaints(), "");
}

#[test]
fn a_closed_standard_output_does_not_end_the_process() {
    let mut server = start(&mut command());
    drop(server.stdout.take());
    for _ in 0..50 {
        assert_eq!(server.get("/nowhere").status, 404);
    }
    server.signal(Signal::TERM);
    assert_eq!(server.ended().code(), Some(0));
}

#[test]
fn an_unread_log_does_not_block_requests() {
    let server = start(command().env("TOOLKIT_LIMITS__RUN_PER_MINUTE", "0"));
    let mut connection = Connection::open(server.address);
    // More than a pipe holds: a server blocked on its log would stop answering.
    for _ in 0..2_000 {
        connection.write(post("/echo", "[1]").as_bytes());
        assert_eq!(connection.answer().status, 200);
    }
}

#[test]
fn lines_of_an_unread_log_are_dropped_and_counted_and_do_not_delay_the_exit() {
    let mut server = start(command().env("TOOLKIT_LIMITS__RUN_PER_MINUTE", "0"));
    let mut connection = Connection::open(server.address);
    // More than the queue and the pipe hold.
    for _ in 0..10_000 {
        connection.write(post("/echo", "[1]").as_bytes());
        assert_eq!(connection.answer().status, 200);
    }
    let metrics = Connection::open(server.admin).get("/metrics").body;
    let dropped =
        metrics.lines().find_map(|line| line.strip_prefix("toolkit_log_dropped_lines_total "));
    assert!(dropped.unwrap().parse::<u64>().unwrap() > 0);
    server.signal(Signal::TERM);
    assert_eq!(server.ended().code(), Some(0));
}

/// The server, started under a limit of file descriptors.
fn start_limited(ulimit: &str) -> Running {
    let mut limited = Command::new("sh");
    let example = command();
    limited.arg("-c").arg(format!("ulimit {ulimit}; exec \"$0\"")).arg(example.get_program());
    limited.env_clear();
    for (name, value) in example.get_envs() {
        limited.env(name, value.unwrap());
    }
    limited.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    start(&mut limited)
}

#[test]
fn a_process_out_of_file_descriptors_waits_and_continues() {
    let server = start_limited("-n 40");
    let held: Vec<_> = (0..60).map(|_| Connection::open(server.address)).collect();
    std::thread::sleep(Duration::from_secs(2));
    drop(held);
    assert_eq!(server.get("/nowhere").status, 404);
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_asks_for_more_file_descriptors_than_a_process_gets() {
    // The shell leaves the hard limit.
    let server = start_limited("-S -n 40");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.child.id())).unwrap();
    let mut lines = limits.lines();
    let files = lines.find_map(|line| line.strip_prefix("Max open files"));
    let numbers = files.unwrap().split_whitespace().map(str::parse::<u64>);
    let numbers: Vec<u64> = numbers.map_while(Result::ok).collect();
    let [soft, hard] = numbers[..] else { panic!("{limits}") };
    assert_eq!(soft, hard.min(65_536));
}
