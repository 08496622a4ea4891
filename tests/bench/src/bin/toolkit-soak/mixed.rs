//! Mixed load on both servers, while their dependencies fail one after the other.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use toolkit_bench::cases;
use toolkit_bench::load::{Load, NUMBER, Seen, quantile};
use toolkit_bench::process::{Server, free_address};
use toolkit_bench::table::{figure, float, table};

use crate::say;
use crate::standins::{Behavior, Gate, mail_server};

/// For errors to end after a fault is fixed: retries and reconnecting pools.
const SETTLING: Duration = Duration::from_secs(5);
/// For each kind of request to succeed again after that: a model is skipped for up to a minute.
const RECOVERY: Duration = Duration::from_secs(75);
/// For mail to be sent after the load.
const DELIVERY: Duration = Duration::from_mins(2);
/// Interval between memory samples.
const LOOK: Duration = Duration::from_secs(1);
/// Tolerated growth of a server's memory between the first and the last third of the load.
const GROWTH_MIB_MAX: f64 = 10.0;

/// Clients per kind of request.
const CLIENTS: usize = 2;
const KINDS: [&str; 6] = ["run", "read", "call", "contact", "subscribe", "chat"];

/// Dependencies of the servers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Database,
    Redis,
    Model,
    Mail,
}

/// Faults, one after the other.
const FAULTS: [(Part, Behavior); 6] = [
    (Part::Database, Behavior::Frozen),
    (Part::Redis, Behavior::Closed),
    (Part::Model, Behavior::Closed),
    (Part::Mail, Behavior::Closed),
    (Part::Database, Behavior::Closed),
    (Part::Model, Behavior::Frozen),
];

/// Whether a client gets this status for a kind of request during a fault.
fn is_excused(fault: Option<Part>, kind: &str, status: &str) -> bool {
    match (fault, kind) {
        (Some(Part::Database), "contact" | "subscribe") => status == "503",
        (Some(Part::Model), "chat") => ["502", "503", "504"].contains(&status),
        _ => false,
    }
}

/// Results of one kind of request.
#[derive(Default)]
struct Tally {
    good: Vec<Duration>,
    excused: usize,
    /// Other outcomes than success, with the fault at the time.
    faults: BTreeMap<String, usize>,
}

/// Results so far: by kind, and the memory of both servers.
#[derive(Default)]
struct Record {
    tallies: [Tally; KINDS.len()],
    memory: [Vec<f64>; 2],
}

/// Runs it for the given time; returns whether all requests succeeded.
pub(crate) fn run(time: Duration) -> io::Result<bool> {
    let postgres = std::env::var("TOOLKIT_TEST_POSTGRES");
    let postgres = postgres.map_err(|_| io::Error::other("TOOLKIT_TEST_POSTGRES is not set"))?;
    // For the fakes.
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build()?;
    let mut site = runtime.block_on(Site::start(&postgres))?;
    let mut record = Record::default();
    record.ask(&site, None, 2 * LOOK)?;
    let before = [site.api.descriptors()?, site.mcp.descriptors()?];
    let phase = time / u32::try_from(2 * FAULTS.len()).unwrap_or(u32::MAX);
    for (part, behavior) in FAULTS {
        record.ask(&site, None, phase)?;
        site.set(part, behavior)?;
        record.ask(&site, Some(part), phase)?;
        site.set(part, Behavior::Open)?;
        record.ask(&site, Some(part), SETTLING)?;
        // Until each kind of request succeeds again, within a deadline.
        let good = |record: &Record| record.tallies.each_ref().map(|tally| tally.good.len());
        let (then, end) = (good(&record), Instant::now() + RECOVERY);
        let is_silent = |record: &Record| {
            then.iter()
                .zip(good(record))
                .any(|(then, now)| *then == now)
        };
        while Instant::now() < end && is_silent(&record) {
            record.ask(&site, Some(part), LOOK)?;
        }
    }
    thread::sleep(SETTLING);
    let [.., contact, subscribe, _] = &record.tallies;
    let promised = contact.good.len() + subscribe.good.len();
    let came = || site.mails.load(Ordering::Relaxed);
    let end = Instant::now() + DELIVERY;
    while came() < promised && Instant::now() < end {
        thread::sleep(LOOK);
    }
    say(&format!("{promised} mails promised, {} delivered", came()));
    let mut is_well = came() >= promised;
    let servers = [("api-server", &site.api), ("mcp-server", &site.mcp)];
    for (((name, server), memory), before) in servers.into_iter().zip(&record.memory).zip(before) {
        let after = server.descriptors()?;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / float(values.len().max(1));
        let mut thirds = memory.chunks(memory.len().div_ceil(3).max(1)).map(mean);
        let [first, last] = [thirds.next(), thirds.next_back()].map(Option::unwrap_or_default);
        is_well &= last <= first + GROWTH_MIB_MAX && after <= before;
        say(&format!(
            "{name}: {first:.1} MiB in the first third, {last:.1} in the last; \
             {before} descriptors before, {after} after"
        ));
    }
    Ok(record.tell() && is_well)
}

impl Record {
    /// Sends all kinds of requests for the given time.
    fn ask(&mut self, site: &Site, fault: Option<Part>, time: Duration) -> io::Result<()> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            let number = self.memory[0].len();
            let seen = thread::scope(|scope| {
                let load = |kind| scope.spawn(move || site.load(kind, number).run(LOOK));
                let threads = KINDS.map(load);
                threads.map(thread::ScopedJoinHandle::join)
            });
            for ((kind, seen), tally) in KINDS.into_iter().zip(seen).zip(&mut self.tallies) {
                let Seen {
                    latencies,
                    failures,
                } = seen.map_err(|_| io::Error::other("a client panicked"))??;
                tally.good.extend(latencies);
                for (what, count) in failures {
                    if is_excused(fault, kind, &what) {
                        tally.excused += count;
                    } else {
                        let fault = format!("{kind}: {what} during {fault:?}");
                        *tally.faults.entry(fault).or_default() += count;
                    }
                }
            }
            self.memory[0].push(site.api.memory("VmRSS")?);
            self.memory[1].push(site.mcp.memory("VmRSS")?);
        }
        Ok(())
    }

    /// Prints the results; returns whether all were good or excused.
    fn tell(&mut self) -> bool {
        let rows = KINDS
            .into_iter()
            .zip(&mut self.tallies)
            .map(|(kind, tally)| {
                tally.good.sort_unstable();
                let [p50, p99] = [0.5, 0.99].map(|share| figure(quantile(&tally.good, share)));
                let faulty: usize = tally.faults.values().sum();
                let (good, excused) = (tally.good.len(), tally.excused);
                format!("{kind} | {good} | {excused} | {faulty} | {p50} | {p99}")
            });
        let heads = "Request | 200 | excused | faulty | p50, us | p99, us";
        say(&table(heads, rows));
        let mut faults = self
            .tallies
            .iter()
            .flat_map(|tally| &tally.faults)
            .peekable();
        let is_well = faults.peek().is_none();
        faults.for_each(|(what, count)| say(&format!("{count} x {what}")));
        is_well
    }
}

struct Site {
    api: Server,
    mcp: Server,
    key: String,
    database: Gate,
    model: Gate,
    mail: Gate,
    mails: Arc<AtomicUsize>,
    redis_address: SocketAddr,
    redis: Option<Server>,
    /// Keeps the model running.
    _model: Server,
}

impl Site {
    async fn start(postgres: &str) -> io::Result<Self> {
        let parts = || {
            let (user, rest) = postgres.strip_prefix("postgres://")?.split_once('@')?;
            let (host, name) = rest.split_once('/')?;
            Some((user, host.parse().ok()?, name))
        };
        let expected = "expected postgres://user@address:port/database";
        let (user, host, name) = parts().ok_or_else(|| io::Error::other(expected))?;
        let message = json!({"role": "assistant", "content": "Hello"});
        let choices = json!([{"index": 0, "message": message, "finish_reason": "stop"}]);
        let reply = json!({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices});
        let head = "content-type: application/json";
        let bare = Server::bare(head, reply.to_string().as_bytes(), 1)?;
        let (mail_address, mails) = mail_server().await?;
        let (database, model) = (Gate::open(host).await?, Gate::open(bare.address).await?);
        let (mail, redis_address) = (Gate::open(mail_address).await?, free_address()?);
        let settings = [
            (
                "DATABASE__URL",
                &*format!("postgres://{user}@{}/{name}", database.address),
            ),
            ("LIMITS__REDIS_URL", &format!("redis://{redis_address}")),
            ("MAIL__TRANSPORT", "smtp"),
            ("MAIL__SMTP_URL", &format!("smtp://{}", mail.address)),
            ("MAIL__FROM", "soak@example.org"),
            ("MAIL__OPERATOR", "operator@example.org"),
            ("LLM__DEADLINE_MS", "3000"),
            ("LLM__PROVIDERS__0__NAME", "standin"),
            ("LLM__PROVIDERS__0__KIND", "openai"),
            ("LLM__PROVIDERS__0__MODEL", "m"),
            (
                "LLM__PROVIDERS__0__BASE_URL",
                &format!("http://{}/v1", model.address),
            ),
        ];
        let redis = Some(Server::redis(redis_address)?);
        let api = Server::ours("api-server", &settings)?;
        Ok(Self {
            mcp: Server::ours("mcp-server", &settings)?,
            key: api.issue_key(&settings)?,
            api,
            database,
            model,
            mail,
            mails,
            redis_address,
            redis,
            _model: bare,
        })
    }

    /// The requests of a kind, with its cases in turn.
    fn load(&self, kind: &str, number: usize) -> Load {
        let email = format!("reader-{NUMBER}@example.org");
        let keyed = |body| {
            let mut case = cases::api(kind, kind, Some(&body));
            case.headers.push(("X-Api-Key", self.key.clone()));
            vec![case]
        };
        let (cases, pause_ms) = match kind {
            "run" => (cases::runs(), 10),
            "read" => (cases::reads(), 10),
            "call" => (cases::calls(number.is_multiple_of(2)), 10),
            "contact" => (
                keyed(json!({"name": "Ada", "email": email, "message": "Hello"})),
                200,
            ),
            "subscribe" => (keyed(json!({"email": email, "app_id": "soak"})), 200),
            _ => (
                keyed(json!({"messages": [{"role": "user", "content": "Hi"}]})),
                200,
            ),
        };
        let server = if kind == "call" { &self.mcp } else { &self.api };
        let case = cases.iter().cycle().nth(number % 99);
        let case = case.expect("there is a case of each kind");
        let mut load = Load::of(case, server.address, CLIENTS);
        load.pause = Duration::from_millis(pause_ms);
        load
    }

    /// Makes a dependency fail, or work again.
    fn set(&mut self, part: Part, behavior: Behavior) -> io::Result<()> {
        match part {
            Part::Database => self.database.set(behavior),
            Part::Model => self.model.set(behavior),
            Part::Mail => self.mail.set(behavior),
            Part::Redis if behavior == Behavior::Closed => self.redis = None,
            Part::Redis => self.redis = Some(Server::redis(self.redis_address)?),
        }
        Ok(())
    }
}
