//! `OpenTelemetry` traces, as received by a collector.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, Span};
use prost::Message;
use toolkit_server::admin::Metrics;
use toolkit_server::middleware::Middleware;
use toolkit_server::settings::{HttpUrl, Telemetry};
use toolkit_server::telemetry::Traces;

use crate::app::{Served, spawn_edge};

const PATIENCE: Duration = Duration::from_secs(40);

const CALLER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// A fake collector.
struct Collector {
    address: SocketAddr,
    taken: mpsc::Receiver<ExportTraceServiceRequest>,
}

impl Collector {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (give, taken) = mpsc::channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let give = give.clone();
                std::thread::spawn(move || serve(stream.unwrap(), &give));
            }
        });
        Self { address, taken }
    }

    /// Waits for this many spans, each with the attributes of its service.
    fn spans(&self, count: usize) -> Vec<(ResourceSpans, Span)> {
        let mut spans = Vec::new();
        while spans.len() < count {
            let request = self.taken.recv_timeout(PATIENCE).unwrap();
            for of_service in request.resource_spans {
                let new = of_service.scope_spans.iter().flat_map(|scope| scope.spans.clone());
                spans.extend(new.map(|span| (of_service.clone(), span)));
            }
        }
        spans
    }
}

fn serve(stream: TcpStream, give: &mpsc::Sender<ExportTraceServiceRequest>) {
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let head = head.to_ascii_lowercase();
        assert!(head.starts_with("post /v1/traces http/1.1\r\n"), "{head}");
        assert!(head.contains("content-type: application/x-protobuf\r\n"), "{head}");
        let (_, length) = head.split_once("content-length: ").unwrap();
        let mut body = vec![0; length.split_once('\r').unwrap().0.parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        let _ = give.send(ExportTraceServiceRequest::decode(&body[..]).unwrap());
        writer.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
}

/// Starts the app with traces for a collector.
fn traced(collector: SocketAddr) -> (Served, mpsc::Receiver<Traces>) {
    let settings = Telemetry { otlp_endpoint: HttpUrl::parse(&format!("http://{collector}")) };
    let (give, traces) = mpsc::channel();
    let app = spawn_edge(move || {
        let traces = Traces::start(&settings, "test").unwrap();
        give.send(traces.clone().unwrap()).unwrap();
        Middleware::new().traced(traces)
    });
    (app, traces)
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

async fn flush(traces: &mpsc::Receiver<Traces>, patience: Duration) {
    traces.recv_timeout(PATIENCE).unwrap().flush(patience).await;
}

fn text(span: &Span, name: &str) -> Option<String> {
    let value = span.attributes.iter().find(|attribute| attribute.key == name);
    match value?.value.clone()?.value? {
        Value::StringValue(text) => Some(text),
        Value::IntValue(number) => Some(number.to_string()),
        other => panic!("{name} is {other:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    let digits = |text: String, byte| text + &format!("{byte:02x}");
    bytes.iter().fold(String::new(), digits)
}

fn with_parent(path: &str, flags: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nhost: x\r\ntraceparent: {CALLER}-{flags}\r\ntracestate: a=b\r\nx-request-id: r-1\r\n\r\n"
    )
}

#[test]
fn a_request_is_a_span_of_its_callers_trace() {
    let collector = Collector::start();
    let (app, _) = traced(collector.address);
    app.send(&with_parent("/tools/secret-word?token=secret-word", "01"));
    let (service, span) = collector.spans(1).remove(0);
    assert_eq!(hex(&span.trace_id), TRACE);
    assert_eq!(hex(&span.parent_span_id), "00f067aa0ba902b7");
    assert_eq!(span.trace_state, "a=b");
    assert_eq!(span.name, "GET /tools/{slug}");
    assert_eq!(span.kind, 2);
    assert!(0 < span.start_time_unix_nano && span.start_time_unix_nano <= span.end_time_unix_nano);
    for (name, value) in [
        ("http.request.method", "GET"),
        ("http.route", "/tools/{slug}"),
        ("http.response.status_code", "200"),
        ("toolkit.tool", "hash"),
        ("toolkit.request_id", "r-1"),
    ] {
        assert_eq!(text(&span, name).as_deref(), Some(value), "{name}");
    }
    assert_eq!(text(&span, "error.type"), None);
    assert!(format!("{service:?}").contains("\"service.name\""));
    assert!(!format!("{service:?}").contains("secret-word"));
    assert_eq!(app.log_line("r-1")["trace_id"], TRACE);
}

#[test]
fn a_request_without_a_trace_starts_one_and_a_failure_is_an_error() {
    let collector = Collector::start();
    let (app, _) = traced(collector.address);
    for path in ["/hello", "/panic", "/nowhere"] {
        app.get(path);
    }
    let spans = collector.spans(3);
    let traces: std::collections::HashSet<_> =
        spans.iter().map(|(_, span)| &span.trace_id).collect();
    assert_eq!(traces.len(), 3);
    for (_, span) in &spans {
        assert_eq!((span.trace_id.len(), span.parent_span_id.len()), (16, 0));
        let failed = text(span, "http.response.status_code").as_deref() == Some("500");
        let code = span.status.as_ref().map_or(0, |status| status.code);
        assert_eq!(code == 2, failed, "{span:?}");
        assert_eq!(text(span, "error.type").is_some(), failed, "{span:?}");
    }
    assert!(spans.iter().any(|(_, span)| span.name == "GET"));
}

#[test]
fn a_callers_decision_not_to_sample_is_followed_and_a_broken_header_is_ignored() {
    let collector = Collector::start();
    let (app, _) = traced(collector.address);
    app.send(&with_parent("/tools/x", "00"));
    assert_eq!(app.log_line("r-1")["trace_id"], TRACE);
    for broken in ["", "00-1-2-01", "ff-x", &"0".repeat(10_000)] {
        app.send(&format!("GET /hello HTTP/1.1\r\nhost: x\r\ntraceparent: {broken}\r\n\r\n"));
    }
    for (_, span) in collector.spans(4) {
        assert_eq!(span.name, "GET /hello");
        assert_ne!(hex(&span.trace_id), TRACE);
    }
}

#[test]
fn waiting_spans_are_sent_at_the_end() {
    let collector = Collector::start();
    let (app, traces) = traced(collector.address);
    app.get("/hello");
    runtime().block_on(flush(&traces, PATIENCE));
    assert_eq!(collector.taken.try_iter().count(), 1);
}

#[test]
fn an_unreachable_or_silent_collector_blocks_nothing() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = "127.0.0.1:1".parse().unwrap();
    // Before the measured part.
    let metrics = runtime().block_on(async { Metrics::start() });
    for collector in [silent.local_addr().unwrap(), gone] {
        let (app, traces) = traced(collector);
        let mut connection = app.connect();
        // More than the queue holds.
        for _ in 0..6_000 {
            connection.write(b"GET /hello HTTP/1.1\r\nhost: x\r\n\r\n");
            assert_eq!(connection.answer().status, 200);
        }
        runtime().block_on(flush(&traces, Duration::from_millis(10)));
    }
    assert!(metrics.render().contains("toolkit_traces_dropped_total "));
}
