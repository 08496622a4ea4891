//! Ends of streams: clients that disconnect, and graceful shutdown of the server.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use toolkit_e2e::Proxy;
use toolkit_measure::Result;

use super::Row;
use crate::client::Client;
use crate::model::{Model, Plan};
use crate::process::Program;

const PATIENCE: Duration = Duration::from_secs(10);

pub(super) async fn client_killed() -> Result<[Row; 1]> {
    let model = Model::start().await?;
    let server = Program::server(&model, &[])?;
    let proxy = Proxy::start(&[server.address], &[server.address])?;
    let text = Plan::Paced { events: 10_000, pause: Duration::from_millis(10) };
    let tools = ",\"tools\":\"auto\"";
    let mut measured = Vec::new();
    for (name, plan, more, address) in [
        ("in text", text, "", server.address),
        ("in silence", Plan::Silent, "", server.address),
        ("in a tool", Plan::Tool, tools, server.address),
        ("through nginx in text", text, "", proxy.address),
        ("through nginx in silence", Plan::Silent, "", proxy.address),
    ] {
        model.plan(plan);
        let time = kill(&model, &server, address, more).await?;
        measured.push(time.map_or_else(
            || format!("{name} not within {} s", PATIENCE.as_secs()),
            |time| format!("{name} {:.1} ms", time.as_secs_f64() * 1e3),
        ));
    }
    Ok([Row::new(
        "client killed, until the connection to the provider is closed",
        "at most 1 s",
        measured.join(", "),
    )])
}

async fn kill(
    model: &Model,
    server: &Program,
    address: SocketAddr,
    more: &str,
) -> Result<Option<Duration>> {
    let mut client = Client::ask(address, &server.key, more, None).await?;
    client.read_until(b"event: start").await?;
    let gone = Instant::now();
    drop(client);
    let closed = model.wait_closed(1, PATIENCE).await;
    Ok(closed.map(|at| at.saturating_duration_since(gone)))
}

pub(super) async fn stop() -> Result<[Row; 1]> {
    let model = Model::start().await?;
    let server = Program::server(&model, &[("TOOLKIT_HTTP__SHUTDOWN_GRACE_SECONDS", "10")])?;
    let mut streams = Vec::new();
    for seconds in [8, 60] {
        model.plan(Plan::Paced { events: seconds * 10, pause: Duration::from_millis(100) });
        let client = Client::ask(server.address, &server.key, "", None).await?;
        streams.push(client);
        // Long enough for the provider to have read the plan.
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    server.terminate()?;
    let start = Instant::now();
    let Ok([short, long]) = <[Client; 2]>::try_from(streams) else {
        return Err("there are not two streams".into());
    };
    let short = short.finish().await?;
    let long = long.finish().await?;
    let word = |is: bool, word: &'static str| if is { word } else { "cut" };
    Ok([Row::new(
        "SIGTERM with a grace period of 10 s: a stream of 8 s, one of 60 s",
        "`done`; `error` 503",
        format!(
            "{}; {} after {:.2} s",
            word(short.is_complete(), "`done`"),
            word(long.has_error(503), "`error` 503"),
            start.elapsed().as_secs_f64()
        ),
    )])
}
