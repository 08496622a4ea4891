//! Two replicas of the REST server behind nginx that are killed again and again under load: what
//! became of every message that was sent, its mail and its event.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use toolkit_e2e::{Proxy, Request, SITE};
use toolkit_measure::Result;
use toolkit_measure::process::{Server, free_address, output};

use crate::site;
use crate::standins::{Behavior, EVENTS, Gate, MARKED, listen, take_events, take_mail};

/// Kills of the first part.
const KILLS: usize = 40;
/// Requests of the second part that must be repeated.
const REPETITIONS: usize = 1_000;
const CLIENTS: usize = 16;
/// Pause of a client after a request.
const PAUSE: Duration = Duration::from_millis(20);
/// Between two faults.
const CALM: Duration = Duration::from_millis(600);
/// For a replica to answer.
const START: Duration = Duration::from_secs(20);
/// A disk so slow that no commit is confirmed in time.
const SLOW: Duration = Duration::from_secs(4);
/// For a repetition to be answered: a claim of a killed process lasts fifteen seconds.
const PATIENCE: Duration = Duration::from_mins(2);
/// For all mails and events: those that a killed process had leased are due again after five minutes.
const DELIVERY: Duration = Duration::from_mins(8);

/// What a client was told of a message.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Stored,
    NotStored,
    /// Nothing, or that it is not known.
    Nothing,
}

/// The way to the replicas, as all clients share it.
struct Way {
    proxy: Proxy,
    key: String,
}

impl Way {
    /// Sends a message with this number.
    fn send(&self, number: usize, idempotency_key: Option<&str>) -> Told {
        let body = json!({"name": "Ada", "email": "ada@example.org", "message": format!("marker-{number}")});
        let mut request = Request::post("/toolkit/api/contact", &body.to_string())
            .header("Host", SITE)
            .header("X-Api-Key", &self.key);
        if let Some(key) = idempotency_key {
            request = request.header("Idempotency-Key", key);
        }
        let Ok(answer) = request.send(self.proxy.address) else {
            return Told::Nothing;
        };
        match answer.status {
            200 => Told::Stored,
            503 if String::from_utf8_lossy(&answer.body).contains("nothing was stored") => {
                Told::NotStored
            }
            _ => Told::Nothing,
        }
    }
}

/// The replicas and what they need.
struct Site {
    settings: Vec<(&'static str, String)>,
    addresses: [SocketAddr; 2],
    replicas: [Option<Server>; 2],
    database: Gate,
    /// Keeps Redis running.
    _redis: Server,
}

/// Runs both parts; returns whether nothing was lost, said wrongly or stored twice.
pub(crate) fn run() -> Result<bool> {
    let postgres = std::env::var("TOOLKIT_TEST_POSTGRES");
    let postgres = postgres.map_err(|_| "TOOLKIT_TEST_POSTGRES is not set")?;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build()?;
    let (mut site, way) = runtime.block_on(Site::start(&postgres))?;
    let next = AtomicUsize::new(0);
    let told = Mutex::new(BTreeMap::new());
    let keep = |number, answer| {
        told.lock().unwrap_or_else(PoisonError::into_inner).insert(number, answer);
    };
    under_load(
        || (0..KILLS).try_for_each(|kill| site.kill(kill % 2)),
        |_| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            keep(number, way.send(number, None));
        },
    )?;
    let single = next.load(Ordering::Relaxed);
    let (repeated, given_up) = (AtomicUsize::new(0), AtomicUsize::new(0));
    under_load(
        || {
            while repeated.load(Ordering::Relaxed) < REPETITIONS {
                site.fail()?;
            }
            Ok(())
        },
        |_| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let key = format!("key-{number}");
            let start = Instant::now();
            let mut attempts = 1;
            while way.send(number, Some(&key)) != Told::Stored {
                if start.elapsed() > PATIENCE {
                    given_up.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                attempts += 1;
                thread::sleep(PAUSE);
            }
            repeated.fetch_add(usize::from(attempts > 1), Ordering::Relaxed);
            keep(number, Told::Stored);
        },
    )?;
    let told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
    let given_up = given_up.load(Ordering::Relaxed);
    println!(
        "{KILLS} kills and {} repeated requests; {given_up} were never answered",
        repeated.load(Ordering::Relaxed)
    );
    Ok(judge(&site.stored()?, &told, single) && given_up == 0)
}

/// Runs clients until the faults are over; an answer that is awaited then is waited for.
fn under_load(faults: impl FnOnce() -> Result<()>, client: impl Fn(usize) + Sync) -> Result<()> {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for number in 0..CLIENTS {
            let (client, over) = (&client, &over);
            scope.spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    client(number);
                    thread::sleep(PAUSE);
                }
            });
        }
        let result = faults();
        over.store(true, Ordering::Relaxed);
        result
    })
}

/// Compares what was stored, mailed and posted to the webhook with what was told; those from `single`
/// on had a key.
fn judge(stored: &BTreeMap<usize, usize>, told: &BTreeMap<usize, Told>, single: usize) -> bool {
    let rows = |number: &usize| stored.get(number).copied().unwrap_or(0);
    let of = |wanted| told.iter().filter(move |(_, told)| **told == wanted);
    let count = |wanted| of(wanted).count();
    let lost = of(Told::Stored).filter(|(number, _)| rows(number) == 0).count();
    let denied = of(Told::NotStored).filter(|(number, _)| rows(number) > 0).count();
    let twice = stored.values().filter(|&&rows| rows > 1).count();
    println!(
        "{} told stored, {} told not stored, {} told nothing; {} rows, {} of them with a key\n\
         acknowledged and lost: {lost}; told not stored and stored: {denied}; stored twice: {twice}",
        count(Told::Stored),
        count(Told::NotStored),
        count(Told::Nothing),
        stored.len(),
        stored.range(single..).count(),
    );
    let mut faults = lost + denied + twice;
    let end = Instant::now() + DELIVERY;
    for (what, marked) in [("mail", &MARKED), ("event", &EVENTS)] {
        let seen = || marked.lock().unwrap_or_else(PoisonError::into_inner).clone();
        while seen().len() < stored.len() && Instant::now() < end {
            thread::sleep(CALM);
        }
        let seen = seen();
        let without = stored.keys().filter(|&number| !seen.contains_key(number)).count();
        let unfounded = seen.keys().filter(|&number| rows(number) == 0).count();
        let twice = seen.values().filter(|ids| ids.len() > 1).count();
        println!(
            "rows without {what}: {without}; with two: {twice}; {what} without row: {unfounded}"
        );
        faults += without + unfounded + twice;
    }
    faults == 0
}

impl Site {
    async fn start(postgres: &str) -> Result<(Self, Way)> {
        let host = postgres.split(['@', '/']).nth(3).unwrap_or_default();
        let database = Gate::open(host.parse()?).await?;
        let (mail, redis) = (listen(take_mail).await?, free_address()?);
        let receiver = listen(take_events).await?;
        let url = postgres.replacen(host, &database.address.to_string(), 1);
        let settings = vec![
            ("DATABASE__URL", url),
            ("LIMITS__REDIS_URL", format!("redis://{redis}")),
            ("LIMITS__CONTACT_PER_MINUTE", "0".to_owned()),
            ("HTTP__TRUSTED_PROXIES", "127.0.0.1".to_owned()),
            ("MAIL__TRANSPORT", "smtp".to_owned()),
            ("MAIL__SMTP_URL", format!("smtp://{mail}")),
            ("MAIL__FROM", "soak@example.org".to_owned()),
            ("MAIL__OPERATOR", "operator@example.org".to_owned()),
            ("WEBHOOKS__0__URL", format!("http://{receiver}/")),
            (
                "WEBHOOKS__0__SECRET",
                "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=".to_owned(),
            ),
            ("WEBHOOKS__0__EVENTS", "contact.received".to_owned()),
            ("WEBHOOKS__0__ALLOW_NETWORKS", "127.0.0.0/8".to_owned()),
        ];
        let mut site = Self {
            _redis: Server::redis(redis)?,
            settings,
            addresses: site::lasting_addresses()?,
            replicas: [None, None],
            database,
        };
        for place in 0..2 {
            site.begin(place)?;
        }
        let key = site.say(&["keys", "create", "--label", "soak", "--quiet"])?;
        let proxy = Proxy::start(&site.addresses, &site.addresses)?;
        Ok((site, Way { proxy, key }))
    }

    /// The output of a command of the operator.
    fn say(&self, arguments: &[&str]) -> Result<String> {
        output(site::command("api-server", &self.pairs())?.args(arguments))
    }

    fn pairs(&self) -> Vec<(&str, &str)> {
        let pairs = self.settings.iter();
        pairs.map(|(key, value)| (*key, value.as_str())).collect()
    }

    fn begin(&mut self, place: usize) -> Result<()> {
        let server = match self.addresses.get(place) {
            Some(address) => site::start("api-server", *address, &self.pairs())?,
            None => return Err("there are two replicas".into()),
        };
        // It listens before its database is open, and a fault before that would end it.
        let (end, request) = (Instant::now() + START, Request::get("/toolkit/api/flags"));
        let request = request.header("Host", SITE);
        let is_ready = || {
            let answer = request.send(server.address);
            answer.is_ok_and(|answer| answer.status == 200)
        };
        while !is_ready() {
            if Instant::now() > end {
                return Err("a replica does not answer".into());
            }
            thread::sleep(PAUSE);
        }
        if let Some(replica) = self.replicas.get_mut(place) {
            *replica = Some(server);
        }
        Ok(())
    }

    /// Kills a replica with SIGKILL, and starts it again at the same address.
    fn kill(&mut self, place: usize) -> Result<()> {
        thread::sleep(CALM);
        if let Some(replica) = self.replicas.get_mut(place) {
            *replica = None;
        }
        thread::sleep(CALM / 4);
        self.begin(place)
    }

    /// One fault of each kind: a kill, lost connections to the database, a disk that is too slow.
    fn fail(&mut self) -> Result<()> {
        for place in 0..2 {
            self.kill(place)?;
            self.database.set(Behavior::Closed);
            thread::sleep(CALM / 4);
            self.database.set(Behavior::Open);
            thread::sleep(CALM);
            self.database.set(Behavior::Frozen);
            thread::sleep(SLOW);
            self.database.set(Behavior::Open);
        }
        Ok(())
    }

    /// The number of rows with each number.
    fn stored(&self) -> Result<BTreeMap<usize, usize>> {
        let messages = self.say(&["messages", "export", "--format", "json"])?;
        let messages: Vec<Json> = serde_json::from_str(&messages)?;
        let mut rows = BTreeMap::new();
        for message in &messages {
            let text = message["message"].as_str().unwrap_or_default();
            if let Some(number) = text.strip_prefix("marker-") {
                *rows.entry(number.parse()?).or_default() += 1;
            }
        }
        Ok(rows)
    }
}
