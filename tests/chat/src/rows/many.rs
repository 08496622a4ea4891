//! Many streams at once, and clients that take nothing or little.

use std::io;
use std::time::{Duration, Instant};

use futures::future::try_join_all;

use super::{Row, percentile};
use crate::client::{Client, Ended};
use crate::model::{Model, Plan};
use crate::process::Program;

const STREAMS: usize = 1_000;
const SECONDS: usize = 30;

const SILENT_CLIENTS: usize = 100;

/// What the system keeps for a client that does not read: as little as it will.
const BUFFER: usize = 4 << 10;

/// A client may take no byte for 60 s.
const CUT_AFTER: Duration = Duration::from_secs(90);

const SLOW_BYTES: usize = 2 << 10;

/// What memory and descriptors were.
struct Footprint {
    kib: f64,
    descriptors: usize,
}

impl Footprint {
    fn of(program: &Program) -> io::Result<Self> {
        Ok(Self {
            kib: program.memory_kib()?,
            descriptors: program.descriptors()?,
        })
    }
}

pub(super) async fn rows() -> io::Result<[Row; 2]> {
    let model = Model::start().await?;
    let server = Program::server(&model, &[])?;
    model.plan(Plan::Paced {
        events: SECONDS,
        pause: Duration::from_secs(1),
    });
    let idle = Footprint::of(&server)?;
    let (whole, cpu, during) = thousand(&server).await?;
    let after_first = settled(&server, idle.descriptors).await?;
    let (again, _, _) = thousand(&server).await?;
    let after = settled(&server, idle.descriptors).await?;
    Ok([
        Row::new(
            "1,000 streams, an event a second each: whole; CPU; memory of each",
            "all; at most 10 % of a core; at most 64 KiB",
            format!(
                "{whole} whole; {cpu:.1} %; {:.1} KiB",
                (during - idle.kib) / STREAMS as f64
            ),
        ),
        Row::new(
            "the same again after all have ended: whole; descriptors more than at the start; memory more than after the first time",
            "all; none; at most 5 %",
            format!(
                "{again} whole; {}; {:+.1} %",
                after.descriptors.saturating_sub(idle.descriptors),
                (after.kib / after_first.kib - 1.0) * 100.0
            ),
        ),
    ])
}

/// How many were whole, per cent of a core, and memory while all were open.
async fn thousand(server: &Program) -> io::Result<(usize, f64, f64)> {
    let (start, cpu) = (Instant::now(), server.cpu()?);
    let asked = (0..STREAMS).map(|_| async {
        let client = Client::ask(server.address, &server.key, "", None).await?;
        client.finish().await
    });
    let look = async {
        tokio::time::sleep(Duration::from_secs(SECONDS as u64 / 2)).await;
        server.memory_kib()
    };
    let (ended, during) = futures::future::try_join(try_join_all(asked), look).await?;
    let share = server.cpu()?.saturating_sub(cpu).as_secs_f64() / start.elapsed().as_secs_f64();
    let whole = ended.iter().filter(|ended| ended.is_whole()).count();
    Ok((whole, share * 100.0, during))
}

/// Waits until connections to the model's server, which are kept for a while, are closed.
async fn settled(server: &Program, descriptors: usize) -> io::Result<Footprint> {
    let end = Instant::now() + Duration::from_mins(2);
    loop {
        let now = Footprint::of(server)?;
        if now.descriptors <= descriptors || Instant::now() > end {
            return Ok(now);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

pub(super) async fn readers_that_do_not_read() -> io::Result<[Row; 3]> {
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
    model.plan_for_new(Plan::Paced {
        events: 1_000,
        pause: Duration::from_millis(20),
    });
    let watching = Client::ask(server.address, &server.key, "", None).await?;
    let (ended, delays) = watching.watch(|| model.now()).await?;
    let mut delays: Vec<f64> = delays.into_iter().map(|delay| delay as f64 / 1e3).collect();
    let cut = model.wait_closed(SILENT_CLIENTS, CUT_AFTER).await;
    drop(silent);
    Ok([
        Row::new(
            "100 clients that never read, an endless model: memory of each; what the model's server could send for each",
            "at most 1 MiB",
            format!(
                "{:.0} KiB; {:.0} KiB",
                (during - idle) / SILENT_CLIENTS as f64,
                held as f64 / 1024.0 / SILENT_CLIENTS as f64
            ),
        ),
        Row::new(
            "their end",
            "cut after 60 s",
            cut.map_or_else(
                || format!("{} of 100 after {} s", model.closed(), CUT_AFTER.as_secs()),
                |at| {
                    format!(
                        "all cut, the last {:.0} s after it had asked",
                        (at - started).as_secs_f64()
                    )
                },
            ),
        ),
        Row::new(
            "an event of another stream meanwhile, delay",
            "at most 50 ms",
            format!(
                "p50 {:.2} ms, p99 {:.2} ms, highest {:.1} ms{}",
                percentile(&mut delays, 0.5),
                percentile(&mut delays, 0.99),
                percentile(&mut delays, 1.0),
                if ended.is_whole() { "" } else { ", not whole" }
            ),
        ),
    ])
}

/// Waits until nothing more is taken from a model's server for a second; says how much was.
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

pub(super) async fn slow_reader() -> io::Result<[Row; 2]> {
    let model = Model::start().await?;
    let server = Program::server(&model, &[])?;
    // What a reader of 2 KiB a second has in about 90 s.
    model.plan(Plan::Text {
        events: 300,
        characters: 90,
    });
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
            "a client that reads 2 KiB/s",
            "whole after 90 s",
            format!(
                "{} ({} KiB in {:.0} s)",
                if Ended::is_whole(&ended) {
                    "whole"
                } else {
                    "cut"
                },
                ended.bytes.len() / 1024,
                took.as_secs_f64()
            ),
        ),
        Row::new(
            "what the model's server can send to such a client",
            "held back",
            format!("{} KiB in 5 s, {} KiB in 20 s", held / 1024, later / 1024),
        ),
    ])
}
