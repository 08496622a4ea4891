//! Many concurrent streams, and clients that read nothing or little.

use std::time::{Duration, Instant};

use futures::future::try_join_all;
use toolkit_measure::Result;

use super::{Row, percentile};
use crate::client::{Client, Ended};
use crate::model::{Model, Plan};
use crate::process::Program;

const STREAMS: usize = 1_000;
const SECONDS: usize = 30;

const SILENT_CLIENTS: usize = 100;

/// Receive buffer of a client that does not read: the smallest that the system allows.
const BUFFER: usize = 4 << 10;

/// Time limit for idle connections to the provider to be closed: twice 60 s, and some more.
const IDLE_CONNECTIONS: Duration = Duration::from_secs(140);

/// Time limit for a client that reads nothing: the server closes its connection after 60 s.
const CUT_AFTER: Duration = Duration::from_secs(90);

const SLOW_BYTES: usize = 2 << 10;

/// Memory and descriptors at one time.
struct Footprint {
    kib: f64,
    descriptors: usize,
}

impl Footprint {
    fn of(program: &Program) -> Result<Self> {
        Ok(Self { kib: program.memory_kib()?, descriptors: program.descriptors()? })
    }
}

pub(super) async fn rows() -> Result<[Row; 2]> {
    let model = Model::start().await?;
    let server = Program::server(&model, &[])?;
    model.plan(Plan::Paced { events: SECONDS, pause: Duration::from_secs(1) });
    let idle = started(&server).await?;
    let (complete, cpu, during) = thousand(&server).await?;
    let after_first = settled(&server, idle.descriptors).await?;
    let (again, _, _) = thousand(&server).await?;
    let after = settled(&server, idle.descriptors).await?;
    Ok([
        Row::new(
            "1,000 streams, one event per second each: complete; CPU; memory of each",
            "all; at most 10 % of a core; at most 64 KiB",
            format!(
                "{complete} complete; {cpu:.1} %; {:.1} KiB",
                (during - idle.kib) / STREAMS as f64
            ),
        ),
        Row::new(
            "the same again after all have ended: complete; additional descriptors since the start; additional memory since the first time",
            "all; none; at most 5 %",
            format!(
                "{again} complete; {}; {:+.1} %",
                after.descriptors.saturating_sub(idle.descriptors),
                (after.kib / after_first.kib - 1.0) * 100.0
            ),
        ),
    ])
}

/// Number of complete streams, per cent of a core, and memory while all were open.
async fn thousand(server: &Program) -> Result<(usize, f64, f64)> {
    let (start, cpu) = (Instant::now(), server.cpu()?);
    let asked = (0..STREAMS).map(|_| async {
        let client = Client::ask(server.address, &server.key, "", None).await?;
        client.finish().await
    });
    let look = async {
        tokio::time::sleep(Duration::from_secs(SECONDS as u64 / 2)).await;
        server.memory_kib()
    };
    let (ended, during) = futures::future::join(try_join_all(asked), look).await;
    let (ended, during) = (ended?, during?);
    let share = server.cpu()?.saturating_sub(cpu).as_secs_f64() / start.elapsed().as_secs_f64();
    let complete = ended.iter().filter(|ended| ended.is_complete()).count();
    Ok((complete, share * 100.0, during))
}

/// Waits until the server opens no more descriptors: it listens before all database connections are
/// open.
async fn started(server: &Program) -> Result<Footprint> {
    let mut before = Footprint::of(server)?;
    loop {
        tokio::time::sleep(Duration::from_secs(3)).await;
        let now = Footprint::of(server)?;
        if now.descriptors <= before.descriptors {
            return Ok(now);
        }
        before = now;
    }
}

/// Waits until idle connections to the provider are closed.
async fn settled(server: &Program, descriptors: usize) -> Result<Footprint> {
    let end = Instant::now() + IDLE_CONNECTIONS;
    loop {
        let now = Footprint::of(server)?;
        if now.descriptors <= descriptors || Instant::now() > end {
            return Ok(now);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

pub(super) async fn readers_that_do_not_read() -> Result<[Row; 3]> {
    let model = Model::start().await?;
    let server = Program::server(&model, &[])?;
    model.plan(Plan::Endless { characters: 100 });
    let idle = server.memory_kib()?;
    let started = Instant::now();
    let asked =
        (0..SILENT_CLIENTS).map(|_| Client::ask(server.address, &server.key, "", Some(BUFFER)));
    let silent = try_join_all(asked).await?;
    // Until the buffers are full.
    let held = until_held(&model).await;
    let during = server.memory_kib()?;
    model.plan_for_new(Plan::Paced { events: 1_000, pause: Duration::from_millis(20) });
    let watching = Client::ask(server.address, &server.key, "", None).await?;
    let (ended, delays) = watching.watch(|| model.now()).await?;
    let mut delays: Vec<f64> = delays.into_iter().map(|delay| delay as f64 / 1e3).collect();
    let cut = model.wait_closed(SILENT_CLIENTS, CUT_AFTER).await;
    drop(silent);
    Ok([
        Row::new(
            "100 clients that never read, an endless stream: memory of each; bytes that the provider could send for each",
            "at most 1 MiB",
            format!(
                "{:.0} KiB; {:.0} KiB",
                (during - idle) / SILENT_CLIENTS as f64,
                held as f64 / 1024.0 / SILENT_CLIENTS as f64
            ),
        ),
        Row::new(
            "their end",
            "cut off after 60 s",
            cut.map_or_else(
                || format!("{} of 100 after {} s", model.closed(), CUT_AFTER.as_secs()),
                |at| {
                    format!(
                        "all cut off, the last one {:.0} s after its request",
                        (at - started).as_secs_f64()
                    )
                },
            ),
        ),
        Row::new(
            "delay of an event of another stream meanwhile",
            "at most 50 ms",
            format!(
                "p50 {:.2} ms, p99 {:.2} ms, highest {:.1} ms{}",
                percentile(&mut delays, 0.5),
                percentile(&mut delays, 0.99),
                percentile(&mut delays, 1.0),
                if ended.is_complete() { "" } else { ", incomplete" }
            ),
        ),
    ])
}

/// Waits until nothing has been read from a provider for a second; returns how much was sent.
async fn until_held(model: &Model) -> u64 {
    let mut sent = 0;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = model.sent();
        if now == sent {
            return sent;
        }
        sent = now;
    }
}

pub(super) async fn slow_reader() -> Result<[Row; 2]> {
    let model = Model::start().await?;
    let server = Program::server(&model, &[])?;
    // What a client that reads 2 KiB per second receives in about 90 s.
    model.plan(Plan::Text { events: 300, characters: 90 });
    let client = Client::ask(server.address, &server.key, "", Some(BUFFER)).await?;
    let start = Instant::now();
    let ended = client.finish_slowly(SLOW_BYTES).await?;
    let took = start.elapsed();
    model.plan(Plan::Endless { characters: 100 });
    let mut client = Client::ask(server.address, &server.key, "", Some(BUFFER)).await?;
    let (mut bytes, mut held) = (Vec::new(), 0);
    for second in 0..20 {
        client.read(&mut bytes).await?;
        if second == 5 {
            held = model.sent();
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let later = model.sent();
    Ok([
        Row::new(
            "client that reads 2 KiB/s",
            "complete after 90 s",
            format!(
                "{} ({} KiB in {:.0} s)",
                if Ended::is_complete(&ended) { "complete" } else { "cut" },
                ended.bytes.len() / 1024,
                took.as_secs_f64()
            ),
        ),
        Row::new(
            "bytes that the provider can send to such a client",
            "bounded by backpressure",
            format!("{} KiB in 5 s, {} KiB in 20 s", held / 1024, later / 1024),
        ),
    ])
}
