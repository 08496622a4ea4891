//! Metrics: the names queried by the shipped dashboards and alerts exist.

use std::collections::BTreeSet;

use serde_json::json;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::helpers::{App, Setup, contact, until};
use crate::sink::{Behavior, Sink};

const DASHBOARD: &str = include_str!("../../../../deploy/grafana/toolkit.json");
const ALERTS: &str = include_str!("../../../../deploy/prometheus/alerts.yml");
const MANUAL: &str = include_str!("../../../../docs/operating/watch.md");

/// Returns the names of our metrics that occur in a text.
fn names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words
        .filter(|word| word.starts_with("toolkit_"))
        .map(|word| word.trim_end_matches("_bucket"))
        .collect()
}

#[test]
fn each_metric_of_the_dashboard_and_the_alerts_is_documented() {
    let explained = names(MANUAL);
    for name in names(DASHBOARD).union(&names(ALERTS)) {
        assert!(explained.contains(name), "{name} is not in docs/operating/watch.md");
    }
}

#[tokio::test]
async fn mail_models_and_the_database_are_measured() {
    let model = MockServer::start().await;
    let failure = ResponseTemplate::new(500);
    Mock::given(any()).respond_with(failure).mount(&model).await;
    let sink = Sink::start(Behavior::Recipients("452 4.3.1 later"));
    let setup = Setup::new(&[("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")])
        .with_mail(sink.address)
        .with_provider("measured", &model.uri());
    let app = App::start(setup).await;
    assert_eq!(app.contact(&contact()).await.status, 200);
    let chat = json!({"messages": [{"role": "user", "content": "Hello"}]});
    for _ in 0..3 {
        assert_eq!(app.chat(&chat).await.status, 502);
    }
    // Gauges are set every few seconds. All servers of this process share them, so only labeled
    // values and counters are certain to come from this one.
    for line in [
        "toolkit_outbox_pending ",
        "toolkit_outbox_oldest_seconds ",
        "toolkit_outbox_dead ",
        "toolkit_mail_failures_total{kind=\"contact\",class=\"smtp 452\"}",
        "toolkit_llm_attempts_total{provider=\"measured\",outcome=\"",
        "toolkit_llm_cooling_down{provider=\"measured\"} 1",
        "toolkit_database_up 1",
        "toolkit_keys_age_seconds 0",
        "toolkit_http_connections_limit ",
        "toolkit_memory_budget_bytes{kind=\"held\"} ",
        "toolkit_memory_budget_bytes{kind=\"limit\"} 167772160",
        "toolkit_database_connections ",
        "toolkit_database_connections_in_use ",
        "toolkit_database_waits_total ",
    ] {
        until(line, async || app.metrics().await.contains(line).then_some(())).await;
    }
    let metrics = app.metrics().await;
    let types = metrics.lines().filter_map(|line| line.strip_prefix("# TYPE toolkit_"));
    for name in types.filter_map(|line| line.split(' ').next()) {
        let help = format!("# HELP toolkit_{name} ");
        assert!(metrics.contains(&help), "toolkit_{name} has no description");
    }
}
