//! Request metrics: counts and durations.
//!
//! A recorder handle is looked up once for each combination of labels and kept, so that a request
//! costs a lookup in this thread and an addition. There are few enough for a linear search, which
//! is cheaper than hashing a route.

use std::time::Duration;

use metrics::{Counter, Histogram};

/// Routes with their own label; an app has a few dozen.
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

    pub(super) fn record(&mut self, labels: &Labels<'_>, duration: Duration) {
        if let Some(entry) = self
            .route(labels.route)
            .and_then(|route| route.entry(labels))
        {
            entry.requests.increment(1);
            entry.durations.record(duration.as_secs_f64());
        }
    }

    fn place(&self, route: &str) -> Option<usize> {
        self.routes.iter().position(|known| known.name == route)
    }

    /// The index of a route, added if there is room.
    fn route(&mut self, name: &str) -> Option<&mut Route> {
        let place = match self.place(name) {
            None if self.routes.len() >= ROUTES_MAX => return None,
            None => {
                self.routes.push(Route {
                    name: name.to_owned(),
                    entries: Vec::new(),
                });
                self.routes.len() - 1
            }
            Some(place) => place,
        };
        self.routes.get_mut(place)
    }
}

impl Route {
    fn entry(&mut self, labels: &Labels<'_>) -> Option<&Entry> {
        let known = self.entries.iter().position(|entry| entry.is(labels));
        let place = known.unwrap_or(self.entries.len());
        if known.is_none() {
            self.entries.push(Entry::new(labels));
        }
        self.entries.get(place)
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
