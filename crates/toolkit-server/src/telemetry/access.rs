//! Access log: one line per request, with its route, status and duration.

use std::time::Duration;

use super::clock::{self, digit};
use super::sink::Sink;
use crate::settings::LogFormat;

/// The route of requests that no handler received.
pub(crate) const NO_ROUTE: &str = "-";

/// Status of an unanswered request, whose client left before there was a response. The number is
/// nginx's.
pub(crate) const CLIENT_LEFT: u16 = 499;

/// Log fields of a request: of the client's text only a checked request id.
#[derive(Clone, Copy, Debug)]
pub struct AccessLine<'a> {
    /// The method.
    pub method: &'a str,
    /// The method as a label, of which a client cannot create new ones.
    pub method_label: &'static str,
    /// The pattern of the route, not the path.
    pub route: &'a str,
    /// The tool that ran, if one did.
    pub tool: Option<&'static str>,
    /// The status of the response; 499 when the client left before there was one.
    pub status: u16,
    /// From the head of the request to the head of the response.
    pub duration: Duration,
    /// The length of the response body, if known.
    pub bytes: Option<u64>,
    /// The id of the request.
    pub request_id: &'a str,
    /// The trace of the request, if traces are on.
    pub trace_id: Option<&'a str>,
}

/// The log of requests.
#[derive(Clone, Debug)]
pub struct AccessLog {
    sink: Sink,
    format: LogFormat,
}

impl AccessLog {
    /// Writes lines to a sink.
    pub fn new(sink: Sink, format: LogFormat) -> Self {
        Self { sink, format }
    }

    /// Writes the line of a request. `scratch` is a buffer reused between lines.
    pub(crate) fn write(&self, line: &AccessLine<'_>, scratch: &mut Vec<u8>) {
        scratch.clear();
        match self.format {
            LogFormat::Text => text(line, scratch),
            LogFormat::Json => json(line, scratch),
        }
        self.sink.push(scratch);
    }
}

// Formatted by hand rather than with `write!`: this runs for every request, and is several times
// cheaper. All values are our own words or checked ones, so none needs escaping.

fn text(line: &AccessLine<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(&clock::now());
    push(out, &["  INFO access: ", line.method, " ", line.route, " "]);
    push_number(out, u64::from(line.status));
    push(out, &[" duration_ms="]);
    push_milliseconds(out, line.duration);
    if let Some(bytes) = line.bytes {
        push(out, &[" bytes="]);
        push_number(out, bytes);
    }
    if let Some(tool) = line.tool {
        push(out, &[" tool.slug=", tool]);
    }
    if let Some(trace_id) = line.trace_id {
        push(out, &[" trace_id=", trace_id]);
    }
    push(out, &[" request_id=", line.request_id, "\n"]);
}

fn json(line: &AccessLine<'_>, out: &mut Vec<u8>) {
    push(out, &["{\"timestamp\":\""]);
    out.extend_from_slice(&clock::now());
    push(
        out,
        &["\",\"level\":\"INFO\",\"target\":\"access\",\"message\":\"request\",\"method\":\""],
    );
    push(out, &[line.method, "\",\"route\":\"", line.route]);
    if let Some(tool) = line.tool {
        push(out, &["\",\"tool.slug\":\"", tool]);
    }
    push(out, &["\",\"status\":"]);
    push_number(out, u64::from(line.status));
    push(out, &[",\"duration_ms\":"]);
    push_milliseconds(out, line.duration);
    if let Some(bytes) = line.bytes {
        push(out, &[",\"bytes\":"]);
        push_number(out, bytes);
    }
    if let Some(trace_id) = line.trace_id {
        push(out, &[",\"trace_id\":\"", trace_id, "\""]);
    }
    push(out, &[",\"request_id\":\"", line.request_id, "\"}\n"]);
}

fn push(out: &mut Vec<u8>, texts: &[&str]) {
    for text in texts {
        out.extend_from_slice(text.as_bytes());
    }
}

/// Milliseconds, to the microsecond.
fn push_milliseconds(out: &mut Vec<u8>, duration: Duration) {
    let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    push_number(out, microseconds / 1_000);
    out.push(b'.');
    out.extend([100, 10, 1].map(|unit| digit(microseconds / unit)));
}

fn push_number(out: &mut Vec<u8>, number: u64) {
    let start = out.len();
    let mut rest = number;
    loop {
        out.push(digit(rest));
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if let Some(digits) = out.get_mut(start..) {
        digits.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> AccessLine<'static> {
        AccessLine {
            method: "POST",
            method_label: "POST",
            route: "/tools/{slug}/run",
            tool: Some("hash"),
            status: 200,
            duration: Duration::from_micros(1_204),
            bytes: Some(90),
            request_id: "abc",
            trace_id: None,
        }
    }

    fn written(line: &AccessLine<'_>, how: fn(&AccessLine<'_>, &mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        how(line, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_line_for_machines_is_an_object_with_dotted_fields() {
        let value: serde_json::Value = serde_json::from_str(&written(&line(), json)).unwrap();
        assert_eq!(value["method"], "POST");
        assert_eq!(value["route"], "/tools/{slug}/run");
        assert_eq!(value["tool.slug"], "hash");
        assert_eq!(value["status"], 200);
        assert_eq!(value["duration_ms"], 1.204);
        assert_eq!(value["bytes"], 90);
        assert_eq!(value["request_id"], "abc");
        assert_eq!(value.get("trace_id"), None);
        let bare = AccessLine {
            tool: None,
            bytes: None,
            trace_id: Some("4bf9"),
            ..line()
        };
        let value: serde_json::Value = serde_json::from_str(&written(&bare, json)).unwrap();
        assert_eq!((value.get("tool.slug"), value.get("bytes")), (None, None));
        assert_eq!(value["trace_id"], "4bf9");
    }

    #[test]
    fn a_line_for_people_has_its_fields_in_order() {
        let text = written(&line(), text);
        let (_, rest) = text.split_once("  INFO ").unwrap();
        assert_eq!(
            rest,
            "access: POST /tools/{slug}/run 200 duration_ms=1.204 bytes=90 tool.slug=hash request_id=abc\n"
        );
    }

    #[test]
    fn numbers_are_written_in_full() {
        for number in [0, 7, 10, 99, 1_000, u64::MAX] {
            let mut out = Vec::new();
            push_number(&mut out, number);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
    }
}
