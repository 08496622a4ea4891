//! The metrics of requests: how many, and how long they took.
//!
//! A handle of the recorder is found once for each combination of labels and kept, so that a request
//! costs a look-up in a map of this thread and an addition.

use std::collections::HashMap;
use std::time::Duration;

use metrics::{Counter, Histogram};

/// Routes that are told apart by name; an app has a few dozen.
const ROUTES_MAX: usize = 256;

/// Labels of one request.
pub(super) struct Labels<'a> {
    pub(super) method: &'static str,
    pub(super) route: &'a str,
    pub(super) tool: Option<&'static str>,
    pub(super) status: u16,
}

/// The handles of one worker thread.
pub(super) struct Stats {
    routes: HashMap<String, Vec<Entry>>,
    shed: Counter,
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
            routes: HashMap::new(),
            shed: metrics::counter!("toolkit_http_requests_shed_total"),
        }
    }

    pub(super) fn shed(&self) {
        self.shed.increment(1);
    }

    pub(super) fn record(&mut self, labels: &Labels<'_>, duration: Duration) {
        if !self.routes.contains_key(labels.route) {
            if self.routes.len() >= ROUTES_MAX {
                return;
            }
            self.routes.insert(labels.route.to_owned(), Vec::new());
        }
        let Some(entries) = self.routes.get_mut(labels.route) else {
            return;
        };
        let place = entries
            .iter()
            .position(|entry| entry.is(labels))
            .unwrap_or_else(|| {
                entries.push(Entry::new(labels));
                entries.len() - 1
            });
        if let Some(entry) = entries.get(place) {
            entry.requests.increment(1);
            entry.durations.record(duration.as_secs_f64());
        }
    }
}

impl Entry {
    fn new(labels: &Labels<'_>) -> Self {
        let route = labels.route.to_owned();
        let tool = labels.tool.unwrap_or_default();
        Self {
            method: labels.method,
            tool: labels.tool,
            status: labels.status,
            requests: metrics::counter!(
                "toolkit_http_requests_total",
                "method" => labels.method,
                "route" => route.clone(),
                "tool" => tool,
                "status" => labels.status.to_string(),
            ),
            durations: metrics::histogram!(
                "toolkit_http_request_duration_seconds",
                "route" => route,
                "tool" => tool,
            ),
        }
    }

    fn is(&self, labels: &Labels<'_>) -> bool {
        self.status == labels.status && self.method == labels.method && self.tool == labels.tool
    }
}
