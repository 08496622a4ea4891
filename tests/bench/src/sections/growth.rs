//! Growth: cost by input size, by number of clients, and with a second worker.

use std::io;

use serde_json::json;
use toolkit_bench::cases::{self, Case};
use toolkit_bench::process::Server;

use super::{Bench, Section, ours, ours_with_workers};
use crate::measure::{Plan, Row, against_bare};
use crate::plot::{Course, Curve, Plot};
use crate::report::say;
use crate::table::{Table, figure};

/// Bytes of an input.
const SIZES: [usize; 4] = [32, 1 << 10, 32 << 10, 1 << 20];

/// More than the largest input takes as a JSON string.
const BODY_LIMIT_BYTES: &str = "4194304";

/// A tool, and how it is asked with an input of so many bytes.
type Tool = (&'static str, fn(usize) -> Case);

const TOOLS: [Tool; 3] = [
    ("base64-encoder", base64),
    ("json-formatter", json_formatter),
    ("hash-generator", hash),
];

/// With inputs of every size: fewer than elsewhere, as an answer of a megabyte to each is much memory.
const CONNECTIONS_FOR_SIZES: usize = 8;

const CONNECTIONS: [usize; 4] = [1, 16, 64, 256];

const WORKERS: [usize; 2] = [1, 2];

/// A row, and the place on the axis that it is for.
struct Point {
    at: usize,
    row: Row,
}

/// The points of one curve.
struct Growth {
    name: String,
    points: Vec<Point>,
}

pub(super) fn measure(bench: &Bench) -> io::Result<Section> {
    let sizes = over_sizes(bench)?;
    let connections = over_connections(bench)?;
    if sizes.is_empty() && connections.is_empty() {
        return Ok(Section::default());
    }
    Ok(Section {
        text: format!(
            "{}\n![CPU time by input](performance/growth-input.svg)\n\n{}\n\
             ![requests by connections](performance/growth-connections.svg)\n\n\
             ![p99 by connections](performance/growth-p99.svg)\n",
            sizes_table(&sizes),
            connections_table(&connections),
        ),
        findings: Vec::new(),
        plots: vec![
            Plot {
                name: "growth-input",
                title: "CPU time of a run",
                x: "bytes of input",
                y: "microseconds",
                course: Course::Up,
                curves: curves(&sizes, |row| row.ours.median().cpu_micros),
            },
            Plot {
                name: "growth-connections",
                title: "Runs of base64-encoder, 32 bytes",
                x: "connections",
                y: "requests per second",
                course: Course::Level,
                curves: curves(&connections, |row| row.ours.median().per_second),
            },
            Plot {
                name: "growth-p99",
                title: "99th percentile of the latency of base64-encoder, 32 bytes",
                x: "connections",
                y: "microseconds",
                course: Course::Up,
                curves: curves(&connections, |row| row.ours.median().p99_micros),
            },
        ],
    })
}

fn over_sizes(bench: &Bench) -> io::Result<Vec<Growth>> {
    let server = ours(
        "api-server",
        &[("HTTP__BODY_LIMIT_BYTES", BODY_LIMIT_BYTES)],
    )?;
    let plan = bench.plan.with_connections(CONNECTIONS_FOR_SIZES);
    let wanted = TOOLS.into_iter().filter(|(name, _)| bench.wants(name));
    wanted
        .map(|(name, case)| {
            let points = SIZES.map(|bytes| point(bytes, &case(bytes), &server, 1, plan));
            growth(name.to_owned(), points)
        })
        .collect()
}

fn over_connections(bench: &Bench) -> io::Result<Vec<Growth>> {
    let case = base64(32);
    let wanted = WORKERS.into_iter().filter(|_| bench.wants(&case.name));
    wanted
        .map(|workers| {
            let server = ours_with_workers("api-server", workers, &[])?;
            let points = CONNECTIONS.map(|connections| {
                let plan = bench.plan.with_connections(connections);
                point(connections, &case, &server, workers, plan)
            });
            let plural = if workers == 1 { "worker" } else { "workers" };
            growth(format!("{workers} {plural}"), points)
        })
        .collect()
}

fn point(at: usize, case: &Case, server: &Server, workers: usize, plan: Plan) -> io::Result<Point> {
    let row = against_bare(case, server, workers, plan)?;
    Ok(Point { at, row })
}

fn growth<const N: usize>(name: String, points: [io::Result<Point>; N]) -> io::Result<Growth> {
    let points: Vec<Point> = points.into_iter().collect::<io::Result<_>>()?;
    let figures = points.iter().map(|point| {
        let cost = point.row.ours.median();
        format!("{}: {} us", point.at, figure(cost.cpu_micros))
    });
    say(&format!(
        "{name}: {}",
        figures.collect::<Vec<_>>().join(", ")
    ));
    Ok(Growth { name, points })
}

fn curves(all: &[Growth], value: fn(&Row) -> f64) -> Vec<Curve> {
    let curve = |growth: &Growth| Curve {
        name: growth.name.clone(),
        points: growth
            .points
            .iter()
            .map(|point| (float(point.at), value(&point.row)))
            .collect(),
    };
    all.iter().map(curve).collect()
}

fn sizes_table(all: &[Growth]) -> Table {
    let mut table = Table::of_figures(&[
        "Tool, input",
        "CPU of the bare handler's",
        "CPU, us",
        "bare, us",
        "MB/s of one core",
        "requests/s",
        "p99, us",
    ]);
    for growth in all {
        for Point { at, row } in &growth.points {
            let (ours, bare) = (row.ours.median(), row.bare.median());
            table.row(&[
                format!("{}, {}", growth.name, size(*at)),
                format!("{:.2} x", row.ours.cpu_over(&row.bare)),
                figure(ours.cpu_micros),
                figure(bare.cpu_micros),
                // A byte in a microsecond is a megabyte in a second.
                figure(float(*at) / ours.cpu_micros),
                figure(ours.per_second),
                figure(ours.p99_micros),
            ]);
        }
    }
    table
}

fn connections_table(all: &[Growth]) -> Table {
    let mut table = Table::of_figures(&[
        "Workers, connections",
        "CPU of the bare handler's",
        "CPU, us",
        "requests/s",
        "bare requests/s",
        "p50, us",
        "p99, us",
        "bare p99, us",
    ]);
    for growth in all {
        for Point { at, row } in &growth.points {
            let (ours, bare) = (row.ours.median(), row.bare.median());
            table.row(&[
                format!("{}, {at}", growth.name),
                format!("{:.2} x", row.ours.cpu_over(&row.bare)),
                figure(ours.cpu_micros),
                figure(ours.per_second),
                figure(bare.per_second),
                figure(ours.p50_micros),
                figure(ours.p99_micros),
                figure(bare.p99_micros),
            ]);
        }
    }
    table
}

/// A number of bytes as people say it.
fn size(bytes: usize) -> String {
    match bytes {
        mebi if mebi >= 1 << 20 => format!("{} MiB", mebi >> 20),
        kibi if kibi >= 1 << 10 => format!("{} KiB", kibi >> 10),
        bytes => format!("{bytes} B"),
    }
}

fn base64(size: usize) -> Case {
    let text = "Hello, World! ".chars().cycle().take(size);
    run("base64-encoder", &text.collect::<String>())
}

fn hash(size: usize) -> Case {
    let text = "Hello, World! ".chars().cycle().take(size);
    run("hash-generator", &text.collect::<String>())
}

/// A list of numbers and objects that is `size` bytes long.
fn json_formatter(size: usize) -> Case {
    const ELEMENT: &str = r#"{"id":12345,"name":"an item","tags":["a","b"],"price":19.95},"#;
    let elements = size.saturating_sub(3) / ELEMENT.len();
    let mut text = format!("[{}", ELEMENT.repeat(elements));
    // What is missing to the size is a number of so many digits.
    let digits = size.saturating_sub(text.len() + 1);
    text.extend((0..digits).map(|_| '1'));
    text.push(']');
    run("json-formatter", &text)
}

fn run(slug: &str, text: &str) -> Case {
    cases::run(slug.to_owned(), slug, &json!({ "text": text }))
}

#[expect(clippy::cast_precision_loss, reason = "sizes and counts below 2^52")]
fn float(value: usize) -> f64 {
    value as f64
}
