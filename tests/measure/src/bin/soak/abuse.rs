//! Attacks, one after the other, and their effect on the server and on a well-behaved client.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::nice;
use tokio::task::LocalSet;
use tokio::time::sleep;
use toolkit_measure::Result;
use toolkit_measure::cases;
use toolkit_measure::client::runtime;
use toolkit_measure::load::Load;
use toolkit_measure::process::Server;
use toolkit_measure::table::{table, times};

use crate::attack::{self, Attack, Target};
use crate::honest;

/// Interval between requests of the well-behaved client.
const PAUSE: Duration = Duration::from_millis(5);
/// For its latency without an attack.
const QUIET: Duration = Duration::from_secs(2);
/// For an attack to start before anything is measured.
const BUILD_UP: Duration = Duration::from_secs(3);
/// Interval between looks at a server that recovers.
const LOOK: Duration = Duration::from_millis(100);
/// For a server to recover: connections close within 30 s.
const RECOVERY: Duration = Duration::from_secs(45);

/// The lowest priority.
const NICEST: i32 = 19;

/// Tolerated effects. A small run waits for its turn beside connections that are busy all the time.
pub(crate) const LONGEST: Duration = Duration::from_secs(1);
pub(crate) const MEMORY_MIB_MAX: f64 = 448.0;
/// The allocator keeps a page for each size of buffers, and gives nothing back below 96 MiB.
const KEPT_MIB_MAX: f64 = 50.0;
pub(crate) const IDLE_MIB_MAX: f64 = 96.0;
/// Connections to the database that were opened meanwhile.
const KEPT_DESCRIPTORS_MAX: usize = 8;

const HEADS: &str = "Attack | Connections | median of the client, of that in peace | median, us | longest, us | MiB before \
                     | at most | after | descriptors before | after | back in, s | pages | uploads | newcomers | cut or refused \
                     | answers | verdict";

/// Runs the attacks whose names contain this, each for the given time; returns whether all
/// succeeded.
pub(crate) fn run(each: Duration, only: Option<&str>) -> Result<bool> {
    let proxy = attack::PROXY.to_string();
    // Attackers have what every client has.
    let settings = [("HTTP__TRUSTED_PROXIES", &*proxy), ("LIMITS__CLIENT_CONNECTIONS", "512")];
    let server = Server::ours("api-server", &settings)?;
    let (mut rows, mut is_well) = (Vec::new(), true);
    let target = Target { address: server.address, is_mcp: false, key: None };
    for attack in attack::all(&target)? {
        if only.is_none_or(|only| attack.name.contains(only)) {
            let (row, faults) = one(attack, &server, each)?;
            is_well &= faults.is_empty();
            let verdict = faults.join(", ").to_uppercase();
            let verdict = if verdict.is_empty() { "ok" } else { &verdict };
            rows.push(format!("{row} | {verdict}"));
            println!("{row} | {verdict}");
        }
    }
    println!("\n{}", table(HEADS, rows));
    Ok(is_well)
}

/// Effects of an attack, and the violations among them.
fn one(attack: Attack, server: &Server, time: Duration) -> Result<(String, Vec<&'static str>)> {
    let mut client = Load::of(&cases::runs().swap_remove(0), server.address, 1);
    client.pause = PAUSE;
    let (name, connections) = (attack.name.clone(), attack.connections);
    // An address with thousands of connections shuts itself out.
    let crowded = (attack.is_idle() && attack.addresses.is_some()).then(|| attack.source(0, 0));
    let quiet = client.run(QUIET)?;
    server.forget_highest()?;
    let holds = || -> Result<_> { Ok((server.memory("VmRSS")?, server.descriptors()?)) };
    let (before, descriptors) = holds()?;
    let over = AtomicBool::new(false);
    let (seen, honest, answers) = thread::scope(|scope| {
        let attackers = scope.spawn(|| strike(vec![attack], server.address, &over));
        thread::sleep(BUILD_UP);
        let honest = scope.spawn(|| honest::visit(server.address, time, crowded));
        let seen = client.run(time);
        let honest = honest.join();
        over.store(true, Ordering::Relaxed);
        (seen, honest, attackers.join())
    });
    let seen = seen?;
    let honest = honest.map_err(|_| "the honest clients panicked")??;
    let answers = answers.map_err(|_| "the attackers panicked")??.join("");
    let most = server.memory("VmHWM")?;
    let start = Instant::now();
    let most_kept = descriptors + KEPT_DESCRIPTORS_MAX;
    let mib_kept = IDLE_MIB_MAX.max(before + KEPT_MIB_MAX);
    let is_back = |(memory, now): (f64, usize)| memory <= mib_kept && now <= most_kept;
    while start.elapsed() < RECOVERY && !is_back(holds()?) {
        thread::sleep(LOOK);
    }
    let back_in = start.elapsed().as_secs_f64();
    let (after, descriptors_after) = holds()?;
    let [micros, longest] = [0.5, 1.0].map(|share| seen.micros(share));
    let slower = micros / quiet.micros(0.5).max(1.0);
    let all_answered = quiet.failures.is_empty() && seen.failures.is_empty();
    let faults = [
        (longest > LONGEST.as_secs_f64() * 1e6, "slow"),
        (!all_answered, "failures"),
        (!honest.faults.is_empty(), "honest clients"),
        (most > MEMORY_MIB_MAX, "memory"),
        (after > mib_kept, "memory kept"),
        (descriptors_after > most_kept, "descriptors"),
    ];
    let faults = faults.into_iter().filter(|(is_so, _)| *is_so);
    let row = format!(
        "{name} | {connections} | {} | {micros:.0} | {longest:.0} | {before:.0} | {most:.0} | {after:.0} \
         | {descriptors} | {descriptors_after} | {back_in:.1} | {} | {} | {} | {} | {answers}",
        times(slower),
        honest.pages,
        honest.uploads,
        honest.newcomers,
        honest.faults.values().sum::<usize>()
    );
    for (failure, count) in seen.failures.iter().chain(&honest.faults) {
        println!("  {name}: {count} x {failure}");
    }
    Ok((row, faults.map(|(_, what)| what).collect()))
}

/// Attacks from a separate thread until the end; returns the number of responses by status, 0 for
/// none, to each attack.
pub(crate) fn strike(
    attacks: Vec<Attack>,
    server: SocketAddr,
    over: &AtomicBool,
) -> Result<Vec<String>> {
    // Attackers are on other machines: theirs is no processor time that a server needs.
    nice(NICEST)?;
    let tasks = LocalSet::new();
    let mut all = Vec::new();
    for (number, attack) in (0..).zip(attacks) {
        let answers = Rc::new(RefCell::new(BTreeMap::new()));
        all.push(Rc::clone(&answers));
        let attack = Rc::new(attack);
        for connection in 0..attack.connections {
            let (attack, answers) = (Rc::clone(&attack), Rc::clone(&answers));
            let source = attack.source(number, connection);
            tasks.spawn_local(async move {
                loop {
                    let status = attack.once(connection, source, server).await.unwrap_or(0);
                    *answers.borrow_mut().entry(status).or_insert(0_u64) += 1;
                    sleep(attack.between()).await;
                }
            });
        }
    }
    tasks.block_on(&runtime()?, async {
        while !over.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(20)).await;
        }
    });
    let told = all.iter().map(|answers| {
        let answers = answers.borrow();
        let answers = answers.iter().map(|(status, count)| format!("{count} x {status}"));
        answers.collect::<Vec<_>>().join(", ")
    });
    Ok(told.collect())
}
