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
