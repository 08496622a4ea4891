//! Mixed load on both servers, while one thing after the other that they need fails.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;
use toolkit_bench::cases::{self, Case};
use toolkit_bench::client::Client;
use toolkit_bench::process::Server;

use crate::redis::Redis;
use crate::standins::{Gate, MailServer, Mood, model};

/// After a fault is fixed, for its errors to end: retries, and pools that find out.
const SETTLING: Duration = Duration::from_secs(5);

/// For each kind of request to be answered again after that: a model rests for up to a minute.
const RECOVERY: Duration = Duration::from_secs(75);

/// For mail to go out after the load.
const DELIVERY: Duration = Duration::from_mins(2);

/// Between two looks at the memory.
const LOOK: Duration = Duration::from_secs(1);

/// What fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    None,
    DatabaseStopped,
    DatabaseGone,
    RedisKilled,
    ModelGone,
    ModelSilent,
    MailGone,
    /// None any more, but errors of the last may still come.
    Mended,
}

const FAULTS: [Fault; 6] = [
    Fault::DatabaseStopped,
    Fault::RedisKilled,
    Fault::ModelGone,
    Fault::MailGone,
    Fault::DatabaseGone,
    Fault::ModelSilent,
];

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Run,
    Read,
    Mcp,
    Contact,
    Subscribe,
    Chat,
}

impl Fault {
    /// The statuses that this fault gives a client for a kind of request.
    fn excuses(self, kind: Kind) -> &'static [u16] {
        match (self, kind) {
            (
                Self::DatabaseStopped | Self::DatabaseGone | Self::Mended,
                Kind::Contact | Kind::Subscribe,
            ) => &[503],
            (Self::ModelGone | Self::ModelSilent | Self::Mended, Kind::Chat) => &[502, 503, 504],
            _ => &[],
        }
    }
}

/// What was seen of one kind of request.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) good: usize,
    pub(crate) excused: usize,
    pub(crate) faulty: usize,
    /// What came instead, and while what failed.
    pub(crate) faults: BTreeMap<String, usize>,
    pub(crate) latencies: Vec<Duration>,
}

/// What was seen in all.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) tallies: BTreeMap<Kind, Tally>,
    /// For each server: memory in MiB once a second, and descriptors before and after.
    pub(crate) servers: [(&'static str, Vec<f64>, [usize; 2]); 2],
    /// Mails that were promised and that came.
    pub(crate) mails: [usize; 2],
}

type Tallies = Arc<Mutex<BTreeMap<Kind, Tally>>>;

/// Runs it for so long.
pub(crate) async fn run(postgres: &str, time: Duration) -> io::Result<Outcome> {
    let site = Site::start(postgres).await?;
    let (set_fault, fault) = watch::channel(Fault::None);
    let tallies = Tallies::default();
    let mut clients = JoinSet::new();
    for kind in [
        Kind::Run,
        Kind::Read,
        Kind::Mcp,
        Kind::Contact,
        Kind::Subscribe,
        Kind::Chat,
    ] {
        for number in 0..2 {
            clients.spawn(ask(Asker {
                kind,
                number,
                address: if kind == Kind::Mcp {
                    site.mcp.address
                } else {
                    site.api.address
                },
                key: site.key.clone(),
                fault: fault.clone(),
                tallies: Arc::clone(&tallies),
            }));
        }
    }
    sleep(Duration::from_secs(2)).await;
    let before = [site.api.descriptors()?, site.mcp.descriptors()?];
    let mut memory = [Vec::new(), Vec::new()];
    let mut redis = site.redis;
    let phases = 2 * u32::try_from(FAULTS.len()).unwrap_or(u32::MAX);
    let phase = time / phases;
    for what in FAULTS {
        for (fails, during) in [(false, phase), (true, phase)] {
            let end = Instant::now() + during;
            if fails {
                set_fault.send_replace(what);
                match what {
                    Fault::DatabaseStopped => site.database.set(Mood::Frozen),
                    Fault::DatabaseGone => site.database.set(Mood::Closed),
                    Fault::RedisKilled => redis.kill()?,
                    Fault::ModelGone => site.model.set(Mood::Closed),
                    Fault::ModelSilent => site.model.set(Mood::Frozen),
                    Fault::MailGone => site.mail.set(Mood::Closed),
                    Fault::None | Fault::Mended => {}
                }
            }
            while Instant::now() < end {
                sleep(LOOK).await;
                for (server, seen) in [&site.api, &site.mcp].into_iter().zip(&mut memory) {
                    seen.push(server.memory()?.resident);
                }
            }
        }
        for gate in [&site.database, &site.model, &site.mail] {
            gate.set(Mood::Open);
        }
        redis.start_again()?;
        set_fault.send_replace(Fault::Mended);
        sleep(SETTLING).await;
        recover(&tallies).await;
        set_fault.send_replace(Fault::None);
    }
    clients.shutdown().await;
    let tallies = std::mem::take(&mut *tallies.lock().unwrap_or_else(PoisonError::into_inner));
    let good = |kind| tallies.get(&kind).map_or(0, |tally: &Tally| tally.good);
    let promised = good(Kind::Contact) + good(Kind::Subscribe);
    let end = Instant::now() + DELIVERY;
    while site.mails.taken() < promised && Instant::now() < end {
        sleep(LOOK).await;
    }
    let [api, mcp] = memory;
    Ok(Outcome {
        mails: [promised, site.mails.taken()],
        servers: [
            ("api-server", api, [before[0], site.api.descriptors()?]),
            ("mcp-server", mcp, [before[1], site.mcp.descriptors()?]),
        ],
        tallies,
    })
}

/// Waits until each kind of request is answered, but not for ever.
async fn recover(tallies: &Tallies) {
    let good = || -> BTreeMap<Kind, usize> {
        let tallies = tallies.lock().unwrap_or_else(PoisonError::into_inner);
        tallies
            .iter()
            .map(|(kind, tally)| (*kind, tally.good))
            .collect()
    };
    let (before, end) = (good(), Instant::now() + RECOVERY);
    while Instant::now() < end {
        sleep(LOOK).await;
        let now = good();
        if before
            .iter()
            .all(|(kind, count)| now.get(kind) > Some(count))
        {
            return;
        }
    }
}

struct Site {
    api: Server,
    mcp: Server,
    key: String,
    database: Gate,
    model: Gate,
    mail: Gate,
    mails: MailServer,
    redis: Redis,
}

impl Site {
    async fn start(postgres: &str) -> io::Result<Self> {
        let (user, host, name) = parts(postgres)?;
        let database = Gate::open(host).await?;
        let model = Gate::open(model().await?).await?;
        let mails = MailServer::start().await?;
        let mail = Gate::open(mails.address).await?;
        let redis = Redis::start()?;
        let provider = |key: &str, value: String| (format!("LLM__PROVIDERS__0__{key}"), value);
        let set = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let settings = [
            set(
                "DATABASE__URL",
                &format!("postgres://{user}@{}/{name}", database.address),
            ),
            set("LIMITS__REDIS_URL", &format!("redis://{}", redis.address)),
            set("MAIL__TRANSPORT", "smtp"),
            set("MAIL__SMTP_URL", &format!("smtp://{}", mail.address)),
            set("MAIL__FROM", "soak@example.org"),
            set("MAIL__OPERATOR", "operator@example.org"),
            set("LLM__DEADLINE_MS", "3000"),
            provider("NAME", "standin".to_owned()),
            provider("KIND", "openai".to_owned()),
            provider("MODEL", "m".to_owned()),
            provider("BASE_URL", format!("http://{}/v1", model.address)),
        ];
        let api = Server::ours("api-server", &settings)?;
        let mcp = Server::ours("mcp-server", &settings)?;
        let key = api.issue_key(&settings)?;
        Ok(Self {
            api,
            mcp,
            key,
            database,
            model,
            mail,
            mails,
            redis,
        })
    }
}

/// The user, the address and the database of a URL.
fn parts(url: &str) -> io::Result<(&str, SocketAddr, &str)> {
    let rest = url.split_once("://").map(|(_, rest)| rest);
    let parts = rest.and_then(|rest| {
        let (user, rest) = rest.split_once('@')?;
        let (host, name) = rest.split_once('/')?;
        Some((user, host.parse().ok()?, name))
    });
    parts.ok_or_else(|| io::Error::other("expected postgres://user@address:port/database"))
}

/// A client that asks for one kind of thing.
struct Asker {
    kind: Kind,
    number: usize,
    address: SocketAddr,
    key: String,
    fault: watch::Receiver<Fault>,
    tallies: Tallies,
}

async fn ask(asker: Asker) {
    let cases = match asker.kind {
        Kind::Run => cases::runs(),
        Kind::Read => cases::reads(),
        Kind::Mcp => [cases::calls(false), cases::calls(true)].concat(),
        Kind::Contact | Kind::Subscribe | Kind::Chat => Vec::new(),
    };
    let mut connection: Option<Client> = None;
    for round in 0_usize.. {
        let case = match cases.get(round % cases.len().max(1)) {
            Some(case) => case.clone(),
            None => asker.keyed(round),
        };
        let request = case.request(asker.address);
        let before = *asker.fault.borrow();
        let client = match connection.take() {
            Some(client) => Ok(client),
            None => Client::connect(asker.address).await,
        };
        let answer = match client {
            Ok(mut client) => {
                let answer = client.ask(&request).await;
                if answer.as_ref().is_ok_and(|answer| !answer.closes) {
                    connection = Some(client);
                }
                answer
            }
            Err(error) => Err(error),
        };
        // A fault may have begun or ended while the answer was on its way.
        let during = [before, *asker.fault.borrow()];
        asker.count(
            &case.name,
            during,
            answer.map(|answer| (answer.status, answer.took)),
        );
        sleep(asker.kind.pause()).await;
    }
}

impl Kind {
    fn pause(self) -> Duration {
        Duration::from_millis(match self {
            Self::Run | Self::Read | Self::Mcp => 10,
            Self::Contact | Self::Subscribe | Self::Chat => 200,
        })
    }
}

impl Asker {
    /// A request with a key, unlike all others.
    fn keyed(&self, round: usize) -> Case {
        let email = format!("reader-{}-{round}@example.org", self.number);
        let (path, body) = match self.kind {
            Kind::Contact => (
                "contact",
                json!({"name": "Ada", "email": email, "message": "Hello"}),
            ),
            Kind::Subscribe => ("subscribe", json!({"email": email, "app_id": "soak"})),
            _ => (
                "chat",
                json!({"messages": [{"role": "user", "content": "Hi"}]}),
            ),
        };
        Case {
            name: path.to_owned(),
            path: format!("/toolkit/api/{path}"),
            body: Some(body.to_string()),
            headers: vec![("X-Api-Key", self.key.clone())],
        }
    }

    fn count(&self, name: &str, during: [Fault; 2], answer: io::Result<(u16, Duration)>) {
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        let tally = tallies.entry(self.kind).or_default();
        let excused = |status: &u16| {
            during
                .iter()
                .any(|fault| fault.excuses(self.kind).contains(status))
        };
        let what = match answer {
            Ok((200, took)) => {
                tally.good += 1;
                tally.latencies.push(took);
                return;
            }
            Ok((status, _)) if excused(&status) => {
                tally.excused += 1;
                return;
            }
            Ok((status, _)) => status.to_string(),
            Err(error) => error.to_string(),
        };
        tally.faulty += 1;
        *tally
            .faults
            .entry(format!("{name}: {what} during {during:?}"))
            .or_default() += 1;
    }
}
