//! Request metrics: counts and durations.
//!
//! A recorder handle is looked up once for each combination of labels and kept, so that a request
//! costs a lookup in this thread and an addition. There are few enough for a linear search, which
//! is cheaper than hashing a route.

use metrics::{Counter, Histogram};

use crate::telemetry::AccessLine;

/// Routes with their own label; an app has a few dozen.
const ROUTES_MAX: usize = 256;

/// The handles of one worker thread.
pub(super) struct Stats {
    routes: Vec<Route>,
    shed: Counter,
}

struct Route {
    name: String,
    entries: Vec<Entry>,
}

struct Entry {
    method: &'static str,
    tool: Option<&'static str>,
    status: u16,
    requests: Counter,
    durations: Histogram,
}

impl Stats {
    pub(super) fn new() -> Self {
        Self {
            routes: Vec::new(),
            shed: metrics::counter!("toolkit_http_requests_shed_total"),
        }
    }

    pub(super) fn shed(&self) {
        self.shed.increment(1);
    }

    /// Whether this route was requested before.
    pub(super) fn knows(&self, route: &str) -> bool {
        self.place(route).is_some()
    }

    pub(super) fn record(&mut self, line: &AccessLine<'_>) {
        let route = self.route(line.route);
        if let Some(entry) = route.and_then(|route| route.entry(line)) {
            entry.requests.increment(1);
            entry.durations.record(line.duration.as_secs_f64());
        }
    }

    fn place(&self, route: &str) -> Option<usize> {
        self.routes.iter().position(|known| known.name == route)
    }

    /// The index of a route, added if there is room.
    fn route(&mut self, name: &str) -> Option<&mut Route> {
        let known = self.place(name);
        let place = known.unwrap_or(self.routes.len());
        if known.is_none() && place < ROUTES_MAX {
            self.routes.push(Route {
                name: name.to_owned(),
                entries: Vec::new(),
            });
        }
        self.routes.get_mut(place)
    }
}

impl Route {
    fn entry(&mut self, line: &AccessLine<'_>) -> Option<&Entry> {
        let known = self.entries.iter().position(|entry| entry.is(line));
        let place = known.unwrap_or(self.entries.len());
        if known.is_none() {
            self.entries.push(Entry::new(line));
        }
        self.entries.get(place)
    }
}

impl Entry {
    fn new(line: &AccessLine<'_>) -> Self {
        let route = line.route.to_owned();
        let tool = line.tool.unwrap_or_default();
        Self {
            method: line.method_label,
            tool: line.tool,
            status: line.status,
            requests: metrics::counter!(
                "toolkit_http_requests_total",
                "method" => line.method_label,
                "route" => route.clone(),
                "tool" => tool,
                "status" => line.status.to_string(),
            ),
            durations: metrics::histogram!(
                "toolkit_http_request_duration_seconds",
                "route" => route,
                "tool" => tool,
            ),
        }
    }

    fn is(&self, line: &AccessLine<'_>) -> bool {
        self.status == line.status && self.method == line.method_label && self.tool == line.tool
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    fn line<'a>(route: &'a str, method: &'static str, status: u16) -> AccessLine<'a> {
        AccessLine {
            method,
            method_label: method,
            route,
            tool: None,
            status,
            duration: Duration::from_millis(1),
            bytes: None,
            request_id: "id",
            trace_id: None,
        }
    }

    /// The metrics of what is recorded.
    fn recorded(record: impl FnOnce(&mut Stats)) -> String {
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || record(&mut Stats::new()));
        recorder.handle().render()
    }

    #[test]
    fn requests_are_counted_by_method_route_tool_and_status() {
        let metrics = recorded(|stats| {
            for _ in 0..2 {
                stats.record(&line("/a", "GET", 200));
                stats.record(&line("/a", "POST", 200));
                stats.record(&line("/b", "GET", 200));
            }
            stats.record(&line("/a", "GET", 404));
            stats.record(&AccessLine {
                tool: Some("hash"),
                ..line("/a", "GET", 200)
            });
            stats.shed();
            assert!(stats.knows("/a") && !stats.knows("/c"));
        });
        for (labels, count) in [
            (r#"method="GET",route="/a",tool="",status="200""#, 2),
            (r#"method="POST",route="/a",tool="",status="200""#, 2),
            (r#"method="GET",route="/b",tool="",status="200""#, 2),
            (r#"method="GET",route="/a",tool="",status="404""#, 1),
            (r#"method="GET",route="/a",tool="hash",status="200""#, 1),
        ] {
            let line = format!("toolkit_http_requests_total{{{labels}}} {count}");
            assert!(metrics.lines().any(|it| it == line), "{line}: {metrics}");
        }
        assert!(metrics.contains("toolkit_http_requests_shed_total 1\n"));
        assert!(
            metrics
                .contains(r#"toolkit_http_request_duration_seconds_count{route="/b",tool=""} 2"#)
        );
    }

    #[test]
    fn the_number_of_routes_with_a_label_is_bounded() {
        let metrics = recorded(|stats| {
            for number in 0..2 * ROUTES_MAX {
                stats.record(&line(&format!("/{number}"), "GET", 200));
            }
            stats.record(&line("/0", "GET", 200));
        });
        let routes = metrics.matches("toolkit_http_requests_total{").count();
        assert_eq!(routes, ROUTES_MAX);
        assert!(metrics.contains(r#"route="/0",tool="",status="200"} 2"#));
    }
}
