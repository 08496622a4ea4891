//! Cost of an event, and latency of the first one.

use std::time::Duration;

use futures::future::try_join_all;
use toolkit_measure::Result;

use super::{Row, median, micros, percentile};
use crate::client::Client;
use crate::model::{Model, Plan};
use crate::process::Program;

const STREAMS: usize = 20;

/// Pause between the events of a stream, long enough for each event to be read alone.
const EVENTS: usize = 1_500;
const PAUSE: Duration = Duration::from_millis(3);

const ROUNDS: usize = 5;

/// As many events as fit in a reply of 1 MiB of text and 8 MiB of stream.
const FLOOD_EVENTS: usize = 40_000;

const FIRST_EVENTS: usize = 500;

pub(super) async fn rows() -> Result<[Row; 4]> {
    let model = Model::start().await?;
    let server = Program::server(&model, &[])?;
    let relay = Program::relay(&model)?;
    let plan = Plan::Paced { events: EVENTS, pause: PAUSE };
    model.plan(plan);
    // Warm-up: loads what is loaded only once.
    cost(&server, 4).await?;
    cost(&relay, 4).await?;
    let (mut own, mut bare, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let (ours, theirs) = if round % 2 == 0 {
            let ours = cost(&server, STREAMS).await?;
            (ours, cost(&relay, STREAMS).await?)
        } else {
            let theirs = cost(&relay, STREAMS).await?;
            (cost(&server, STREAMS).await?, theirs)
        };
        own.push(ours);
        bare.push(theirs);
        ratios.push(ours / theirs);
    }
    model.plan(Plan::Flood { events: FLOOD_EVENTS });
    let mut floods = Vec::new();
    for _ in 0..ROUNDS {
        floods.push(flood(&server).await?);
    }
    let mut first = first_events(&model, &server).await?;
    Ok([
        Row::new(
            "CPU per event, one event per read, relative to a relay that forwards the same bytes",
            "at most 1.25 x",
            format!(
                "{:.2} x ({:.1} us, relay {:.1} us)",
                median(&mut ratios),
                median(&mut own),
                median(&mut bare)
            ),
        ),
        Row::new(
            "CPU per event when all events arrive at once",
            "at most 6 us",
            format!("{:.2} us", median(&mut floods)),
        ),
        Row::new(
            "delay of the first event after the provider has sent it, p50",
            "at most 1 ms",
            format!("{:.2} ms", median(&mut first) / 1e3),
        ),
        Row::new("the same, p99", "", format!("{:.2} ms", percentile(&mut first, 0.99) / 1e3)),
    ])
}

/// CPU microseconds per event, with this many concurrent streams.
async fn cost(program: &Program, streams: usize) -> Result<f64> {
    let before = program.cpu()?;
    let asked = (0..streams).map(|_| async {
        let client = Client::ask(program.address, &program.key, "", None).await?;
        client.finish().await
    });
    try_join_all(asked).await?;
    Ok(micros(program.cpu()?.saturating_sub(before)) / (streams * EVENTS) as f64)
}

/// CPU microseconds per event when all events arrive at once.
async fn flood(server: &Program) -> Result<f64> {
    const TIMES: usize = 5;
    let before = server.cpu()?;
    for _ in 0..TIMES {
        let client = Client::ask(server.address, &server.key, "", None).await?;
        if !client.finish().await?.is_complete() {
            return Err("a stream was cut off".into());
        }
    }
    Ok(micros(server.cpu()?.saturating_sub(before)) / (TIMES * FLOOD_EVENTS) as f64)
}

/// Microseconds between the sending and the arrival of the first event, one stream at a time.
async fn first_events(model: &Model, server: &Program) -> Result<Vec<f64>> {
    model.plan(Plan::Paced { events: 1, pause: Duration::from_millis(1) });
    let mut all = Vec::new();
    for _ in 0..FIRST_EVENTS {
        let client = Client::ask(server.address, &server.key, "", None).await?;
        let (_, delays) = client.watch(|| model.now()).await?;
        all.extend(delays.first().map(|&delay| delay as f64));
    }
    Ok(all)
}
