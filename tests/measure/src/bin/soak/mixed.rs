//! Mixed load on both servers, while their dependencies fail one after the other.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use toolkit_measure::Result;
use toolkit_measure::cases;
use toolkit_measure::load::{Load, NUMBER, Seen};
use toolkit_measure::process::{Server, free_address};
use toolkit_measure::table::{figure, float, table};

use crate::standins::{Behavior, Gate, MAILS, listen, take_mail};

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

/// Results of one kind of request so far.
#[derive(Default)]
struct Tally {
    /// Its failures are those that nothing excuses, with the fault at the time.
    seen: Seen,
    excused: usize,
}

/// Runs it for the given time; returns whether all requests succeeded.
pub(crate) fn run(time: Duration) -> Result<bool> {
    let postgres = std::env::var("TOOLKIT_TEST_POSTGRES");
    let postgres = postgres.map_err(|_| "TOOLKIT_TEST_POSTGRES is not set")?;
    // For the fakes.
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build()?;
    let mut site = runtime.block_on(Site::start(&postgres))?;
    site.ask(None, 2 * LOOK)?;
    let before = [site.api.descriptors()?, site.mcp.descriptors()?];
    let phase = time / u32::try_from(2 * FAULTS.len())?;
    for (part, behavior) in FAULTS {
        site.ask(None, phase)?;
        site.set(part, behavior)?;
        site.ask(Some(part), phase)?;
        site.set(part, Behavior::Open)?;
        site.ask(Some(part), SETTLING)?;
        // Until each kind of request succeeds again, within a deadline.
        let (then, end) = (site.good(), Instant::now() + RECOVERY);
        let is_silent = |now: [usize; _]| then.iter().zip(now).any(|(then, now)| *then == now);
        while Instant::now() < end && is_silent(site.good()) {
            site.ask(Some(part), LOOK)?;
        }
    }
    thread::sleep(SETTLING);
    let [.., contacts, subscriptions, _] = site.good();
    let promised = contacts + subscriptions;
    let came = || MAILS.load(Ordering::Relaxed);
    let end = Instant::now() + DELIVERY;
    while came() < promised && Instant::now() < end {
        thread::sleep(LOOK);
    }
    let delivered = came();
    println!("{promised} mails promised, {delivered} delivered");
    let mut is_well = delivered >= promised;
    let servers = [("api-server", &site.api), ("mcp-server", &site.mcp)];
    for (((name, server), memory), before) in servers.into_iter().zip(&site.memory).zip(before) {
        let after = server.descriptors()?;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / float(values.len().max(1));
        let mut thirds = memory.chunks(memory.len().div_ceil(3).max(1)).map(mean);
        let [first, last] = [thirds.next(), thirds.next_back()].map(Option::unwrap_or_default);
        is_well &= last <= first + GROWTH_MIB_MAX && after <= before;
        println!(
            "{name}: {first:.1} MiB in the first third, {last:.1} in the last; \
             {before} descriptors before, {after} after"
        );
    }
    Ok(site.tell() && is_well)
}

/// Both servers and what they need, and the results so far.
struct Site {
    tallies: [Tally; KINDS.len()],
    /// Of each server, look by look.
    memory: [Vec<f64>; 2],
    api: Server,
    mcp: Server,
    key: String,
    database: Gate,
    model: Gate,
    mail: Gate,
    redis_address: SocketAddr,
    redis: Option<Server>,
    /// Keeps the model running.
    _model: Server,
}

impl Site {
    async fn start(postgres: &str) -> Result<Self> {
        let host = postgres.split(['@', '/']).nth(3).unwrap_or_default();
        let expected = "expected postgres://user@address:port/database";
        let database = host.parse().map_err(|_| expected)?;
        let message = json!({"role": "assistant", "content": "Hello"});
        let choices = json!([{"index": 0, "message": message, "finish_reason": "stop"}]);
        let reply = json!({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices});
        let head = "content-type: application/json";
        let bare = Server::bare(head, reply.to_string().as_bytes())?;
        let (database, model) = (Gate::open(database).await?, Gate::open(bare.address).await?);
        let (mail, redis_address) = (Gate::open(listen(take_mail).await?).await?, free_address()?);
        let model_url = format!("http://{}/v1", model.address);
        let database_url = postgres.replacen(host, &database.address.to_string(), 1);
        let settings = [
            ("DATABASE__URL", &*database_url),
            ("LIMITS__REDIS_URL", &format!("redis://{redis_address}")),
            ("MAIL__TRANSPORT", "smtp"),
            ("MAIL__SMTP_URL", &format!("smtp://{}", mail.address)),
            ("MAIL__FROM", "soak@example.org"),
            ("MAIL__OPERATOR", "operator@example.org"),
            ("LLM__DEADLINE_MS", "3000"),
            ("LLM__PROVIDERS__0__NAME", "standin"),
            ("LLM__PROVIDERS__0__KIND", "openai"),
            ("LLM__PROVIDERS__0__MODEL", "m"),
            ("LLM__PROVIDERS__0__BASE_URL", &model_url),
        ];
        let redis = Some(Server::redis(redis_address)?);
        let api = Server::ours("api-server", &settings)?;
        Ok(Self {
            tallies: Default::default(),
            memory: Default::default(),
            mcp: Server::ours("mcp-server", &settings)?,
            key: api.issue_key(&settings)?,
            api,
            database,
            model,
            mail,
            redis_address,
            redis,
            _model: bare,
        })
    }

    /// Sends all kinds of requests for the given time.
    fn ask(&mut self, fault: Option<Part>, time: Duration) -> Result<()> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            let (site, number) = (&*self, self.memory[0].len());
            let seen = thread::scope(|scope| {
                let load = |kind| scope.spawn(move || site.load(kind, number).run(LOOK));
                KINDS.map(load).map(thread::ScopedJoinHandle::join)
            });
            for ((kind, tally), seen) in KINDS.into_iter().zip(&mut self.tallies).zip(seen) {
                let seen = seen.map_err(|_| "a client panicked")??;
                tally.seen.latencies.extend(seen.latencies);
                for (what, count) in seen.failures {
                    if is_excused(fault, kind, &what) {
                        tally.excused += count;
                    } else {
                        let fault = format!("{kind}: {what} during {fault:?}");
                        *tally.seen.failures.entry(fault).or_default() += count;
                    }
                }
            }
            self.memory[0].push(self.api.memory("VmRSS")?);
            self.memory[1].push(self.mcp.memory("VmRSS")?);
        }
        Ok(())
    }

    /// The number of good responses, by kind.
    fn good(&self) -> [usize; KINDS.len()] {
        self.tallies.each_ref().map(|one| one.seen.latencies.len())
    }

    /// Prints the results; returns whether all were good or excused.
    fn tell(&mut self) -> bool {
        let row = |(kind, tally): (&str, &mut Tally)| {
            let (seen, excused) = (&mut tally.seen, tally.excused);
            seen.latencies.sort_unstable();
            let [p50, p99] = [0.5, 0.99].map(|share| figure(seen.micros(share)));
            let (good, faulty) = (seen.latencies.len(), seen.failures.values().sum::<usize>());
            format!("{kind} | {good} | {excused} | {faulty} | {p50} | {p99}")
        };
        let heads = "Request | 200 | excused | faulty | p50, us | p99, us";
        let tallies = KINDS.into_iter().zip(&mut self.tallies);
        println!("{}", table(heads, tallies.map(row)));
        let faults = || self.tallies.iter().flat_map(|tally| &tally.seen.failures);
        faults().for_each(|(what, count)| println!("{count} x {what}"));
        faults().next().is_none()
    }

    /// The requests of a kind, with its cases in turn.
    fn load(&self, kind: &str, number: usize) -> Load {
        let email = format!("reader-{NUMBER}@example.org");
        let keyed = |body| vec![cases::keyed(kind, &body, &self.key)];
        let mut cases = match kind {
            "run" => cases::runs(),
            "read" => cases::reads(),
            "call" => cases::calls(number.is_multiple_of(2)),
            "contact" => keyed(json!({"name": "Ada", "email": email, "message": "Hello"})),
            "subscribe" => keyed(json!({"email": email, "app_id": "soak"})),
            _ => keyed(json!({"messages": [{"role": "user", "content": "Hi"}]})),
        };
        let is_small = ["run", "read", "call"].contains(&kind);
        let server = if kind == "call" { &self.mcp } else { &self.api };
        let case = cases.swap_remove(number % cases.len());
        let mut load = Load::of(&case, server.address, CLIENTS);
        load.pause = Duration::from_millis(if is_small { 10 } else { 200 });
        load
    }

    /// Makes a dependency fail, or work again.
    fn set(&mut self, part: Part, behavior: Behavior) -> Result<()> {
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
