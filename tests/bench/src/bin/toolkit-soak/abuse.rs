//! One attack after the other, and what it does to the server and to a client that behaves.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::task::LocalSet;
use toolkit_bench::client::quantile;
use toolkit_bench::process::Server;

use crate::attacks::{self, Attack};
use crate::victim::Victim;

/// For the victim's latency in peace.
const QUIET: Duration = Duration::from_secs(2);
/// For an attack to be under way before anything is measured.
const BUILD_UP: Duration = Duration::from_secs(3);
/// Between two tries of one attacking connection: each is cut off and comes back.
const BETWEEN: Duration = Duration::from_millis(100);
/// For a server to be as it was: connections close within 30 s.
const RECOVERY: Duration = Duration::from_secs(45);

/// What may happen.
const SLOWER_AT_MOST: f64 = 2.0;
const MEMORY_MIB_MAX: f64 = 200.0;
/// The allocator keeps a page for each size of buffers.
const KEPT_MIB_MAX: f64 = 50.0;

/// What an attack did.
pub(crate) struct Damage {
    pub(crate) name: &'static str,
    /// How often each status was the answer; 0 is none.
    pub(crate) answers: BTreeMap<u16, u64>,
    pub(crate) quiet: Duration,
    pub(crate) under_attack: Duration,
    pub(crate) failures: usize,
    /// Before, at most, after; in MiB.
    pub(crate) memory: [f64; 3],
    /// Before and after.
    pub(crate) descriptors: [usize; 2],
    pub(crate) recovered_in: Duration,
}

impl Damage {
    /// How many times as long an answer took.
    pub(crate) fn slower(&self) -> f64 {
        self.under_attack.as_secs_f64() / self.quiet.as_secs_f64().max(1e-6)
    }

    /// What went beyond what may happen.
    pub(crate) fn faults(&self) -> Vec<&'static str> {
        let [before, most, after] = self.memory;
        [
            (self.slower() > SLOWER_AT_MOST, "slow"),
            (self.failures > 0, "failures"),
            (most > MEMORY_MIB_MAX, "memory"),
            (after > before + KEPT_MIB_MAX, "memory kept"),
            (self.descriptors[1] > self.descriptors[0], "descriptors"),
        ]
        .into_iter()
        .filter_map(|(is_so, what)| is_so.then_some(what))
        .collect()
    }
}

/// Runs all attacks, each for so long; tells of each when it is over.
pub(crate) fn run(
    server: &Server,
    each: Duration,
    only: Option<&str>,
    mut tell: impl FnMut(&Damage),
) -> io::Result<bool> {
    let victim = Victim::start(server.address);
    let mut unharmed = true;
    let attacks = attacks::all()?;
    for attack in attacks
        .into_iter()
        .filter(|attack| only.is_none_or(|only| attack.name.contains(only)))
    {
        let damage = one(attack, server, &victim, each)?;
        unharmed &= damage.faults().is_empty();
        tell(&damage);
    }
    Ok(unharmed)
}

fn one(attack: Attack, server: &Server, victim: &Victim, time: Duration) -> io::Result<Damage> {
    let name = attack.name;
    let _ = victim.take();
    thread::sleep(QUIET);
    let mut quiet = victim.take();
    let descriptors = server.descriptors()?;
    server.forget_highest()?;
    let before = server.memory()?.resident;
    let over = AtomicBool::new(false);
    let (under_attack, answers) = thread::scope(|scope| {
        let attackers = scope.spawn(|| strike(attack, server.address, &over));
        thread::sleep(BUILD_UP);
        let _ = victim.take();
        thread::sleep(time);
        let seen = victim.take();
        over.store(true, Ordering::Relaxed);
        (seen, attackers.join())
    });
    let mut under_attack = under_attack;
    let most = server.memory()?.highest;
    let recovered_in = recover(server, descriptors, before)?;
    Ok(Damage {
        name,
        answers: answers.map_err(|_| io::Error::other("the attackers panicked"))??,
        quiet: quantile(&mut quiet.latencies, 0.5),
        under_attack: quantile(&mut under_attack.latencies, 0.5),
        failures: quiet.failures + under_attack.failures,
        memory: [before, most, server.memory()?.resident],
        descriptors: [descriptors, server.descriptors()?],
        recovered_in,
    })
}

/// Waits until the server is as it was, but not for ever.
fn recover(server: &Server, descriptors: usize, memory: f64) -> io::Result<Duration> {
    let start = Instant::now();
    while start.elapsed() < RECOVERY {
        if server.descriptors()? <= descriptors
            && server.memory()?.resident <= memory + KEPT_MIB_MAX
        {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(start.elapsed())
}

type Answers = BTreeMap<u16, u64>;

/// Attacks on a thread of its own until it is over.
fn strike(attack: Attack, server: SocketAddr, over: &AtomicBool) -> io::Result<Answers> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let attack = Rc::new(attack);
    let answers = Rc::new(std::cell::RefCell::new(Answers::new()));
    let connections = LocalSet::new();
    for _ in 0..attack.connections {
        let (attack, answers) = (Rc::clone(&attack), Rc::clone(&answers));
        connections.spawn_local(async move {
            loop {
                let status = attack.once(server).await;
                *answers.borrow_mut().entry(status).or_default() += 1;
                tokio::time::sleep(BETWEEN).await;
            }
        });
    }
    connections.block_on(&runtime, async {
        while !over.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    drop(connections);
    Ok(answers.take())
}
