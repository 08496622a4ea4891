//! What an event costs, and how soon the first one is there.

use std::io;
use std::time::Duration;

use futures::future::try_join_all;

use super::{Row, median, micros, percentile};
use crate::client::Client;
use crate::model::{Model, Plan};
use crate::process::Program;

const STREAMS: usize = 20;

/// Of each stream: together they come slowly enough for each to be read alone.
const EVENTS: usize = 1_500;
const PAUSE: Duration = Duration::from_millis(3);

const ROUNDS: usize = 5;

/// As many as a reply of 1 MiB and 8 MiB on the wire has room for.
const FLOOD_EVENTS: usize = 40_000;

const FIRST_EVENTS: usize = 500;

pub(super) async fn rows() -> io::Result<[Row; 4]> {
    let model = Model::start().await?;
    let server = Program::server(&model, &[])?;
    let relay = Program::relay(&model)?;
    let plan = Plan::Paced {
        events: EVENTS,
        pause: PAUSE,
    };
    model.plan(plan);
    // What is loaded once is loaded before.
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
    model.plan(Plan::Flood {
        events: FLOOD_EVENTS,
    });
    let mut floods = Vec::new();
    for _ in 0..ROUNDS {
        floods.push(flood(&server).await?);
    }
    let mut first = first_events(&model, &server).await?;
    Ok([
        Row::new(
            "CPU for an event, one event a read, against a relay that passes the same bytes on",
            "at most 1.25 x",
            format!(
                "{:.2} x ({:.1} us, relay {:.1} us)",
                median(&mut ratios),
                median(&mut own),
                median(&mut bare)
            ),
        ),
        Row::new(
            "CPU for an event of a flood",
            "at most 6 us",
            format!("{:.2} us", median(&mut floods)),
        ),
        Row::new(
            "first event after the model's server has sent it, p50",
            "at most 1 ms",
            format!("{:.2} ms", median(&mut first) / 1e3),
        ),
        Row::new(
            "the same, p99",
            "",
            format!("{:.2} ms", percentile(&mut first, 0.99) / 1e3),
        ),
    ])
}

/// CPU microseconds of an event, over so many streams at the same time.
async fn cost(program: &Program, streams: usize) -> io::Result<f64> {
    let before = program.cpu()?;
    let asked = (0..streams).map(|_| async {
        let client = Client::ask(program.address, &program.key, "", None).await?;
        client.finish().await
    });
    try_join_all(asked).await?;
    Ok(micros(program.cpu()?.saturating_sub(before)) / (streams * EVENTS) as f64)
}

/// CPU microseconds of an event that came with all others.
async fn flood(server: &Program) -> io::Result<f64> {
    const TIMES: usize = 5;
    let before = server.cpu()?;
    for _ in 0..TIMES {
        let client = Client::ask(server.address, &server.key, "", None).await?;
        if !client.finish().await?.is_whole() {
            return Err(io::Error::other("a flood was cut"));
        }
    }
    Ok(micros(server.cpu()?.saturating_sub(before)) / (TIMES * FLOOD_EVENTS) as f64)
}

/// Microseconds from the first event of the model's server to the first one here, one stream at a
/// time.
async fn first_events(model: &Model, server: &Program) -> io::Result<Vec<f64>> {
    model.plan(Plan::Paced {
        events: 1,
        pause: Duration::from_millis(1),
    });
    let mut all = Vec::new();
    for _ in 0..FIRST_EVENTS {
        let client = Client::ask(server.address, &server.key, "", None).await?;
        let (_, delays) = client.watch(|| model.now()).await?;
        all.extend(delays.first().map(|&delay| delay as f64));
    }
    Ok(all)
}
